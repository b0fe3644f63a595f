// SPDX-License-Identifier: LGPL-2.1
#include "part.h"

#include "number.h"
#include "stream.h"

bool grt_part_has(struct grt_part *p, const struct grtrace_hdr *rec)
{
	if (rec->type >= GRTRACE_NR_EVENTS)
		return rec->type != GRTRACE_POLICY || !p->has_begun || rec->ts <= p->first_ns ||
		       rec->ts - p->first_ns < p->until_ns;
	if (!p->has_begun) {
		p->has_begun = true;
		p->first_ns = rec->ts;
	}
	return rec->ts - p->first_ns >= p->since_ns && rec->ts - p->first_ns < p->until_ns;
}

void grt_part_narrow(struct grt_part *p, struct grt_stream *stream)
{
	if (!p->has_begun || p->is_narrow)
		return;
	p->is_narrow = true;
	grt_stream_set_span(stream, grt_time_after(p->first_ns, p->since_ns),
			    grt_time_after(p->first_ns, p->until_ns));
}

void grt_part_rewind(struct grt_part *p)
{
	p->has_begun = p->is_narrow = false;
}
