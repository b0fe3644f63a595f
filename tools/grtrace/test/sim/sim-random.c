// SPDX-License-Identifier: GPL-2.0
#include "sim-random.h"
#include "sim-truth.h"

#include <stdlib.h>
#include <string.h>

const struct sim_class sim_classes[] = {
	{ .name = "plain", .declared_pct = 50, .max_credits = 1, .max_limit = 4 },
	{ .name = "credits", .declared_pct = 100, .max_credits = 4, .max_limit = 4,
	  .no_hw_pct = 3 },
	{ .name = "dependencies, declared", .declared_pct = 100, .dep_pct = 50,
	  .same_ring_pct = 20, .max_credits = 2, .max_limit = 4, .no_hw_pct = 2 },
	{ .name = "dependencies, popped", .dep_pct = 50, .same_ring_pct = 20,
	  .max_credits = 2, .max_limit = 4, .no_hw_pct = 2 },
	{ .name = "pipelined", .declared_pct = 50, .dep_pct = 60, .same_ring_pct = 90,
	  .max_credits = 2, .max_limit = 4, .fail_pct = 10 },
	{ .name = "foreign fences", .declared_pct = 50, .dep_pct = 60, .same_ring_pct = 20,
	  .foreign_pct = 60, .max_credits = 2, .max_limit = 4 },
	{ .name = "kills", .declared_pct = 50, .dep_pct = 30, .same_ring_pct = 50,
	  .foreign_pct = 10, .kill_pct = 8, .max_credits = 2, .max_limit = 4 },
	{ .name = "resets", .declared_pct = 50, .dep_pct = 30, .same_ring_pct = 50,
	  .hang_pct = 6, .max_credits = 2, .max_limit = 4 },
	{ .name = "ties", .declared_pct = 50, .dep_pct = 40, .same_ring_pct = 40,
	  .foreign_pct = 15, .no_hw_pct = 2, .max_credits = 2, .max_limit = 4,
	  .has_ties = true },
	{ .name = "dependencies told late", .declared_pct = 50, .dep_pct = 60, .same_ring_pct = 20,
	  .foreign_pct = 50, .kill_pct = 3, .no_hw_pct = 3, .max_credits = 1, .max_limit = 4,
	  .missing = SIM_LATE, .floor_pct = { 100, 98, 95, 95, 60 } },
	{ .name = "everything", .declared_pct = 50, .dep_pct = 40, .same_ring_pct = 40,
	  .foreign_pct = 15, .kill_pct = 3, .hang_pct = 3, .fail_pct = 5, .no_hw_pct = 3,
	  .max_credits = 3, .max_limit = 4 },
	{ .name = "cut", .declared_pct = 50, .dep_pct = 30,
	  .same_ring_pct = 40, .foreign_pct = 15, .kill_pct = 1, .hang_pct = 1,
	  .fail_pct = 3, .no_hw_pct = 3,
	  .max_credits = 2, .max_limit = 4, .missing = SIM_ENDS, .floor_pct = { 85, 70, 35, 70, 70 } },
	{ .name = "lost", .declared_pct = 50, .dep_pct = 30, .same_ring_pct = 40,
	  .foreign_pct = 15, .kill_pct = 1, .hang_pct = 1, .fail_pct = 3, .no_hw_pct = 3, .max_credits = 2, .max_limit = 4,
	  .missing = SIM_SPANS, .floor_pct = { 80, 70, 25, 55, 30 } },
	{ .name = "dependencies not wanted", .declared_pct = 50, .dep_pct = 30,
	  .same_ring_pct = 40, .foreign_pct = 15, .kill_pct = 3, .hang_pct = 3, .fail_pct = 5,
	  .no_hw_pct = 3, .max_credits = 3, .max_limit = 4, .missing = SIM_MASKED,
	  .floor_pct = { 100, 60, 5, 75, 7 } },
	{ .name = "dependencies not wanted for a while", .declared_pct = 50, .dep_pct = 30,
	  .same_ring_pct = 40, .foreign_pct = 15, .kill_pct = 3, .hang_pct = 3, .fail_pct = 5,
	  .no_hw_pct = 3, .max_credits = 3, .max_limit = 4, .missing = SIM_MASKED_A_WHILE,
	  .floor_pct = { 100, 80, 25, 85, 35 } },
	{ .name = "dependencies not wanted, ties", .declared_pct = 50, .dep_pct = 40,
	  .same_ring_pct = 40, .foreign_pct = 15, .no_hw_pct = 2, .max_credits = 2,
	  .max_limit = 4, .has_ties = true, .missing = SIM_MASKED_A_WHILE,
	  .floor_pct = { 100, 80, 20, 80, 30 } },
	{ .name = "rings not wanted", .declared_pct = 50, .dep_pct = 30,
	  .same_ring_pct = 40, .foreign_pct = 15, .kill_pct = 1, .hang_pct = 1,
	  .max_credits = 3, .max_limit = 4, .missing = SIM_RINGS,
	  .floor_pct = { 80, 60, 3, 50, 5 } },
	{ .name = "sampled", .declared_pct = 50, .dep_pct = 30, .same_ring_pct = 40,
	  .foreign_pct = 15, .kill_pct = 1, .hang_pct = 1, .fail_pct = 3, .no_hw_pct = 3,
	  .max_credits = 2, .max_limit = 4, .missing = SIM_SAMPLED, .floor_pct = { 0, 38, 0, 0 } },
};

