// SPDX-License-Identifier: LGPL-2.1
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "filter.h"
#include "filter_inside.h"
#include "number.h"
#include "rules.h"

#define WORD_MAX	128

struct parser {
	struct grt_filter *f;
	const struct grt_rules *rules;
	const char *begin, *p, *end;
	unsigned int depth;
};

static const char *field_list(void)
{
	static char list[1024];
	size_t at = 0;

	if (*list)
		return list;
	at += snprintf(list, sizeof(list), "fields:");
	for (size_t i = 0; i < grt_nr_columns && at < sizeof(list); i++) {
		const char *name = grt_columns[i].name;
		size_t len = strlen(name);

		/* The short names are what people type. */
		if (len > 3 && !strcmp(name + len - 3, "_ns"))
			len -= 3;
		at += snprintf(list + at, sizeof(list) - at, " %.*s", (int)len, name);
	}
	return list;
}

/* Columns are counted from 1, in bytes. */
static int fail_at(const struct parser *s, const char *at, const char *hint, const char *what)
{
	return grt_fail(EINVAL, hint, "filter, column %d: %s", (int)(at - s->begin) + 1, what);
}

static void skip_blanks(struct parser *s)
{
	while (s->p < s->end && isspace((unsigned char)*s->p))
		s->p++;
}

static bool take(struct parser *s, const char *sign)
{
	size_t len = strlen(sign);

	skip_blanks(s);
	if ((size_t)(s->end - s->p) < len || memcmp(s->p, sign, len))
		return false;
	s->p += len;
	return true;
}

static bool is_word(char c)
{
	return c && !isspace((unsigned char)c) && !strchr("()&|!<>=\"'", c);
}

/* The next word, or what stands between quotes.  0 or -EINVAL. */
static int take_word(struct parser *s, char *word, const char *wanted)
{
	char quote = 0, what[WORD_MAX];
	const char *from;
	size_t len = 0;

	skip_blanks(s);
	from = s->p;
	if (s->p < s->end && (*s->p == '"' || *s->p == '\''))
		quote = *s->p++;
	for (; s->p < s->end && (quote ? *s->p != quote : is_word(*s->p)); s->p++) {
		if (len == WORD_MAX - 1 || !*s->p)
			return fail_at(s, from, NULL, "this word is too long");
		word[len++] = *s->p;
	}
	word[len] = '\0';
	if (quote && s->p++ == s->end)
		return fail_at(s, from, NULL, "this quote is not closed");
	if (quote || len)
		return 0;
	snprintf(what, sizeof(what), "%s is missing here", wanted);
	return fail_at(s, from, "write it like 'ring == gfx && t_dep > 1ms'", what);
}

static const struct grt_column *find_column(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < grt_nr_columns; i++) {
		const char *full = grt_columns[i].name;

		if (!strcmp(full, name) || (!strncmp(full, name, len) && !strcmp(full + len, "_ns")))
			return &grt_columns[i];
	}
	return NULL;
}

static int take_op(struct parser *s, uint8_t *op)
{
	/* Longer signs first. */
	static const struct {
		const char *sign;
		enum filter_op op;
	} ops[] = {
		{ "==", FILTER_EQ }, { "!=", FILTER_NE }, { "<=", FILTER_LE },
		{ ">=", FILTER_GE }, { "=", FILTER_EQ }, { "<", FILTER_LT }, { ">", FILTER_GT },
	};

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		*op = ops[i].op;
		if (take(s, ops[i].sign))
			return 0;
	}
	return fail_at(s, s->p, "use == != < <= > or >=", "an operator is missing here");
}

