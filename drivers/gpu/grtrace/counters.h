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

#define GRT_HOOK_DEPTH	2

/* A power of two, so that a row of the matrix is a shift away. */
#define GRT_FATE_COLUMNS	16

/* Buckets of a histogram: below 64, below 128, ... below 65536, and the rest. */
#define GRT_BUCKETS		12
#define GRT_FIRST_BOUND		64

/* The account at the end of a stream. */
struct grt_ending {
	u64 ts;			/* ns */
	u64 cseq;		/* of the last event */
	struct grtrace_fates fates;
};

struct grt_cpu {
	struct rchan_buf *buf;	/* NULL: no session runs */
	u64 last_ts;		/* ns; time never runs back in one file */
	u64 cseq;
	unsigned long tenth_until;	/* jiffies, end of this tenth of a second: seconds.h */
	const struct grt_process *noted;	/* process of the last SUBMIT; never NULL */
	u64 event_ts;		/* ns, time of the event in the pipeline, see grt_stamped */
	u64 thinned;		/* share of GRT_PRESSURE_ALL dropped because the buffer fills */
	u32 hook_depth;	/* nesting of hook calls: a hook may write, and hooks judge that */
	s32 status;		/* of the END or COMPLETE in the pipeline */
	u16 rule_flags;		/* of the last COMPLETE that passed the pipeline */
	u32 tokens;		/* of the rate limit, claimed by this CPU */
	u64 tokens_until;	/* ns, when the claimed tokens expire */
	u64 no_token_until;	/* ns, when this CPU may claim tokens again */
	struct grtrace_hook_counts hooks;

	struct_group_tagged(grt_counts, counts,	/* all u64, so they add up without names */
		u64 bytes_written;
		u64 bytes_dropped;
		u64 subbufs;		/* sub-buffers begun */
		u64 overruns;		/* times that the buffer became full */
		u64 seen[GRTRACE_NR_EVENTS];
		u64 fate[GRTRACE_NR_EVENTS][GRT_FATE_COLUMNS];
		u64 text_sizes[GRT_BUCKETS];	/* written ones; see grt_has_text() */
		u64 cost[GRT_BUCKETS];	/* see cost.h */
		u64 cost_ns;
	);

	u64 cost_max_ns;
	u64 cost_began_ns;	/* when the current event began, 0 = it is not timed */
	u64 head_seen;		/* events seen, by the head of the current sub-buffer */
	u64 head_dropped;	/* those of them that are in no buffer, nor kept elsewhere */
	u64 reported_seen;		/* the same, by the last sub-buffer that was handed out */
	struct grt_ending at_end;	/* for STREAM_END; later events are not counted in it */
	u64 at_end_of;		/* overwrite mode: the snapshot that @at_end is for */
	struct grtrace_seen hook_events[GRT_HOOK_DEPTH];	/* by hook_depth */
};

extern struct grt_cpu __percpu *grt_cpus;

/* Whether records of a type end in text, so that their sizes vary. */
static inline bool grt_has_text(u16 type)
{
	return type == GRTRACE_MARK || type == GRTRACE_TRACE_EVENT;
}

int grt_counters_create(void);
void grt_counters_destroy(void);
/*
 * Calls @fn for each CPU, on that CPU and between two of its events: another CPU could see an
 * event half counted.  For offline CPUs the caller runs @fn.  Sleeps; not inside
 * cpus_read_lock().
 */
void grt_counters_each(void (*fn)(int cpu));
/* The same for one CPU. */
void grt_counters_call(int cpu, void (*fn)(int cpu, void *arg), void *arg);
/* Zeroes the counters.  No session may be running.  Sleeps. */
void grt_counters_reset(void);

/* Sums the fates of all types.  Cheap enough to call once per sub-buffer. */
void grt_counts_fates(const struct grt_counts *n, struct grtrace_fates *fates);
/* The fates of one type. */
void grt_counts_type(const struct grt_counts *n, unsigned int type,
		     struct grtrace_fates *fates);

/* The member of @fates for fate @f: the members have the order of the enum. */
static inline u64 *grt_fates_slot(struct grtrace_fates *fates, enum grtrace_fate f)
{
	return &fates->written + f;
}

static inline unsigned int grt_bucket(u64 value)
{
	return clamp(fls64(value / GRT_FIRST_BOUND), 0, GRT_BUCKETS - 1);
}

#endif
