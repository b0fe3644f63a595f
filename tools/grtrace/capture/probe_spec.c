// SPDX-License-Identifier: GPL-2.0
#include "probe_spec.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

#define WORD_BYTES	512
#define SPEC_HINT	"such as 'drm_sched_job_arm', 'vmwgfx:vmw_validate_single_buffer interruptible' or '-x /lib/libc.so.6 malloc bytes'"
#define VALUE_HINT	"such as job, job->id, %di, +8(%di):u64 or $retval"

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* What tracefs takes as a name: letters, digits and _, no digit first. */
static bool is_name(const char *text, size_t len)
{
	if (!len || isdigit((unsigned char)*text))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!is_name_char(text[i]))
			return false;
	return true;
}

/* Copies a part of the text.  0, or -EINVAL with a cause if it is empty or too long. */
static int copy(char *to, size_t room, const char *text, size_t len, const char *what)
{
	if (!len)
		return grt_fail(EINVAL, SPEC_HINT, "a probe without its %s", what);
	if (len >= room)
		return grt_fail(EINVAL, NULL, "the %s '%.*s' is longer than %zu letters", what, (int)len,
				text, room - 1);
	memcpy(to, text, len);
	to[len] = '\0';
	return 0;
}

/* Takes "NAME=" from the front of a word. */
static int take_name(const char **word, char *name, size_t room)
{
	size_t len = strcspn(*word, "=");

	if (!(*word)[len])
		return 0;
	if (!is_name(*word, len))
		return grt_fail(EINVAL, "a name has letters, digits and _", "'%.*s' cannot be a name",
				(int)len, *word);
	if (copy(name, room, *word, len, "name"))
		return -EINVAL;
	*word += len + 1;
	return 0;
}

bool grt_probe_is_pattern(const char *function)
{
	return strpbrk(function, "*?[");
}

/* "+OFFSET" and "%return" behind the name of the function. */
static int parse_place(struct grt_probe_spec *s, const char *at)
{
	char *end;

	if (*at == '+') {
		errno = 0;
		s->offset = strtoull(at + 1, &end, 0);
		if (errno || end == at + 1 || !isdigit((unsigned char)at[1]))
			return grt_fail(EINVAL, "such as drm_sched_job_arm+8", "'%s' is no offset", at);
		at = end;
	}
	if (!strcmp(at, "%return") && !s->offset) {
		s->is_return = true;
		return 0;
	}
	if (!*at)
		return 0;
	if (s->offset)
		return grt_fail(EINVAL, "either FUNCTION+OFFSET or FUNCTION%return",
				"'%s' does not fit behind an offset", at);
	return grt_fail(EINVAL, "a place is FUNCTION, FUNCTION+OFFSET or FUNCTION%return",
			"'%s' is no place in a function", at);
}

static int parse_target(struct grt_probe_spec *s, const char *word)
{
	const char *colon;
	size_t len;

	if (take_name(&word, s->name, sizeof(s->name)))
		return -EINVAL;
	colon = *s->file ? NULL : strchr(word, ':');
	if (colon && copy(s->module, sizeof(s->module), word, colon - word, "module"))
		return -EINVAL;
	if (colon)
		word = colon + 1;
	len = strcspn(word, "+%");
	if (copy(s->function, sizeof(s->function), word, len, "function"))
		return -EINVAL;
	if (!*s->file && (strpbrk(s->function, "*?[]:/") || !is_name(s->function, strcspn(s->function, "."))))
		return grt_fail(EINVAL, SPEC_HINT, "'%s' is no name of a function in the kernel", s->function);
	if (*s->name && grt_probe_is_pattern(s->function))
		return grt_fail(EINVAL, "leave the name away: each event gets that of its function",
				"the functions of a pattern cannot all be called '%s'", s->name);
	return parse_place(s, word + len);
}

bool grt_probe_is_c(const char *value)
{
	return isalpha((unsigned char)*value) || *value == '_';
}

/* Copies what fits in a name, with other letters as "_". */
static void copy_name(char *to, size_t room, const char *from)
{
	size_t len = 0;

	for (; *from && len < room - 1; from++) {
		if (is_name_char(*from))
			to[len++] = *from;
		else if (len && to[len - 1] != '_')
			to[len++] = '_';
	}
	to[len] = '\0';
}

static bool has_name(const struct grt_probe_spec *s, const char *name)
{
	for (unsigned int i = 0; i < s->nr_args; i++)
		if (!strcmp(s->args[i].name, name))
			return true;
	return false;
}

