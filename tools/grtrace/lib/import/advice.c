// SPDX-License-Identifier: LGPL-2.1
#include "advice.h"

#include <string.h>

#define RECORD		"record them: trace-cmd record -C mono -e "
#define OWN_QUEUE	"no event tells of its jobs: its driver has a queue of its own; see grtrace doctor"

/* Each driver's file of tracepoints, and whether its jobs go through the DRM scheduler: capture/driver_table.c. */
static const struct row {
	const char *start;	/* of the names of its events */
	const char *hint;
} rows[] = {
	{ "amdgpu_", RECORD "gpu_scheduler -e amdgpu -e dma_fence" },
	{ "i915_", RECORD "i915 -e dma_fence" },
	{ "intel_", RECORD "i915 -e dma_fence" },
	{ "xe_", RECORD "gpu_scheduler -e xe -e dma_fence" },
	{ "msm_", RECORD "gpu_scheduler -e drm_msm_gpu -e dma_fence" },
	{ "v3d_", RECORD "gpu_scheduler -e v3d -e dma_fence" },
	{ "virtio_gpu_", RECORD "virtio_gpu -e dma_fence" },
	{ "radeon_", RECORD "dma_fence" },
	{ "ivpu_", OWN_QUEUE },
	{ "habanalabs_", OWN_QUEUE },
};

_Static_assert(sizeof(rows) / sizeof(rows[0]) == GRT_NR_ADVICE, "a count for each row");

void grt_advice_note(struct grt_advice *a, struct grt_piece event)
{
	for (size_t i = 0; i < GRT_NR_ADVICE; i++)
		if (event.len > strlen(rows[i].start) &&
		    !memcmp(event.at, rows[i].start, strlen(rows[i].start)))
			a->seen[i]++;
}

const char *grt_advice_hint(const struct grt_advice *a)
{
	size_t most = 0;

	for (size_t i = 1; i < GRT_NR_ADVICE; i++)
		if (a->seen[i] > a->seen[most])
			most = i;
	return a->seen[most] ? rows[most].hint : RECORD "gpu_scheduler -e dma_fence";
}
