// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs of nouveau that do not use the DRM scheduler.  nouveau has no tracepoints of its own, so
 * its fences tell all that is known.  Linux 6.1 to 7.2, drivers/gpu/drm/nouveau:
 *
 *   SUBMIT	dma_fence_init, by nouveau_fence_emit().  NOUVEAU_GEM_PUSHBUF calls that in the
 *		submitter's thread, just after the hardware got the commands (nouveau_gem.c,
 *		nouveau_gem_ioctl_pushbuf()): so an upper bound
 *   COMPLETE	dma_fence_signaled.  Without a waiter the driver looks only when it emits the next
 *		fence (nouveau_fence_update()): an upper bound, too
 *
 * dma_fence_emit is never fired, and nobody says when the hardware begins or ends: no COMMIT,
 * START or END.
 *
 * Buffer moves and the like are the kernel's own jobs, on channels with fixed names.  Jobs of
 * EXEC and VM_BIND are the scheduler's, and the bridge records them.  Their hardware fences are
 * emitted by the scheduler's thread or worker (nouveau_exec_job_run()), on a channel of a user;
 * PUSHBUF is refused there.
 */
#include <linux/device/driver.h>
#include <linux/dma-fence.h>
#include <linux/grtrace.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/stringhash.h>

#include "../compat/compat.h"
#include "../version.h"
#include "fence_kinds.h"

#define CHANNELS	4096	/* as many as a GPU has; their contexts are numbered in a row */

static struct grt_fence_kinds kinds;

/* As long as those of nouveau_fence_chan. */
struct timeline {
	unsigned long words[32 / sizeof(unsigned long)];
};

/*
 * Channels of jobs, by the lower bits of their contexts; not those of EXEC.  A context is used
 * again when its channel is gone: then the name tells.
 */
static struct channel {
	u64 ctx;		/* 0: nobody's, or being changed */
	struct timeline name;
	const void *owner;	/* of its ring; stays when the channel is nobody's */
	u32 ring;
	u16 flags;
} channels[CHANNELS];

/* Held to learn a channel: otherwise another CPU could give back the ring that it just got. */
static DEFINE_RAW_SPINLOCK(learn_lock);

static __always_inline struct channel *channel_of(u64 ctx)
{
	return &channels[ctx % CHANNELS];
}

static bool is_copy_channel(const char *name)
{
	return !strcmp(name, "copy engine channel");
}

/* Others have the name of a client, which ends in "[pid]" (nouveau_fence_context_new()). */
static bool is_kernel_channel(const char *name)
{
	return is_copy_channel(name) || !strcmp(name, "generic kernel channel");
}

/* All channels of a client have one name and are one ring. */
static const void *owner_of(const char *name)
{
	return (const void *)(unsigned long)hashlen_string(NULL, name);
}

static noinline u32 learn_ring(const void *owner, u64 ctx, const char *name)
{
	const struct grtrace_ring_desc desc = {
		.name = name,
		.device = "unknown",
		.driver = "nouveau",
		.engine = is_copy_channel(name) ? GRTRACE_ENGINE_COPY : GRTRACE_ENGINE_OTHER,
		.order = GRTRACE_ORDER_UNKNOWN,
	};

	if (grtrace_ring_is_lost(owner))
		return GRTRACE_NO_RING;
	return grtrace_ring_learn(owner, ctx, &desc);
}

/*
 * Whether all bytes of the array that @name begins are on its page, and so can be read.  The
 * rest of a name that is no array is the same each time.
 */
static __always_inline bool is_readable(const char *name)
{
	return likely(offset_in_page(name) <= PAGE_SIZE - sizeof(struct timeline));
}

static __always_inline bool has_name(const struct channel *c, const char *name)
{
	unsigned long differs = 0;
	unsigned int i;

	if (!is_readable(name))
		return false;
	for (i = 0; i < ARRAY_SIZE(c->name.words); i++)
		differs |= c->name.words[i] ^ read_word_at_a_time(name + i * sizeof(long));
	return !differs;
}

static bool has_channel(const void *owner)
{
	unsigned int i;

	for (i = 0; i < CHANNELS; i++)
		if (channels[i].owner == owner)
			return true;
	return false;
}

