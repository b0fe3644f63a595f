// SPDX-License-Identifier: GPL-2.0
/*
 * Turns the DRM core's tracepoints of displays into events, for every driver.
 *
 * Where they fire, Linux 6.1 to 7.2 (drivers/gpu/drm/drm_vblank.c):
 *   VBLANK	drm_vblank_event: drm_handle_vblank(), mostly in hard irq; it does not name the
 *		device
 *   QUEUED	drm_vblank_event_queued: the ioctl that waits for a blank, in the client's context
 *   DELIVERED	drm_vblank_event_delivered: the client is told of a blank or of a page flip.  A
 *		driver without vertical blanks (virtio-gpu before 6.19) gives no frame number
 */
#include <linux/device/driver.h>
#include <linux/grtrace.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <drm/drm_device.h>
#include <drm/drm_file.h>

#include "../version.h"

static void probe_vblank(void *data, int crtc, unsigned int seq, ktime_t time,
			 bool is_high_precision)
{
	const struct grtrace_vblank_info info = {
		.vblank_ns = ktime_to_ns(time),
		.crtc = crtc,
		.frame = seq,
		.flags = is_high_precision ? GRTRACE_F_HIGH_PRECISION : 0,
	};

	grtrace_vblank(&info);
}

/* @file: the client, NULL = the kernel itself. */
static void tell(const struct drm_file *file, int crtc, unsigned int seq, u16 flags)
{
	const struct grtrace_vblank_info info = {
		.client = file,
		.crtc = crtc,
		.frame = seq,
		.pci_address = file ? grtrace_device_pci_address(file->minor->dev->dev) : 0,
		.flags = flags,
	};

	grtrace_vblank(&info);
}

static void probe_queued(void *data, struct drm_file *file, int crtc, unsigned int seq)
{
	tell(file, crtc, seq, GRTRACE_F_QUEUED);
}

static void probe_delivered(void *data, struct drm_file *file, int crtc, unsigned int seq)
{
	tell(file, crtc, seq, GRTRACE_F_DELIVERED);
}

static struct grtrace_probe probes[] = {
	{ .module = "drm", .fn = probe_vblank, .names = { "drm_vblank_event" } },
	{ .module = "drm", .fn = probe_queued, .names = { "drm_vblank_event_queued" } },
	{ .module = "drm", .fn = probe_delivered, .names = { "drm_vblank_event_delivered" } },
};

static struct grtrace_adapter adapter = {
	.name = "display",
	.owner = THIS_MODULE,
	.probes = probes,
	.nr_probes = ARRAY_SIZE(probes),
};

module_driver(adapter, grtrace_adapter_register, grtrace_adapter_unregister);
MODULE_DESCRIPTION("grtrace: vertical blanks and page flips");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