const uint32_t sim_nr_classes = sizeof(sim_classes) / sizeof(sim_classes[0]);

static void choose_manners(struct sim *s, const struct sim_class *class, uint64_t *job_ns)
{
	static const uint64_t scales[] = { 1, 10, 1000 };
	uint64_t scale = class->has_ties ? 1 : scales[sim_random(s, 3)];

	if (class->missing == SIM_LATE)
		scale *= 10;
	s->has_ties = class->has_ties;
	s->grid_ns = class->has_ties ? 10 : 1;
	s->is_popped = !sim_chance(s, class->declared_pct);
	s->is_round_robin = sim_chance(s, 40);
	s->stop_before_end = sim_chance(s, 30);
	s->nr_cpus = SIM_CPUS;
	s->now_ns = 1000000;
	s->max_latency_ns = sim_chance(s, 20) ? 0 : scale * (1 + sim_random(s, 60));
	s->max_complete_ns = sim_chance(s, 20) ? 0 : scale * 10;
	s->max_reset_ns = scale * 100;
	s->timeout_ns = scale * 800;
	*job_ns = scale * (20 + sim_random(s, 400));
}

static void add_rings(struct sim *s, const struct sim_class *class)
{
	uint32_t n = 1 + sim_random(s, 4);
	bool has_pair = sim_chance(s, 30);

	for (uint32_t i = 0; i < n; i++)
		sim_add_ring(s, sim_chance(s, 30), i, GRTRACE_ORDER_FIFO,
			     1 + sim_random(s, class->max_limit));
	if (has_pair)	/* two rings that share their hardware */
		sim_add_ring(s, s->rings[0].device, 0, GRTRACE_ORDER_FIFO,
			     1 + sim_random(s, class->max_limit));
	if (sim_chance(s, 20))
		sim_add_ring(s, 0, s->nr_rings, GRTRACE_ORDER_FIRMWARE,
			     1 + sim_random(s, class->max_limit));
}

static uint32_t add_ctx(struct sim *s, uint32_t ring)
{
	uint32_t process = sim_random(s, 3);
	uint32_t ctx = sim_add_ctx(s, ring, 10 + process,
				   sim_chance(s, 30) ? 0 : 7 + process + sim_random(s, 2),
				   sim_chance(s, 70) ? 1 : sim_random(s, 4));

	s->ctxs[ctx].is_kernel = sim_chance(s, 5);
	return ctx;
}

static bool has_dep_of_ctx(const struct sim_job *job, const struct sim *s, uint64_t ctx)
{
	for (uint32_t d = 0; d < job->nr_deps; d++) {
		const struct sim_dep *dep = &job->deps[d];

		if ((dep->job == SIM_NONE ? s->fences[dep->fence].ctx : s->jobs[dep->job].ctx_id) ==
		    ctx)
			return true;
	}
	return false;
}

/* Usually a recent job; of the same ring if @same_ring. */
static uint32_t choose_job(struct sim *s, uint32_t ring, bool same_ring)
{
	uint32_t i = SIM_NONE;

	for (int tries = 0; s->nr_jobs && tries < 8; tries++) {
		uint32_t back = sim_random(s, sim_chance(s, 85) && s->nr_jobs > 12 ? 12 : s->nr_jobs);

		i = s->nr_jobs - 1 - back;
		if ((s->jobs[i].ring == ring) == same_ring)
			break;
	}
	return i;
}

