// SPDX-License-Identifier: GPL-2.0
#include "sim-truth.h"

#include <stdlib.h>
#include <string.h>

/* What is true between two neighbouring stamps. */
struct instant {
	uint64_t at_ns, ns;
	uint32_t first[SIM_MAX_CTXS];		/* first uncommitted job of each context */
	uint32_t largest[SIM_MAX_RINGS];	/* most credits that a candidate needs */
	uint32_t in_use[SIM_MAX_RINGS];
	uint32_t executing[SIM_MAX_RINGS];	/* job on each hardware */
	bool is_busy[SIM_MAX_RINGS], is_committed[SIM_MAX_RINGS];
	bool has_eligible[SIM_MAX_RINGS], has_waiting[SIM_MAX_RINGS];
	bool is_doubtful[SIM_MAX_RINGS];
};

struct sim_cell *sim_cell_add(struct sim_cells *c, uint32_t client, uint8_t reason, uint64_t ns)
{
	struct sim_cell *cell = (struct sim_cell *)sim_cell_find(c, client, reason);

	if (!cell) {
		if (c->count == SIM_MAX_CELLS)
			abort();
		cell = &c->cell[c->count++];
		*cell = (struct sim_cell){ .client = client, .reason = reason };
	}
	cell->ns += ns;
	return cell;
}

const struct sim_cell *sim_cell_find(const struct sim_cells *c, uint32_t client, uint8_t reason)
{
	for (uint32_t i = 0; i < c->count; i++)
		if (c->cell[i].client == client && c->cell[i].reason == reason)
			return &c->cell[i];
	return NULL;
}

void sim_piece_add(struct sim_pieces *p, const struct sim_piece *what)
{
	struct sim_piece *last = p->count ? &p->piece[p->count - 1] : NULL;

	if (last && last->ctx == what->ctx && last->seqno == what->seqno &&
	    last->client == what->client && last->reason == what->reason &&
	    last->stage == what->stage && last->from_ns + last->ns == what->from_ns) {
		last->ns += what->ns;
		return;
	}
	if (p->count == SIM_MAX_PIECES)
		abort();
	p->piece[p->count++] = *what;
}

uint64_t sim_dep_end_ns(const struct sim *s, const struct sim_dep *dep)
{
	const struct sim_job *job;

	if (dep->is_self || !dep->is_named)
		return 0;
	if (dep->job == SIM_NONE)
		return s->fences[dep->fence].signaled_ns;
	job = &s->jobs[dep->job];
	return dep->is_pipelined ? sim_gone_ns(job) : job->complete_ns;
}

static bool is_fifo(const struct sim *s, uint32_t ring)
{
	return s->rings[ring].order == GRTRACE_ORDER_FIFO;
}

/* Whether @k was handed to the same hardware before @j. */
static bool is_before(const struct sim *s, uint32_t k, uint32_t j)
{
	const struct sim_job *a = &s->jobs[k], *b = &s->jobs[j];

	if (k == j || a->commit_ns == SIM_NEVER || s->rings[a->ring].hw != s->rings[b->ring].hw)
		return false;
	return a->commit_number < b->commit_number;
}

static uint64_t start_of(const struct sim *s, uint32_t j)
{
	const struct sim_job *job = &s->jobs[j];
	uint64_t start_ns = job->commit_ns;

	if (!is_fifo(s, job->ring) || !sim_has_hw(job) || job->commit_ns == SIM_NEVER ||
	    job->end_ns == SIM_NEVER)
		return SIM_NEVER;
	for (uint32_t k = 0; k < s->nr_jobs; k++)
		if (is_before(s, k, j) && sim_has_hw(&s->jobs[k]) &&
		    s->jobs[k].end_ns <= job->end_ns && s->jobs[k].end_ns > start_ns)
			start_ns = s->jobs[k].end_ns;
	for (uint32_t i = 0; i < s->nr_resets; i++) {
		const struct sim_reset *r = &s->resets[i];

		if (r->ring == job->ring && job->commit_ns < r->to_ns && r->to_ns < job->end_ns &&
		    r->to_ns > start_ns)
			start_ns = r->to_ns;
	}
	return start_ns;
}

