/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What each CPU counts.  Only the CPU itself writes, with interrupts off;
 * everybody else reads and sums.  Zeroed at every session start.
 */
#ifndef _GRTRACE_COUNTERS_H
#define _GRTRACE_COUNTERS_H

#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/grtrace_hook.h>
#include <linux/percpu.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <uapi/linux/grtrace.h>

struct grt_process;
struct rchan_buf;

#define GRT_ASKED_DEPTH	2

/* A power of two, so that a row of the matrix is a shift away. */
#define GRT_FATE_COLUMNS	16

/* Of a histogram: below 64, below 128, ... below 65536, and the rest. */
#define GRT_BUCKETS		12
#define GRT_FIRST_BOUND		64

struct grt_cpu {
	struct rchan_buf *buf;	/* NULL: no session runs */
	u64 last_ts;		/* ns; time never runs back in one file */
	u64 cseq;
	unsigned long tenth_until;	/* jiffies: a tenth of a second is over, see seconds.h */
	const struct grt_process *noted;	/* by SUBMIT, last; never NULL */
	u64 event_ts;		/* of the event that the policy looks at, while jobs are followed */
	u64 thinned;		/* what the filling buffer takes away of GRT_PRESSURE_ALL */
	u32 asked_depth;	/* depth: a hook may write, and what it wrote is asked about */
	s32 status;		/* of the END or COMPLETE that the pipeline looks at */
	u16 rule_flags;		/* of the COMPLETE that the policy looked at last */
	u32 tokens;		/* of the rate limit, that this CPU claimed */
	u64 tokens_until;	/* they are void from then on */
	u64 no_token_until;	/* it need not ask for more before */
	struct grtrace_hook_counts hooks;

	struct_group_tagged(grt_counts, counts,	/* all u64, so they add up without names */
		u64 bytes_written;
		u64 bytes_dropped;
		u64 subbufs;		/* sub-buffers begun */
		u64 overruns;		/* times that the buffer became full */
		u64 seen[GRTRACE_NR_EVENTS];
		u64 fate[GRTRACE_NR_EVENTS][GRT_FATE_COLUMNS];
		u64 mark_sizes[GRT_BUCKETS];	/* of written MARKs: no other type varies */
		u64 cost[GRT_BUCKETS];	/* see cost.h */
		u64 cost_ns;
	);

	u64 cost_max_ns;
	u64 cost_began_ns;	/* of the event under way, 0 = it is not timed */
	struct grtrace_fates at_stop;	/* of STREAM_END; events after it are no part */
	struct grtrace_seen asked[GRT_ASKED_DEPTH];	/* by asked_depth */
};

extern struct grt_cpu __percpu *grt_cpus;

int grt_counters_create(void);
void grt_counters_destroy(void);
/*
 * Calls @fn for each CPU, there and between two of its events: from afar one would see an event
 * half counted.  For those that are offline, here.  Sleeps; not inside cpus_read_lock().
 */
void grt_counters_each(void (*fn)(int cpu));
/* The same for one CPU. */
void grt_counters_call(int cpu, void (*fn)(int cpu, void *arg), void *arg);
/* No session may be running.  Sleeps. */
void grt_counters_reset(void);

/* Fates over all types.  Cheap enough for once per sub-buffer. */
void grt_counts_fates(const struct grt_counts *n, struct grtrace_fates *fates);
/* Those of the one @type. */
void grt_counts_type(const struct grt_counts *n, unsigned int type,
		     struct grtrace_fates *fates);

/* Members of struct grtrace_fates by number, in the order of the enum. */
static inline u64 *grt_fates_slot(struct grtrace_fates *fates, enum grtrace_fate f)
{
	return &fates->written + f;
}

static inline unsigned int grt_bucket(u64 value)
{
	return clamp(fls64(value / GRT_FIRST_BOUND), 0, GRT_BUCKETS - 1);
}

#endif
