// SPDX-License-Identifier: LGPL-2.1
#include "rules.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "filter.h"

_Static_assert(GRT_MAX_RULES * GRT_RULE_NAME_MAX <= GRT_CELL_MAX, "labels do not fit a cell");

const char grt_default_rules[] =
	"t_ring > 1ms && t_ring > 30% || t_queue > 1ms && t_queue > 30%  label=long-queue\n"
	"t_exec > 16ms                                   label=slow-exec\n"
	"t_dep > 1ms && t_dep > 50%                      label=dependency-stall\n"
	"t_sched > 100us                                 label=scheduler-delay\n"
	"flags == preempted                              label=preempted\n"
	"flags == memory_move                            label=memory-move\n"
	"t_complete > 1ms                                label=late-completion\n"
	"status != ok                                    label=error\n";

static void clear(struct grt_rule *rule)
{
	grt_filter_destroy(rule->when);
	rule->when = NULL;
}

int grt_rules_off(struct grt_rules *r, const char *name)
{
	int i = grt_rules_find(r, name);

	if (i < 0)
		return grt_rules_unknown(r, "rule", name);
	clear(&r->rules[i]);
	return 0;
}

static bool is_name(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)p[i]) && p[i] != '-' && p[i] != '_')
			return false;
	return len && len < GRT_RULE_NAME_MAX;
}

static int put(struct grt_rules *r, const char *name, const char *when, size_t bytes)
{
	int i = grt_rules_find(r, name);
	struct grt_filter *f;
	char *text;
	int err;

	if (i < 0 && r->count == GRT_MAX_RULES)
		return grt_fail(E2BIG, NULL, "there are %d rules at most", GRT_MAX_RULES);
	err = grt_filter_create(&f, when, bytes, NULL);
	if (err)
		return err;
	text = strndup(when, bytes);
	if (!text) {
		grt_filter_destroy(f);
		return grt_fail_memory();
	}
	if (i < 0) {
		i = r->count++;
		stpcpy(r->rules[i].name, name);
	}
	clear(&r->rules[i]);
	free(r->rules[i].text);
	r->rules[i].text = text;
	r->rules[i].when = f;
	return 0;
}

/* Finds "label=" at the beginning of a word; NULL if there is none. */
static const char *find_label(const char *line, size_t len)
{
	static const char word[] = "label=";
	const char *end = line + len, *found = NULL;

	/* The last one counts: a name in quotes may contain " label=". */
	for (const char *p = line; (p = memmem(p, end - p, word, strlen(word))); p++)
		if (p != line && isspace((unsigned char)p[-1]))
			found = p;
	return found;
}

/*
 * Leaves out a last word action=NAME, which is for the module; shortens @len.  A word with other
 * characters may be the end of a name in quotes.
 */
static int skip_action(const char *line, size_t *len)
{
	static const char *const names[] = { "snapshot", "stop", "mark" };
	const char prefix[] = "action=", *word = line + *len, *end = line + *len;
	size_t name_len;

	while (word > line && !isspace((unsigned char)word[-1]))
		word--;
	if (end - word < (ptrdiff_t)strlen(prefix) || memcmp(word, prefix, strlen(prefix)))
		return 0;
	word += strlen(prefix);
	name_len = end - word;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (name_len != strlen(names[i]) || memcmp(word, names[i], name_len))
			continue;
		*len -= strlen(prefix) + name_len;
		return 0;
	}
	if (memchr(word, '"', name_len) || memchr(word, '\'', name_len))
		return 0;
	return grt_fail(EINVAL, "t_exec > 5ms action=snapshot label=slow-exec",
			"'%.*s' is no action; actions are snapshot, stop, mark",
			(int)(name_len < 64 ? name_len : 64), word);
}

static size_t trim(const char *line, size_t len)
{
	while (len && isspace((unsigned char)line[len - 1]))
		len--;
	return len;
}

static int read_line(struct grt_rules *r, const char *line, size_t len)
{
	const char *label = find_label(line, len), *name;
	char word[GRT_RULE_NAME_MAX];
	bool is_off = len > 4 && !memcmp(line, "off ", 4);
	size_t name_len;
	int err;

	if (!label && !is_off)
		return grt_fail(EINVAL, "t_exec > 5ms label=slow-exec", "a rule ends with label=NAME");
	name = is_off ? line + 4 : label + strlen("label=");
	name_len = line + len - name;
	if (!is_name(name, name_len))
		return grt_fail(EINVAL, "names are letters, digits, - and _",
				"'%.*s' is no name for a label", (int)(name_len < 64 ? name_len : 64),
				name);
	memcpy(word, name, name_len);
	word[name_len] = '\0';
	if (is_off)
		return grt_rules_off(r, word);
	len = trim(line, label - line);
	err = skip_action(line, &len);
	return err ? err : put(r, word, line, trim(line, len));
}

static int fail_in(const char *from, unsigned int line, int err)
{
	char cause[512], hint[GRT_CELL_MAX + 8] = "";

	stpncpy(cause, grt_cause(), sizeof(cause) - 1)[0] = '\0';
	if (grt_hint())
		stpncpy(hint, grt_hint(), sizeof(hint) - 1)[0] = '\0';
	return grt_fail(-err, *hint ? hint : NULL, "%s, line %u: %s", from, line, cause);
}

int grt_rules_read(struct grt_rules *r, const char *text, const char *from)
{
	for (unsigned int line = 1; *text; line++) {
		size_t whole = strcspn(text, "\n"), len = strcspn(text, "#\n");
		const char *begin = text;
		int err;

		while (len && isspace((unsigned char)*begin)) {
			begin++;
			len--;
		}
		len = trim(begin, len);
		err = len ? read_line(r, begin, len) : 0;
		if (err)
			return fail_in(from, line, err);
		text += whole + (text[whole] == '\n');
	}
	return 0;
}

uint64_t grt_rules_labels(const struct grt_rules *r, const struct grt_view *view)
{
	uint64_t labels = 0;

	for (unsigned int i = 0; i < r->count; i++)
		if (r->rules[i].when && grt_filter_matches(r->rules[i].when, view))
			labels |= 1ull << i;
	return labels;
}

void grt_rules_free(struct grt_rules *r)
{
	for (unsigned int i = 0; i < r->count; i++) {
		clear(&r->rules[i]);
		free(r->rules[i].text);
	}
	*r = (struct grt_rules){ 0 };
}