static uint32_t choose_fence(struct sim *s)
{
	if (s->nr_fences < SIM_MAX_FENCES && (!s->nr_fences || sim_chance(s, 70))) {
		uint32_t fence = sim_add_fence(s);

		if (sim_chance(s, 15))
			sim_signal(s, fence);
		return fence;
	}
	return sim_random(s, s->nr_fences);
}

/* A scheduler keeps one dependency of each fence context. */
static void add_dep(struct sim *s, const struct sim_class *class, struct sim_job *job)
{
	struct sim_dep *dep = &job->deps[job->nr_deps];

	dep->job = dep->fence = SIM_NONE;
	if (sim_chance(s, class->foreign_pct)) {
		dep->fence = choose_fence(s);
		job->nr_deps += !has_dep_of_ctx(job, s, s->fences[dep->fence].ctx);
		return;
	}
	dep->job = choose_job(s, s->ctxs[job->ctx].ring, sim_chance(s, class->same_ring_pct));
	if (dep->job != SIM_NONE)
		job->nr_deps += !has_dep_of_ctx(job, s, s->jobs[dep->job].ctx_id);
}

static uint32_t choose_flags(struct sim *s, const struct sim_class *class, uint32_t ring)
{
	if (sim_chance(s, class->hang_pct) && s->rings[ring].order == GRTRACE_ORDER_FIFO)
		return SIM_HANG;
	if (sim_chance(s, class->fail_pct))
		return sim_chance(s, 30) ? SIM_RUN_ERROR : SIM_FAIL;
	return sim_chance(s, class->no_hw_pct) ? SIM_NO_HW : 0;
}

/* Each ring gets a job early, because a ring without events is unknown. */
static uint32_t choose_ctx(struct sim *s)
{
	for (int tries = 0; tries < 20; tries++) {
		uint32_t ctx = sim_random(s, s->nr_ctxs);

		if (s->nr_jobs < s->nr_rings)
			ctx = s->nr_jobs;
		if (!s->ctxs[ctx].is_dead)
			return ctx;
	}
	return s->nr_ctxs < SIM_MAX_CTXS ? add_ctx(s, sim_random(s, s->nr_rings)) : SIM_NONE;
}

static bool submit(struct sim *s, const struct sim_class *class, uint64_t job_ns)
{
	struct sim_job job = { .ctx = choose_ctx(s) };
	uint32_t limit, most = class->max_credits;

	if (job.ctx == SIM_NONE)
		return false;
	limit = s->rings[s->ctxs[job.ctx].ring].credit_limit;
	if (s->is_popped && sim_chance(s, 50))
		most = 1;
	if (most > limit)
		most = limit;
	job.credits = 1 + sim_random(s, most);
	job.flags = choose_flags(s, class, s->ctxs[job.ctx].ring);
	job.duration_ns = sim_delay(s, sim_chance(s, 10) ? job_ns * 5 : job_ns);
	while (job.nr_deps < 3 && sim_chance(s, class->dep_pct)) {
		uint32_t before = job.nr_deps;

		add_dep(s, class, &job);
		if (job.nr_deps == before)
			break;
	}
	sim_submit(s, &job);
	return true;
}

static void disturb(struct sim *s, const struct sim_class *class)
{
	if (s->nr_fences && sim_chance(s, 25))
		sim_signal(s, sim_random(s, s->nr_fences));
	if (sim_chance(s, class->kill_pct) && s->nr_jobs > s->nr_rings) {
		uint32_t ctx = sim_random(s, s->nr_ctxs);

		if (s->ctxs[ctx].head != SIM_NONE && !s->ctxs[ctx].is_dead)
			sim_kill(s, ctx);
	}
	if (sim_chance(s, class->hang_pct / 3))
		sim_reset(s, sim_random(s, s->nr_rings));
}

static void finish(struct sim *s, uint64_t gap_ns)
{
	for (uint32_t i = 0; i < s->nr_fences; i++) {
		sim_run(s, s->now_ns + sim_delay(s, gap_ns));
		sim_signal(s, i);
	}
	sim_run(s, SIM_NEVER);
	for (uint32_t i = 0; i < s->nr_jobs; i++)
		if (s->jobs[i].complete_ns == SIM_NEVER)
			abort();	/* a bug of the simulator */
}

