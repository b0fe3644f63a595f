/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of jobs in flight: what is known of each job from its SUBMIT until its COMPLETE.
 * Jobs are tracked only while the file jobs, a rule or an extension module needs them.
 *
 * The table has a fixed number of sets; each set has a lock and a few rows.  A job that finds
 * no free row is counted and not tracked.  An event locks the set of its job, finds or takes
 * the row, and finishes its work on the row before it unlocks the set.
 */
#ifndef _GRTRACE_JOBS_H
#define _GRTRACE_JOBS_H

#include <linux/bitops.h>
#include <linux/grtrace_hook.h>
#include <linux/jump_label.h>
#include <linux/lockdep.h>
#include <linux/string.h>
#include <linux/types.h>

#include "bitlock.h"
#include "policy/sample.h"

#define GRT_JOB_SET_BITS	10
#define GRT_JOB_WAYS		16
#define GRT_FLAGS_OF_ALL_TYPES	0xff

/*
 * The members that every event reads are adjacent, before the rows.
 *
 * The lock is a bit lock, see bitlock.h: two events rarely need the same set at once.
 */
struct grt_job_set {
	unsigned long lock;		/* bit 0; grt_job_drop() does not need it */
	unsigned long in_flight;	/* bit per row: the job is not over */
	unsigned long taken;		/* bit per row: the row is not free */
	u64 overflow;
	u64 seqnos[GRT_JOB_WAYS];
	struct grtrace_job_state rows[GRT_JOB_WAYS];
};

extern struct grt_job_set *grt_job_sets;

/* On while jobs are tracked. */
DECLARE_STATIC_KEY_FALSE(grt_tracked);

/* Allocates the table at first use.  Sleeps.  Returns 0 or -ENOMEM. */
int grt_jobs_reserve(void);
void grt_jobs_destroy(void);
/* Empties the table.  Only while no session runs, or while jobs are not tracked. */
void grt_jobs_reset(void);

#ifdef CONFIG_DEBUG_LOCK_ALLOC
extern struct lockdep_map grt_job_lock_map;
#endif

/* Interrupts are off. */
static __always_inline void grt_job_set_lock(struct grt_job_set *set)
{
#ifdef CONFIG_DEBUG_LOCK_ALLOC
	lock_map_acquire(&grt_job_lock_map);
#endif
	grt_bit_lock(&set->lock);
}

static __always_inline void grt_job_unlock(struct grt_job_set *set)
{
	grt_bit_unlock(&set->lock);
#ifdef CONFIG_DEBUG_LOCK_ALLOC
	lock_map_release(&grt_job_lock_map);
#endif
}

/* The set of a job, locked.  Interrupts are off. */
static __always_inline struct grt_job_set *grt_job_lock(u64 ctx, u64 seqno)
{
	/* Samplers use the high bits of the hash, so sampled jobs spread over all sets. */
	struct grt_job_set *set = &grt_job_sets[grt_sample_mix(ctx, seqno, 0) &
						(BIT(GRT_JOB_SET_BITS) - 1)];

	grt_job_set_lock(set);
	return set;
}

/*
 * Returns row @i.  OPTIMIZER_HIDE_VAR() stops the compiler from computing the address again at
 * each use.  The compiler learns that it is not NULL, so callers of grt_job_find() test it
 * only once.
 */
static __always_inline struct grtrace_job_state *grt_job_at(struct grt_job_set *set,
							    unsigned long i)
{
	struct grtrace_job_state *row = &set->rows[i];

	OPTIMIZER_HIDE_VAR(row);
	if (!row)
		__builtin_unreachable();
	return row;
}

/*
 * Finds the job in its set, under the lock of the set, and stores the row's number in @row.
 * NULL: the job is not tracked.
 */
static __always_inline struct grtrace_job_state *grt_job_find(struct grt_job_set *set, u64 ctx,
							      u64 seqno, unsigned long *row)
{
	unsigned long rest, i;

	for (rest = set->in_flight; rest; rest &= rest - 1) {
		i = __ffs(rest);
		if (set->seqnos[i] != seqno || set->rows[i].rec.ctx != ctx)
			continue;
		*row = i;
		return grt_job_at(set, i);
	}
	return NULL;
}

/* A row for a job that is submitted.  A second SUBMIT, written by hand, reuses the row. */
static __always_inline struct grtrace_job_state *grt_job_row(struct grt_job_set *set, u64 ctx,
							     u64 seqno)
{
	unsigned long free, i;
	struct grtrace_job_state *row = grt_job_find(set, ctx, seqno, &i);

	if (unlikely(row))
		return row;
	/* Pairs with grt_job_drop(): the previous user is done with the row. */
	free = ~smp_load_acquire(&set->taken) & (BIT(GRT_JOB_WAYS) - 1);
	if (unlikely(!free)) {
		set->overflow++;
		return NULL;
	}
	i = __ffs(free);
	set_bit(i, &set->taken);
	set->in_flight |= BIT(i);
	set->seqnos[i] = seqno;
	return grt_job_at(set, i);
}

/*
 * Takes a row for a job that is submitted and clears it; the caller fills in what the SUBMIT
 * says.  Under the lock of the set.  NULL: no row is free.
 */
static __always_inline struct grtrace_job_state *grt_job_begin(struct grt_job_set *set, u64 ctx,
							       u64 seqno)
{
	struct grtrace_job_state *row = grt_job_row(set, ctx, seqno);

	if (unlikely(!row))
		return NULL;
	row->rec.hdr.type = GRTRACE_JOB;
	row->rec.hdr.size = sizeof(row->rec);
	row->rec.ctx = ctx;
	row->rec.seqno = seqno;
	row->rec.status = 0;
	row->rec.commit_ns = 0;
	row->rec.start_ns = 0;
	row->rec.end_ns = 0;
	row->rec.complete_ns = 0;
	BUILD_BUG_ON(GRTRACE_FATE_WRITTEN || GRTRACE_VERDICT_KEEP);
	memset(&row->judged, 0, sizeof(row->judged));
	return row;
}

/*
 * The offset in struct grtrace_job of the time of an event of @type.  Types without a member of
 * their own use hdr.ts, which is overwritten when the record is written: no branch is needed.
 */
static __always_inline u8 grt_job_stamp(u16 type)
{
	switch (type) {
	case GRTRACE_COMMIT:
		return offsetof(struct grtrace_job, commit_ns);
	case GRTRACE_START:
		return offsetof(struct grtrace_job, start_ns);
	case GRTRACE_END:
		return offsetof(struct grtrace_job, end_ns);
	case GRTRACE_COMPLETE:
		return offsetof(struct grtrace_job, complete_ns);
	default:
		return offsetof(struct grtrace_job, hdr.ts);
	}
}

/*
 * The job is over: grt_job_find() does not find it any more.  The caller owns the row until
 * grt_job_drop(), which needs no lock.  Under the lock of the set.
 */
static __always_inline void grt_job_end(struct grt_job_set *set, unsigned long row)
{
	set->in_flight &= ~BIT(row);
}

static __always_inline void grt_job_drop(struct grt_job_set *set, unsigned long row)
{
	clear_bit_unlock(row, &set->taken);
}

/* Number of jobs that found no free row. */
u64 grt_jobs_overflow(void);
/* Number of jobs in flight. */
u32 grt_jobs_count(void);

#endif
