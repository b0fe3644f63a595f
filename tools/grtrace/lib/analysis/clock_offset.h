/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Estimates how far the clock of a trace differs from that of events of CPUs: a thread submits jobs
 * within ioctls, so the right offset puts each SUBMIT between the ENTER and the EXIT of an ioctl
 * of its thread.  The estimate is the middle of all offsets that do so for most SUBMITs; if 0 is
 * one of them, it is 0.
 */
#ifndef GRT_CLOCK_OFFSET_H
#define GRT_CLOCK_OFFSET_H

#include <stdbool.h>
#include <stdint.h>

#include "keymap.h"
#include "vec.h"

/* Memory and time are bounded: later events are not looked at. */
#define GRT_OFFSET_SUBMITS	(1u << 16)
#define GRT_OFFSET_IOCTLS	(1u << 17)

/* An estimate from fewer SUBMITs may be a coincidence. */
#define GRT_OFFSET_ENOUGH	8

struct grt_clock_pairs {
	struct grt_vec submits;		/* struct grt_clock_submit */
	struct grt_vec ioctls;		/* struct grt_clock_ioctl */
	struct grt_keymap threads;	/* that submit; value: number of their row in @spans */
	struct grt_vec spans;		/* struct grt_clock_span */
};

/* How well an offset fits. */
struct grt_clock_fit {
	uint64_t submits;	/* between the first and the last ioctl of their threads */
	uint64_t inside;	/* of these, those in an ioctl */
};

struct grt_clock_offset {
	int64_t ns;			/* to be added to the stamps of the trace */
	uint64_t error_ns;		/* offsets from ns - error_ns to ns + error_ns fit as well */
	struct grt_clock_fit best, without;	/* with this offset, and with 0 */
	uint32_t threads;		/* with SUBMITs and ioctls */
	bool is_known;			/* false: no thread has both */
	bool is_ambiguous;		/* an offset far away fits nearly as well, */
	int64_t other_ns;		/* this one */
};

/*
 * Add first all SUBMITs, then all ioctls; each in the order of time.  1: enough of them, 0, or
 * -errno with a cause.
 */
int grt_clock_pairs_submit(struct grt_clock_pairs *p, uint32_t tid, uint64_t ns);
int grt_clock_pairs_ioctl(struct grt_clock_pairs *p, uint32_t tid, uint64_t enter_ns,
			  uint64_t exit_ns);

/* 0, or -errno with a cause. */
int grt_clock_pairs_find(struct grt_clock_pairs *p, struct grt_clock_offset *found);

/* Whether the estimate says, with enough SUBMITs, that the clocks differ. */
bool grt_clock_offset_differs(const struct grt_clock_offset *found);

void grt_clock_pairs_free(struct grt_clock_pairs *p);

#endif /* GRT_CLOCK_OFFSET_H */