/*
 * Nothing tells that a client is gone, but then other clients get its channels.  When the last of
 * these has another client, the ring is given back: a long session has more clients than the ring
 * table has rows.  If the client gets a channel again, it gets its ring again, too.
 */
static void set_owner(struct channel *c, const void *owner)
{
	const void *old = c->owner;

	c->owner = owner;
	if (old && old != owner && !has_channel(old))
		grtrace_ring_gone(old);
}

static noinline void learn_channel(struct channel *c, u64 ctx, const char *name)
{
	const void *owner = owner_of(name);
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&learn_lock, flags);
	WRITE_ONCE(c->ctx, 0);
	smp_wmb();	/* pairs with smp_load_acquire(): nobody finds a mix */
	for (i = 0; i < ARRAY_SIZE(c->name.words) && is_readable(name); i++)
		c->name.words[i] = read_word_at_a_time(name + i * sizeof(long));
	set_owner(c, owner);
	/* Not grtrace_ring_cached(), which also finds a ring that is marked as gone. */
	c->ring = grtrace_ring_match_name(owner, ctx, name) ?: learn_ring(owner, ctx, name);
	c->flags = GRTRACE_F_UPPER_BOUND | (is_kernel_channel(name) ? GRTRACE_F_KERNEL_JOB : 0);
	smp_store_release(&c->ctx, ctx);	/* pairs with smp_load_acquire(), too */
	raw_spin_unlock_irqrestore(&learn_lock, flags);
}

static noinline __no_stack_protector void submit(struct dma_fence *fence)
{
	const char *name = fence->ops->get_timeline_name(fence);
	struct channel *c = channel_of(fence->context);
	struct grtrace_job_info info = {
		.ctx = fence->context,
		.seqno = fence->seqno,
	};
	bool is_known;

	/* Pairs with learn_channel(). */
	is_known = likely(smp_load_acquire(&c->ctx) == info.ctx && has_name(c, name));
	/* The hardware fence of a job of the scheduler. */
	if (unlikely(current->flags & PF_KTHREAD) &&
	    !(is_known ? c->flags & GRTRACE_F_KERNEL_JOB : is_kernel_channel(name))) {
		WRITE_ONCE(c->ctx, 0);
		return;
	}
	if (unlikely(!is_known))
		learn_channel(c, info.ctx, name);
	info.ring = c->ring;
	info.flags = c->flags;
	grtrace_submit(&info);
}

/* This and the next one run for every fence of the system, so they must return fast. */
static void probe_fence_init(void *data, struct dma_fence *fence)
{
	if (grt_fence_is_ours_new(&kinds, fence, "nouveau"))
		submit(fence);
}

static noinline void signaled(struct dma_fence *fence)
{
	const struct channel *c = channel_of(fence->context);

	/* Pairs with learn_channel(). */
	if (smp_load_acquire(&c->ctx) == fence->context)
		grtrace_complete(c->ring, fence->context, fence->seqno, fence->error,
				 GRTRACE_F_UPPER_BOUND);
}

static void probe_fence_signaled(void *data, struct dma_fence *fence)
{
	if (grt_fence_is_ours(&kinds, fence))
		signaled(fence);
}

static void begin(void)
{
	memset(channels, 0, sizeof(channels));
	grt_fence_kinds_forget(&kinds);
}

static void target_gone(struct module *target)
{
	grt_fence_kinds_forget(&kinds);
}

static struct grtrace_probe probes[] = {
	{ .fn = probe_fence_init, .names = { "dma_fence_init" } },
	{ .fn = probe_fence_signaled, .names = { "dma_fence_signaled" } },
};

static struct grtrace_adapter adapter = {
	.name = "nouveau",
	.owner = THIS_MODULE,
	.driver = "nouveau",
	.probes = probes,
	.nr_probes = ARRAY_SIZE(probes),
	.begin = begin,
	.target_gone = target_gone,
};

module_driver(adapter, grtrace_adapter_register, grtrace_adapter_unregister);
MODULE_DESCRIPTION("grtrace: jobs of nouveau that do not use the DRM scheduler");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
