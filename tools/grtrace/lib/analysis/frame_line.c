// SPDX-License-Identifier: LGPL-2.1
#include "frame_line.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "number.h"
#include "sorted.h"

/* Of the jobs that were submitted at @ns, @count are not over. */
struct grt_frame_submit {
	uint64_t ns;
	uint32_t count;
};

static size_t nr_cells(const struct grt_frame_line *l)
{
	return grt_deque_count(&l->cells, struct grt_frame_cell);
}

static struct grt_frame_cell *cell_at(const struct grt_frame_line *l, size_t i)
{
	return grt_deque_at(&l->cells, struct grt_frame_cell, i);
}

static struct grt_frame_cell *last_cell(const struct grt_frame_line *l)
{
	return nr_cells(l) ? cell_at(l, nr_cells(l) - 1) : NULL;
}

/* --- jobs in flight --- */

static struct grt_frame_submit *submit_at(const struct grt_frame_line *l, size_t i)
{
	return grt_deque_at(&l->submits, struct grt_frame_submit, i);
}

/* The first row that is not before @ns. */
static size_t find_submit(const struct grt_frame_line *l, uint64_t ns)
{
	return grt_sorted_by(submit_at(l, 0), grt_deque_count(&l->submits, struct grt_frame_submit),
			     struct grt_frame_submit, ns, ns);
}

static int add_submit(struct grt_frame_line *l, uint64_t ns)
{
	size_t count = grt_deque_count(&l->submits, struct grt_frame_submit), i = find_submit(l, ns);

	if (i < count && submit_at(l, i)->ns == ns) {
		submit_at(l, i)->count++;
		return 0;
	}
	if (!grt_vec_grow(&l->submits.vec, sizeof(struct grt_frame_submit)))
		return grt_fail_memory();
	/* Only where time runs backwards is anything behind it. */
	memmove(submit_at(l, i + 1), submit_at(l, i), (count - i) * sizeof(struct grt_frame_submit));
	*submit_at(l, i) = (struct grt_frame_submit){ ns, 1 };
	return 0;
}

int grt_frame_line_submit(struct grt_frame_line *l, uint64_t ns)
{
	l->last_submit_ns = ns;
	l->has_submit = true;
	return add_submit(l, ns);
}

/* A job without a SUBMIT is awaited as soon as it may have been there. */
static int await_unseen(struct grt_frame_line *l)
{
	size_t count = l->unseen ? grt_vec_count(l->unseen, uint64_t) : 0;
	int err = 0;

	while (l->next_unseen < count && *grt_vec_at(l->unseen, uint64_t, l->next_unseen) <= l->now_ns && !err)
		err = add_submit(l, *grt_vec_at(l->unseen, uint64_t, l->next_unseen++));
	return err;
}

static void drop_submits(struct grt_frame_line *l, uint64_t before_ns)
{
	size_t count = grt_deque_count(&l->submits, struct grt_frame_submit), i = 0;

	while (i < count && (!submit_at(l, i)->count || submit_at(l, i)->ns < before_ns))
		i++;
	if (i)
		grt_deque_drop(&l->submits, i * sizeof(struct grt_frame_submit));
}

static void end_submit(struct grt_frame_line *l, uint64_t ns)
{
	size_t i = find_submit(l, ns);

	if (i == grt_deque_count(&l->submits, struct grt_frame_submit) || submit_at(l, i)->ns != ns ||
	    !submit_at(l, i)->count)
		return;
	submit_at(l, i)->count--;
	drop_submits(l, 0);
}

/* Whether a job is in flight that was submitted before @ns. */
static bool awaits(const struct grt_frame_line *l, uint64_t ns)
{
	return !grt_deque_is_empty(&l->submits) && submit_at(l, 0)->ns < ns;
}

/* --- boundaries --- */

