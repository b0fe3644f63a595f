// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts: a text says, line by line, what the mock GPU does, on a clock that only "step" moves.
 * So the expected wait of each job is known.  This file reads and checks the whole script before
 * script-run.c runs its first line.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "script.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define MAX_LINE	512
#define MAX_NUMBER	1000

struct word {
	const char *name;
	uint32_t value;
};

static const struct word rings[] = {
	{ "gfx", GRTRACE_MOCK_RING_GFX },
	{ "compute", GRTRACE_MOCK_RING_COMPUTE },
	{ "copy", GRTRACE_MOCK_RING_COPY },
	{ 0 },
};

static const struct word priorities[] = {
	{ "low", GRTRACE_MOCK_PRIORITY_LOW },
	{ "normal", GRTRACE_MOCK_PRIORITY_NORMAL },
	{ "high", GRTRACE_MOCK_PRIORITY_HIGH },
	{ "kernel", GRTRACE_MOCK_PRIORITY_KERNEL },
	{ 0 },
};

static const struct word faults[] = {
	{ "fail", GRTRACE_MOCK_JOB_FAIL },
	{ "no_hw", GRTRACE_MOCK_JOB_NO_HW },
	{ "run_error", GRTRACE_MOCK_JOB_RUN_ERROR },
	{ 0 },
};

struct parser {
	struct script *script;
	struct script_line *line;	/* the current line */
	char *rest;			/* the part of the line that is not parsed yet */
};

/* Prints what is wrong with a line, and what would be valid. */
__attribute__((format(printf, 3, 4)))
static int complain(const struct parser *p, const char *hint, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "workload: %s:%u: ", p->script->path, p->line->number);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\nhint: %s\n", hint);
	return -1;
}

static char *next_word(struct parser *p)
{
	char *word = p->rest + strspn(p->rest, " \t");

	p->rest = word + strcspn(word, " \t");
	if (*p->rest)
		*p->rest++ = '\0';
	return word;
}

static int parse_word(const struct parser *p, const struct word *words, const char *what,
		      const char *text, uint32_t *value)
{
	char hint[128] = "one of";

	for (size_t at = strlen(hint); words->name; words++) {
		if (!strcmp(text, words->name)) {
			*value = words->value;
			return 0;
		}
		at += (size_t)snprintf(hint + at, sizeof(hint) - at, " %s", words->name);
	}
	return complain(p, hint, "%s is '%s'", what, text);
}

static int parse_number(const struct parser *p, const char *what, const char *text,
			uint32_t *number)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (!isdigit(*text) || *end || !value || value > MAX_NUMBER)
		return complain(p, "a number, 1 to 1000", "%s is '%s'", what, text);
	*number = (uint32_t)value;
	return 0;
}

static bool is_name(const char *text)
{
	const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

	return length && length < SCRIPT_NAME && !text[length];
}

/* Finds a name among rows whose first member is the name. */
static int find_name(const void *rows, size_t row_bytes, uint32_t cnt, const char *text)
{
	for (uint32_t i = 0; i < cnt; i++)
		if (!strcmp((const char *)rows + i * row_bytes, text))
			return (int)i;
	return -1;
}

