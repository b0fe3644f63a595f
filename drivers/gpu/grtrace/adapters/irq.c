// SPDX-License-Identifier: GPL-2.0
/*
 * Records the interrupts of GPUs, for every driver: irq_handler_entry fires in hard irq, just
 * before the driver's handler.  Which handler belongs to a GPU shows in its name.
 *
 * The probe runs for every interrupt of the machine, so it must return fast.
 */
#include <linux/device/driver.h>
#include <linux/grtrace.h>
#include <linux/grtrace_rings.h>
#include <linux/hash.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/virtio.h>
#include <linux/virtio_ids.h>
#include <trace/events/irq.h>

#include "../version.h"

#define KNOWN_BITS	6

/* How names of handlers of GPUs begin. */
static const char *const starts[] = {
#define ROW(start) start,
	GRTRACE_IRQ_NAMES(ROW)
#undef ROW
};

/* A word per handler: its address without the lowest bit, which says whether it is a GPU's. */
static unsigned long known[1 << KNOWN_BITS];

/* Queues of virtio are named after device and queue; vring_interrupt() gets the queue. */
static bool is_virtio_gpu(const struct irqaction *action, const char *name)
{
	struct virtqueue *vq = action->dev_id;
	struct virtio_device *vdev;
	u32 id;

	return strstarts(name, "virtio") && (strstr(name, "-control") || strstr(name, "-cursor")) &&
	       !get_kernel_nofault(vdev, &vq->vdev) && !get_kernel_nofault(id, &vdev->id.device) &&
	       id == VIRTIO_ID_GPU;
}

static bool is_gpu_name(const struct irqaction *action)
{
	const char *name = action->name;
	unsigned int i;

	if (!name)
		return false;
	for (i = 0; i < ARRAY_SIZE(starts); i++)
		if (strstarts(name, starts[i]))
			return true;
	return is_virtio_gpu(action, name);
}

/*
 * The address of a handler that is gone may be that of another one later, which is then taken for
 * the old one until the session ends.  So the function that handles is mixed in.
 */
static unsigned long tag_of(const struct irqaction *action)
{
	return ((unsigned long)action ^ (unsigned long)action->handler << 7) & ~1ul;
}

static noinline bool learn(const struct irqaction *action, unsigned long tag)
{
	bool is_gpu = is_gpu_name(action);

	WRITE_ONCE(known[hash_long(tag, KNOWN_BITS)], tag | is_gpu);
	return is_gpu;
}

static noinline void put(int irq)
{
	const struct grtrace_irq_info info = { .irq = irq, .flags = GRTRACE_F_HANDLER };

	grtrace_irq(&info);
}

static void probe_handler(void *data, int irq, struct irqaction *action)
{
	unsigned long tag = tag_of(action), row = READ_ONCE(known[hash_long(tag, KNOWN_BITS)]);

	if (likely((row & ~1ul) == tag) ? row & 1 : learn(action, tag))
		put(irq);
}

static void begin(void)
{
	/* The probe is attached by name, so the compiler checks its arguments here. */
	check_trace_callback_type_irq_handler_entry(probe_handler);
	memset(known, 0, sizeof(known));
}

static struct grtrace_probe probes[] = {
	{ .fn = probe_handler, .names = { "irq_handler_entry" } },
};

static struct grtrace_adapter adapter = {
	.name = "irq",
	.owner = THIS_MODULE,
	.probes = probes,
	.nr_probes = ARRAY_SIZE(probes),
	.begin = begin,
};

module_driver(adapter, grtrace_adapter_register, grtrace_adapter_unregister);
MODULE_DESCRIPTION("grtrace: interrupts of GPUs");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
