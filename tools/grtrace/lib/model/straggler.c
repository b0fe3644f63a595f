// SPDX-License-Identifier: LGPL-2.1
/*
 * A job may be handed out without an END, and one of its events may come afterwards.  Such a late
 * event does not begin another job.  The next pass flags the job that it belongs to.
 */
#include <errno.h>

#include "model_private.h"

#define MAX_GONE	1024	/* jobs without an END that are remembered */
#define MAX_LATE	4096	/* jobs with late events that the next pass learns */

struct gone {
	uint64_t ctx, seqno;
};

void grt_straggler_gone(struct grt_model *m, struct grt_job *job)
{
	struct grt_stragglers *s = &m->stragglers;
	const struct gone gone = { job->ctx, job->seqno };
	struct gone *row;

	if (job->flags & GRT_JOB_SYNTHETIC)
		return;
	if (m->has_hindsight && grt_keymap_get(&s->late, job->ctx, job->seqno) != GRT_NONE) {
		job->flags &= ~GRT_JOB_PARTIAL;
		job->flags |= GRT_JOB_OUT_OF_ORDER;
	}
	if (grt_keymap_get(&s->gone, job->ctx, job->seqno) != GRT_NONE)
		return;
	if (s->next == MAX_GONE)
		s->next = 0;
	if (grt_vec_reach(&s->keys, s->next, &gone, sizeof(gone))) {
		m->err = -ENOMEM;
		return;
	}
	row = grt_vec_at(&s->keys, struct gone, s->next);
	if (grt_keymap_get(&s->gone, row->ctx, row->seqno) == s->next)
		grt_keymap_del(&s->gone, row->ctx, row->seqno);
	*row = gone;
	if (grt_keymap_put(&s->gone, gone.ctx, gone.seqno, s->next++))
		m->err = -ENOMEM;
}

bool grt_is_straggler(struct grt_model *m, const struct grtrace_job_key *rec)
{
	struct grt_stragglers *s = &m->stragglers;

	if (rec->hdr.flags & GRTRACE_F_SYNTHETIC ||
	    grt_keymap_get(&s->gone, rec->ctx, rec->seqno) == GRT_NONE)
		return false;
	m->wants_hindsight = true;
	if (s->late.used < MAX_LATE &&
	    grt_keymap_get(&s->late, rec->ctx, rec->seqno) == GRT_NONE &&
	    grt_keymap_put(&s->late, rec->ctx, rec->seqno, 0))
		m->err = -ENOMEM;
	return true;
}

int grt_stragglers_learn(struct grt_model *m, const struct grt_model *earlier)
{
	return grt_keymap_copy(&m->stragglers.late, &earlier->stragglers.late);
}

void grt_stragglers_free(struct grt_stragglers *s)
{
	grt_keymap_free(&s->gone);
	grt_keymap_free(&s->late);
	grt_vec_free(&s->keys);
}