/* The name of a field that was given none: "job->base.id" becomes id, or if there is one, job_base_id. */
static void make_up_name(const struct grt_probe_spec *s, struct grt_probe_arg *a)
{
	const char *at = a->value + strspn(a->value, "%$"), *last = at;

	if (!isalpha((unsigned char)*at) && *at != '_') {
		snprintf(a->name, sizeof(a->name), "value%u", s->nr_args + 1);
		return;
	}
	for (const char *c = at; *c; c++)
		if (!is_name_char(*c))
			last = c + 1;
	copy_name(a->name, sizeof(a->name), last);
	if (!*a->name || has_name(s, a->name))
		copy_name(a->name, sizeof(a->name), at);
}

/* Only names of arguments and of their members; tracefs checks the rest. */
static int check_c(const char *value)
{
	const char *at = value;
	size_t len;

	for (;;) {
		for (len = 0; is_name_char(at[len]); len++)
			;
		if (!is_name(at, len))
			break;
		at += len;
		if (!*at)
			return 0;
		if (*at == '.')
			at++;
		else if (!strncmp(at, "->", strlen("->")))
			at += strlen("->");
		else
			break;
	}
	if (!strcmp(at, "-"))
		return grt_fail(EINVAL, "put the value in quotes: 'job->id'",
				"'%s' ends in '-': the shell took the '>' behind it", value);
	return grt_fail(EINVAL, VALUE_HINT, "'%s' is no argument and no member of one", value);
}

static int parse_arg(struct grt_probe_spec *s, const char *word)
{
	struct grt_probe_arg *a = &s->args[s->nr_args];
	const char *colon;

	if (s->nr_args == GRT_PROBE_ARGS)
		return grt_fail(EINVAL, NULL, "a probe records at most %d values", GRT_PROBE_ARGS);
	if (take_name(&word, a->name, sizeof(a->name)))
		return -EINVAL;
	colon = strrchr(word, ':');
	if (copy(a->value, sizeof(a->value), word, colon ? (size_t)(colon - word) : strlen(word), "value"))
		return -EINVAL;
	if (colon && copy(a->type, sizeof(a->type), colon + 1, strlen(colon + 1), "type"))
		return -EINVAL;
	if (!strchr("%$+-@\\", *a->value) && check_c(a->value))
		return -EINVAL;
	if (!*a->name)
		make_up_name(s, a);
	if (has_name(s, a->name))
		return grt_fail(EINVAL, "give one of them another name: OTHER=VALUE",
				"two values of a probe are called '%s'", a->name);
	s->nr_args++;
	return 0;
}

/* The next word, without the blanks around it; NULL behind the last one. */
static const char *next_word(const char **text, char word[WORD_BYTES])
{
	size_t len;

	*text += strspn(*text, " \t");
	len = strcspn(*text, " \t");
	if (!len)
		return NULL;
	snprintf(word, WORD_BYTES, "%.*s", (int)len, *text);
	*text += len;
	return word;
}

int grt_probe_spec_parse(struct grt_probe_spec *s, const char *text)
{
	char buf[WORD_BYTES];
	const char *word = next_word(&text, buf);
	int err = 0;

	*s = (struct grt_probe_spec){ .offset = 0 };
	if (word && !strcmp(word, "-x")) {
		word = next_word(&text, buf);
		if (copy(s->file, sizeof(s->file), word ? word : "", word ? strlen(word) : 0, "file"))
			return -EINVAL;
		word = next_word(&text, buf);
	}
	if (!word)
		return grt_fail(EINVAL, SPEC_HINT, "a probe without its function");
	err = parse_target(s, word);
	while (!err && (word = next_word(&text, buf)))
		err = parse_arg(s, word);
	return err;
}

void grt_probe_spec_name(const struct grt_probe_spec *s, const char *function,
			 char name[GRT_PROBE_NAME])
{
	char whole[256];
	size_t at = 0;

	if (s->is_return)
		snprintf(whole, sizeof(whole), "%.40s__return", function);
	else if (s->offset)
		snprintf(whole, sizeof(whole), "%.40s_%" PRIu64, function, s->offset);
	else
		snprintf(whole, sizeof(whole), "%s", function);
	if (*s->name)
		snprintf(whole, sizeof(whole), "%s", s->name);
	if (isdigit((unsigned char)*whole))
		name[at++] = '_';
	for (const char *from = whole; *from && at < GRT_PROBE_NAME - 1; from++)
		name[at++] = is_name_char(*from) ? *from : '_';
	name[at] = '\0';
}
