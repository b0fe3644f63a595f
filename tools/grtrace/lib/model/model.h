/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The job model takes records in the order of the merged stream and hands out finished jobs, one
 * call each.  It never prints and does not know where records come from.  The number of jobs in
 * flight bounds its memory.
 *
 * A job leaves a moment after its COMPLETE, because an event with the same time on another CPU
 * may still follow.  Jobs leave in groups, because that is faster.  A job without a COMPLETE
 * leaves when the trace ends, or as soon as a later job of its context completes and events were
 * lost in between: fences of a context are signalled in order.
 */
#ifndef GRT_MODEL_H
#define GRT_MODEL_H

#include <stdint.h>

#include <linux/grtrace.h>

#include "idle.h"
#include "job.h"
#include "names.h"
#include "policy_log.h"
#include "snapshot_log.h"

/*
 * Clocks of two CPUs may differ by this much; completed jobs are kept at least as long.
 */
#define GRT_SKEW_NS	10000

/*
 * Jobs that are over leave in groups: the code that hands them out is large, and the events in
 * between have just pushed it out of the CPU's caches.  Reports take 5 % less time so.  No job
 * waits for others longer than GRT_HELD_NS.  Where events are missing no job waits, because a
 * job that leaves shows which earlier jobs were lost.
 */
#define GRT_MANY_HELD	64
#define GRT_HELD_NS	1000000

#define GRT_NR_ERRORS	8	/* codes of ERROR counted one by one */

/* Sums of all WINDOW records, over rings and time. */
struct grt_window_totals {
	uint64_t windows;		/* without synthetic ones */
	uint64_t synthetic;		/* WINDOW records written by hand; not in the sums */
	uint64_t jobs;
	uint64_t latency_sum_ns, latency_min_ns, latency_max_ns;	/* valid with @jobs only */
	uint32_t depth_peak;		/* the highest of any ring */
};

struct grt_model_totals {
	uint64_t events[GRTRACE_NR_EVENTS];
	uint64_t synthetic;		/* of @events, those written by hand */
	uint64_t lost[GRTRACE_NR_FATES]; /* sums of LOSS; [WRITTEN]: not in the trace */
	uint64_t uncounted;	/* LOSS records of an unknown number of events */
	uint64_t late_uncounted;	/* those of them that are the late begin of a buffer */
	uint64_t errors[GRT_NR_ERRORS];	/* ERROR events by code; others as NONE */
	struct grt_window_totals windows;
	uint64_t late_ns;		/* until then, the events of @late_cpus are missing */
	uint32_t late_cpus;		/* CPUs whose buffers were overwritten */
	bool is_cut;			/* an unknown number of events is missing at the end */
	uint64_t repeated;		/* events that their job had already */
	uint64_t backwards;		/* events earlier than the one before */
	uint64_t timeless;		/* JOB records without a time, which are no jobs */
	uint64_t unordered;		/* pieces of FIFO hardware on which jobs overtook others */
	uint64_t first_ns, last_ns;	/* of events; both 0 when there are none */
	/* After grt_model_finish(): @last_ns, or when the snapshot was taken that the trace is. */
	uint64_t end_ns;
	bool ends_at_snapshot;
};

/* Losses of an unknown number of events, without the late begins of buffers. */
static inline uint64_t grt_losses_uncounted(const struct grt_model_totals *t)
{
	return t->uncounted > t->late_uncounted ? t->uncounted - t->late_uncounted : 0;
}

/* @job is valid during the call only.  Its rows are those of grt_model_names(). */
typedef void grt_job_fn(void *arg, const struct grt_job *job);

struct grt_model;

struct grt_model *grt_model_create(grt_job_fn *fn, void *arg);	/* NULL: no memory */
void grt_model_destroy(struct grt_model *m);

/* The host that the head of a trace names, or "".  Call it before the first record. */
void grt_model_set_host(struct grt_model *m, const char *host);

/*
 * Adds a span in which events are missing.  The stream has LOSS records, too, but they come at
 * the end of a span: too late for jobs that finish inside it.
 */
int grt_model_add_loss(struct grt_model *m, uint64_t from_ns, uint64_t to_ns);

/*
 * Whether a second pass over the same trace would know more, for example because events are
 * missing, or because jobs from before the trace were seen only later.  Call it after
 * grt_model_finish().  The second model learns from the first one, before its first event.
 * grt_model_learn() returns 0 or -errno.
 */
bool grt_model_wants_hindsight(const struct grt_model *m);
int grt_model_learn(struct grt_model *m, const struct grt_model *earlier);