/* Cells have numbers that count on.  The number of the last one that begins before @ns. */
static uint64_t find_cell(const struct grt_frame_line *l, uint64_t ns)
{
	return l->left + grt_sorted_by(cell_at(l, 0), nr_cells(l), struct grt_frame_cell, start_ns, ns);
}

/* The first one that has not left has the number l->left + 1. */
static struct grt_frame_cell *cell_of(const struct grt_frame_line *l, uint64_t number)
{
	return cell_at(l, number - l->left - 1);
}

int grt_frame_line_cut(struct grt_frame_line *l, uint64_t ns)
{
	struct grt_frame_cell *last = last_cell(l), *next;
	bool is_late = ns < l->last.complete_ns;

	if (last && ns <= last->start_ns) {
		if (ns < last->start_ns)
			grt_frame_line_blind(l, ns);
		return 0;
	}
	if (last) {
		last->end_ns = ns;
		last->is_blind |= is_late;
	}
	next = grt_vec_grow(&l->cells.vec, sizeof(*next));
	if (!next)
		return grt_fail_memory();
	grt_frame_cell_init(next, ns);
	next->next_open = l->left + nr_cells(l) - 1;
	next->is_blind = is_late;
	return 0;
}

bool grt_frame_line_begins(const struct grt_frame_line *l, uint64_t ns)
{
	return l->source == GRT_FRAME_BY_JOBS &&
	       (!l->has_submit || ns - l->last_submit_ns > l->pause_ns);
}

void grt_frame_line_blind(struct grt_frame_line *l, uint64_t ns)
{
	for (size_t i = nr_cells(l); i && cell_at(l, i - 1)->end_ns >= ns; i--)
		cell_at(l, i - 1)->is_blind = true;
}

uint64_t grt_frame_line_begun(const struct grt_frame_line *l)
{
	return nr_cells(l) ? last_cell(l)->start_ns : UINT64_MAX;
}

/* --- jobs --- */

/* The last cell up to @number that is not full; at most l->left: all are. */
static uint64_t find_open(struct grt_frame_line *l, uint64_t number)
{
	uint64_t open = number;

	while (open > l->left && grt_frame_cell_is_full(cell_of(l, open)))
		open = cell_of(l, open)->next_open;
	/* The next search goes there at once. */
	while (number > l->left && number != open) {
		uint64_t next = cell_of(l, number)->next_open;

		cell_of(l, number)->next_open = open;
		number = next;
	}
	return open;
}

/* Fills in when the job was there. */
static void set_stay(const struct grt_frame_line *l, struct grt_frame_life *life, uint64_t gone_ns)
{
	const struct grt_job *job = life->job;
	uint64_t first_ns = grt_job_first_ns(job), last_ns = grt_job_last_ns(job), own;

	life->stay = (struct grt_frame_stay){ .ctx = job->ctx, .seqno = job->seqno };
	own = find_cell(l, (grt_job_has(job, GRT_AT_SUBMIT) ? job->at_ns[GRT_AT_SUBMIT] : first_ns) + 1);
	if (grt_job_has(job, GRT_AT_SUBMIT)) {
		life->stay.submit_ns = job->at_ns[GRT_AT_SUBMIT];
		if (l->source != GRT_FRAME_BY_MARK)
			life->begun_ns = life->stay.submit_ns;
		else if (own > l->left)
			life->begun_ns = cell_of(l, own)->start_ns;
	} else if (!(job->flags & GRT_JOB_CUT)) {
		/* It was there some time before it was seen. */
		life->stay.submit_ns = own > l->left ? cell_of(l, own)->start_ns : first_ns;
	}
	if (grt_job_has(job, GRT_AT_COMPLETE))
		life->stay.complete_ns = job->at_ns[GRT_AT_COMPLETE];
	else if (job->flags & GRT_JOB_CUT)
		life->stay.complete_ns = UINT64_MAX;
	else
		life->stay.complete_ns = gone_ns > last_ns ? gone_ns : last_ns;
}

