// SPDX-License-Identifier: LGPL-2.1
#include "window.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "model.h"
#include "number.h"

#define LEAST_MARGIN_NS	1000000		/* on both sides of a job, for --around */
#define LEAST_KNOWN	10		/* part of a trace that is worth a report of its own */

static const struct {
	const char *name, *text;
} rules[] = {
#define GRT_X(NAME, name, text) [GRT_WINDOW_##NAME] = { #name, text },
	GRT_WINDOW_RULES(GRT_X)
#undef GRT_X
};

const char *grt_window_rule_name(enum grt_window_rule rule)
{
	return rules[rule].name;
}

const char *grt_window_rule_text(enum grt_window_rule rule)
{
	return rules[rule].text;
}

int grt_window_rule_parse(enum grt_window_rule *rule, const char *text)
{
	for (int i = 0; i < GRT_NR_WINDOW_RULES; i++)
		if (!strcmp(rules[i].name, text)) {
			*rule = i;
			return 0;
		}
	return grt_fail(EINVAL, "touch, submit or complete", "no rule '%.32s'", text);
}

/* "401:78", with or without a time behind it. */
static int parse_job(struct grt_moment *m, const char *text)
{
	const char *colon = strchr(text, ':'), *sign = colon + strcspn(colon, "+-");
	char ctx[32], seqno[32];

	if (colon - text >= (int)sizeof(ctx) || sign - colon > (int)sizeof(seqno))
		return -EINVAL;
	snprintf(ctx, sizeof(ctx), "%.*s", (int)(colon - text), text);
	snprintf(seqno, sizeof(seqno), "%.*s", (int)(sign - colon - 1), colon + 1);
	m->kind = GRT_MOMENT_JOB;
	m->is_before = *sign == '-';
	if (grt_parse_u64(ctx, &m->ctx) || grt_parse_u64(seqno, &m->seqno))
		return -EINVAL;
	return *sign ? grt_parse_ns(sign + 1, &m->ns) : 0;
}

int grt_moment_parse(struct grt_moment *m, const char *text)
{
	int err;

	*m = (struct grt_moment){ .text = text, .kind = GRT_MOMENT_SINCE_FIRST };
	if (*text == '@') {
		m->kind = GRT_MOMENT_CLOCK;
		err = grt_parse_ns(text + 1, &m->ns);
	} else if (strchr(text, ':')) {
		err = parse_job(m, text);
	} else {
		err = grt_parse_ns(text, &m->ns);
	}
	if (err)
		return grt_fail(EINVAL, "write it like 1.5s or 20ms after the first event, @904.057 as the "
				"trace's clock, or 401:78, 401:78+5ms and 401:78-5ms from a job on",
				"'%s' is not a time", text);
	return 0;
}

static void see(struct grt_moment *m, const struct grt_job *job)
{
	if (m->kind != GRT_MOMENT_JOB || m->ctx != job->ctx || m->seqno != job->seqno ||
	    (m->has_job && job->flags & GRT_JOB_SYNTHETIC))
		return;
	m->has_job = true;
	m->begin_ns = grt_job_has(job, GRT_AT_SUBMIT) ? job->at_ns[GRT_AT_SUBMIT] : grt_job_first_ns(job);
	m->end_ns = grt_job_has(job, GRT_AT_COMPLETE) ? job->at_ns[GRT_AT_COMPLETE] : grt_job_last_ns(job);
}

void grt_window_see(struct grt_window *w, const struct grt_job *job)
{
	see(&w->since, job);
	see(&w->until, job);
	see(&w->around, job);
}

char *grt_format_seconds(char *buf, uint64_t ns)
{
	int len = snprintf(buf, GRT_SECONDS_MAX, "%" PRIu64 ".%09" PRIu64, ns / 1000000000,
			   ns % 1000000000);

	while (buf[len - 1] == '0')
		buf[--len] = '\0';
	if (buf[len - 1] == '.')
		buf[--len] = '\0';
	return buf;
}

static int fail(const struct grt_window *w, const char *fmt, const char *a, const char *b)
{
	char span[GRT_SECONDS_MAX], first[GRT_SECONDS_MAX], last[GRT_SECONDS_MAX];
	char hint[128], cause[512];

	snprintf(hint, sizeof(hint), "the trace spans 0s to %ss, or @%s to @%s",
		 grt_format_seconds(span, w->last_ns - w->first_ns),
		 grt_format_seconds(first, w->first_ns), grt_format_seconds(last, w->last_ns));
	snprintf(cause, sizeof(cause), fmt, a, b);
	return grt_fail(EDOM, hint, "%s", cause);
}

