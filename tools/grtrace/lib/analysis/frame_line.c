// SPDX-License-Identifier: LGPL-2.1
#include "frame_line.h"

#include <string.h>

#include "error.h"

static size_t end_of(const struct grt_frame_line *l)
{
	return grt_vec_count(&l->cells, struct grt_frame_cell);
}

static struct grt_frame_cell *cell_at(const struct grt_frame_line *l, size_t i)
{
	return grt_vec_at(&l->cells, struct grt_frame_cell, i);
}

/* Forgets the room of those that have left. */
static void compact(struct grt_frame_line *l)
{
	if (l->first < 64 || l->first < end_of(l) / 2)
		return;
	l->cells.bytes -= l->first * sizeof(struct grt_frame_cell);
	memmove(l->cells.data, cell_at(l, l->first), l->cells.bytes);
	l->first = 0;
}

int grt_frame_line_cut(struct grt_frame_line *l, uint64_t ns)
{
	struct grt_frame_cell *last = end_of(l) > l->first ? cell_at(l, end_of(l) - 1) : NULL, *next;
	uint32_t moved = l->has_submit && l->last_submit_ns == ns ? l->last_submits : 0;

	if (last && ns <= last->start_ns)
		return 0;
	if (last) {
		last->end_ns = ns;
		/* A SUBMIT of this very instant is of the next frame, wherever it stands. */
		last->submitted -= moved;
	} else {
		l->early -= moved;
	}
	compact(l);
	next = grt_vec_grow(&l->cells, sizeof(*next));
	if (!next)
		return grt_fail_memory();
	grt_frame_cell_init(next, ns);
	next->submitted = moved;
	return 0;
}

bool grt_frame_line_begins(const struct grt_frame_line *l, uint64_t ns)
{
	return l->source == GRT_FRAME_BY_JOBS &&
	       (!l->has_submit || ns - l->last_submit_ns > l->pause_ns);
}

void grt_frame_line_submit(struct grt_frame_line *l, uint64_t ns)
{
	l->last_submits = l->has_submit && l->last_submit_ns == ns ? l->last_submits + 1 : 1;
	l->last_submit_ns = ns;
	l->has_submit = true;
	if (end_of(l))
		cell_at(l, end_of(l) - 1)->submitted++;
	else
		l->early++;
}

void grt_frame_line_blind(struct grt_frame_line *l, uint64_t ns)
{
	for (size_t i = end_of(l); i > l->first && cell_at(l, i - 1)->end_ns >= ns; i--)
		cell_at(l, i - 1)->is_blind = true;
}

uint64_t grt_frame_line_begun(const struct grt_frame_line *l)
{
	return end_of(l) ? cell_at(l, end_of(l) - 1)->start_ns : UINT64_MAX;
}

/* The cell in which @ns is; NULL: it has left, or was before the first one. */
static struct grt_frame_cell *find(const struct grt_frame_line *l, uint64_t ns)
{
	size_t i = end_of(l);

	while (i > l->first && cell_at(l, i - 1)->start_ns > ns)
		i--;
	return i > l->first ? cell_at(l, i - 1) : NULL;
}

int grt_frame_line_job(struct grt_frame_line *l, const struct grt_job *job,
		       const struct grt_root_span *spans, uint32_t count)
{
	bool has_submit = grt_job_has(job, GRT_AT_SUBMIT);
	uint64_t first_ns = grt_job_first_ns(job), begun_ns = 0;
	/* What became of a job without a COMPLETE is not known. */
	uint64_t last_ns = grt_job_has(job, GRT_AT_COMPLETE) ? job->at_ns[GRT_AT_COMPLETE] : UINT64_MAX;
	struct grt_frame_cell *own = has_submit ? find(l, job->at_ns[GRT_AT_SUBMIT]) : NULL;
	int err = 0;

	if (own)
		own->handed++;
	else if (has_submit && l->early)
		l->early--;
	if (has_submit)
		begun_ns = l->source != GRT_FRAME_BY_MARK ? job->at_ns[GRT_AT_SUBMIT] :
			   own ? own->start_ns : 0;
	for (size_t i = end_of(l); i > l->first && cell_at(l, i - 1)->end_ns > first_ns && !err; i--)
		if (cell_at(l, i - 1)->start_ns < last_ns)
			err = grt_frame_cell_job(cell_at(l, i - 1), job, spans, count, begun_ns);
	return err;
}

/* Whether all jobs are over that were submitted before the end of the cell. */
static bool is_settled(const struct grt_frame_cell *c)
{
	return c->end_ns != UINT64_MAX && c->handed >= c->submitted;
}

/* Whether no job completed, so that the display showed the process's last image again. */
static bool repeats(const struct grt_frame_line *l, const struct grt_frame_cell *c)
{
	return l->source == GRT_FRAME_BY_VBLANK && !c->is_blind && !(c->has_job && c->is_met);
}

/* Whether no more jobs are awaited for the cell: all are over, or it has waited for too long. */
static bool may_leave(const struct grt_frame_line *l, const struct grt_frame_cell *c, bool is_over)
{
	bool is_full = end_of(l) - l->first > GRT_FRAME_LINE_MAX;

	return c->end_ns != UINT64_MAX && (is_over || is_full || (!l->early && is_settled(c)));
}

int grt_frame_line_front(struct grt_frame_line *l, bool is_over, struct grt_frame_cell **front)
{
	int err = 0;

	*front = NULL;
	while (!err && end_of(l) > l->first) {
		struct grt_frame_cell *c = cell_at(l, l->first), *next = c + 1;

		if (!may_leave(l, c, is_over))
			return 0;
		c->is_blind |= !is_over && (l->early || !is_settled(c));
		err = grt_frame_cell_close(c);
		if (err || !repeats(l, c)) {
			*front = c;
			return err;
		}
		/* The frame goes on; without its end there is none. */
		if (end_of(l) - l->first < 2 || !may_leave(l, next, is_over))
			return 0;
		err = grt_frame_cell_close(next);
		if (!err)
			err = grt_frame_cell_join(next, c);
		grt_frame_line_drop(l);
	}
	return err;
}

void grt_frame_line_drop(struct grt_frame_line *l)
{
	grt_frame_cell_free(cell_at(l, l->first++));
}

void grt_frame_line_free(struct grt_frame_line *l)
{
	while (end_of(l) > l->first)
		grt_frame_line_drop(l);
	grt_vec_free(&l->cells);
	l->first = 0;
}