static void find_moments(struct sim_truth *t, const struct sim *s)
{
	uint64_t committed_ns[SIM_MAX_CTXS] = { 0 };	/* latest COMMIT of its jobs */

	for (uint32_t j = 0; j < s->nr_jobs; j++) {
		const struct sim_job *job = &s->jobs[j];
		struct sim_truth_job *tj = &t->jobs[j];
		uint64_t *before_ns = &committed_ns[job->ctx];

		tj->start_ns = start_of(s, j);
		tj->has_stages = job->commit_ns != SIM_NEVER;
		if (!tj->has_stages)
			continue;
		tj->order_end_ns = *before_ns > job->submit_ns ? *before_ns : job->submit_ns;
		tj->eligible_ns = tj->order_end_ns;
		for (uint32_t d = 0; d < job->nr_deps; d++) {
			uint64_t end_ns = sim_dep_end_ns(s, &job->deps[d]);

			if (tj->eligible_ns < end_ns)
				tj->eligible_ns = end_ns;
		}
		if (tj->eligible_ns > job->commit_ns)
			tj->eligible_ns = job->commit_ns;
		tj->wait_ns = (tj->start_ns != SIM_NEVER ? tj->start_ns : job->commit_ns) -
			      job->submit_ns;
		if (*before_ns < job->commit_ns)
			*before_ns = job->commit_ns;
	}
}

static void find_clients(struct sim_truth *t, const struct sim *s)
{
	for (uint32_t c = 0; c < s->nr_ctxs; c++) {
		const struct sim_ctx *ctx = &s->ctxs[c];
		struct sim_client p = { ctx->ring, ctx->is_kernel ? 0 : ctx->tgid, ctx->client_id };
		uint32_t i = 0;

		while (i < t->nr_clients &&
		       (t->clients[i].ring != p.ring || t->clients[i].tgid != p.tgid ||
			t->clients[i].client_id != p.client_id))
			i++;
		if (i == t->nr_clients)
			t->clients[t->nr_clients++] = p;
		t->client_of[c] = i;
	}
}

/* What a reader sees: start and end of the trace, and the first event of each ring. */
static void find_ends(struct sim_truth *t, const struct sim *s, bool is_lossless)
{
	t->from_ns = t->declared_ns = SIM_NEVER;
	for (uint32_t r = 0; r < s->nr_rings; r++) {
		t->joined_ns[r] = SIM_NEVER;
		t->first_ns[r] = is_lossless || s->nr_masks || s->kept_rings ? SIM_NEVER : 0;
	}
	for (uint32_t i = 0; i < s->nr_events; i++) {
		const struct sim_event *e = &s->events[i];
		uint64_t ns = e->rec.hdr.ts;
		/* DEPENDENCY and FENCE_SIGNALED do not name a ring. */
		uint32_t ring = e->rec.hdr.type == GRTRACE_DEPENDENCY ? 0 : e->rec.key.ring;

		if (e->is_dropped)
			continue;
		if (e->rec.hdr.flags & GRTRACE_F_DECLARED && e->rec.hdr.type == GRTRACE_DEPENDENCY &&
		    t->declared_ns > ns)
			t->declared_ns = ns;
		if (t->from_ns > ns)
			t->from_ns = ns;
		if (t->to_ns < ns)
			t->to_ns = ns;
		if (ring && t->joined_ns[ring - 1] > ns)
			t->joined_ns[ring - 1] = ns;
		if (ring && t->first_ns[ring - 1] > ns)
			t->first_ns[ring - 1] = ns;
	}
	/* A second pass knows it from the start. */
	if (!is_lossless && t->declared_ns != SIM_NEVER)
		t->declared_ns = 0;
}

/* --- one instant ------------------------------------------------------------- */

static bool is_found_blocked(const struct sim *s, const struct sim_job *job, uint64_t ns)
{
	for (uint32_t d = 0; d < job->nr_deps; d++)
		if (job->deps[d].found_ns <= ns && ns < sim_dep_end_ns(s, &job->deps[d]))
			return true;
	return false;
}

static bool has_deps_left(const struct sim *s, const struct sim_job *job, uint64_t ns)
{
	for (uint32_t d = 0; d < job->nr_deps; d++)
		if (ns < sim_dep_end_ns(s, &job->deps[d]))
			return true;
	return false;
}

/*
 * Up to Linux 6.16 no event shows the dependencies of a job that dies before the scheduler looks
 * at it, so it is not known whether it was ready.  The same is true until the first job shows that
 * this is a later Linux.
 */
