// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs in flight.
 */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "jobs.h"
#include "policy/sample.h"

#define SET_BITS	10
#define SETS		BIT(SET_BITS)
#define WAYS		16
#define OF_ALL_TYPES	0xff	/* flags */
#define SALT		2	/* the jobs that are sampled are to be in all sets */

/* What is looked at by every event stands together, apart from the rows. */
struct set {
	raw_spinlock_t lock;	/* all of it */
	u32 taken;		/* bit per row: it is somebody's */
	u32 in_flight;		/* of these: it is not over */
	u64 overflow;
	u64 seqnos[WAYS];
	struct grtrace_job_state rows[WAYS];
};

static struct set *sets;	/* stays once it is there, until the module goes */

void grt_jobs_destroy(void)
{
	kvfree(sets);
	sets = NULL;
}

int grt_jobs_reserve(void)
{
	struct set *fresh;
	unsigned int i;

	if (sets)
		return 0;
	fresh = kvcalloc(SETS, sizeof(*fresh), GFP_KERNEL);
	if (!fresh)
		return -ENOMEM;
	for (i = 0; i < SETS; i++)
		raw_spin_lock_init(&fresh[i].lock);
	smp_store_release(&sets, fresh);	/* pairs with the static key that lets events in */
	return 0;
}

void grt_jobs_reset(void)
{
	unsigned int i;

	for (i = 0; sets && i < SETS; i++) {
		raw_spin_lock_irq(&sets[i].lock);
		sets[i].taken = 0;
		sets[i].in_flight = 0;
		sets[i].overflow = 0;
		raw_spin_unlock_irq(&sets[i].lock);
	}
}

static struct set *set_of(u64 ctx, u64 seqno)
{
	return &sets[grt_sample_hash(ctx, seqno, SALT) >> (32 - SET_BITS)];
}

/* Under the set's lock. */
static struct grtrace_job_state *find(struct set *set, u64 ctx, u64 seqno)
{
	unsigned int i;
	u32 rest;

	for (rest = set->in_flight; rest; rest &= rest - 1) {
		i = __ffs(rest);
		if (set->seqnos[i] == seqno && set->rows[i].rec.ctx == ctx)
			return &set->rows[i];
	}
	return NULL;
}

/* Under the set's lock.  A job that is submitted twice, by hand, begins anew. */
static struct grtrace_job_state *make_room(struct set *set, u64 ctx, u64 seqno)
{
	struct grtrace_job_state *row = find(set, ctx, seqno);
	u32 free = ~set->taken & (BIT(WAYS) - 1);
	unsigned int i;

	if (row)
		return row;
	if (!free) {
		set->overflow++;
		return NULL;
	}
	i = __ffs(free);
	set->taken |= BIT(i);
	set->in_flight |= BIT(i);
	set->seqnos[i] = seqno;
	atomic_set(&set->rows[i].users, 1);	/* its COMPLETE's */
	return &set->rows[i];
}

static void begin(struct grtrace_job_state *row, const struct grtrace_seen *ev)
{
	row->rec = (struct grtrace_job){
		.hdr = {
			.type = GRTRACE_JOB,
			.size = sizeof(row->rec),
			.flags = ev->flags & OF_ALL_TYPES,
		},
		.ctx = ev->ctx,
		.seqno = ev->seqno,
		.ring = ev->ring,
		.tgid = ev->tgid,
		.tid = ev->tid,
		.client_id = ev->client_id,
		.submit_ns = ev->ts,
	};
	memset(row->marks, 0, sizeof(row->marks));
}

static void stamp(struct grtrace_job *job, const struct grtrace_seen *ev)
{
	job->hdr.flags |= ev->flags & OF_ALL_TYPES;
	if (!job->ring)
		job->ring = ev->ring;
	switch (ev->type) {
	case GRTRACE_COMMIT:
		job->commit_ns = ev->ts;
		break;
	case GRTRACE_START:
		job->start_ns = ev->ts;
		break;
	case GRTRACE_END:
		job->end_ns = ev->ts;
		break;
	case GRTRACE_COMPLETE:
		job->complete_ns = ev->ts;
		job->status = ev->status;
		break;
	}
}

struct grtrace_job_state *grt_jobs_step(const struct grtrace_seen *ev)
{
	struct set *set = set_of(ev->ctx, ev->seqno);
	struct grtrace_job_state *row;

	raw_spin_lock(&set->lock);
	if (ev->type == GRTRACE_SUBMIT) {
		row = make_room(set, ev->ctx, ev->seqno);
		if (row)
			begin(row, ev);
	} else {
		row = find(set, ev->ctx, ev->seqno);
		if (row)
			stamp(&row->rec, ev);
		if (row && ev->type == GRTRACE_COMPLETE)
			set->in_flight &= ~BIT(row - set->rows);
	}
	if (row)
		atomic_inc(&row->users);
	raw_spin_unlock(&set->lock);
	return row;
}

void grt_jobs_put(struct grtrace_job_state *job, const struct grtrace_seen *ev)
{
	struct set *set;

	if (!atomic_sub_and_test(ev->type == GRTRACE_COMPLETE ? 2 : 1, &job->users))
		return;
	set = set_of(job->rec.ctx, job->rec.seqno);
	raw_spin_lock(&set->lock);
	set->taken &= ~BIT(job - set->rows);
	raw_spin_unlock(&set->lock);
}

u64 grt_jobs_overflow(void)
{
	unsigned int i;
	u64 sum = 0;

	for (i = 0; sets && i < SETS; i++)
		sum += READ_ONCE(sets[i].overflow);
	return sum;
}

u32 grt_jobs_count(void)
{
	unsigned int i;
	u32 sum = 0;

	for (i = 0; sets && i < SETS; i++)
		sum += hweight32(READ_ONCE(sets[i].in_flight));
	return sum;
}

bool grtrace_job_copy(u32 *at, struct grtrace_job_state *to)
{
	bool is_found = false;
	unsigned long flags;

	while (sets && !is_found && *at < SETS * WAYS) {
		struct set *set = &sets[*at / WAYS];

		raw_spin_lock_irqsave(&set->lock, flags);
		is_found = set->in_flight >> (*at % WAYS) & 1;
		if (is_found)
			*to = set->rows[*at % WAYS];
		raw_spin_unlock_irqrestore(&set->lock, flags);
		++*at;
	}
	return is_found;
}
EXPORT_SYMBOL_GPL(grtrace_job_copy);
