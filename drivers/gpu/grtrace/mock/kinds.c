// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_kinds: a driver that calls grtrace itself, for tests.  Loading it writes events of the
 * kinds that jobs of the mock GPU do not make, each once with numbers that a test knows.
 */
#include <linux/grtrace.h>
#include <linux/module.h>

static void write_memory(const void *object, const void *vm)
{
	struct grtrace_memory_info memory = {
		.object = object, .vm = vm, .bytes = 8192, .offset_bytes = 4096, .from_domain = 2,
		.to_domain = 4, .preferred_domains = 6, .allowed_domains = 7,
		.pci_address = GRTRACE_PCI_ADDRESS(1, 2, 3), .flags = GRTRACE_F_MAPPABLE,
	};

	for (memory.op = GRTRACE_MEMORY_CREATE; memory.op <= GRTRACE_MEMORY_PREAD; memory.op++)
		grtrace_memory(&memory);
}

static void write_irq(u32 ring)
{
	const struct grtrace_irq_info irq = {
		.ctx = 70, .seqno = 7, .gpu_stamp = 1ull << 40, .ring = ring, .irq = 11,
		.pci_address = GRTRACE_PCI_ADDRESS(1, 2, 3), .ih = 1, .client = 20, .source = 181,
		.irq_ring = 3, .vmid = 4, .pasid = 32769, .data = { 1, 2, 3, 4 },
		.flags = GRTRACE_F_HANDLER,
	};

	grtrace_irq(&irq);
}

static void write_vblanks(const void *client)
{
	struct grtrace_vblank_info vblank = {
		.client = client, .vblank_ns = 123456789, .crtc = 2, .frame = 99,
		.pci_address = GRTRACE_PCI_ADDRESS(1, 2, 3), .flags = GRTRACE_F_QUEUED,
	};

	grtrace_vblank(&vblank);
	vblank.flags = GRTRACE_F_HIGH_PRECISION;
	grtrace_vblank(&vblank);
	vblank.flags = GRTRACE_F_DELIVERED;
	grtrace_vblank(&vblank);
}

static void write_gauges(u32 ring)
{
	const u32 gpu = GRTRACE_PCI_ADDRESS(1, 2, 3);

	grtrace_frequency(GRTRACE_GAUGE_CORE, 1500000000, ring, gpu, 0);
	grtrace_frequency(GRTRACE_GAUGE_MEMORY, 900000000, GRTRACE_NO_RING, gpu, 0);
	grtrace_frequency(GRTRACE_GAUGE_POWER, 15250000, GRTRACE_NO_RING, gpu, 0);
	grtrace_frequency(GRTRACE_GAUGE_TEMPERATURE, -1500, GRTRACE_NO_RING, gpu, 0);
}

static int __init kinds_init(void)
{
	const struct grtrace_ring_desc desc = {
		.name = "kinds0", .device = "0001:02:00.3", .driver = "grtrace_kinds",
		.engine = GRTRACE_ENGINE_COMPUTE, .order = GRTRACE_ORDER_FIFO,
	};
	u32 ring = grtrace_ring_register(&desc);

	/* Any addresses do: they are never used as such. */
	write_memory(&desc, &ring);
	write_irq(ring);
	write_vblanks(&desc);
	write_gauges(ring);
	grtrace_ctx_switch(ring, 60, 70, 7, 4, GRTRACE_F_PREEMPTED);
	grtrace_sync_wait_enter(ring, 70, 7, GRTRACE_F_GPU_WAIT);
	grtrace_sync_wait_exit(ring, 70, 7, -ETIME, GRTRACE_F_GPU_WAIT);
	grtrace_error(ring, 70, 7, GRTRACE_ERROR_FENCE, -EIO, 0x1203, 0);
	grtrace_ring_unregister(ring);
	return 0;
}

static void __exit kinds_exit(void)
{
}

module_init(kinds_init);
module_exit(kinds_exit);
MODULE_DESCRIPTION("Writes one event of each kind that the mock GPU does not make, for tests");
MODULE_LICENSE("GPL");
