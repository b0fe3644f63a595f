// SPDX-License-Identifier: LGPL-2.1
/* Describes the lives of the jobs of a chain, line by line. */
#include <errno.h>

#include "charge_sum.h"
#include "why_private.h"

/* The time to describe: all of the first job; of another job the time somebody waited for it. */
struct window {
	uint64_t from_ns, to_ns;
};

struct writer {
	struct grt_why *w;
	uint64_t begin_ns;	/* SUBMIT, or the first stamp, of the first job */
	int err;
};

const char *grt_why_step_name(enum grt_why_step step)
{
	static const char *const names[] = {
		[GRT_WHY_SUBMIT] = "submit", [GRT_WHY_WAIT] = "wait", [GRT_WHY_COMMIT] = "commit",
		[GRT_WHY_RUN] = "run", [GRT_WHY_RUN_OR_QUEUE] = "run_or_queue",
		[GRT_WHY_END] = "end", [GRT_WHY_IN_FLIGHT] = "in_flight", [GRT_WHY_KILLED] = "killed", [GRT_WHY_ABOVE] = "above",
		[GRT_WHY_CYCLE] = "cycle", [GRT_WHY_TOO_DEEP] = "too_deep",
		[GRT_WHY_MISSING] = "missing",
	};

	return names[step];
}

static void add(struct writer *t, const struct grt_why_line *line)
{
	if (!t->err)
		t->err = grt_vec_append(&t->w->lines, line, sizeof(*line));
}

static void add_at(struct writer *t, const struct grt_job *job, unsigned int depth,
		   enum grt_why_step step, uint64_t at_ns, const uint64_t *ns)
{
	add(t, &(struct grt_why_line){
		.job = job, .depth = depth, .step = step, .has_at = true,
		.at_ns = at_ns - t->begin_ns, .has_ns = ns, .ns = ns ? *ns : 0,
	});
}

static void add_step(struct writer *t, const struct grt_job *job, unsigned int depth,
		     enum grt_why_step step)
{
	add(t, &(struct grt_why_line){ .job = job, .depth = depth, .step = step });
}

/* The job in front makes progress itself: its single waits need no lines of their own. */
static bool is_moving(const struct grt_charge *c)
{
	return c->stage == GRT_STAGE_ORDER &&
	       (c->reason == GRT_BLAME_RING || c->reason == GRT_BLAME_SCHEDULER);
}

/* Whether adjacent pieces make one line: they are of one fence, or of jobs on the ring. */
static bool is_same(const struct grt_charge *a, const struct grt_charge *b)
{
	if (a->stage != b->stage || a->from_ns + a->ns != b->from_ns)
		return false;
	if (is_moving(a) && is_moving(b))
		return true;
	return a->reason == b->reason &&
	       (a->reason != GRT_BLAME_FENCE || (a->ctx == b->ctx && a->seqno == b->seqno));
}

/* A piece with a job says more than one without; else the longer piece says more. */
static bool says_more(const struct grt_charge *a, const struct grt_charge *b)
{
	return !a->ctx == !b->ctx ? a->ns > b->ns : a->ctx != 0;
}

/* Joins the pieces from @i on into one line; returns where the next line begins. */
static uint32_t gather(const struct grt_job *job, uint32_t i, const struct window *in,
		       struct grt_why_line *line)
{
	const struct grt_charge *c = job->charges, *last = &job->charges[i];

	line->wait = grt_charge_clip(&c[i], in->from_ns, in->to_ns);
	line->ns = line->wait.ns;
	line->wait_jobs = !!last->ctx;
	for (i++; i < job->nr_charges && line->ns && is_same(&c[i - 1], &c[i]); i++) {
		struct grt_charge part = grt_charge_clip(&c[i], in->from_ns, in->to_ns);

		if (!part.ns)
			break;
		line->ns += part.ns;
		if (c[i].ctx && (c[i].ctx != last->ctx || c[i].seqno != last->seqno)) {
			line->wait_jobs++;
			last = &c[i];
		}
		if (says_more(&part, &line->wait))
			line->wait = part;
	}
	return i;
}

static void add_life(struct writer *t, uint32_t row, unsigned int depth, const struct window *in);

/* Writes the lines below a line that waits for a job's fence. */
static void follow(struct writer *t, const struct grt_job *job, const struct grt_why_line *line,
		   unsigned int depth)
{
	const struct grt_charge *c = &line->wait;
	const struct window in = { line->from_ns, line->from_ns + line->ns };
	uint32_t row = grt_keymap_get(&t->w->chain_rows, c->ctx, c->seqno);
	const struct grt_link *link;

	if (row == GRT_NONE) {
		add_step(t, job, depth, GRT_WHY_TOO_DEEP);
		return;
	}
	link = grt_vec_at(&t->w->chain, struct grt_link, row);
	if (link->is_open)
		add_step(t, job, depth, GRT_WHY_CYCLE);
	else if (link->is_told)
		add_step(t, job, depth, GRT_WHY_ABOVE);
	else if (!link->is_found && !link->is_too_long)
		add_step(t, job, depth, GRT_WHY_MISSING);
	else if (depth > GRT_WHY_DEPTH || link->is_too_long)
		add_step(t, job, depth, GRT_WHY_TOO_DEEP);
	else
		add_life(t, row, depth, &in);
}

