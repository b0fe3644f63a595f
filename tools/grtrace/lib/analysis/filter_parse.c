// SPDX-License-Identifier: LGPL-2.1
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "error.h"
#include "event_view.h"
#include "filter.h"
#include "filter_private.h"
#include "key_names.h"
#include "number.h"
#include "rules.h"

#define WORD_MAX	128

struct parser {
	struct grt_filter *f;
	const struct grt_column *columns;
	size_t nr_columns;
	const struct grt_rules *rules;
	const char *begin, *p, *end;
	unsigned int depth;
};

static const char *field_list(const struct parser *s, char *list, size_t bytes)
{
	size_t at = snprintf(list, bytes, "fields:");

	for (size_t i = 0; i < s->nr_columns && at < bytes; i++) {
		const char *name = s->columns[i].name;
		size_t len = strlen(name);

		/* People type short names; counts of losses have long names with dots. */
		if (len > 3 && !strcmp(name + len - 3, "_ns"))
			len -= 3;
		if (!strchr(name, '.'))
			at += snprintf(list + at, bytes - at, " %.*s", (int)len, name);
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

static bool accept(struct parser *s, const char *sign)
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

/* "and", "or" and "not", as a word and in any case. */
static bool sees_keyword(struct parser *s, const char *keyword)
{
	size_t len = strlen(keyword);

	skip_blanks(s);
	return (size_t)(s->end - s->p) >= len && !strncasecmp(s->p, keyword, len) &&
	       (s->p + len == s->end || !is_word(s->p[len]));
}

static bool accept_sign(struct parser *s, const char *sign, const char *keyword)
{
	if (!sees_keyword(s, keyword))
		return accept(s, sign);
	s->p += strlen(keyword);
	return true;
}

/* Reads the next word, or the text between quotes.  0 or -EINVAL. */
static int read_word(struct parser *s, char *word, const char *wanted)
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

static const struct grt_column *find_column(const struct parser *s, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < s->nr_columns; i++) {
		const char *full = s->columns[i].name;

		if (!strcmp(full, name) || (!strncmp(full, name, len) && !strcmp(full + len, "_ns")))
			return &s->columns[i];
	}
	return NULL;
}

static int read_operator(struct parser *s, uint8_t *op)
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
		if (accept(s, ops[i].sign))
			return 0;
	}
	return fail_at(s, s->p, "use == != < <= > or >=", "an operator is missing here");
}

/* "5ms" or "100"; for a stage also "30%". */
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
	/* Parse the percentage as us: the result in ns is in thousandths of a percent. */
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
		return grt_rules_unknown(s->rules, "label", word);
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

static int set_event_flag(struct filter_node *n, const char *word)
{
	int flag = grt_event_flag_find(word);

	if (flag < 0)
		return grt_fail(EINVAL, "like DECLARED, BLOCKED or INFERRED; Documentation/format.rst "
				"lists them", "no flag '%s'", word);
	n->number = flag;
	return 0;
}

static int set_enum(struct filter_node *n, const char *word)
{
	const char *value = grt_event_value_find(n->column, word);
	char list[512];

	if (!value) {
		grt_event_value_list(n->column, list, sizeof(list));
		return grt_fail(EINVAL, list, "no %s '%s'", n->column->name, word);
	}
	n->text = strdup(value);
	return n->text ? 0 : grt_fail_memory();
}

static bool is_time(enum grt_column_kind kind)
{
	return kind == GRT_COLUMN_STAMP || kind == GRT_COLUMN_STAGE || kind == GRT_COLUMN_NS;
}

static bool has_order(enum grt_column_kind kind)
{
	return kind == GRT_COLUMN_NUMBER || is_time(kind) || kind == GRT_COLUMN_STATUS ||
	       kind == GRT_COLUMN_SIGNED;
}

static int set_value(const struct parser *s, struct filter_node *n, const char *word)
{
	enum grt_column_kind kind = n->column->kind;

	if (n->op > FILTER_NE && !has_order(kind))
		return grt_fail(EINVAL, "use == or !=", "'%s' has no order", n->column->name);
	switch (kind) {
	case GRT_COLUMN_NUMBER:
		return grt_parse_u64(word, &n->number);
	case GRT_COLUMN_STAMP:
	case GRT_COLUMN_STAGE:
	case GRT_COLUMN_NS:
		if (!*word)
			return grt_fail(EINVAL, NULL, "a time is missing");
		return set_time(n, word);
	case GRT_COLUMN_STATUS:
	case GRT_COLUMN_SIGNED:
		return set_status(n, word);
	case GRT_COLUMN_ENUM:
		return set_enum(n, word);
	case GRT_COLUMN_EVENT_FLAGS:
		return set_event_flag(n, word);
	case GRT_COLUMN_FLAGS:
		return set_flag(n, word);
	case GRT_COLUMN_LABELS:
		return set_label(s, n, word);
	default:
		return set_name(n, word);
	}
}

