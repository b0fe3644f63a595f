// SPDX-License-Identifier: GPL-2.0
/*
 * GPUs as text.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "gpus.h"

static bool is_new(struct grt_gpus *g, const struct grtrace_ring *ring)
{
	u32 i;

	for (i = 0; i < g->nr; i++)
		if (!strcmp(g->device[i], ring->device))
			return false;
	if (i < GRT_GPUS_MAX)
		strscpy(g->device[g->nr++], ring->device, sizeof(ring->device));
	return true;
}

void grt_gpus_add(struct grt_gpus *g, const struct grtrace_ring *ring, const char *gpu_name)
{
	if (!is_new(g, ring))
		return;
	g->at += scnprintf(g->to + g->at, g->room - g->at, "gpu.%s=%s\n", ring->device,
			   ring->driver);
	if (ring->pci_id)
		g->at += scnprintf(g->to + g->at, g->room - g->at, "gpu.%s.pci=%04x:%04x\n",
				   ring->device, ring->pci_id >> 16, ring->pci_id & 0xffff);
	if (*gpu_name)
		g->at += scnprintf(g->to + g->at, g->room - g->at, "gpu.%s.name=%s\n",
				   ring->device, gpu_name);
}
