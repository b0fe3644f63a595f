/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Logs of roots that many jobs share.  A job behind a thousand others has the roots of what these waited for,
 * and so has each of the others: they refer to a part of one log, each to its own part.  The logs are: what the
 * jobs of a context waited for one after the other, what a ring ran, and the lives of jobs in a chain.
 *
 * A log of a ring is the model's own; the others are made here.  A log is forgotten once no job is in flight
 * that may ask for its time, or if there are too many spans.
 */
#ifndef GRT_ROOT_LOG_H
#define GRT_ROOT_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "root_sums.h"
#include "roots.h"
#include "spans.h"

/* Kinds of spans that are a part of a log, behind those of enum grt_root. */
enum {
	GRT_ROOT_IN_LOG = GRT_NR_ROOTS,	/* @ctx: the number of the log */
	GRT_ROOT_RAN,			/* @ctx: address of the model's struct grt_spans, each of kind _RUN */
	GRT_ROOT_RAN_FULL		/* the same, each of kind _FULL */
};

static inline bool grt_root_is_part(const struct grt_root_span *span)
{
	return span->kind >= GRT_NR_ROOTS;
}

/* A wait for a job that has not come yet: its roots are unknown, so far. */
struct grt_root_open {
	uint64_t from_ns, to_ns;
	uint64_t ctx, seqno;
};

#define GRT_ROOT_FEW	8	/* a part with fewer spans is copied, which is faster */

struct grt_root_log;
struct grt_root_runs;

/* Zeroed memory is empty. */
struct grt_root_logs {
	struct grt_vec rows;		/* of struct grt_root_log *, owned; NULL: free */
	struct grt_vec free_rows;	/* of uint32_t */
	struct grt_keymap by_number;	/* to row */
	struct grt_keymap by_ctx;	/* (ctx, is_synthetic) to row */
	struct grt_keyrows runs;	/* struct grt_root_runs, by the address of what a ring ran */
	uint64_t numbers;		/* that were given */
	uint64_t spans;			/* in all logs */
	uint64_t oldest_ns;		/* nobody will ask for time before it */
	uint64_t cut_ns;		/* of time before it, whole logs were forgotten, as there was too much */
	uint32_t oldest, newest;	/* rows, by their latest span; valid if @count */
	uint32_t count;
	struct grt_root_keys keys;
	struct grt_root_sums scratch, full, part, own;	/* empty between calls */
	bool met_limit;			/* since this was reset, a part was asked for that is forgotten */
};

/*
 * Makes a log; finds that of a context, or makes it.  Returns the number of the log; 0 without memory.  @is_chain:
 * the log is one of lives of jobs.
 */
uint64_t grt_root_log_new(struct grt_root_logs *l, bool is_chain);
uint64_t grt_root_log_of(struct grt_root_logs *l, uint64_t ctx, bool is_synthetic);
/* 0: the context has no log. */
uint64_t grt_root_log_find(const struct grt_root_logs *l, uint64_t ctx, bool is_synthetic);

/* Appends a span, without the part before the end of the last one.  0 or -errno. */
int grt_root_log_add(struct grt_root_logs *l, uint64_t number, const struct grt_root_span *span);

/* Notes such a wait; of many, the latest ones.  0 or -ENOMEM. */
int grt_root_log_open(struct grt_root_logs *l, uint64_t number, const struct grt_root_open *open);
/* Those of a log, of struct grt_root_open, in the order of time. */
const struct grt_vec *grt_root_log_opens(const struct grt_root_logs *l, uint64_t number);

/* When the last span of a log ends; 0: the log is forgotten. */
uint64_t grt_root_log_end(const struct grt_root_logs *l, uint64_t number);

/* Whether the life of a job that begins with @part can go on there: it is the end of a chain. */
bool grt_root_part_is_end(const struct grt_root_logs *l, const struct grt_root_span *part);

/* How many spans or parts of logs @part is made of. */
uint64_t grt_root_part_count(const struct grt_root_logs *l, const struct grt_root_span *part);

/* Gives @fn the spans of @part; time of which nothing is known is unknown.  @is_deep: no span is a part. */
int grt_root_part_walk(struct grt_root_logs *l, const struct grt_root_span *part, bool is_deep,
		       grt_root_fn *fn, void *arg);

/* Gives @fn a span, or if it is a part, the single spans of that. */
static inline int grt_root_span_walk(struct grt_root_logs *l, const struct grt_root_span *span, grt_root_fn *fn,
				     void *arg)
{
	return grt_root_is_part(span) ? grt_root_part_walk(l, span, true, fn, arg) : fn(arg, span);
}

/* Adds the sums of a span, which may be a part. */
int grt_root_span_sum(struct grt_root_logs *l, const struct grt_root_span *span, struct grt_root_sums *sums);

/* Forgets logs that ended before @ns, and others if there is too much.  0 or -errno. */
int grt_root_logs_drop(struct grt_root_logs *l, uint64_t ns);
void grt_root_logs_free(struct grt_root_logs *l);

#endif /* GRT_ROOT_LOG_H */