/* "5 ms" and "30 %", as the screens print them: joins a number and the unit after it. */
static void read_unit(struct parser *s, char *word)
{
	const char *from = s->p;
	char unit[8];
	size_t len = 0;

	if (word[strspn(word, "0123456789.")])
		return;
	skip_blanks(s);
	while (len < sizeof(unit) - 1 && s->p + len < s->end && is_word(s->p[len])) {
		unit[len] = s->p[len];
		len++;
	}
	unit[len] = '\0';
	if (strcmp(unit, "%") && !grt_is_time_unit(unit)) {
		s->p = from;
		return;
	}
	s->p += len;
	snprintf(word + strlen(word), WORD_MAX - strlen(word), "%s", unit);
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
	char word[WORD_MAX], cause[256], hint[2048], list[2048];
	const char *from;
	int err;

	skip_blanks(s);
	from = s->p;
	err = read_word(s, word, "a field");
	if (err)
		return err;
	n.column = find_column(s, word);
	if (!n.column) {
		snprintf(cause, sizeof(cause), "no field '%s'", word);
		return fail_at(s, from, field_list(s, list, sizeof(list)), cause);
	}
	err = read_operator(s, &n.op);
	skip_blanks(s);
	from = s->p;
	if (!err)
		err = read_word(s, word, "a value");
	if (!err && is_time(n.column->kind))
		read_unit(s, word);
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

/* The only function that counts the depth: every recursion passes here. */
static int parse_unary(struct parser *s, unsigned int *at)
{
	struct filter_node n = { .op = FILTER_NOT };
	const char *from;
	unsigned int child;
	bool is_not;
	int err;

	skip_blanks(s);
	from = s->p;
	is_not = accept_sign(s, "!", "not");
	if (!is_not && !accept(s, "("))
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
	return accept(s, ")") ? 0 : fail_at(s, from, NULL, "this bracket is not closed");
}

static int parse_and(struct parser *s, unsigned int *at)
{
	int err = parse_unary(s, at);

	while (!err) {
		struct filter_node n = { .op = FILTER_AND, .left = *at };
		unsigned int right;

		/* "&&" may be left out. */
		if (!accept_sign(s, "&&", "and") &&
		    (s->p == s->end || *s->p == ')' || *s->p == '|' || sees_keyword(s, "or")))
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

	while (!err && accept_sign(s, "||", "or")) {
		struct filter_node n = { .op = FILTER_OR, .left = *at };
		unsigned int right;

		err = parse_and(s, &right);
		n.right = right;
		if (!err)
			err = add_node(s, &n, at);
	}
	return err;
}

static int create(struct grt_filter **f, struct parser *s)
{
	int err;

	if (s->end - s->begin > FILTER_MAX_BYTES)
		return grt_fail(EINVAL, NULL, "a filter has %d bytes at most", FILTER_MAX_BYTES);
	s->f = calloc(1, sizeof(*s->f));
	if (!s->f)
		return grt_fail_memory();
	err = parse_or(s, &s->f->root);
	skip_blanks(s);
	if (!err && s->p != s->end)
		err = fail_at(s, s->p, "join comparisons with && or ||", "this cannot stand here");
	if (err)
		grt_filter_destroy(s->f);
	else
		*f = s->f;
	return err;
}

int grt_filter_create(struct grt_filter **f, const char *text, size_t bytes,
		      const struct grt_rules *rules)
{
	struct parser s = {
		.columns = grt_columns, .nr_columns = grt_nr_columns, .rules = rules,
		.begin = text, .p = text, .end = text + bytes,
	};

	return create(f, &s);
}

int grt_filter_create_for_events(struct grt_filter **f, const char *text, size_t bytes)
{
	struct parser s = { .begin = text, .p = text, .end = text + bytes };

	s.columns = grt_event_columns(&s.nr_columns);
	return create(f, &s);
}
