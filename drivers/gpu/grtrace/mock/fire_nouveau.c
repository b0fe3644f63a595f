// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_fire_nouveau: makes fences as the channels of nouveau do.  Loading it does that, and
 * prints the key and the kind of each: "job", "move" (by the kernel), or "exec" (the hardware
 * fence of a job of the scheduler).
 *
 *	ops=A,B	addresses of the two kinds of fences that the loaded nouveau has
 *	offsets=LOCK,FENCE_REF,NAME
 *		offsets of members of nouveau_fence_chan, from the type information of that
 *		nouveau
 *	count=N	so many fences of each kind
 *	clients=N
 *		then so many clients have the user's channel, one after the other, and make a
 *		fence each, which is not printed
 *
 * The fences are real ones with nouveau's own functions; only the hardware is missing.
 */
#include <linux/delay.h>
#include <linux/dma-fence.h>
#include <linux/kref.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#define ROOM	4096	/* bytes of a channel: more than it has */
#define FENCE	512	/* likewise, of a fence */

enum { LOCK, FENCE_REF, NAME, NR_OFFSETS };

static unsigned long ops[2];
static int nr_ops;
module_param_array(ops, ulong, &nr_ops, 0400);
MODULE_PARM_DESC(ops, "addresses of nouveau's kinds of fences");

static unsigned int offsets[NR_OFFSETS];
static int nr_offsets;
module_param_array(offsets, uint, &nr_offsets, 0400);
MODULE_PARM_DESC(offsets, "offsets of members in nouveau's channels");

static unsigned int count = 10;
module_param(count, uint, 0400);
MODULE_PARM_DESC(count, "fences of each kind");

static unsigned int clients;
module_param(clients, uint, 0400);
MODULE_PARM_DESC(clients, "clients that have the user's channel one after the other");

struct channel {
	void *fctx;		/* a struct nouveau_fence_chan: a fence finds it through its lock */
	u64 context;
	u32 sequence;
	struct work_struct work;
	struct dma_fence *fence;
};

/* As nouveau_fence_emit(). */
static void emit(struct channel *c)
{
	c->fence = kzalloc(FENCE, GFP_KERNEL);
	if (!c->fence)
		return;
	c->sequence++;
	dma_fence_init(c->fence, (const void *)ops[c->sequence % 2], c->fctx + offsets[LOCK],
		       c->context, c->sequence);
}

static void emit_in_worker(struct work_struct *work)
{
	emit(container_of(work, struct channel, work));
}

static void emit_by_worker(struct channel *c)
{
	queue_work(system_unbound_wq, &c->work);
	flush_work(&c->work);
}

static void finish(struct channel *c, const char *kind, int error)
{
	if (!c->fence)
		return;
	usleep_range(50, 100);
	if (error)
		dma_fence_set_error(c->fence, error);
	pr_info("grtrace_fire_nouveau: %s %llu:%llu\n", kind, c->context, (u64)c->fence->seqno);
	dma_fence_signal(c->fence);
	dma_fence_put(c->fence);
}

static int make_channel(struct channel *c, u64 context, const char *name)
{
	struct kref *ref;

	c->fctx = kzalloc(ROOM, GFP_KERNEL);
	if (!c->fctx)
		return -ENOMEM;
	spin_lock_init((spinlock_t *)(c->fctx + offsets[LOCK]));
	/* Each fence puts one reference; the last one is ours. */
	ref = c->fctx + offsets[FENCE_REF];
	refcount_set(&ref->refcount, count + clients + 1);
	strscpy(c->fctx + offsets[NAME], name, 32);
	INIT_WORK(&c->work, emit_in_worker);
	c->context = context;
	return 0;
}

enum { USER, COPY, EXEC, NR_CHANNELS };

/* Slowly: rows of rings that were given back are used again only some tenths of a second later. */
static void fire_clients(struct channel *c)
{
	for (unsigned int i = 0; i < clients; i++) {
		snprintf(c->fctx + offsets[NAME], 32, "client[%u]", i);
		emit(c);
		usleep_range(5000, 6000);
		if (!c->fence)
			continue;
		dma_fence_signal(c->fence);
		dma_fence_put(c->fence);
	}
}

static void fire_all(struct channel *channels)
{
	for (unsigned int i = 0; i < count; i++) {
		emit(&channels[USER]);
		finish(&channels[USER], "job", i % 7 ? 0 : -EIO);
		/* Moves are made in workers, too. */
		if (i % 2)
			emit_by_worker(&channels[COPY]);
		else
			emit(&channels[COPY]);
		finish(&channels[COPY], "move", 0);
		emit_by_worker(&channels[EXEC]);
		finish(&channels[EXEC], "exec", 0);
	}
	fire_clients(&channels[USER]);
	/* Fences are freed after a grace period. */
	rcu_barrier();
}

static int __init fire_init(void)
{
	struct channel *channels = kcalloc(NR_CHANNELS, sizeof(*channels), GFP_KERNEL);
	u64 context = dma_fence_context_alloc(NR_CHANNELS);
	char user[32];
	int err = 0;

	if (!channels || nr_ops != 2 || nr_offsets != NR_OFFSETS)
		err = channels ? -EINVAL : -ENOMEM;
	for (int i = 0; i < NR_OFFSETS; i++) {
		if (offsets[i] > ROOM / 4)
			err = -EINVAL;
	}
	snprintf(user, sizeof(user), "%s[%d]", current->comm, task_pid_nr(current));
	for (int i = 0; i < NR_CHANNELS && !err; i++)
		err = make_channel(&channels[i], context + i,
				   i == COPY ? "copy engine channel" : user);
	if (!err)
		fire_all(channels);
	for (int i = 0; channels && i < NR_CHANNELS; i++)
		kfree(channels[i].fctx);
	kfree(channels);
	return err;
}

static void __exit fire_exit(void)
{
}

module_init(fire_init);
module_exit(fire_exit);

MODULE_DESCRIPTION("Makes fences as nouveau does, for tests");
MODULE_LICENSE("GPL");
