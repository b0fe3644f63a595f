// SPDX-License-Identifier: LGPL-2.1
/* Sums of the frames of a process. */
#include "frame_sums.h"

#include <stdlib.h>

#include "error.h"

/* Clients of one process on one ring are one to a user. */
static bool is_same(const struct grt_model *m, uint32_t a, uint32_t b)
{
	const struct grt_client *x, *y;

	if (a == b || a == GRT_NONE || b == GRT_NONE)
		return a == b;
	x = grt_model_client(m, a);
	y = grt_model_client(m, b);
	return x->ring == y->ring && x->process == y->process;
}

static int add_reason(struct grt_frame_sums *s, const struct grt_model *m,
		      const struct grt_frame_cause *cause)
{
	struct grt_frame_reason own = { *cause, 1 };

	for (size_t i = 0; i < grt_vec_count(&s->reasons, struct grt_frame_reason); i++) {
		struct grt_frame_reason *row = grt_vec_at(&s->reasons, struct grt_frame_reason, i);
		bool is_hang = cause->part == GRT_FRAME_WAIT + GRT_ROOT_HANG;

		/* Each job that hangs is a reason of its own. */
		if (row->cause.part != cause->part || !is_same(m, row->cause.client, cause->client) ||
		    (is_hang && (row->cause.ctx != cause->ctx || row->cause.seqno != cause->seqno)))
			continue;
		row->frames++;
		row->cause.ns = grt_time_after(row->cause.ns, cause->ns);
		row->cause.is_upper_bound |= cause->is_upper_bound;
		return 0;
	}
	if (grt_vec_count(&s->reasons, struct grt_frame_reason) == GRT_FRAMES_MAX_REASONS)
		return 0;
	return grt_vec_append(&s->reasons, &own, sizeof(own)) ? grt_fail_memory() : 0;
}

int grt_frame_sums_add(struct grt_frame_sums *s, const struct grt_model *m,
		       const struct grt_frame *frame)
{
	int err;

	s->frames++;
	s->verdicts[frame->verdict]++;
	if (!grt_frame_is_judged(frame))
		return 0;
	err = grt_hist_add(&s->time, frame->end_ns - frame->start_ns);
	if (!err && frame->has_busy)
		err = grt_hist_add(&s->busy, frame->busy_ns);
	if (!err && frame->has_busy)
		err = grt_hist_add(&s->wait, frame->wait_ns);
	if (!err && frame->has_display)
		err = grt_hist_add(&s->display, frame->display_ns);
	if (err)
		return grt_fail_memory();
	if (frame->verdict != GRT_FRAME_LATE)
		return 0;
	s->late_upper_bound += frame->is_upper_bound;
	return add_reason(s, m, &frame->cause);
}

static int compare(const void *a, const void *b)
{
	const struct grt_frame_reason *x = a, *y = b;

	if (x->frames != y->frames)
		return x->frames > y->frames ? -1 : 1;
	return (x->cause.ns < y->cause.ns) - (x->cause.ns > y->cause.ns);
}

void grt_frame_sums_close(struct grt_frame_sums *s)
{
	size_t count = grt_vec_count(&s->reasons, struct grt_frame_reason);

	if (count)
		qsort(s->reasons.data, count, sizeof(struct grt_frame_reason), compare);
}

void grt_frame_sums_free(struct grt_frame_sums *s)
{
	grt_hist_free(&s->time);
	grt_hist_free(&s->busy);
	grt_hist_free(&s->wait);
	grt_hist_free(&s->display);
	grt_vec_free(&s->reasons);
}
