// SPDX-License-Identifier: GPL-2.0
#include "select.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "key_names.h"
#include "number.h"
#include "user.h"

#define MAX_RULES_BYTES	65536

/* "gfx,compute", or a mask with a bit per engine. */
static int set_engines(struct select *s, const char *text)
{
	char name[64];
	uint64_t mask;
	int engine;

	if (*text >= '0' && *text <= '9' && !grt_parse_u64(text, &mask)) {
		if (!mask || mask >> GRTRACE_NR_ENGINES)
			return grt_fail(EINVAL, NULL, "an engine mask is 1..%u",
					(1u << GRTRACE_NR_ENGINES) - 1);
		s->query.engines = mask;
		return 0;
	}
	do {
		size_t len = strcspn(text, ",");

		snprintf(name, sizeof(name), "%.*s", (int)(len < 60 ? len : 60), text);
		engine = grt_engine_find(name);
		if (engine < 0)
			return grt_fail(EINVAL, "GRAPHICS (gfx), COMPUTE, COPY (sdma), "
					"VIDEO_DECODE, VIDEO_ENCODE, OTHER, or a mask",
					"no engine '%s'", name);
		s->query.engines |= 1u << engine;
		text += len;
	} while (*text++ == ',');
	return 0;
}

static int read_rules(struct select *s, const char *path)
{
	char *text = calloc(1, MAX_RULES_BYTES + 1);
	int fd = text ? grt_user_open(path, O_RDONLY | O_CLOEXEC) : -1, err;
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	size_t got;

	if (!f) {
		err = text ? grt_fail_errno(NULL, "cannot read '%s'", path) : grt_fail_memory();
		if (fd >= 0)
			close(fd);
		free(text);
		return err;
	}
	got = fread(text, 1, MAX_RULES_BYTES + 1, f);
	if (ferror(f))
		err = grt_fail_errno(NULL, "cannot read '%s'", path);
	else if (got > MAX_RULES_BYTES)	/* too long, and without a NUL at its end */
		err = grt_fail(E2BIG, NULL, "'%s' is too long for rules", path);
	else if (strlen(text) < got)
		err = grt_fail(EINVAL, NULL, "'%s' does not contain rules", path);
	else
		err = grt_rules_read(&s->rules, text, path);
	fclose(f);
	free(text);
	return err;
}

static int set_rules(struct select *s)
{
	char name[GRT_RULE_NAME_MAX];
	const char *p = s->no_rule;
	int err = grt_rules_read(&s->rules, grt_default_rules, "built-in rules");

	if (!err && s->rules_file)
		err = read_rules(s, s->rules_file);
	while (!err && p) {
		size_t len = strcspn(p, ",");

		snprintf(name, sizeof(name), "%.*s", (int)(len < sizeof(name) ? len : sizeof(name)), p);
		err = grt_rules_off(&s->rules, name);
		p = p[len] ? p + len + 1 : NULL;
	}
	return err;
}

static int set_window(struct select *s)
{
	struct grt_window *w = &s->window;
	int err = 0;

	if (s->since)
		err = grt_moment_parse(&w->since, s->since);
	if (!err && s->until)
		err = grt_moment_parse(&w->until, s->until);
	if (!err && s->around)
		err = grt_moment_parse(&w->around, s->around);
	if (!err && s->since_by)
		err = grt_window_rule_parse(&w->rule, s->since_by);
	if (err)
		return err;
	if (s->around && (w->around.kind != GRT_MOMENT_JOB || w->around.ns))
		return grt_fail(EINVAL, "as the lists of jobs show it, like 401:78", "'%s' is no job",
				s->around);
	if (s->around && (s->since || s->until))
		return grt_fail(EINVAL, NULL, "either --around or --since and --until");
	if (s->since_by && !grt_window_is_given(w))
		return grt_fail(EINVAL, NULL, "--since-by needs --since, --until or --around");
	return 0;
}

int select_apply(struct select *s)
{
	int err = set_rules(s);

	if (!err && s->engine)
		err = set_engines(s, s->engine);
	if (!err)
		err = set_window(s);
	if (!err && s->slower)
		err = grt_parse_ns(s->slower, &s->query.slower_ns);
	if (!err && s->filter_text)
		err = grt_filter_create(&s->filter, s->filter_text, strlen(s->filter_text),
					&s->rules);
	s->query.filter = s->filter;
	return err;
}

void select_given(struct grt_shell *line, struct select *s)
{
	const struct grt_option options[] = { SELECT_OPTIONS(s), OPT_END() };

	grt_options_given(line, options);
}

void select_free(struct select *s)
{
	grt_filter_destroy(s->filter);
	grt_rules_free(&s->rules);
}

int select_parse_job(const char *text, uint64_t *ctx, uint64_t *seqno)
{
	const char *colon = strchr(text, ':');
	char first[32];

	if (colon && colon - text < (int)sizeof(first)) {
		snprintf(first, sizeof(first), "%.*s", (int)(colon - text), text);
		if (!grt_parse_u64(first, ctx) && !grt_parse_u64(colon + 1, seqno))
			return 0;
	}
	return grt_fail(EINVAL, "as the lists of jobs show it, like 401:78", "'%s' is no job", text);
}
