/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Jobs in flight: what is known of each from its SUBMIT until its COMPLETE.  Kept only
 * while somebody needs it: who looks at the file jobs, rules, extension modules.
 *
 * A fixed table, sets of rows with a lock each; a job that finds no room is counted and
 * not followed.  An event locks the set of its job, finds or begins the row, and does all
 * that it has to do with it before it unlocks the set.
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
 * What every event looks at stands together, apart from the rows.
 *
 * The lock is that of bitlock.h: two events of one set at a time are rare.
 */
struct grt_job_set {
	unsigned long lock;		/* bit 0; of all of it, but for grt_job_drop() */
	unsigned long in_flight;	/* bit per row: its job is not over */
	unsigned long taken;		/* bit per row: it is somebody's */
	u64 overflow;
	u64 seqnos[GRT_JOB_WAYS];
	struct grtrace_job_state rows[GRT_JOB_WAYS];
};

extern struct grt_job_set *grt_job_sets;

/* On while jobs are followed. */
DECLARE_STATIC_KEY_FALSE(grt_tracked);

/* Room for the table, at first use.  Sleeps.  0 or -ENOMEM. */
int grt_jobs_reserve(void);
void grt_jobs_destroy(void);
/* Forgets them all.  No session may be running, or nobody may be following jobs. */
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
	/* Samplers look at the high bits, so jobs that are kept are in all sets. */
	struct grt_job_set *set = &grt_job_sets[grt_sample_mix(ctx, seqno, 0) &
						(BIT(GRT_JOB_SET_BITS) - 1)];

	grt_job_set_lock(set);
	return set;
}

/*
 * The pointer to row @i, which stays one: the compiler would make it anew from @i at each use.
 * It is told that this is not NULL, so callers of grt_job_find() pay no second test.
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

/* Under the lock of the set.  @row gets its number.  NULL: it is not followed. */
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

/* A row for a job that is submitted; if that is done twice, by hand, it begins anew. */
static __always_inline struct grtrace_job_state *grt_job_row(struct grt_job_set *set, u64 ctx,
							     u64 seqno)
{
	unsigned long free, i;
	struct grtrace_job_state *row = grt_job_find(set, ctx, seqno, &i);

	if (unlikely(row))
		return row;
	/* Pairs with grt_job_drop(): who had the row is done with it. */
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
 * It is submitted: the caller fills in what its SUBMIT says, the rest is empty.  Under the lock
 * of the set.  NULL: there is no room.
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
 * Where the time of an event of @type goes, in struct grtrace_job.  Those that it has no
 * member for go to the header, which is filled when it is written: so nobody has to ask.
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
 * It is over, and nobody finds it any more; the row stays the caller's until
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

/* Jobs that found no room. */
u64 grt_jobs_overflow(void);
/* Jobs in the table now. */
u32 grt_jobs_count(void);

#endif