static int add_run(struct grt_frame_line *l, const struct grt_frame_life *life)
{
	const struct grt_job *job = life->job;
	uint64_t from_ns = job->at_ns[GRT_AT_START], to_ns = job->at_ns[GRT_AT_END];
	uint64_t first_ns = grt_job_first_ns(job);

	if (job->flags & (GRT_JOB_KILLED | GRT_JOB_NO_HW))
		return 0;
	if (!grt_job_has(job, GRT_AT_START) || !grt_job_has(job, GRT_AT_END))
		return first_ns < life->stay.complete_ns &&
		       grt_losses_add(&l->unknown_runs, first_ns, life->stay.complete_ns - 1) ? grt_fail_memory() : 0;
	if (nr_cells(l) && from_ns < cell_at(l, 0)->start_ns)
		from_ns = cell_at(l, 0)->start_ns;
	return from_ns < to_ns ? grt_frame_runs_add(&l->runs, from_ns, to_ns) : 0;
}

/*
 * Most jobs come in the order in which they complete.  Then most cells know already what happened up
 * to their end, from a job that completed earlier.
 */
static int pass_in_order(struct grt_frame_line *l, uint64_t first, uint64_t last,
			 const struct grt_frame_life *life)
{
	uint64_t number = find_open(l, last);
	int err = 0;

	for (; number >= first && number > l->left && !err; number = find_open(l, number - 1))
		err = grt_frame_cell_pass(cell_of(l, number), life);
	return err;
}

/* Only the cell in which it was submitted is looked at now. */
static int pass_out_of_order(struct grt_frame_line *l, uint64_t first, uint64_t last,
			     const struct grt_frame_life *life)
{
	int err = 0;

	if (first <= l->left)
		first = l->left + 1;
	if (first <= last && cell_of(l, first)->start_ns < life->stay.submit_ns)
		err = grt_frame_cell_pass(cell_of(l, first++), life);
	return err || first > last ? err : grt_frame_passers_add(&l->passers, first, last, life);
}

/* The time of the last jobs up to @ns is final. */
static int settle(struct grt_frame_line *l, uint64_t ns)
{
	if (grt_frame_tops_are_empty(&l->tops))
		return 0;
	return grt_frame_tops_settle(&l->tops, cell_of(l, l->tops.cell), ns);
}

/* No job in flight may take over the time before it. */
static uint64_t final_ns(const struct grt_frame_line *l)
{
	return grt_deque_is_empty(&l->submits) ? UINT64_MAX : submit_at(l, 0)->ns;
}

static int meet(struct grt_frame_line *l, uint64_t number, const struct grt_frame_life *life, bool is_in_order)
{
	struct grt_frame_cell *c = cell_of(l, number);
	uint64_t from_ns = grt_frame_cell_meet(c, life);
	int err = 0;

	if (!is_in_order)
		return grt_frame_pieces_add(&c->pieces, life, from_ns, life->stay.complete_ns, true);
	if (l->tops.cell != number)
		err = settle(l, UINT64_MAX);
	l->tops.cell = number;
	return err ? err : grt_frame_tops_add(&l->tops, c, life, from_ns);
}

/* A job is met by the cell in which it completes, and passes those before. */
static int add_job(struct grt_frame_line *l, struct grt_frame_life *life, uint64_t gone_ns)
{
	const struct grt_job *job = life->job;
	bool is_over = grt_job_has(job, GRT_AT_COMPLETE), is_in_order;
	uint64_t submit_ns, complete_ns, first, last;
	int err;

	set_stay(l, life, gone_ns);
	err = add_run(l, life);
	is_in_order = is_over && !grt_frame_is_earlier(&life->stay, &l->last);
	submit_ns = life->stay.submit_ns;
	complete_ns = life->stay.complete_ns;
	first = find_cell(l, submit_ns < UINT64_MAX ? submit_ns + 1 : UINT64_MAX);
	last = find_cell(l, complete_ns);
	/* A job that was over at once belongs to the frame in which it was submitted. */
	if (is_over && complete_ns == submit_ns)
		last = first;
	if (last > l->left && !err)
		err = is_over ? meet(l, last, life, is_in_order) :
				grt_frame_cell_pass(cell_of(l, last), life);
	if (last > l->left && !err)
		err = is_in_order ? pass_in_order(l, first, last - 1, life) :
				    pass_out_of_order(l, first, last - 1, life);
	if (is_in_order)
		l->last = life->stay;
	end_submit(l, grt_frame_there_ns(job));
	return err ? err : settle(l, final_ns(l));
}