/* --- late events ------------------------------------------------------------------ */

/* The first time after @ns that no event has. */
static uint64_t free_ns(const struct sim *s, uint64_t ns)
{
	for (uint32_t i = 0; i < s->nr_events; i++)
		if (s->events[i].rec.hdr.ts == ns) {
			ns++;
			i = UINT32_MAX;
		}
	return ns;
}

/* When the first job that depends on fence @rec leaves the queue after @ns, SIM_NEVER = none. */
static uint64_t first_gone_ns(const struct sim *s, const struct grtrace_fence_signaled *rec, uint64_t ns)
{
	uint64_t first_ns = SIM_NEVER;

	for (uint32_t j = 0; j < s->nr_jobs; j++)
		for (uint32_t d = 0; d < s->jobs[j].nr_deps; d++) {
			uint64_t gone_ns = sim_gone_ns(&s->jobs[j]);

			if (s->jobs[j].deps[d].ctx == rec->ctx && s->jobs[j].deps[d].seqno == rec->seqno &&
			    gone_ns > ns && gone_ns < first_ns)
				first_ns = gone_ns;
		}
	return first_ns;
}

/* The fence was signalled before this event, which tells when. */
static void tell_late(struct sim *s, struct sim_event *e)
{
	struct grtrace_fence_signaled *rec = &e->rec.fence_signaled;
	uint64_t ns = rec->hdr.ts, late_ns;

	if (rec->signaled_ns || sim_chance(s, 20))
		return;
	late_ns = free_ns(s, ns + 1 + sim_random(s, sim_chance(s, 50) ? 10000 : 1000000));
	if (late_ns >= first_gone_ns(s, rec, ns) || late_ns >= s->last_ns)
		return;
	rec->signaled_ns = ns;
	rec->hdr.ts = late_ns;
}

/* The submitter is interrupted before it declares a dependency, which may be over by then. */
static void declare_late(struct sim *s, struct sim_event *e)
{
	const struct sim_job *job = &s->jobs[e->job];
	struct grtrace_dependency *rec = &e->rec.dependency;
	uint64_t to_ns = sim_gone_ns(job), late_ns;
	const struct sim_dep *dep = job->deps;

	if (!(rec->hdr.flags & GRTRACE_F_DECLARED) || sim_chance(s, 60))
		return;
	for (uint32_t d = 0; d < job->nr_deps; d++) {
		if (job->deps[d].found_ns < to_ns)
			to_ns = job->deps[d].found_ns;
		if (job->deps[d].ctx == rec->dep_ctx && job->deps[d].seqno == rec->dep_seqno)
			dep = &job->deps[d];
	}
	if (to_ns <= rec->hdr.ts + 1 || dep->is_self || dep->job == SIM_NONE)
		return;
	late_ns = free_ns(s, rec->hdr.ts + 1 + sim_random(s, to_ns - rec->hdr.ts - 1));
	if (late_ns >= to_ns)
		return;
	rec->hdr.ts = late_ns;
	if (sim_dep_end_ns(s, dep) <= late_ns)
		rec->hdr.flags |= GRTRACE_F_SIGNALED;
}

static void delay_events(struct sim *s)
{
	for (uint32_t i = 0; i < s->nr_events; i++) {
		if (s->events[i].rec.hdr.type == GRTRACE_FENCE_SIGNALED)
			tell_late(s, &s->events[i]);
		else if (s->events[i].rec.hdr.type == GRTRACE_DEPENDENCY)
			declare_late(s, &s->events[i]);
	}
}

/* --- missing events --------------------------------------------------------------- */

static void keep_only(struct sim *s, uint64_t from_ns, uint64_t to_ns)
{
	for (uint32_t i = 0; i < s->nr_events; i++)
		s->events[i].is_dropped = s->events[i].rec.hdr.ts < from_ns ||
					  s->events[i].rec.hdr.ts > to_ns;
}

/*
 * Whether the trace shows that job @j exists: by one of its stamps, or by the credits in use on
 * its ring.
 */
