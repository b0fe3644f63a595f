/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The job model: records in, in the order of the merged stream; finished jobs
 * out, one call each.  It never prints, does not know where records come from,
 * and its memory is bounded by the jobs in flight.
 *
 * A job is handed out a moment after its COMPLETE, because an event with the
 * same time on another CPU may still follow, and together with others, because
 * that is faster.  A job whose COMPLETE never comes
 * is handed out at the end, or as soon as a later job of its context completes
 * and events were lost in between: fences of a context are signalled in order.
 */
#ifndef GRT_MODEL_H
#define GRT_MODEL_H

#include <stdint.h>

#include <linux/grtrace.h>

#include "idle.h"
#include "job.h"
#include "names.h"
#include "policy.h"

/*
 * Clocks of two CPUs may differ by this much; completed jobs are kept at least as long.
 */
#define GRT_SKEW_NS	10000

/*
 * Jobs that are over leave in groups: what is done then is much code, and what came before
 * has just pushed it out of the CPU's caches.  None waits longer for others than HELD_NS,
 * and none at all where events are missing: what is lost is known from who leaves.
 */
#define GRT_MANY_HELD	64
#define GRT_HELD_NS	1000000

#define GRT_NR_ERRORS	8	/* codes of ERROR counted one by one */

/* Of all WINDOW records, over rings and time. */
struct grt_window_totals {
	uint64_t windows;		/* without those of events written by hand ... */
	uint64_t synthetic;		/* ... which are not summed */
	uint64_t jobs;
	uint64_t latency_sum_ns, latency_min_ns, latency_max_ns;	/* with @jobs only */
	uint32_t depth_peak;		/* of one ring */
};

struct grt_model_totals {
	uint64_t events[GRTRACE_NR_EVENTS];
	uint64_t synthetic;		/* of these, written by hand */
	uint64_t lost[GRTRACE_NR_FATES]; /* sums of LOSS; [WRITTEN]: absent from the trace */
	uint64_t uncounted;	/* LOSS records of nobody knows how many events */
	uint64_t errors[GRT_NR_ERRORS];	/* ERROR events by code; others as NONE */
	struct grt_window_totals windows;
	bool is_cut;			/* how much is missing at the end is not known */
	uint64_t repeated;		/* events a job already had */
	uint64_t backwards;		/* events earlier than the one before */
	uint64_t first_ns, last_ns;	/* of events; both 0 when there are none */
};

/* @job is valid during the call only.  Its rows lead into grt_model_names(). */
typedef void grt_job_fn(void *arg, const struct grt_job *job);

struct grt_model;

struct grt_model *grt_model_create(grt_job_fn *fn, void *arg);	/* NULL: no memory */
void grt_model_destroy(struct grt_model *m);

/*
 * A span in which events are missing, known beforehand.  LOSS records are taken
 * from the stream too, but there they come at the span's end, too late for jobs
 * that finished inside it.
 */
int grt_model_add_loss(struct grt_model *m, uint64_t from_ns, uint64_t to_ns);

/*
 * Whether a second pass over the same trace would know more: events are missing, or
 * it begins amid jobs that were seen only later.  After grt_model_finish().  The
 * second model learns from the first, before its first event.  0 or -errno.
 */
bool grt_model_wants_hindsight(const struct grt_model *m);
int grt_model_learn(struct grt_model *m, const struct grt_model *earlier);

/* 0, or -errno with a cause. */
int grt_model_feed(struct grt_model *m, const struct grtrace_hdr *rec);

/* A live session was silent until @now_ns: jobs that were over by then are handed out. */
void grt_model_pass(struct grt_model *m, uint64_t now_ns);

/* The trace is over: hands out what is in flight, oldest first, as cut. */
int grt_model_finish(struct grt_model *m);

const struct grt_names *grt_model_names(const struct grt_model *m);
const struct grt_model_totals *grt_model_totals(const struct grt_model *m);
const struct grt_policies *grt_model_policies(const struct grt_model *m);

/* Number @party, not GRT_NONE, as jobs and charges have it. */
const struct grt_party *grt_model_party(const struct grt_model *m, uint32_t party);

/*
 * From here on charges come as pieces; see struct grt_charge.  To be called before
 * the first event.  For one job and its like, not for all of a long trace.
 */
void grt_model_keep_pieces(struct grt_model *m);

/*
 * What follows is complete after grt_model_finish(), and as far as time has been
 * settled before.
 */

/* First to last event, without the time that the machine slept. */
uint64_t grt_model_wall_ns(const struct grt_model *m);

/* Use of the ring in row @row; never NULL. */
const struct grt_ring_use *grt_model_ring_use(const struct grt_model *m, uint32_t row);

/* Use of a device: the union of its FIFO rings.  NULL past the last one. */
const struct grt_ring_use *grt_model_device_use(const struct grt_model *m, uint32_t device,
						const char **name);

/* Who rings were idle for.  NULL past the last one. */
const struct grt_idle_row *grt_model_idle_row(const struct grt_model *m, size_t i);

#endif /* GRT_MODEL_H */