/* Whether all boundaries before the COMPLETE of the job were told. */
static bool is_due(const struct grt_frame_line *l, const struct grt_job *job)
{
	uint64_t complete_ns = job->at_ns[GRT_AT_COMPLETE];

	return (nr_cells(l) && last_cell(l)->start_ns >= complete_ns) ||
	       l->now_ns >= grt_time_after(complete_ns, l->late_ns);
}

static int add_held(struct grt_frame_line *l, bool is_over)
{
	int err = 0;

	while (!grt_deque_is_empty(&l->held) && !err) {
		struct grt_frame_life *life = *grt_deque_at(&l->held, struct grt_frame_life *, 0);

		if (!is_over && !is_due(l, life->job))
			break;
		err = add_job(l, life, 0);
		free(life);
		grt_deque_drop(&l->held, sizeof(life));
	}
	return err;
}

/* What the job waited for before this time does not count: other jobs count there. */
static uint64_t needed_ns(struct grt_frame_line *l, const struct grt_job *job)
{
	uint64_t complete_ns = job->at_ns[GRT_AT_COMPLETE], submit_ns = job->at_ns[GRT_AT_SUBMIT];
	uint64_t first, number, ns;

	if (!grt_job_has(job, GRT_AT_SUBMIT) || complete_ns <= l->held_ns || !nr_cells(l))
		return 0;
	ns = last_cell(l)->start_ns;
	first = find_cell(l, submit_ns + 1);
	number = find_open(l, find_cell(l, complete_ns));
	for (; number > l->left && number >= first; number = find_open(l, number - 1)) {
		const struct grt_frame_cell *c = cell_of(l, number);

		if (c->filled_ns > submit_ns)
			ns = c->start_ns;
	}
	return ns;
}

/* A copy of what the job waited for is held with it, because the logs may forget that before the job is added. */
static int hold(struct grt_frame_line *l, const struct grt_frame_life *life)
{
	struct grt_frame_life *kept = grt_frame_life_keep(life, needed_ns(l, life->job));

	if (life->job->at_ns[GRT_AT_COMPLETE] > l->held_ns)
		l->held_ns = life->job->at_ns[GRT_AT_COMPLETE];
	if (kept && !grt_vec_append(&l->held.vec, &kept, sizeof(kept)))
		return 0;
	free(kept);
	return grt_fail_memory();
}

int grt_frame_line_job(struct grt_frame_line *l, const struct grt_job *job,
		       const struct grt_root_span *spans, uint32_t count, uint64_t gone_ns)
{
	struct grt_frame_life life = { .job = job, .roots = l->roots, .spans = spans, .count = count };
	int err = await_unseen(l);

	/* With late boundaries, each job is held, if only for a moment. */
	if (!err && l->late_ns && grt_job_has(job, GRT_AT_COMPLETE)) {
		err = hold(l, &life);
		return err ? err : add_held(l, false);
	}
	return err ? err : add_job(l, &life, gone_ns);
}

/* --- frames that leave --- */

/* Whether no job completed, so that the display showed the process's last image again. */
static bool repeats(const struct grt_frame_line *l, const struct grt_frame_cell *c)
{
	return l->source == GRT_FRAME_BY_VBLANK && !c->is_blind && !c->is_met;
}

