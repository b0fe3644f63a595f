/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The GPUs of rings as name=value lines, once each.
 */
#ifndef _GRTRACE_GPUS_H
#define _GRTRACE_GPUS_H

#include <linux/types.h>
#include <uapi/linux/grtrace.h>

#define GRT_GPUS_MAX	16	/* further GPUs may be written more than once */

struct grt_gpus {
	char *to;
	size_t room, at;
	u32 nr;
	char device[GRT_GPUS_MAX][sizeof(((struct grtrace_ring *)0)->device)];
};

/* Writes the lines of the GPU of @ring, unless they were written.  @gpu_name: "" = none. */
void grt_gpus_add(struct grt_gpus *g, const struct grtrace_ring *ring, const char *gpu_name);

#endif
