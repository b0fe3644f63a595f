/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Where a ring's time went: busy, or idle for a cause.  Of the causes that hold at one instant,
 * the last in the list counts.
 */
#ifndef GRT_IDLE_H
#define GRT_IDLE_H

#include <stdbool.h>
#include <stdint.h>

/* X(NAME, name, text) */
#define GRT_IDLES(X)								\
	X(STARVED,    starved,	  "no job was there")				\
	X(DEPENDENCY, dependency, "all jobs there waited for fences")		\
	X(SCHEDULER,  scheduler,  "a job could have been handed over and was not") \
	X(HARDWARE,   hardware,	  "a job was handed over and had not begun")	\
	X(RECOVERY,   recovery,	  "the ring was being reset")			\
	X(UNKNOWN,    unknown,	  "events are missing there")

enum grt_idle {
#define GRT_X(NAME, name, text) GRT_IDLE_##NAME,
	GRT_IDLES(GRT_X)
#undef GRT_X
	GRT_NR_IDLES
};

/*
 * One ring, or the union of a device's rings.  @busy_ns and all of @idle_ns sum to
 * the wall time of the trace, to the nanosecond.
 */
struct grt_ring_use {
	uint64_t busy_ns;	/* of a ring that is not FIFO: a job was committed */
	uint64_t idle_ns[GRT_NR_IDLES];
	uint64_t unexplained_ns;	/* of the unknown idle time: nothing ran, but why is not known */
	uint64_t before_ns;	/* of the unknown idle time: before the first event of the ring */
	uint64_t jobs;		/* ran to their END */
	uint64_t unknown_jobs;	/* of these, START not known */
};

/* Idle time of a ring, by cause and client; most time first once the model has finished. */
struct grt_idle_row {
	uint32_t ring;		/* row of the names */
	uint32_t client;		/* whose job; GRT_NONE: not known, or a fence of no job */
	uint64_t ctx;		/* without @client and not 0: context of that fence */
	uint64_t seqno;		/* with @ctx: the job or fence of the longest stretch */
	uint64_t ns, longest_ns;
	uint64_t stretches : 56;
	uint64_t cause : 8;	/* enum grt_idle; a bit field, as there may be millions of rows */
};

#define GRT_RING_BUSY	GRT_NR_IDLES

/* What a ring did without a break. */
struct grt_ring_stretch {
	uint64_t from_ns, to_ns;
	uint64_t ctx, seqno;	/* idle: the job or fence that is to blame; 0: none */
	uint32_t ring;		/* row of the names */
	uint32_t client;	/* idle: whose job is to blame; GRT_NONE: not known, or a fence of no job */
	uint8_t state;		/* enum grt_idle, or GRT_RING_BUSY */
	bool is_unexplained;	/* GRT_IDLE_UNKNOWN: nothing ran, but why is not known */
};

/* The time of which it is known whether the ring was busy. */
static inline uint64_t grt_use_known_ns(const struct grt_ring_use *use)
{
	uint64_t ns = use->busy_ns + use->unexplained_ns;

	for (int cause = 0; cause < GRT_IDLE_UNKNOWN; cause++)
		ns += use->idle_ns[cause];
	return ns;
}

/*
 * The time since the first event of the ring: shares are of this.  In grt_use_unsure_ns() of it, it is not known whether the
 * ring was busy: a share may be larger by that much.
 */
static inline uint64_t grt_use_unsure_ns(const struct grt_ring_use *use)
{
	return use->idle_ns[GRT_IDLE_UNKNOWN] - use->unexplained_ns - use->before_ns;
}

static inline uint64_t grt_use_span_ns(const struct grt_ring_use *use)
{
	return grt_use_known_ns(use) + grt_use_unsure_ns(use);
}

/* Adds the times of @from, and not its jobs. */
static inline void grt_use_add_times(struct grt_ring_use *to, const struct grt_ring_use *from)
{
	to->busy_ns += from->busy_ns;
	to->unexplained_ns += from->unexplained_ns;
	to->before_ns += from->before_ns;
	for (int cause = 0; cause < GRT_NR_IDLES; cause++)
		to->idle_ns[cause] += from->idle_ns[cause];
}

const char *grt_idle_name(enum grt_idle cause);

#endif /* GRT_IDLE_H */