static bool is_untold(const struct sim_truth *truth, const struct sim_job *job)
{
	return sim_is_killed(job) && job->complete_ns < truth->declared_ns;
}

static void look_at_waiting(struct instant *t, const struct sim_truth *truth,
			    const struct sim *s, uint32_t j)
{
	const struct sim_job *job = &s->jobs[j];

	t->has_waiting[job->ring] = true;
	if (t->first[job->ctx] != SIM_NONE)
		return;
	t->first[job->ctx] = j;
	if (!has_deps_left(s, job, t->at_ns)) {
		if (is_untold(truth, job))
			t->is_doubtful[job->ring] = true;
		else
			t->has_eligible[job->ring] = true;
	}
	if (!is_found_blocked(s, job, t->at_ns) && t->largest[job->ring] < job->credits)
		t->largest[job->ring] = job->credits;
}

static void look_at(struct instant *t, const struct sim_truth *truth, const struct sim *s)
{
	for (uint32_t j = 0; j < s->nr_jobs; j++) {
		const struct sim_job *job = &s->jobs[j];
		uint64_t at_ns = t->at_ns;

		if (job->submit_ns <= at_ns && at_ns < sim_gone_ns(job))
			look_at_waiting(t, truth, s, j);
		if (job->commit_ns > at_ns || at_ns >= job->end_ns)
			continue;
		t->in_use[job->ring] += job->credits;
		t->is_committed[job->ring] = true;
		if (!is_fifo(s, job->ring))
			t->is_busy[job->ring] = true;
		if (truth->jobs[j].start_ns > at_ns)
			continue;
		t->executing[s->rings[job->ring].hw] = j;
		t->is_busy[job->ring] = true;
	}
}

static bool is_full(const struct instant *t, const struct sim *s, uint32_t ring)
{
	/* A job that needs more than the limit may put more credits in use. */
	return (int64_t)s->rings[ring].credit_limit - t->in_use[ring] < (int64_t)t->largest[ring];
}

static enum grt_stage stage_at(const struct instant *t, const struct sim_truth *truth,
			       const struct sim *s, uint32_t j)
{
	const struct sim_truth_job *tj = &truth->jobs[j];

	if (t->at_ns >= s->jobs[j].commit_ns)
		return GRT_STAGE_QUEUE;
	if (t->at_ns < tj->order_end_ns)
		return GRT_STAGE_ORDER;
	if (t->at_ns < tj->eligible_ns)
		return GRT_STAGE_DEP;
	return is_full(t, s, s->jobs[j].ring) ? GRT_STAGE_RING : GRT_STAGE_SCHED;
}

const struct sim_dep *sim_last_dep(const struct sim *s, const struct sim_job *job)
{
	const struct sim_dep *last = NULL;
	uint64_t last_ns = 0;

	for (uint32_t d = 0; d < job->nr_deps; d++) {
		const struct sim_dep *dep = &job->deps[d];
		uint64_t end_ns = sim_dep_end_ns(s, dep);

		if (dep->is_self || end_ns < last_ns)
			continue;
		if (last && end_ns == last_ns &&
		    (dep->ctx > last->ctx || (dep->ctx == last->ctx && dep->seqno > last->seqno)))
			continue;
		last = dep;
		last_ns = end_ns;
	}
	return last;
}

/* The reset of @ring that goes on at @ns; NULL: none. */
static const struct sim_reset *reset_at(const struct sim *s, uint32_t ring, uint64_t ns)
{
	for (uint32_t i = 0; i < s->nr_resets; i++)
		if (s->resets[i].ring == ring && s->resets[i].from_ns <= ns &&
		    ns < s->resets[i].to_ns)
			return &s->resets[i];
	return NULL;
}

/* The job that a ring is reset for; it may be a job of another ring of the GPU. */
static uint32_t lost_job(const struct sim *s, const struct sim_reset *reset)
{
	const struct sim_reset *cause = reset;

	for (uint32_t i = 0; i < s->nr_resets && reset->job == SIM_NONE; i++) {
		const struct sim_reset *other = &s->resets[i];

		if (s->rings[other->ring].device == s->rings[reset->ring].device &&
		    other->job != SIM_NONE && other->from_ns <= reset->from_ns &&
		    reset->from_ns < other->to_ns &&
		    (cause == reset || cause->from_ns < other->from_ns))
			cause = other;
	}
	return cause->job;
}