/* "5ms", "100", and "30%" where shares are known. */
static int set_time(struct filter_node *n, const char *word)
{
	size_t len = strlen(word);
	char share[WORD_MAX];

	if (isdigit((unsigned char)word[len - 1]) ? !grt_parse_u64(word, &n->number) :
						    !grt_parse_ns(word, &n->number))
		return 0;
	if (word[len - 1] != '%')
		return grt_fail(EINVAL, "write it like 5ms, 100us or a number of ns",
				"'%s' is no time", word);
	if (n->column->kind != GRT_COLUMN_STAGE)
		return grt_fail(EINVAL, NULL, "only a stage has a share of total");
	/* As if it were us: what comes out are thousandths of a percent. */
	snprintf(share, sizeof(share), "%.*sus", (int)len - 1, word);
	if (grt_parse_ns(share, &n->number) || n->number > UINT32_MAX)
		return grt_fail(EINVAL, "write it like 30% or 0.5%", "'%s' is no share", word);
	n->number *= FILTER_WHOLE / 100000;
	n->is_share = true;
	return 0;
}

static int set_status(struct filter_node *n, const char *word)
{
	int32_t status;
	char *rest;

	n->status = strtoll(word, &rest, 10);
	if (*word && !*rest)
		return 0;
	if (!grt_status_find(word, &status))
		return grt_fail(EINVAL, "write it like -5, EIO or ok", "'%s' is no status", word);
	n->status = status;
	return 0;
}

static int set_flag(struct filter_node *n, const char *word)
{
	static const struct {
		const char *name;
		uint32_t flag;
	} flags[] = {
#define GRT_X(NAME, name, bit, text) { #name, GRT_JOB_##NAME },
		GRT_JOB_FLAGS(GRT_X)
#undef GRT_X
	};
	char hint[GRT_JOB_FLAGS_LEN + 16];

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		n->number = flags[i].flag;
		if (!strcmp(flags[i].name, word))
			return 0;
	}
	snprintf(hint, sizeof(hint), "flags: ");
	grt_job_flags(~0u, hint + strlen(hint));
	return grt_fail(EINVAL, hint, "no flag '%s'", word);
}

static int set_label(const struct parser *s, struct filter_node *n, const char *word)
{
	int rule = s->rules ? grt_rules_find(s->rules, word) : -1;

	if (!s->rules)
		return grt_fail(EINVAL, NULL, "labels cannot be asked for here");
	if (rule < 0)
		return grt_fail(EINVAL, "grtrace report --overhead lists the rules",
				"no label '%s'", word);
	n->number = 1ull << rule;
	return 0;
}

static int set_name(struct filter_node *n, const char *word)
{
	int engine = grt_engine_find(word);

	if (n->column->kind == GRT_COLUMN_ENGINE && engine < 0)
		return grt_fail(EINVAL, "engines: GRAPHICS (gfx), COMPUTE, COPY (sdma), "
				"VIDEO_DECODE, VIDEO_ENCODE, OTHER", "no engine '%s'", word);
	n->text = strdup(n->column->kind == GRT_COLUMN_ENGINE ? grt_engine_name(engine) : word);
	return n->text ? 0 : grt_fail_memory();
}

static int set_value(const struct parser *s, struct filter_node *n, const char *word)
{
	enum grt_column_kind kind = n->column->kind;

	if (n->op > FILTER_NE && (kind == GRT_COLUMN_NAME || kind == GRT_COLUMN_ENGINE ||
				  kind == GRT_COLUMN_FLAGS || kind == GRT_COLUMN_LABELS))
		return grt_fail(EINVAL, "use == or !=", "'%s' has no order", n->column->name);
	switch (kind) {
	case GRT_COLUMN_NUMBER:
		return grt_parse_u64(word, &n->number);
	case GRT_COLUMN_STAMP:
	case GRT_COLUMN_STAGE:
		if (!*word)
			return grt_fail(EINVAL, NULL, "a time is missing");
		return set_time(n, word);
	case GRT_COLUMN_STATUS:
		return set_status(n, word);
	case GRT_COLUMN_FLAGS:
		return set_flag(n, word);
	case GRT_COLUMN_LABELS:
		return set_label(s, n, word);
	default:
		return set_name(n, word);
	}
}

