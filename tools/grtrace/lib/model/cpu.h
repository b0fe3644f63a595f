/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Threads on CPUs: when threads that hand jobs over could have run and did not, and when a thread
 * that waited for a job ran again.  What no event shows is unknown, and a loss of events makes
 * all earlier states unknown.  Memory is bounded, whatever the trace.
 */
#ifndef GRT_CPU_H
#define GRT_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "keymap.h"
#include "vec.h"

/*
 * The first thread that waited for job (@ctx, @seqno) is on a CPU again, @wake_ns after its
 * COMPLETE; GRT_WAKE_UNKNOWN: nobody knows when.
 */
#define GRT_WAKE_UNKNOWN	UINT64_MAX
typedef void grt_cpu_woke_fn(void *arg, uint64_t ctx, uint64_t seqno, uint64_t wake_ns);

/* Zeroed memory with a callback is an empty one. */
struct grt_cpu {
	grt_cpu_woke_fn *woke;
	void *arg;
	struct grt_vec threads;		/* of struct thread, in cpu.c */
	struct grt_keymap thread_rows;	/* (tid, 0) to row of @threads */
	struct grt_keymap waits;	/* (ctx, seqno) to the first thread that waits */
	struct grt_vec running;		/* row of the thread on each CPU, GRT_NONE: unknown */
	struct grt_vec ring_threads;	/* for each ring, row of a thread that served it */
};

void grt_cpu_free(struct grt_cpu *c);

/*
 * Takes CPU_SWITCH, CPU_WAKE, SYNC_WAIT_ENTER, SYNC_WAIT_EXIT and LOSS, in the order of the
 * stream.  Ignores all others, and those that are SYNTHETIC.  0, or -errno with a cause.
 */
int grt_cpu_feed(struct grt_cpu *c, const struct grtrace_hdr *rec);

/*
 * A job is complete.  True: threads wait for it, and the callback will come, unless the trace
 * ends before.  False: no thread waits; or one of them is running, then the callback came just
 * now.
 */
bool grt_cpu_complete(struct grt_cpu *c, uint64_t ctx, uint64_t seqno, uint64_t ns);

/* The thread that runs on @cpu now, 0 = not known. */
uint32_t grt_cpu_thread(const struct grt_cpu *c, uint16_t cpu);

/*
 * The thread on @cpu, *@tid, hands over a job of @ring, a row of the names or GRT_NONE.  Threads
 * that served one ring are a group from then on, and groups with a thread in common are one:
 * workers of a pool, which wake each other up.  0, or -errno with a cause.
 */
int grt_cpu_commit(struct grt_cpu *c, uint16_t cpu, uint32_t ring, uint32_t *tid);

/*
 * How long in [@from_ns, @to_ns), which must be over, thread @tid or another of its group could
 * have run and did not.  False: not known, or too long ago.
 */
bool grt_cpu_runnable_ns(const struct grt_cpu *c, uint32_t tid, uint64_t from_ns,
			 uint64_t to_ns, uint64_t *ns);

#endif /* GRT_CPU_H */
