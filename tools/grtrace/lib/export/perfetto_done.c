// SPDX-License-Identifier: LGPL-2.1
/* Remembers jobs that were written, because others may have waited for them. */
#include "error.h"
#include "perfetto_private.h"

const struct grt_pf_done *grt_pf_done(const struct grt_pf *p, uint64_t ctx, uint64_t seqno)
{
	uint32_t row = ctx || seqno ? grt_keymap_get(&p->recent_rows, ctx, seqno) : GRT_NONE;

	return row == GRT_NONE ? NULL : &p->recent[row];
}

/* Jobs leave in the order of their ends, so one that others waited for came before them. */
void grt_pf_remember(struct grt_pf *p, const struct grt_pf_done *job)
{
	uint32_t row = p->nr_recent % GRT_PF_RECENT;
	const struct grt_pf_done *same = grt_pf_done(p, job->ctx, job->seqno);

	if (!job->ctx && !job->seqno)
		return;
	if (p->nr_recent >= GRT_PF_RECENT && grt_pf_done(p, p->recent[row].ctx,
							 p->recent[row].seqno) == &p->recent[row])
		grt_keymap_del(&p->recent_rows, p->recent[row].ctx, p->recent[row].seqno);
	if (same && same != &p->recent[row])
		grt_keymap_del(&p->recent_rows, job->ctx, job->seqno);
	p->recent[row] = *job;
	p->nr_recent++;
	if (grt_keymap_put(&p->recent_rows, job->ctx, job->seqno, row))
		p->out.err = grt_fail_memory();
}
