// SPDX-License-Identifier: LGPL-2.1
#include "query.h"

#include <stdlib.h>
#include <string.h>

static bool is_ring(const struct grt_query *q, const struct grt_names *names, uint32_t row)
{
	const struct grt_ring *ring;
	char *end;

	if (row == GRT_NONE)
		return false;
	ring = grt_names_ring_at(names, row);
	if (!strcmp(ring->name, q->ring))
		return true;
	return strtoul(q->ring, &end, 10) == ring->id && !*end;
}

bool grt_query_wants(const struct grt_query *q, const struct grt_names *names,
		     const struct grt_job *job)
{
	if (job->flags & GRT_JOB_SYNTHETIC && !q->with_synthetic)
		return false;
	if (q->pid && (job->process == GRT_NONE ||
		       grt_names_process_at(names, job->process)->tgid != q->pid))
		return false;
	return !q->ring || is_ring(q, names, job->ring);
}