static int add_node(struct parser *s, const struct filter_node *n, unsigned int *at)
{
	if (s->f->nr_nodes == FILTER_MAX_NODES)
		return fail_at(s, s->p, NULL, "the filter is too long");
	*at = s->f->nr_nodes++;
	s->f->nodes[*at] = *n;
	return 0;
}

static int parse_comparison(struct parser *s, unsigned int *at)
{
	struct filter_node n = { 0 };
	char word[WORD_MAX], cause[256], hint[512];
	const char *from;
	int err;

	skip_blanks(s);
	from = s->p;
	err = take_word(s, word, "a field");
	if (err)
		return err;
	n.column = find_column(word);
	if (!n.column) {
		snprintf(cause, sizeof(cause), "no field '%s'", word);
		return fail_at(s, from, field_list(), cause);
	}
	err = take_op(s, &n.op);
	skip_blanks(s);
	from = s->p;
	if (!err)
		err = take_word(s, word, "a value");
	if (err)
		return err;
	if (set_value(s, &n, word)) {
		snprintf(cause, sizeof(cause), "%s", grt_cause());
		snprintf(hint, sizeof(hint), "%s", grt_hint() ? grt_hint() : "");
		return fail_at(s, from, *hint ? hint : NULL, cause);
	}
	err = add_node(s, &n, at);
	if (err)
		free(n.text);
	return err;
}

static int parse_or(struct parser *s, unsigned int *at);

/* The only place that goes deeper. */
static int parse_unary(struct parser *s, unsigned int *at)
{
	struct filter_node n = { .op = FILTER_NOT };
	const char *from;
	unsigned int child;
	bool is_not;
	int err;

	skip_blanks(s);
	from = s->p;
	is_not = take(s, "!");
	if (!is_not && !take(s, "("))
		return parse_comparison(s, at);
	if (++s->depth > FILTER_MAX_DEPTH)
		return fail_at(s, from, NULL, "too many brackets within each other");
	err = is_not ? parse_unary(s, &child) : parse_or(s, at);
	s->depth--;
	if (err)
		return err;
	if (is_not) {
		n.left = child;
		return add_node(s, &n, at);
	}
	return take(s, ")") ? 0 : fail_at(s, from, NULL, "this bracket is not closed");
}

static int parse_and(struct parser *s, unsigned int *at)
{
	int err = parse_unary(s, at);

	while (!err) {
		struct filter_node n = { .op = FILTER_AND, .left = *at };
		unsigned int right;

		/* "&&" may be left out. */
		if (!take(s, "&&") &&
		    (s->p == s->end || *s->p == ')' || *s->p == '|'))
			return 0;
		err = parse_unary(s, &right);
		n.right = right;
		if (!err)
			err = add_node(s, &n, at);
	}
	return err;
}

static int parse_or(struct parser *s, unsigned int *at)
{
	int err = parse_and(s, at);

	while (!err && take(s, "||")) {
		struct filter_node n = { .op = FILTER_OR, .left = *at };
		unsigned int right;

		err = parse_and(s, &right);
		n.right = right;
		if (!err)
			err = add_node(s, &n, at);
	}
	return err;
}

int grt_filter_create(struct grt_filter **f, const char *text, size_t bytes,
		      const struct grt_rules *rules)
{
	struct parser s = { .rules = rules, .begin = text, .p = text, .end = text + bytes };
	int err;

	if (bytes > FILTER_MAX_BYTES)
		return grt_fail(EINVAL, NULL, "a filter has %d bytes at most", FILTER_MAX_BYTES);
	s.f = calloc(1, sizeof(*s.f));
	if (!s.f)
		return grt_fail_memory();
	err = parse_or(&s, &s.f->root);
	skip_blanks(&s);
	if (!err && s.p != s.end)
		err = fail_at(&s, s.p, "join comparisons with && and ||", "this cannot stand here");
	if (err)
		grt_filter_destroy(s.f);
	else
		*f = s.f;
	return err;
}
