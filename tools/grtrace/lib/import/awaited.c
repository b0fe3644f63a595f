// SPDX-License-Identifier: LGPL-2.1
/*
 * Fences that belong to no job and that jobs wait for, while events are recorded.  The rules are
 * those of the module's bridge.
 */
#include "error.h"
#include "import_private.h"
#include "once.h"

/* Context and number in one word, see foreign_tag() of the bridge. */
static uint64_t tag_of(uint64_t ctx, uint64_t seqno)
{
	return ctx * 0x61C88647u + seqno;
}

/* From now on a job waits for this fence. */
static void await(struct grt_live_facts *live, uint64_t tag)
{
	size_t i = tag % GRT_FOREIGN_TAGS;

	if (live->foreign_tags[i] && live->foreign_tags[i] != tag && !live->foreign_over[i])
		grt_warn_once("there is no room for all fences of no job that jobs wait for: of some it is not known when "
			      "they are signalled");
	live->foreign_tags[i] = tag;
	live->foreign_over[i] = false;
}

static void put_signaled(struct grt_import *im, const struct grt_foreign *ev, uint64_t ctx,
			 uint64_t seqno, int32_t status, unsigned int flags)
{
	struct grtrace_fence_signaled *rec;
	bool is_known = status != GRT_NO_STATUS;

	rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_FENCE_SIGNALED, sizeof(*rec),
			  flags | (is_known ? 0 : GRTRACE_F_NO_STATUS));
	if (!rec)
		return;
	rec->ctx = ctx;
	rec->seqno = seqno;
	rec->status = is_known ? status : 0;
	if (ev->number[GRT_IN_STAMPED] && (int64_t)ev->number[GRT_IN_STAMP] > 0)
		rec->signaled_ns = ev->number[GRT_IN_STAMP];
}

void grt_foreign_ends(struct grt_import *im, const struct grt_foreign *ev, int32_t status)
{
	uint64_t ctx = ev->number[GRT_IN_CTX], seqno = ev->number[GRT_IN_SEQNO];
	uint64_t tag = tag_of(ctx, seqno);

	/* 0 is the stub fence, which nobody waits for, and an empty place. */
	if (!im->live || !tag || im->live->foreign_tags[tag % GRT_FOREIGN_TAGS] != tag)
		return;
	im->live->foreign_over[tag % GRT_FOREIGN_TAGS] = true;
	put_signaled(im, ev, ctx, seqno, status, 0);
}

void grt_learn_ops(struct grt_import *im, const struct grt_foreign *ev)
{
	if (!im->live)
		return;
	if (grt_foreign_has(ev, GRT_IN_OPS))
		im->live->finished_ops = ev->number[GRT_IN_OPS];
	if (grt_foreign_has(ev, GRT_IN_SCHED_OPS))
		im->live->scheduled_ops = ev->number[GRT_IN_SCHED_OPS];
}

/* As await_foreign() of the bridge: the fence may be signalled already. */
void grt_await_foreign(struct grt_import *im, const struct grt_foreign *ev)
{
	uint64_t ctx = ev->number[GRT_IN_DEP_CTX], seqno = ev->number[GRT_IN_DEP_SEQNO];
	uint64_t tag = tag_of(ctx, seqno);
	bool is_done = ev->number[GRT_IN_DEP_DONE];

	if (!is_done)
		await(im->live, tag);
	else
		put_signaled(im, ev, ctx, seqno, (int32_t)ev->number[GRT_IN_DEP_ERR],
			     ev->number[GRT_IN_STAMPED] ? 0 : GRTRACE_F_UPPER_BOUND);
}