static bool is_shown(const struct sim *s, uint32_t j)
{
	const struct sim_job *job = &s->jobs[j];

	for (uint32_t i = 0; i < s->nr_events; i++) {
		const struct sim_event *e = &s->events[i];
		uint64_t ns = e->rec.hdr.ts;

		if (e->is_dropped)
			continue;
		if (e->job == j && e->rec.hdr.type != GRTRACE_DEPENDENCY)
			return true;
		if ((e->rec.hdr.type == GRTRACE_SUBMIT || e->rec.hdr.type == GRTRACE_COMMIT) &&
		    e->rec.key.ring == job->ring + 1 && ns > job->commit_ns && ns < job->end_ns)
			return true;
	}
	return false;
}

/*
 * If no event shows a job that was there all the time, no reader can know of it: then the trace
 * goes on to the end.
 */
static void cut(struct sim *s)
{
	uint64_t from_ns = s->events[0].rec.hdr.ts, span_ns = s->last_ns - from_ns;
	uint64_t to_ns = s->last_ns;

	if (sim_chance(s, 80))
		from_ns += sim_random(s, span_ns / 2 + 1);
	if (sim_chance(s, 50))
		to_ns -= sim_random(s, span_ns / 3 + 1);
	keep_only(s, from_ns, to_ns);
	for (uint32_t j = 0; j < s->nr_jobs; j++)
		if (s->jobs[j].submit_ns < from_ns && s->jobs[j].complete_ns > to_ns &&
		    !is_shown(s, j))
			to_ns = s->last_ns;
	keep_only(s, from_ns, to_ns);
}

static void lose_span(struct sim *s, uint64_t from_ns, uint64_t to_ns)
{
	uint32_t cpu = sim_random(s, 2 * s->nr_cpus);	/* past the last: all CPUs */

	s->losses[s->nr_losses++] = (struct sim_loss){
		from_ns, to_ns, GRTRACE_FATE_BUFFER_FULL,
	};
	for (uint32_t i = 0; i < s->nr_events; i++) {
		struct sim_event *e = &s->events[i];

		if (e->rec.hdr.ts >= from_ns && e->rec.hdr.ts <= to_ns &&
		    (cpu >= s->nr_cpus || e->rec.hdr.cpu == cpu))
			e->is_dropped = true;
	}
}

static void lose(struct sim *s)
{
	uint64_t from_ns = s->events[0].rec.hdr.ts, span_ns = s->last_ns - from_ns;
	uint32_t n = 1 + sim_random(s, 2);

	for (uint32_t i = 0; i < n; i++) {
		uint64_t at_ns = from_ns + sim_random(s, span_ns / n + 1);

		lose_span(s, at_ns, at_ns + sim_random(s, span_ns / 10 + 1));
		from_ns = at_ns + span_ns / 10 + 1;
	}
	/* As in cut(): at least this much of each job stays. */
	for (uint32_t j = 0; j < s->nr_jobs; j++)
		for (uint32_t i = 0; i < s->nr_events && !is_shown(s, j); i++)
			if (s->events[i].job == j &&
			    s->events[i].rec.hdr.type == GRTRACE_COMPLETE)
				s->events[i].is_dropped = false;
}

static void sample(struct sim *s)
{
	bool is_kept[SIM_MAX_JOBS];

	for (uint32_t j = 0; j < s->nr_jobs; j++)
		is_kept[j] = sim_chance(s, 50);
	s->losses[s->nr_losses++] = (struct sim_loss){
		s->events[0].rec.hdr.ts, s->last_ns, GRTRACE_FATE_SAMPLED,
	};
	for (uint32_t i = 0; i < s->nr_events; i++) {
		struct sim_event *e = &s->events[i];

		e->is_dropped = e->job != SIM_NONE && e->rec.hdr.type != GRTRACE_ERROR &&
				!is_kept[e->job];
	}
}

/*
 * Filters out events about dependencies between the two times.  A change takes effect a moment
 * after its event, and the count of what was left out covers more.
 */