/* After grt_model_finish(): frees what only events need.  What a later pass learns is kept. */
void grt_model_forget_jobs(struct grt_model *m);

/* 0, or -errno with a cause. */
int grt_model_feed(struct grt_model *m, const struct grtrace_hdr *rec);

/* A live session had no event until @now_ns: hands out the jobs that were over by then. */
void grt_model_pass(struct grt_model *m, uint64_t now_ns);

/*
 * For a session that runs, now and then.  After a loss, jobs may be at rings that were not seen, so from
 * then on nothing is known of idle time.  This begins anew, as a model whose first event comes now, once
 * no job is in flight any more that was there when events were lost.
 */
void grt_model_forget_losses(struct grt_model *m);

/* The trace is over: hands out the jobs in flight, oldest first, as cut. */
int grt_model_finish(struct grt_model *m);

const struct grt_names *grt_model_names(const struct grt_model *m);
const struct grt_model_totals *grt_model_totals(const struct grt_model *m);
const struct grt_policy_log *grt_model_policies(const struct grt_model *m);
const struct grt_snapshot_log *grt_model_snapshots(const struct grt_model *m);

/* The client with the number @client of a job or a charge, which must not be GRT_NONE. */
const struct grt_client *grt_model_client(const struct grt_model *m, uint32_t client);

/*
 * From here on jobs have pieces; see piece.h.  Call it before the first event.
 *
 * A job that a thread waits for is handed out once the thread ran.  By then, jobs that waited for it may be
 * handed out already.  So it comes twice: with @is_early as soon as it is over, only to tell what it waited for,
 * and later with @was_early, complete.
 */
void grt_model_keep_pieces(struct grt_model *m);

/*
 * Nobody will call grt_model_device_use() and grt_model_idle_row(), so their sums are not made.  Call it
 * before the first event.
 */
void grt_model_skip_sums(struct grt_model *m);

/*
 * From here on, only the time in [@from_ns, @to_ns) counts as time of rings and devices.  Jobs, and
 * what is known of them, stay the same.  Call it before the first event.
 */
void grt_model_set_window(struct grt_model *m, uint64_t from_ns, uint64_t to_ns);

/*
 * Gives @fn each stretch of a ring's time once it is final: ring by ring in the order of time,
 * within the window.  Together they are all of that time but sleep, if this is the second of two
 * passes.  Rings whose jobs were written by hand are left out.  @fn returns 0 or -errno.  Call it
 * before the first event.
 */
typedef int grt_ring_fn(void *arg, const struct grt_ring_stretch *s);
void grt_model_watch_rings(struct grt_model *m, grt_ring_fn *fn, void *arg);

/*
 * Gives @fn the stretches behind those that grt_model_watch_rings() gave, up to now, as they look now:
 * more events may change them.  For those who look at a session while it runs.
 */
void grt_model_peek_rings(const struct grt_model *m, grt_ring_fn *fn, void *arg);

/* Jobs at a ring now: those that wait to be handed over, and those on the ring.  False: not known. */
struct grt_ring_load {
	uint32_t waiting, on_ring;
};
bool grt_model_ring_load(const struct grt_model *m, uint32_t row, struct grt_ring_load *load);

/* Whether some source of this trace reports dependencies. */
bool grt_model_has_deps(const struct grt_model *m);

/*
 * These are complete after grt_model_finish().  Before that, they cover the time that is final.
 */

/* Whether events of jobs are missing somewhere in [from_ns, to_ns]. */
bool grt_model_is_lossy(const struct grt_model *m, uint64_t from_ns, uint64_t to_ns);

/* Whether the machine slept somewhere in [from_ns, to_ns]. */
bool grt_model_slept(const struct grt_model *m, uint64_t from_ns, uint64_t to_ns);

/* First to last event, or the window of that, without the time that the machine slept. */
uint64_t grt_model_wall_ns(const struct grt_model *m);

/* Use of the ring in row @row; never NULL. */
const struct grt_ring_use *grt_model_ring_use(const struct grt_model *m, uint32_t row);

/* Use of a device: the union of its FIFO rings.  NULL past the last one. */
const struct grt_ring_use *grt_model_device_use(const struct grt_model *m, uint32_t device,
						const char **name);

/* Idle time of rings, by cause and client.  NULL past the last row. */
const struct grt_idle_row *grt_model_idle_row(const struct grt_model *m, size_t i);

#endif /* GRT_MODEL_H */
