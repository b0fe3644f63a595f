// SPDX-License-Identifier: GPL-2.0
/*
 * What is known about the rings of drm_sched drivers by their names.  Sources
 * are the drivers of Linux 6.1 to 7.2 under drivers/gpu/drm.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "drm_rings.h"

/*
 * How a driver's rings order what they got.  FIFO only where one ring runs one
 * job at a time in the order of commit: that is what lets a reader infer START.
 * A driver that is not here is UNKNOWN, which costs a metric and no truth.
 */
static const struct driver_order {
	const char *driver;
	enum grtrace_order order;
} driver_orders[] = {
	{ "amdgpu",	  GRTRACE_ORDER_FIFO },		/* amdgpu_ring.c: kernel rings */
	{ "v3d",	  GRTRACE_ORDER_FIFO },		/* v3d_sched.c: one job per queue */
	{ "lima",	  GRTRACE_ORDER_FIFO },		/* lima_sched.c: one task per pipe */
	{ "etnaviv",	  GRTRACE_ORDER_FIFO },		/* etnaviv_sched.c */
	{ "etnaviv-gpu",  GRTRACE_ORDER_FIFO },
	{ "grtrace_mock", GRTRACE_ORDER_FIFO },		/* mock/ring.c */
	{ "xe",		  GRTRACE_ORDER_FIRMWARE },	/* xe_guc_submit.c: GuC decides */
	{ "panthor",	  GRTRACE_ORDER_FIRMWARE },	/* panthor_sched.c: CSF firmware */
};

/* Engine class by the beginning of a ring's name; the first that fits wins. */
static const struct name_engine {
	const char *prefix;
	enum grtrace_engine engine;
} name_engines[] = {
	{ "gfx",	  GRTRACE_ENGINE_GRAPHICS },
	{ "rcs",	  GRTRACE_ENGINE_GRAPHICS },
	{ "v3d_bin",	  GRTRACE_ENGINE_GRAPHICS },
	{ "v3d_render",	  GRTRACE_ENGINE_GRAPHICS },
	{ "gp",		  GRTRACE_ENGINE_GRAPHICS },
	{ "pp",		  GRTRACE_ENGINE_GRAPHICS },
	{ "comp",	  GRTRACE_ENGINE_COMPUTE },
	{ "ccs",	  GRTRACE_ENGINE_COMPUTE },
	{ "v3d_csd",	  GRTRACE_ENGINE_COMPUTE },
	{ "sdma",	  GRTRACE_ENGINE_COPY },
	{ "copy",	  GRTRACE_ENGINE_COPY },
	{ "bcs",	  GRTRACE_ENGINE_COPY },
	{ "uvd_enc",	  GRTRACE_ENGINE_VIDEO_ENCODE },
	{ "vce",	  GRTRACE_ENGINE_VIDEO_ENCODE },
	{ "vcn_enc",	  GRTRACE_ENGINE_VIDEO_ENCODE },
	{ "uvd",	  GRTRACE_ENGINE_VIDEO_DECODE },
	{ "vcn_dec",	  GRTRACE_ENGINE_VIDEO_DECODE },
	{ "vcn_unified",  GRTRACE_ENGINE_VIDEO_DECODE },
	{ "jpeg_dec",	  GRTRACE_ENGINE_VIDEO_DECODE },
	{ "vcs",	  GRTRACE_ENGINE_VIDEO_DECODE },
};

/* Rings that are priorities of one hardware ring (amdgpu_ring_mux.c). */
static const struct shared_hw {
	const char *driver, *name, *hw_name;
} shared_hws[] = {
	{ "amdgpu", "gfx_low",	"gfx" },
	{ "amdgpu", "gfx_high", "gfx" },
};

void grt_drm_ring_classify(struct grtrace_ring_desc *desc)
{
	unsigned int i;

	desc->order = GRTRACE_ORDER_UNKNOWN;
	for (i = 0; i < ARRAY_SIZE(driver_orders); i++)
		if (!strcmp(desc->driver, driver_orders[i].driver))
			desc->order = driver_orders[i].order;

	desc->engine = GRTRACE_ENGINE_OTHER;
	for (i = 0; i < ARRAY_SIZE(name_engines); i++) {
		if (strstarts(desc->name, name_engines[i].prefix)) {
			desc->engine = name_engines[i].engine;
			break;
		}
	}

	desc->hw_name = NULL;
	for (i = 0; i < ARRAY_SIZE(shared_hws); i++)
		if (!strcmp(desc->driver, shared_hws[i].driver) &&
		    !strcmp(desc->name, shared_hws[i].name))
			desc->hw_name = shared_hws[i].hw_name;
}