static void mask(struct sim *s, uint64_t from_ns, uint64_t to_ns, uint64_t late_ns)
{
	uint64_t first_ns = s->events[0].rec.hdr.ts;
	uint64_t begin_ns = from_ns + sim_random(s, late_ns + 1);
	uint64_t end_ns = to_ns == SIM_NEVER ? to_ns : to_ns + sim_random(s, late_ns + 1);
	struct sim_loss loss = { first_ns, s->last_ns, GRTRACE_FATE_FILTERED_TYPE };
	bool is_any = false;

	for (uint32_t i = 0; i < s->nr_events; i++) {
		struct sim_event *e = &s->events[i];

		if ((e->rec.hdr.type == GRTRACE_DEPENDENCY ||
		     e->rec.hdr.type == GRTRACE_FENCE_SIGNALED) &&
		    e->rec.hdr.ts >= begin_ns && e->rec.hdr.ts <= end_ns)
			e->is_dropped = is_any = true;
	}
	s->masks[s->nr_masks++] = (struct sim_mask){ from_ns, to_ns };
	if (!is_any)
		return;
	if (from_ns > first_ns + late_ns)
		loss.from_ns = from_ns - sim_random(s, late_ns + 1);
	if (end_ns < s->last_ns)
		loss.to_ns = end_ns + sim_random(s, s->last_ns - end_ns + 1) / 4;
	s->losses[s->nr_losses++] = loss;
}

static void mask_some(struct sim *s)
{
	uint64_t from_ns = s->events[0].rec.hdr.ts, span_ns = s->last_ns - from_ns;
	uint32_t n = 1 + sim_random(s, 2);

	for (uint32_t i = 0; i < n; i++) {
		uint64_t to_ns;

		from_ns += sim_random(s, span_ns / 3 + 1);
		to_ns = from_ns + sim_random(s, span_ns / 6 + 1);
		mask(s, from_ns, to_ns, sim_chance(s, 50) ? 0 : span_ns / 100);
		from_ns = to_ns + span_ns / 100 + 1;
	}
}

static uint32_t ring_of(const struct sim *s, const struct sim_event *e)
{
	return e->job != SIM_NONE ? s->jobs[e->job].ring :
	       e->rec.hdr.type == GRTRACE_ERROR ? e->rec.key.ring - 1 : SIM_NONE;
}

/* Chooses some rings, usually with all that share their hardware. */
static void choose_rings(struct sim *s)
{
	bool by_hw = sim_chance(s, 80);

	do {
		s->kept_rings = 0;
		for (uint32_t r = 0; r < s->nr_rings; r++) {
			uint32_t hw = s->rings[r].hw;

			if (by_hw && hw != r ? s->kept_rings >> hw & 1 : sim_chance(s, 60))
				s->kept_rings |= 1u << r;
		}
	} while (!s->kept_rings);
	s->losses[s->nr_losses++] = (struct sim_loss){
		s->events[0].rec.hdr.ts, s->last_ns, GRTRACE_FATE_FILTERED_RING,
	};
	for (uint32_t i = 0; i < s->nr_events; i++) {
		uint32_t ring = ring_of(s, &s->events[i]);

		s->events[i].is_dropped = ring != SIM_NONE && !(s->kept_rings >> ring & 1);
	}
}

void sim_play(struct sim *s, const struct sim_class *class, uint64_t seed, uint32_t max_jobs)
{
	uint64_t job_ns, gap_ns;
	uint32_t jobs;

	memset(s, 0, offsetof(struct sim, rings));
	s->rng = seed;
	choose_manners(s, class, &job_ns);
	add_rings(s, class);
	for (uint32_t r = 0; r < s->nr_rings; r++)
		add_ctx(s, r);
	for (uint32_t n = sim_random(s, 6); n; n--)
		add_ctx(s, sim_random(s, s->nr_rings));
	jobs = 20 + sim_random(s, 61);
	if (jobs > max_jobs)
		jobs = max_jobs;
	gap_ns = job_ns * (30 + sim_random(s, 150)) / 100 / s->nr_rings;
	while (s->nr_jobs < jobs) {
		sim_run(s, s->now_ns + sim_delay(s, gap_ns * (sim_chance(s, 5) ? 20 : 2)));
		disturb(s, class);
		if (!submit(s, class, job_ns))
			break;
	}
	finish(s, gap_ns);
	if (class->missing == SIM_LATE)
		delay_events(s);
	sim_sort_events(s);
	if (class->missing == SIM_ENDS)
		cut(s);
	else if (class->missing == SIM_SPANS)
		lose(s);
	else if (class->missing == SIM_SAMPLED)
		sample(s);
	else if (class->missing == SIM_MASKED)
		mask(s, 0, SIM_NEVER, 0);
	else if (class->missing == SIM_MASKED_A_WHILE)
		mask_some(s);
	else if (class->missing == SIM_RINGS)
		choose_rings(s);
}