bool grt_frame_line_is_full(const struct grt_frame_line *l)
{
	return nr_cells(l) > GRT_FRAME_LINE_MAX;
}

/* Whether no more jobs are awaited for the cell: all are over, or it has waited for too long. */
static bool may_leave(const struct grt_frame_line *l, const struct grt_frame_cell *c, bool is_over)
{
	return c->end_ns != UINT64_MAX && (is_over || grt_frame_line_is_full(l) || !awaits(l, c->end_ns));
}

static int close_cell(struct grt_frame_line *l, uint64_t number)
{
	struct grt_frame_cell *c = cell_of(l, number);
	const struct grt_frame_life *life = c->is_closed ? NULL : grt_frame_passers_find(&l->passers, number);
	int err = life ? grt_frame_cell_pass(c, life) : 0;

	if (!err && l->tops.cell == number)
		err = settle(l, UINT64_MAX);
	return err ? err : grt_frame_cell_close(c, l->unsure);
}

int grt_frame_line_front(struct grt_frame_line *l, bool is_over, struct grt_frame_cell **front)
{
	int err = await_unseen(l);

	*front = NULL;
	if (!err)
		err = add_held(l, is_over);
	while (!err && nr_cells(l)) {
		struct grt_frame_cell *c = cell_at(l, 0), *next = c + 1;

		if (!may_leave(l, c, is_over))
			return 0;
		c->is_blind |= !is_over && awaits(l, c->end_ns);
		err = close_cell(l, l->left + 1);
		if (err || !repeats(l, c)) {
			*front = c;
			return err;
		}
		/* The frame goes on; without its end there is none. */
		if (nr_cells(l) < 2 || !may_leave(l, next, is_over))
			return 0;
		err = close_cell(l, l->left + 2);
		if (!err)
			err = grt_frame_cell_join(next, c);
		grt_frame_line_drop(l);
	}
	return err;
}

void grt_frame_line_read(const struct grt_frame_line *l, const struct grt_frame_cell *c, bool has_after,
			 struct grt_frame *frame)
{
	struct grt_frame_ran ran = grt_frame_runs_in(&l->runs, c->start_ns, c->end_ns);

	grt_frame_cell_read(c, has_after, frame);
	frame->has_busy = !grt_losses_touch(&l->unknown_runs, c->start_ns, c->end_ns - 1) &&
			  !(l->unsure && grt_losses_touch(l->unsure, c->start_ns + 1, c->end_ns - 1));
	frame->busy_ns = ran.busy_ns;
	frame->wait_ns = ran.last_ns - ran.first_ns - ran.busy_ns;
}

/* Forgets what was before the first cell. */
static void forget(struct grt_frame_line *l)
{
	uint64_t ns = cell_at(l, 0)->start_ns;

	grt_frame_runs_drop(&l->runs, ns);
	grt_losses_drop(&l->unknown_runs, ns);
}

void grt_frame_line_drop(struct grt_frame_line *l)
{
	/* If it left although a job is in flight, nobody waits for that any more. */
	drop_submits(l, cell_at(l, 0)->end_ns);
	grt_frame_cell_free(cell_at(l, 0));
	grt_deque_drop(&l->cells, sizeof(struct grt_frame_cell));
	l->left++;
	if (nr_cells(l))
		forget(l);
}

void grt_frame_line_free(struct grt_frame_line *l)
{
	for (size_t i = 0; i < nr_cells(l); i++)
		grt_frame_cell_free(cell_at(l, i));
	grt_deque_free(&l->cells);
	grt_deque_free(&l->submits);
	for (size_t i = 0; i < grt_deque_count(&l->held, struct grt_frame_life *); i++)
		free(*grt_deque_at(&l->held, struct grt_frame_life *, i));
	grt_deque_free(&l->held);
	grt_frame_tops_free(&l->tops);
	grt_frame_passers_free(&l->passers);
	grt_frame_runs_free(&l->runs);
	grt_losses_free(&l->unknown_runs);
}