/* The instant that @m is; of a job, @job_ns. */
static uint64_t instant(const struct grt_window *w, const struct grt_moment *m, uint64_t job_ns)
{
	switch (m->kind) {
	case GRT_MOMENT_SINCE_FIRST:
		return grt_time_after(w->first_ns, m->ns);
	case GRT_MOMENT_JOB:
		if (m->is_before)
			return m->ns < job_ns ? job_ns - m->ns : 0;
		return grt_time_after(job_ns, m->ns);
	default:
		return m->ns;
	}
}

static int check_job(const struct grt_moment *m)
{
	if (m->kind != GRT_MOMENT_JOB || m->has_job)
		return 0;
	return grt_fail(EDOM, "report --jobs lists the jobs", "no job %" PRIu64 ":%" PRIu64
			" in this trace", m->ctx, m->seqno);
}

static void go_around(struct grt_window *w)
{
	const struct grt_moment *job = &w->around;
	uint64_t margin_ns = job->end_ns - job->begin_ns;

	if (margin_ns < LEAST_MARGIN_NS)
		margin_ns = LEAST_MARGIN_NS;
	w->from_ns = job->begin_ns > margin_ns ? job->begin_ns - margin_ns : 0;
	w->to_ns = grt_time_after(job->end_ns, margin_ns);
}

/*
 * The part of a trace that has the events of all CPUs, unless it is so short that it says little.
 */
static void skip_incomplete(struct grt_window *w, const struct grt_model_totals *totals)
{
	uint64_t span_ns = w->last_ns - w->first_ns;

	if (!w->skips_incomplete || !totals->late_cpus || totals->late_ns >= w->last_ns ||
	    w->last_ns - totals->late_ns < span_ns / LEAST_KNOWN)
		return;
	w->from_ns = totals->late_ns;
	w->is_narrow = w->is_known_part = true;
}

/* Nothing may have happened while a file was recorded: then the window is empty. */
static int settle_segment(struct grt_window *w)
{
	if (w->from_ns > w->last_ns || w->to_ns <= w->first_ns)
		w->from_ns = w->to_ns = w->last_ns;
	else if (w->to_ns >= w->last_ns)
		w->to_ns = UINT64_MAX;
	if (w->from_ns < w->first_ns)
		w->from_ns = w->first_ns;
	w->is_narrow = true;
	return 0;
}

int grt_window_settle(struct grt_window *w, const struct grt_model *model)
{
	int err = check_job(&w->since);

	w->first_ns = grt_model_totals(model)->first_ns;
	w->last_ns = grt_model_totals(model)->last_ns;
	w->from_ns = w->first_ns;
	w->to_ns = UINT64_MAX;
	if (!err)
		err = check_job(&w->until);
	if (!err)
		err = check_job(&w->around);
	if (!err && !grt_window_is_given(w))
		skip_incomplete(w, grt_model_totals(model));
	if (err || !grt_window_is_given(w))
		return err;
	if (w->since.kind)
		w->from_ns = instant(w, &w->since, w->since.begin_ns);
	if (w->until.kind)
		w->to_ns = instant(w, &w->until, w->until.end_ns);
	if (w->around.kind)
		go_around(w);
	if (w->is_segment)
		return settle_segment(w);
	if (w->from_ns > w->last_ns)
		return fail(w, "'%s' is after the end of this trace", w->since.text, "");
	if (w->to_ns <= w->first_ns)
		return fail(w, "'%s' is not after the beginning of this trace", w->until.text, "");
	if (w->to_ns <= w->from_ns)
		return fail(w, "until '%s' is not after since '%s'", w->until.text, w->since.text);
	if (w->from_ns < w->first_ns)
		w->from_ns = w->first_ns;
	if (w->to_ns >= w->last_ns)
		w->to_ns = UINT64_MAX;
	w->is_narrow = w->from_ns > w->first_ns || w->to_ns != UINT64_MAX;
	return 0;
}

static bool is_in(const struct grt_window *w, uint64_t ns)
{
	return ns >= w->from_ns && ns < w->to_ns;
}

bool grt_window_has_ns(const struct grt_window *w, uint64_t ns)
{
	return !w->is_narrow || is_in(w, ns);
}

static bool completes_in(const struct grt_window *w, const struct grt_job *job)
{
	if (grt_job_has(job, GRT_AT_COMPLETE))
		return is_in(w, job->at_ns[GRT_AT_COMPLETE]);
	if (!w->is_segment)
		return false;
	return job->inflight.until_ns ? w->is_last_segment : is_in(w, grt_job_last_ns(job));
}

bool grt_window_has(const struct grt_window *w, const struct grt_job *job)
{
	if (!w->is_narrow)
		return true;
	if (w->rule == GRT_WINDOW_SUBMIT)
		return grt_job_has(job, GRT_AT_SUBMIT) && is_in(w, job->at_ns[GRT_AT_SUBMIT]);
	if (w->rule == GRT_WINDOW_COMPLETE)
		return completes_in(w, job);
	return grt_job_first_ns(job) < w->to_ns && grt_job_last_ns(job) >= w->from_ns;
}