/* Finds who blocks @j, which is not behind another job of its context. */
static void culprit_at(const struct instant *t, const struct sim_truth *truth, const struct sim *s,
		       uint32_t j, enum grt_stage stage, struct sim_piece *piece)
{
	const struct sim_reset *reset = reset_at(s, s->jobs[j].ring, t->at_ns);
	const struct sim_dep *dep;
	uint32_t other = SIM_NONE;

	switch (stage) {
	case GRT_STAGE_DEP:
		dep = sim_last_dep(s, &s->jobs[j]);
		other = dep->job;
		piece->ctx = dep->ctx;
		piece->seqno = dep->seqno;
		piece->reason = GRT_BLAME_FENCE;
		break;
	case GRT_STAGE_SCHED:
		piece->reason = reset ? GRT_BLAME_RECOVERY : GRT_BLAME_SCHEDULER;
		other = reset ? lost_job(s, reset) : SIM_NONE;
		break;
	default:
		other = t->executing[s->rings[s->jobs[j].ring].hw];
		piece->reason = reset ? GRT_BLAME_RECOVERY :
				other != SIM_NONE ? GRT_BLAME_RING : GRT_BLAME_UNKNOWN;
		if (reset)
			other = lost_job(s, reset);
		break;
	}
	if (other != SIM_NONE) {
		piece->ctx = s->jobs[other].ctx_id;
		piece->seqno = s->jobs[other].seqno;
	}
	piece->client = other == SIM_NONE ? SIM_NONE : truth->client_of[s->jobs[other].ctx];
}

static void charge(struct sim_truth *truth, const struct instant *t, const struct sim *s)
{
	for (uint32_t j = 0; j < s->nr_jobs; j++) {
		const struct sim_job *job = &s->jobs[j];
		struct sim_truth_job *tj = &truth->jobs[j];
		enum grt_stage stage;
		struct sim_piece piece = { .from_ns = t->at_ns, .ns = t->ns };
		uint32_t who = j;

		if (!tj->has_stages || t->at_ns < job->submit_ns ||
		    t->at_ns >= job->submit_ns + tj->wait_ns)
			continue;
		stage = stage_at(t, truth, s, j);
		if (stage <= GRT_STAGE_SCHED)
			tj->stage_ns[stage] += t->ns;
		piece.stage = stage;
		if (stage == GRT_STAGE_ORDER) {
			who = t->first[job->ctx];
			stage = stage_at(t, truth, s, who);
		}
		culprit_at(t, truth, s, who, stage, &piece);
		sim_cell_add(&tj->charges, piece.client, piece.reason, t->ns);
		sim_piece_add(&truth->pieces[j], &piece);
	}
}

/* GRT_NR_IDLES: the ring is busy. */
static enum grt_idle idle_at(const struct instant *t, const struct sim_truth *truth,
			     const struct sim *s, uint32_t r)
{
	if (t->is_busy[r])
		return GRT_NR_IDLES;
	if (t->at_ns < truth->first_ns[r])
		return GRT_IDLE_UNKNOWN;
	if (reset_at(s, r, t->at_ns))
		return GRT_IDLE_RECOVERY;
	if (t->is_committed[r])
		return GRT_IDLE_HARDWARE;
	if (t->has_eligible[r])
		return GRT_IDLE_SCHEDULER;
	if (t->is_doubtful[r])
		return GRT_IDLE_UNKNOWN;
	return t->has_waiting[r] ? GRT_IDLE_DEPENDENCY : GRT_IDLE_STARVED;
}

static void add_use(struct grt_ring_use *use, enum grt_idle cause, uint64_t ns)
{
	if (cause == GRT_NR_IDLES)
		use->busy_ns += ns;
	else
		use->idle_ns[cause] += ns;
}

static void stretch(struct sim_truth *truth, uint32_t r, const struct instant *t, enum grt_idle cause)
{
	struct sim_stretch *last = &truth->stretches[r][truth->nr_stretches[r]];

	if (!truth->nr_stretches[r] || last[-1].cause != cause) {
		*last = (struct sim_stretch){ .from_ns = t->at_ns, .cause = cause };
		last++;
		truth->nr_stretches[r]++;
	}
	last[-1].to_ns = t->at_ns + t->ns;
}

