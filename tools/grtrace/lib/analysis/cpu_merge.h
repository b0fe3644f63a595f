/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Merges events of CPUs with a trace by time.  The caller adds the events of CPUs, a little out of
 * order if need be; the records of the trace are read in between.
 */
#ifndef GRT_CPU_MERGE_H
#define GRT_CPU_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "cpu_event.h"
#include "cpu_threads.h"
#include "cpu_window.h"
#include "event_view.h"
#include "job_ahead.h"

/* What happened before: X(NAME, words after the time). */
#define GRT_DELTAS(X)				\
	X(NONE,		"")			\
	X(IOCTL,	"after ioctl")		\
	X(QUEUE,	"queue wait")		\
	X(EXEC,		"GPU exec")

enum grt_delta_kind {
#define GRT_X(NAME, text) GRT_DELTA_##NAME,
	GRT_DELTAS(GRT_X)
#undef GRT_X
};

struct grt_delta {
	enum grt_delta_kind kind;
	uint64_t ns;
	bool is_inferred;	/* it counts from an inferred START */
};

struct grt_cpu_merge_ops {
	/* Stamps never run back from one call to the next.  Both return false to stop. */
	bool (*cpu)(void *arg, const struct grt_cpu_event *ev);
	/* @ns: the time of @rec with the offset. */
	bool (*gpu)(void *arg, const struct grtrace_hdr *rec, uint64_t ns,
		    struct grt_event_names *names, const struct grt_delta *delta);
};

/* The events of one of the two inputs that are in the timeline. */
struct grt_merged_side {
	uint64_t events;
	uint64_t first_ns, last_ns;	/* where there are events */
};

/* Counts at the end. */
struct grt_cpu_merge_stats {
	struct grt_merged_side cpu, gpu;
	uint64_t other_ioctls;	/* events of ioctls that are not DRM's */
	uint64_t late_cpu;	/* left out: they came too late to be put in order */
	uint64_t late_gpu;	/* left out: time runs back in a damaged trace */
	uint64_t before_zero;	/* GPU events that the offset would put before 0; they are at 0 */
	uint64_t lost;		/* GPU events of LOSS records, without those left out on request */
};

struct grt_cpu_merge {
	/* Filled in by the caller; the rest is 0. */
	const struct grt_cpu_merge_ops *ops;
	void *arg;
	int64_t offset_ns;		/* added to the stamps of the trace */
	bool has_deltas;
	bool is_drm_only;		/* leave out other ioctls */

	struct grt_cpu_merge_stats stats;

	/* Private. */
	struct grt_cpu_window window;
	struct grt_cpu_threads threads;
	struct grt_job_ahead trace;
	struct grt_event_names names;
	struct grt_job_times jobs;	/* jobs in flight, for deltas */
	const struct grtrace_hdr *rec;	/* the next record, NULL: read one */
	uint64_t rec_ns;
	uint64_t cpu_ns;		/* the latest event of a CPU */
	bool is_over;
};

/* Does not own @stream.  0, or -errno with a cause; call grt_cpu_merge_free() in any case. */
int grt_cpu_merge_begin(struct grt_cpu_merge *m, struct grt_stream *stream);

/* The next event of a CPU.  0, 1: no more is wanted, or -errno with a cause. */
int grt_cpu_merge_event(struct grt_cpu_merge *m, const struct grt_cpu_event *ev);

/* All events of CPUs were added.  0 or -errno with a cause. */
int grt_cpu_merge_end(struct grt_cpu_merge *m);

void grt_cpu_merge_free(struct grt_cpu_merge *m);

/* The time of a record with @offset_ns; at least 0. */
uint64_t grt_cpu_merge_shift(uint64_t ns, int64_t offset_ns);

#endif /* GRT_CPU_MERGE_H */