#define FIND(in, kind, text) \
	find_name((in)->kind##s, sizeof((in)->kind##s[0]), (in)->kind##_cnt, text)

/* Adds a row named @text; NULL if there is no room. */
#define ADD(p, kind, text) \
	add_name(p, #kind, (p)->script->kind##s, sizeof((p)->script->kind##s[0]), \
		 &(p)->script->kind##_cnt, COUNT((p)->script->kind##s), text)

static void *add_name(const struct parser *p, const char *kind, void *rows, size_t row_bytes,
		      uint32_t *cnt, size_t most, const char *text)
{
	char *row = (char *)rows + *cnt * row_bytes;

	if (!is_name(text)) {
		complain(p, "1 to 31 letters, digits, _ or -", "%s is '%s'", kind, text);
		return NULL;
	}
	if (find_name(rows, row_bytes, *cnt, text) >= 0) {
		complain(p, "each has a name of its own", "there is a %s '%s' already", kind, text);
		return NULL;
	}
	if (*cnt == most) {
		complain(p, "several scripts, one after the other", "too many of: %s", kind);
		return NULL;
	}
	++*cnt;
	snprintf(row, SCRIPT_NAME, "%s", text);
	return row;
}

static int parse_deps(const struct parser *p, struct script_job *job, char *list, bool is_fence)
{
	const struct script *s = p->script;
	struct script_dep *dep;
	char *text;
	int index;

	while ((text = strsep(&list, ","))) {
		index = is_fence ? FIND(s, fence, text) : FIND(s, job, text);
		/* The job itself already has a row. */
		if (index < 0 || (!is_fence && &s->jobs[index] == job))
			return complain(p, is_fence ? "a line 'fence NAME' before this one" :
					"a line 'submit NAME' before this one",
					"no %s '%s'", is_fence ? "fence" : "job", text);
		if (job->dep_cnt == COUNT(job->deps))
			return complain(p, "at most 8", "too many dependencies");
		dep = &job->deps[job->dep_cnt++];
		dep->is_fence = is_fence;
		dep->index = (uint32_t)index;
	}
	return 0;
}

/* What a line says about the context of a job. */
struct place {
	const char *ctx;
	uint32_t ring, prio;
	bool has_ring, has_prio;
};

static int parse_pair(const struct parser *p, struct script_job *job, struct place *place,
		      const char *key, char *value)
{
	if (!strcmp(key, "ctx")) {
		place->ctx = value;
		return 0;
	}
	if (!strcmp(key, "ring")) {
		place->has_ring = true;
		return parse_word(p, rings, "ring", value, &place->ring);
	}
	if (!strcmp(key, "prio")) {
		place->has_prio = true;
		return parse_word(p, priorities, "prio", value, &place->prio);
	}
	if (!strcmp(key, "dep"))
		return parse_deps(p, job, value, false);
	if (!strcmp(key, "fence"))
		return parse_deps(p, job, value, true);
	if (!strcmp(key, "credits"))
		return parse_number(p, "credits", value, &job->credits);
	if (!strcmp(key, "flags"))
		return parse_word(p, faults, "flags", value, &job->flags);
	return complain(p, "ctx= ring= dep= fence= prio= credits= flags=", "no such word: '%s'", key);
}

/* The first job of a context sets its ring and priority; later jobs must not contradict. */
static int place_job(const struct parser *p, struct script_job *job, const struct place *place)
{
	struct script *s = p->script;
	struct script_ctx *ctx;
	int index;

	if (!place->ctx || !place->has_ring)
		return complain(p, "submit JOB ctx=NAME ring=RING", "ctx= or ring= is missing");
	index = FIND(s, ctx, place->ctx);
	if (index < 0) {
		ctx = ADD(p, ctx, place->ctx);
		if (!ctx)
			return -1;
		ctx->ring = place->ring;
		ctx->prio = place->prio;
	} else {
		ctx = &s->ctxs[index];
	}
	if (ctx->is_killed)
		return complain(p, "another name makes a new one", "'%s' was killed", place->ctx);
	if (ctx->ring != place->ring || (place->has_prio && ctx->prio != place->prio))
		return complain(p, "a context has one ring and one priority",
				"'%s' was another context so far", place->ctx);
	job->ctx = (uint32_t)(ctx - s->ctxs);
	return 0;
}

static int parse_submit(struct parser *p)
{
	struct place place = { .prio = GRTRACE_MOCK_PRIORITY_NORMAL };
	struct script_job *job;
	char *key, *value;

	job = ADD(p, job, next_word(p));
	if (!job)
		return -1;
	p->line->index = (uint32_t)(job - p->script->jobs);
	while (*(key = next_word(p))) {
		value = strchr(key, '=');
		if (!value)
			return complain(p, "submit JOB KEY=VALUE...", "'%s' is not KEY=VALUE", key);
		*value++ = '\0';
		if (parse_pair(p, job, &place, key, value))
			return -1;
	}
	return place_job(p, job, &place);
}

static int parse_fence(struct parser *p)
{
	struct script_fence *fence = ADD(p, fence, next_word(p));

	if (!fence)
		return -1;
	p->line->index = (uint32_t)(fence - p->script->fences);
	return 0;
}

static int parse_signal(struct parser *p)
{
	const char *text = next_word(p);
	const int index = FIND(p->script, fence, text);

	if (index < 0)
		return complain(p, "a line 'fence NAME' before this one", "no fence '%s'", text);
	if (p->script->fences[index].is_signaled)
		return complain(p, "once is enough", "'%s' is signalled already", text);
	p->script->fences[index].is_signaled = true;
	p->line->index = (uint32_t)index;
	return 0;
}

static int parse_kill(struct parser *p)
{
	const char *text = next_word(p);
	const int index = FIND(p->script, ctx, text);

	if (index < 0 || p->script->ctxs[index].is_killed)
		return complain(p, "one that a job had and that lives", "no context '%s'", text);
	p->script->ctxs[index].is_killed = true;
	p->line->index = (uint32_t)index;
	return 0;
}

static int parse_ring(struct parser *p)
{
	return parse_word(p, rings, "the ring", next_word(p), &p->line->index);
}

static int parse_advance(struct parser *p)
{
	if (parse_ring(p))
		return -1;
	return parse_number(p, "how many jobs may end", next_word(p), &p->line->count);
}

static int parse_step(struct parser *p)
{
	return parse_number(p, "the number of units", next_word(p), &p->line->count);
}

/* In the order of enum script_verb. */
static const struct verb {
	const char *name;
	int (*parse)(struct parser *p);
} verbs[] = {
	[SCRIPT_SUBMIT]	 = { "submit", parse_submit },
	[SCRIPT_FENCE]	 = { "fence", parse_fence },
	[SCRIPT_SIGNAL]	 = { "signal", parse_signal },
	[SCRIPT_ADVANCE] = { "advance", parse_advance },
	[SCRIPT_KILL]	 = { "kill", parse_kill },
	[SCRIPT_HANG]	 = { "hang", parse_ring },
	[SCRIPT_RESET]	 = { "reset", parse_ring },
	[SCRIPT_STEP]	 = { "step", parse_step },
};

static int parse_line(struct parser *p)
{
	const char *name = next_word(p);

	for (size_t i = 0; i < COUNT(verbs); i++) {
		if (strcmp(name, verbs[i].name))
			continue;
		p->line->verb = (enum script_verb)i;
		if (verbs[i].parse(p))
			return -1;
		if (*next_word(p))
			return complain(p, "one command per line", "there is more behind it");
		p->script->line_cnt++;
		return 0;
	}
	return complain(p, "submit fence signal advance kill hang reset step", "'%s' is no command",
			name);
}

static int parse_file(struct script *s, FILE *in)
{
	char text[MAX_LINE];
	struct parser p = { .script = s };
	struct script_line none = { 0 };

	for (uint32_t number = 1; fgets(text, sizeof(text), in); number++) {
		p.line = s->line_cnt < COUNT(s->lines) ? &s->lines[s->line_cnt] : &none;
		p.line->number = number;
		if (!strchr(text, '\n') && !feof(in))
			return complain(&p, "two lines of it", "the line is too long");
		text[strcspn(text, "#\r\n")] = '\0';
		p.rest = text;
		if (!text[strspn(text, " \t")])
			continue;
		if (p.line == &none)
			return complain(&p, "several scripts", "there are too many lines");
		if (parse_line(&p))
			return -1;
	}
	if (ferror(in)) {
		fprintf(stderr, "workload: cannot read '%s': %s\n", s->path, strerror(errno));
		return -1;
	}
	if (s->job_cnt)
		return 0;
	fprintf(stderr, "workload: '%s' submits no job\nhint: submit JOB ctx=NAME ring=RING\n",
		s->path);
	return -1;
}

struct script *script_read(const char *path)
{
	FILE *in = fopen(path, "r");
	struct script *s;
	int err;

	if (!in) {
		fprintf(stderr, "workload: cannot open '%s': %s\n", path, strerror(errno));
		return NULL;
	}
	s = calloc(1, sizeof(*s));
	if (!s) {
		perror("workload: no memory for the script");
		fclose(in);
		return NULL;
	}
	s->path = path;
	err = parse_file(s, in);
	fclose(in);
	if (!err)
		return s;
	free(s);
	return NULL;
}
