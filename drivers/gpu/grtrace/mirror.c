// SPDX-License-Identifier: GPL-2.0
#define CREATE_TRACE_POINTS
#include "grtrace_trace.h"

#include "emit.h"
#include "mirror.h"
#include "rings.h"

DEFINE_STATIC_KEY_FALSE(grt_mirrored);

/* These count, because each event calls them. */
int grt_mirror_begin(void)
{
	static_branch_inc(&grt_mirrored);
	grt_emit_extra_get();
	return 0;
}

void grt_mirror_end(void)
{
	grt_emit_extra_put();
	static_branch_dec(&grt_mirrored);
}

/* Of a record of class JOB; what an event of class KEY gets here is not used. */
static const struct grtrace_ring *ring_of(const struct grtrace_hdr *rec)
{
	return grt_ring_peek(((const struct grtrace_job_key *)rec)->ring);
}

void grt_mirror(const struct grtrace_hdr *rec)
{
	switch (rec->type) {
#define GRT_X(NAME, name)						\
	case GRTRACE_##NAME:						\
		if (trace_##name##_enabled())				\
			trace_##name((const void *)rec, ring_of(rec));	\
		break;
	GRT_MIRRORED(GRT_X)
#undef GRT_X
	default:
		break;
	}
}
