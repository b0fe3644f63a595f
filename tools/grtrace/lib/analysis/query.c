// SPDX-License-Identifier: LGPL-2.1
#include "query.h"

#include <string.h>

#include "key_names.h"

bool grt_query_is_ring(const struct grt_query *q, const struct grt_ring *ring)
{
	return grt_ring_is(ring, q->ring, strlen(q->ring));
}

static bool is_ring(const struct grt_query *q, const struct grt_view *view)
{
	const struct grt_ring *ring;

	if (!q->ring && !q->engines)
		return true;
	if (view->job->ring == GRT_NONE)
		return false;
	ring = grt_names_ring_at(view->names, view->job->ring);
	if (q->engines && (!ring->is_defined || ring->engine >= GRTRACE_NR_ENGINES ||
			   !(q->engines >> ring->engine & 1)))
		return false;
	return !q->ring || grt_query_is_ring(q, ring);
}

static bool is_process(const struct grt_query *q, const struct grt_view *view)
{
	const struct grt_process *p;

	if (!q->pid && !q->comm)
		return true;
	if (view->job->process == GRT_NONE)
		return false;
	p = grt_names_process_at(view->names, view->job->process);
	return (!q->pid || p->tgid == q->pid) && (!q->comm || !strcmp(p->comm, q->comm));
}

bool grt_query_wants(const struct grt_query *q, const struct grt_view *view)
{
	const struct grt_job *job = view->job;

	if (job->flags & GRT_JOB_SYNTHETIC && !q->with_synthetic)
		return false;
	if (q->slower_ns && (!grt_job_knows(job, GRT_STAGE_TOTAL) ||
			     job->stage_ns[GRT_STAGE_TOTAL] <= q->slower_ns))
		return false;
	return is_ring(q, view) && is_process(q, view) &&
	       (!q->filter || grt_filter_matches(q->filter, view));
}
