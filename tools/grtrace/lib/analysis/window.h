/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The part of a trace's time that a report is about.  It is chosen after all of the trace was
 * analysed: its jobs are whole, also those that began before it or ended behind it.  Of the time of
 * rings, only the part in the window counts.
 */
#ifndef GRT_WINDOW_H
#define GRT_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "job.h"

struct grt_model;

/* Which jobs are in a window: X(NAME, name, text) */
#define GRT_WINDOW_RULES(X)							\
	X(TOUCH,    touch,    "their life touches it")		\
	X(SUBMIT,   submit,   "they were submitted in it")				\
	X(COMPLETE, complete, "they completed in it")

enum grt_window_rule {
#define GRT_X(NAME, name, text) GRT_WINDOW_##NAME,
	GRT_WINDOW_RULES(GRT_X)
#undef GRT_X
	GRT_NR_WINDOW_RULES
};

enum grt_moment_kind {
	GRT_MOMENT_NONE,
	GRT_MOMENT_SINCE_FIRST,	/* after the first event */
	GRT_MOMENT_CLOCK,	/* of the trace's clock */
	GRT_MOMENT_JOB,		/* before or after a job's SUBMIT or COMPLETE */
};

/* An instant as it was typed. */
struct grt_moment {
	const char *text;	/* not owned */
	enum grt_moment_kind kind;
	uint64_t ns;
	bool is_before;		/* @ns before the job's event, not after it */
	uint64_t ctx, seqno;
	/* The job, once it was seen. */
	uint64_t begin_ns, end_ns;
	bool has_job;
};

struct grt_window {
	/* Filled in by the caller; all zeros: all of the trace. */
	struct grt_moment since, until;
	struct grt_moment around;	/* a job and some time on both sides; without the two above */
	enum grt_window_rule rule;
	bool skips_incomplete;		/* by default: begins where all CPUs have events */
	/*
	 * A file of record --rotate, in a trace that also has the files next to it: each job is in the window
	 * of one of them, by its COMPLETE or, if that is missing, its last event.
	 */
	bool is_segment;
	bool is_last_segment;		/* also has the jobs that are not over */

	/* From grt_window_settle() on. */
	bool is_narrow;			/* the window is not all of the trace */
	bool is_known_part;		/* because its beginning is incomplete */
	uint64_t from_ns, to_ns;	/* to_ns: UINT64_MAX = with the last event */
	uint64_t first_ns, last_ns;	/* of the trace */
};

/*
 * Parses 1.5s, @904.057, 401:78, 401:78+5ms or 401:78-5ms.  0 or -EINVAL with a cause.  @text must
 * outlive @m.
 */
int grt_moment_parse(struct grt_moment *m, const char *text);

/* 0 or -EINVAL with a cause. */
int grt_window_rule_parse(enum grt_window_rule *rule, const char *text);
const char *grt_window_rule_name(enum grt_window_rule rule);
const char *grt_window_rule_text(enum grt_window_rule rule);

/* Whether times were asked for. */
static inline bool grt_window_is_given(const struct grt_window *w)
{
	return w->since.kind || w->until.kind || w->around.kind;
}

/* A pass over the whole trace shows the jobs that times refer to. */
void grt_window_see(struct grt_window *w, const struct grt_job *job);

/*
 * After that pass: works out the times.  0, or -EDOM with a cause: they are not in the trace, or it
 * has no such job.
 */
int grt_window_settle(struct grt_window *w, const struct grt_model *model);

/* Whether the settled window has this instant. */
bool grt_window_has_ns(const struct grt_window *w, uint64_t ns);

/* Whether the settled window has @job. */
bool grt_window_has(const struct grt_window *w, const struct grt_job *job);

/* "904.057": seconds, without zeros at the end.  Needs GRT_SECONDS_MAX bytes. */
#define GRT_SECONDS_MAX	32
char *grt_format_seconds(char *buf, uint64_t ns);

#endif /* GRT_WINDOW_H */
