// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_fire_drm: calls the tracepoints of vertical blanks in the DRM core, which no driver of a
 * virtual machine calls on every kernel.  Loading it does that:
 *
 *	count=N	so many blanks, on two displays in turn; the fourth blank of each is missing
 */
#include <linux/ktime.h>
#include <linux/module.h>
#include <drm/drm_device.h>
#include <drm/drm_file.h>

#include "fire.h"

#define PERIOD_NS	16666667
#define FIRST_FRAME	1000000000	/* no real display has counted so far */

static unsigned int count = 20;
module_param(count, uint, 0400);
MODULE_PARM_DESC(count, "vertical blanks");

enum { BLANK, QUEUED, DELIVERED, NR_POINTS };

static struct fire_point points[NR_POINTS] = {
	[BLANK]	    = { "drm_vblank_event" },
	[QUEUED]    = { "drm_vblank_event_queued" },
	[DELIVERED] = { "drm_vblank_event_delivered" },
};

static int __init fire_init(void)
{
	static struct drm_device device;
	static struct drm_minor minor = { .dev = &device };
	static struct drm_file clients[2] = { { .minor = &minor }, { .minor = &minor } };
	u64 first_ns = ktime_get_ns() - (u64)count * PERIOD_NS;

	if (fire_find("drm", points, NR_POINTS) != NR_POINTS)
		return -ENODEV;
	for (unsigned int i = 0; i < count; i++) {
		unsigned int crtc = i % 2, frame = FIRST_FRAME + i / 2;

		if (frame == FIRST_FRAME + 3)
			continue;
		fire_call(&points[QUEUED], (unsigned long)&clients[crtc], crtc, frame, 0);
		/* Only the second display's driver asks the hardware for the time. */
		fire_call(&points[BLANK], crtc, frame, first_ns + (u64)i * PERIOD_NS, crtc);
		fire_call(&points[DELIVERED], (unsigned long)&clients[crtc], crtc, frame, 0);
	}
	return 0;
}

static void __exit fire_exit(void)
{
}

module_init(fire_init);
module_exit(fire_exit);

MODULE_DESCRIPTION("Calls tracepoints of vertical blanks, for tests");
MODULE_LICENSE("GPL");