static void add_waits(struct writer *t, const struct grt_job *job, unsigned int depth,
		      const struct window *in)
{
	bool says_commit = !depth && grt_job_has(job, GRT_AT_COMMIT);

	for (uint32_t i = 0; i < job->nr_charges; ) {
		struct grt_why_line line = {
			.job = job, .depth = depth, .step = GRT_WHY_WAIT, .has_at = true,
			.has_ns = true, .from_ns = grt_charge_clip(&job->charges[i], in->from_ns,
						   in->to_ns).from_ns,
		};

		if (says_commit && job->charges[i].from_ns >= job->at_ns[GRT_AT_COMMIT]) {
			add_at(t, job, depth, GRT_WHY_COMMIT, job->at_ns[GRT_AT_COMMIT], NULL);
			says_commit = false;
		}
		i = gather(job, i, in, &line);
		if (!line.ns)
			continue;
		line.at_ns = line.from_ns - t->begin_ns;
		add(t, &line);
		if (grt_why_leads_on(&line.wait))
			follow(t, job, &line, depth + 1);
	}
	if (says_commit)
		add_at(t, job, depth, GRT_WHY_COMMIT, job->at_ns[GRT_AT_COMMIT], NULL);
}

/* Writes the part of [@from_ns, @to_ns) that is in the window, if there is one. */
static void add_span(struct writer *t, const struct grt_job *job, unsigned int depth,
		     enum grt_why_step step, uint64_t from_ns, uint64_t to_ns,
		     const struct window *in)
{
	uint64_t ns;

	if (from_ns < in->from_ns)
		from_ns = in->from_ns;
	if (to_ns > in->to_ns)
		to_ns = in->to_ns;
	if (from_ns > to_ns || (from_ns == to_ns && depth))
		return;
	ns = to_ns - from_ns;
	add_at(t, job, depth, step, from_ns, &ns);
}

/* Writes a wait that has no charges. */
static void add_unknown_wait(struct writer *t, const struct grt_job *job, unsigned int depth)
{
	if (depth || job->nr_charges || !grt_job_knows(job, GRT_STAGE_SUBMIT_HOST) ||
	    !job->stage_ns[GRT_STAGE_SUBMIT_HOST])
		return;
	add(t, &(struct grt_why_line){
		.job = job, .depth = depth, .step = GRT_WHY_WAIT, .has_at = true, .has_ns = true,
		.at_ns = job->at_ns[GRT_AT_SUBMIT] - t->begin_ns,
		.ns = job->stage_ns[GRT_STAGE_SUBMIT_HOST], .wait_jobs = 1,
		.wait = { .reason = GRT_BLAME_UNKNOWN, .client = GRT_NONE,
			  .stage = GRT_STAGE_SUBMIT_HOST },
	});
}

/* Recurses through follow(), which stops at GRT_WHY_DEPTH. */
static void add_life(struct writer *t, uint32_t row, unsigned int depth, const struct window *in)
{
	struct grt_link *link = grt_vec_at(&t->w->chain, struct grt_link, row);
	const struct grt_job *job = &link->job;
	const uint64_t *at_ns = job->at_ns;

	link->is_told = link->is_open = true;
	if (grt_job_has(job, GRT_AT_SUBMIT))
		add_at(t, job, depth, GRT_WHY_SUBMIT, at_ns[GRT_AT_SUBMIT], NULL);
	if (!(job->flags & GRT_JOB_KILLED))
		add_unknown_wait(t, job, depth);
	add_waits(t, job, depth, in);
	if (grt_job_knows(job, GRT_STAGE_EXEC))
		add_span(t, job, depth, GRT_WHY_RUN, at_ns[GRT_AT_START], at_ns[GRT_AT_END], in);
	else if (job->inflight.run_ns)
		add_span(t, job, depth, GRT_WHY_RUN, job->inflight.run_ns, job->inflight.until_ns, in);
	else if (grt_job_knows(job, GRT_STAGE_HW) && !(job->flags & GRT_JOB_NO_HW))
		add_span(t, job, depth, GRT_WHY_RUN_OR_QUEUE, at_ns[GRT_AT_COMMIT],
			 at_ns[GRT_AT_END], in);
	if (job->flags & GRT_JOB_KILLED)
		add_at(t, job, depth, GRT_WHY_KILLED, at_ns[GRT_AT_COMPLETE], NULL);
	else if (!depth && grt_job_has(job, GRT_AT_END))
		add_at(t, job, depth, GRT_WHY_END, at_ns[GRT_AT_END],
		       grt_job_knows(job, GRT_STAGE_COMPLETE) ?
		       &job->stage_ns[GRT_STAGE_COMPLETE] : NULL);
	else if (job->inflight.until_ns && job->inflight.until_ns <= in->to_ns)
		add_at(t, job, depth, GRT_WHY_IN_FLIGHT, job->inflight.until_ns, NULL);
	link->is_open = false;
}

int grt_why_finish(struct grt_why *w)
{
	const struct grt_link *first = grt_vec_at(&w->chain, struct grt_link, 0);
	const struct window all = { 0, UINT64_MAX };
	struct writer t = { .w = w };

	if (!first->is_found)
		return grt_why_no_job(w);
	t.begin_ns = grt_job_first_ns(&first->job);
	add_life(&t, 0, 0, &all);
	return t.err ? t.err : grt_why_make_short(w);
}

size_t grt_why_count(const struct grt_why *w)
{
	return grt_vec_count(&w->lines, struct grt_why_line);
}

const struct grt_why_line *grt_why_line(const struct grt_why *w, size_t i)
{
	return grt_vec_at(&w->lines, struct grt_why_line, i);
}