/*
 * The numbers of causes rise with their rank, and busy is above all.  A ring without any event is
 * not part of its device.
 */
static void account(struct sim_truth *truth, const struct instant *t, const struct sim *s)
{
	int device[SIM_MAX_RINGS];	/* the highest state of its rings, -1: none yet */

	if (t->at_ns < truth->from_ns || t->at_ns >= truth->to_ns)
		return;
	for (uint32_t d = 0; d < SIM_MAX_RINGS; d++)
		device[d] = -1;
	for (uint32_t r = 0; r < s->nr_rings; r++) {
		int cause = idle_at(t, truth, s, r);
		int *d = &device[s->rings[r].device];

		add_use(&truth->rings[r], cause, t->ns);
		stretch(truth, r, t, cause);
		if (is_fifo(s, r) && truth->joined_ns[r] != SIM_NEVER && *d < cause)
			*d = cause;
	}
	for (uint32_t d = 0; d < SIM_MAX_RINGS; d++)
		add_use(&truth->devices[d], device[d] < 0 ? GRT_IDLE_UNKNOWN : device[d], t->ns);
}

/* --- all of them -------------------------------------------------------------- */

static int compare_ns(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint32_t find_points(uint64_t *points, const struct sim_truth *t, const struct sim *s)
{
	uint32_t n = 0, kept = 0;

	for (uint32_t j = 0; j < s->nr_jobs; j++) {
		const struct sim_job *job = &s->jobs[j];

		points[n++] = job->submit_ns;
		points[n++] = job->commit_ns;
		points[n++] = t->jobs[j].start_ns;
		points[n++] = job->end_ns;
		points[n++] = job->complete_ns;
		for (uint32_t d = 0; d < job->nr_deps; d++) {
			points[n++] = sim_dep_end_ns(s, &job->deps[d]);
			points[n++] = job->deps[d].found_ns;
		}
	}
	for (uint32_t i = 0; i < s->nr_resets; i++) {
		points[n++] = s->resets[i].from_ns;
		points[n++] = s->resets[i].to_ns;
	}
	for (uint32_t r = 0; r < s->nr_rings; r++)
		points[n++] = t->joined_ns[r];
	points[n++] = t->from_ns;
	points[n++] = t->to_ns;
	qsort(points, n, sizeof(points[0]), compare_ns);
	for (uint32_t i = 0; i < n; i++)
		if (points[i] != SIM_NEVER && (!kept || points[kept - 1] != points[i]))
			points[kept++] = points[i];
	return kept;
}

static void sum_blame(struct sim_truth *t, const struct sim *s)
{
	for (uint32_t j = 0; j < s->nr_jobs; j++) {
		const struct sim_cells *charges = &t->jobs[j].charges;
		struct sim_cells *row = &t->blame[t->client_of[s->jobs[j].ctx]];

		for (uint32_t i = 0; i < charges->count; i++) {
			const struct sim_cell *from = &charges->cell[i];
			struct sim_cell *to =
				sim_cell_add(row, from->client, from->reason, from->ns);

			to->jobs++;
			if (to->worst_ns < from->ns)
				to->worst_ns = from->ns;
		}
	}
}

void sim_truth(struct sim_truth *t, const struct sim *s, bool is_lossless)
{
	static uint64_t points[SIM_MAX_POINTS + 3 * SIM_MAX_RESETS + SIM_MAX_RINGS];
	uint32_t nr_points;

	memset(t, 0, offsetof(struct sim_truth, stretches));
	for (uint32_t j = 0; j < s->nr_jobs; j++)
		t->pieces[j].count = 0;
	find_clients(t, s);
	find_moments(t, s);
	find_ends(t, s, is_lossless);
	nr_points = find_points(points, t, s);
	for (uint32_t i = 0; i + 1 < nr_points; i++) {
		struct instant now = { .at_ns = points[i], .ns = points[i + 1] - points[i] };

		memset(now.first, 0xff, sizeof(now.first));
		memset(now.executing, 0xff, sizeof(now.executing));
		look_at(&now, t, s);
		charge(t, &now, s);
		account(t, &now, s);
	}
	sum_blame(t, s);
}
