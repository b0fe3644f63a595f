// SPDX-License-Identifier: GPL-2.0
/*
 * Checks root causes.  The truth asks for each moment what happened, and goes down the chain of
 * jobs by recursion.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "roots.h"
#include "sim-check.h"

#define MAX_POINTS	(SIM_MAX_JOBS * (5 + SIM_MAX_PIECES) + 2 * SIM_MAX_RESETS)

struct root {
	enum grt_root kind;
	uint32_t client;	/* SIM_NONE: nobody */
	uint64_t ctx, seqno;
};

struct roots {
	const struct sim *sim;
	const struct sim_truth *truth;
	struct grt_model *model;
	struct grt_roots roots;
	struct sim_tally *tally;
	bool is_lossless;
	uint64_t points[MAX_POINTS];
	uint32_t nr_points;
	uint32_t given[SIM_MAX_JOBS];	/* jobs by the order in which they came; 0: not yet */
	uint32_t nr_given;
	FILE *out;
	uint32_t wrong;
};

static struct root job_root(const struct roots *c, enum grt_root kind, uint32_t j)
{
	const struct sim_job *job = &c->sim->jobs[j];

	return (struct root){ kind, c->truth->client_of[job->ctx], job->ctx_id, job->seqno };
}

static const struct root nobody = { .kind = GRT_ROOT_UNKNOWN, .client = SIM_NONE };

/* When job @j was found to hang; SIM_NEVER: it did not. */
static uint64_t hung_ns(const struct sim *s, uint32_t j)
{
	for (uint32_t i = 0; i < s->nr_resets; i++)
		if (s->resets[i].job == j)
			return s->resets[i].from_ns;
	return SIM_NEVER;
}

static bool hangs(const struct sim *s, uint32_t j)
{
	return hung_ns(s, j) != SIM_NEVER;
}

static uint32_t find_job(const struct sim *s, uint64_t ctx, uint64_t seqno)
{
	for (uint32_t j = 0; j < s->nr_jobs; j++)
		if (s->jobs[j].ctx_id == ctx && s->jobs[j].seqno == seqno)
			return j;
	return SIM_NONE;
}

/* A job is on its ring and does not run: a job there may have hung before it. */
static struct root on_ring(const struct roots *c, uint32_t j, uint64_t ns)
{
	const struct sim *s = c->sim;

	for (uint32_t k = 0; k < s->nr_jobs; k++)
		if (hangs(s, k) && s->jobs[k].ring == s->jobs[j].ring &&
		    c->truth->jobs[k].start_ns <= ns && ns < s->jobs[k].end_ns &&
		    c->given[k] && c->given[k] < c->given[j])
			return job_root(c, GRT_ROOT_HANG, k);
	return job_root(c, hangs(s, j) ? GRT_ROOT_HANG : GRT_ROOT_ON_RING, j);
}

static struct root wait_root(const struct roots *c, uint32_t j, uint64_t ns);

/* What job @j did at @ns, for a job that waited for it and came after @by others. */
static struct root life_root(const struct roots *c, uint32_t j, uint64_t ns, uint32_t by)
{
	const struct sim_job *job = &c->sim->jobs[j];
	const struct sim_truth_job *t = &c->truth->jobs[j];

	/* A pipelined dependency may be over long before its job. */
	if (!c->given[j] || c->given[j] > by)
		return nobody;
	if (ns < job->submit_ns)
		return job_root(c, GRT_ROOT_NOT_SUBMITTED, j);
	if (!t->has_stages)
		return nobody;
	if (ns < job->submit_ns + t->wait_ns)
		return wait_root(c, j, ns);
	if (ns < job->end_ns && t->start_ns != SIM_NEVER)
		return job_root(c, hangs(c->sim, j) ? GRT_ROOT_HANG : GRT_ROOT_RUN, j);
	if (ns < job->end_ns)
		return on_ring(c, j, ns);
	return ns < job->complete_ns ? job_root(c, GRT_ROOT_SIGNAL, j) : nobody;
}

/* Why job @j waited at @ns.  A job waits only for jobs that came earlier, so this ends. */
static struct root wait_root(const struct roots *c, uint32_t j, uint64_t ns)
{
	const struct sim_pieces *pieces = &c->truth->pieces[j];
	const struct sim_piece *p = NULL;
	uint32_t k;

	for (uint32_t i = 0; i < pieces->count && !p; i++)
		if (pieces->piece[i].from_ns <= ns &&
		    ns < pieces->piece[i].from_ns + pieces->piece[i].ns)
			p = &pieces->piece[i];
	if (!p)
		return nobody;
	k = find_job(c->sim, p->ctx, p->seqno);
	switch (p->reason) {
	case GRT_BLAME_FENCE:
		return k != SIM_NONE ? life_root(c, k, ns, c->given[j]) :
		       (struct root){ GRT_ROOT_FOREIGN, SIM_NONE, p->ctx, p->seqno };
	case GRT_BLAME_RING:
		return job_root(c, hangs(c->sim, k) ? GRT_ROOT_HANG :
				p->stage == GRT_STAGE_QUEUE ? GRT_ROOT_RUN : GRT_ROOT_FULL, k);
	case GRT_BLAME_RECOVERY:
		return (struct root){ GRT_ROOT_HANG, p->client, p->ctx, p->seqno };
	case GRT_BLAME_SCHEDULER:
		return (struct root){ .kind = GRT_ROOT_SCHEDULER, .client = SIM_NONE };
	default:
		return nobody;
	}
}

static int compare_ns(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Between two neighbouring points, no root changes. */
static void find_points(struct roots *c)
{
	for (uint32_t j = 0; j < c->sim->nr_jobs; j++) {
		const struct sim_job *job = &c->sim->jobs[j];
		const struct sim_pieces *pieces = &c->truth->pieces[j];

		c->points[c->nr_points++] = job->submit_ns;
		c->points[c->nr_points++] = job->commit_ns;
		c->points[c->nr_points++] = c->truth->jobs[j].start_ns;
		c->points[c->nr_points++] = job->end_ns;
		c->points[c->nr_points++] = job->complete_ns;
		for (uint32_t i = 0; i < pieces->count; i++)
			c->points[c->nr_points++] = pieces->piece[i].from_ns;
	}
	for (uint32_t i = 0; i < c->sim->nr_resets; i++) {
		c->points[c->nr_points++] = c->sim->resets[i].from_ns;
		c->points[c->nr_points++] = c->sim->resets[i].to_ns;
	}
	qsort(c->points, c->nr_points, sizeof(c->points[0]), compare_ns);
}

/* Whether the job was on its ring: where events are missing, more may not be known. */
static bool is_on_ring(const struct sim *s, const struct grt_root_span *said)
{
	uint32_t j = find_job(s, said->ctx, said->seqno);

	return j != SIM_NONE && s->jobs[j].commit_ns <= said->from_ns &&
	       said->from_ns < s->jobs[j].end_ns;
}

/* Whether ring and process of a client are known. */
static bool is_known(const struct roots *c, uint32_t client)
{
	return client != GRT_NONE &&
	       grt_model_client(c->model, client)->ring != GRT_NONE &&
	       grt_model_client(c->model, client)->process != GRT_NONE;
}

static bool is_same(const struct roots *c, const struct grt_root_span *said,
		    const struct root *truth)
{
	if (said->kind == GRT_ROOT_UNKNOWN)
		return !c->is_lossless && said->client == GRT_NONE;
	/* A wait that was over before the timeout fired need not know of it. */
	if (truth->kind == GRT_ROOT_HANG &&
	    (said->kind == GRT_ROOT_RUN || said->kind == GRT_ROOT_FULL))
		return said->to_ns <= hung_ns(c->sim, find_job(c->sim, truth->ctx, truth->seqno));
	if (said->kind == GRT_ROOT_ON_RING && truth->kind != GRT_ROOT_ON_RING)
		return !c->is_lossless && is_on_ring(c->sim, said);
	if (said->kind != truth->kind)
		return false;
	if ((said->kind == GRT_ROOT_HANG || said->kind == GRT_ROOT_FOREIGN) &&
	    (said->ctx != truth->ctx || said->seqno != truth->seqno))
		return false;
	if (truth->client == SIM_NONE)
		return said->client == GRT_NONE;
	if (!is_known(c, said->client))
		return !c->is_lossless;
	return sim_is_client(c->model, said->client, &c->truth->clients[truth->client]);
}

/* Compares one span at each moment at which the truth may change. */
static void compare_span(struct roots *c, const struct grt_job *job, uint32_t j,
			 const struct grt_root_span *said)
{
	for (uint32_t i = 0; i + 1 < c->nr_points; i++) {
		uint64_t from_ns = c->points[i], to_ns = c->points[i + 1];
		struct root truth;

		if (from_ns < said->from_ns)
			from_ns = said->from_ns;
		if (to_ns > said->to_ns)
			to_ns = said->to_ns;
		if (from_ns >= to_ns)
			continue;
		truth = wait_root(c, j, from_ns);
		c->tally->root_ns[truth.kind] += to_ns - from_ns;
		if (truth.kind != GRT_ROOT_UNKNOWN) {
			c->tally->known[SIM_SHARE_ROOT] += said->kind != GRT_ROOT_UNKNOWN ?
							   to_ns - from_ns : 0;
			c->tally->all[SIM_SHARE_ROOT] += to_ns - from_ns;
		}
		if ((truth.kind == GRT_ROOT_UNKNOWN && said->kind == GRT_ROOT_UNKNOWN) ||
		    is_same(c, said, &truth))
			continue;
		if (!c->wrong++ && c->out)
			fprintf(c->out, "# job %" PRIu64 ":%" PRIu64 " from %" PRIu64 " to %" PRIu64
				": root %s of %" PRIu64 ":%" PRIu64 ", but the truth is %s of %" PRIu64
				":%" PRIu64 "\n", job->ctx, job->seqno, from_ns, to_ns,
				grt_root_name(said->kind), said->ctx, said->seqno,
				grt_root_name(truth.kind), truth.ctx, truth.seqno);
	}
}

/*
 * Whether what job @j waits for at @ns is certain by then: which of two fences ends last is not, nor
 * fences that nobody has reported yet, nor what a job waits for that will be killed.
 */
static bool is_certain(const struct roots *c, uint32_t j, uint64_t ns)
{
	if (c->sim->is_popped || !c->truth->jobs[j].has_stages)
		return false;
	for (uint32_t k = 0; k < c->sim->nr_jobs; k++)
		if (c->sim->jobs[k].nr_deps > 1 && c->sim->jobs[k].submit_ns <= ns &&
		    c->sim->jobs[k].complete_ns > ns)
			return false;
	return true;
}

/* A job in flight at the end of the trace: its waits go on up to there, or until it runs. */
static void check_inflight(struct roots *c, const struct grt_job *job, uint32_t j,
			   const struct grt_root_list *list)
{
	const struct grt_root_span *spans = list->spans;
	uint64_t until_ns = job->inflight.until_ns, run_ns = job->inflight.run_ns;
	uint64_t sum_ns = 0, charged_ns = 0, wait_ns;

	if (!until_ns || !grt_job_has(job, GRT_AT_SUBMIT))
		return;
	wait_ns = (run_ns ? run_ns : until_ns) - job->at_ns[GRT_AT_SUBMIT];
	c->wrong += run_ns && run_ns != c->truth->jobs[j].start_ns;
	for (uint32_t i = 0; i < grt_job_all_charges(job); i++)
		charged_ns += job->charges[i].ns;
	for (uint32_t i = 0; i < list->waits; i++) {
		c->wrong += i && spans[i].from_ns != spans[i - 1].to_ns;
		sum_ns += spans[i].to_ns - spans[i].from_ns;
		if (i < list->wait || !is_certain(c, j, until_ns))
			continue;
		c->tally->inflight++;
		compare_span(c, job, j, &spans[i]);
	}
	if ((sum_ns == wait_ns && charged_ns == wait_ns) || c->wrong++ || !c->out)
		return;
	fprintf(c->out, "# job %" PRIu64 ":%" PRIu64 ": in flight, roots sum to %" PRIu64 ", charges to %"
		PRIu64 ", it waited %" PRIu64 "\n", job->ctx, job->seqno, sum_ns, charged_ns, wait_ns);
}

/* Whether the totals are the sums of the list. */
static bool are_totals(struct grt_roots *r, const struct grt_root_list *list)
{
	const struct grt_root_total *totals;
	uint64_t all_ns = 0, wait_ns = 0;
	uint32_t count;

	if (grt_roots_totals(r, &totals, &count))
		return false;
	for (uint32_t i = 0; i < list->wait; i++)
		wait_ns += list->spans[i].to_ns - list->spans[i].from_ns;
	for (uint32_t k = 0; k < count; k++) {
		bool is_hang = totals[k].kind == GRT_ROOT_HANG;
		uint64_t ns = 0;

		for (uint32_t i = 0; i < list->wait; i++) {
			const struct grt_root_span *s = &list->spans[i];

			if (s->kind == totals[k].kind && s->client == totals[k].client &&
			    (!is_hang || (s->ctx == totals[k].ctx && s->seqno == totals[k].seqno)))
				ns += s->to_ns - s->from_ns;
		}
		if (ns != totals[k].ns)
			return false;
		all_ns += ns;
	}
	return all_ns == wait_ns;
}

static void take_job(void *arg, const struct grt_job *job)
{
	struct roots *c = arg;
	uint32_t j = find_job(c->sim, job->ctx, job->seqno);
	uint64_t wait_ns = 0, sum_ns = 0;
	const struct grt_root_span *spans;
	struct grt_root_list list;

	if (grt_roots_add(&c->roots, job) || grt_roots_list(&c->roots, &list) || j == SIM_NONE) {
		c->wrong++;
		return;
	}
	if (!c->given[j])
		c->given[j] = ++c->nr_given;
	if (job->is_early)
		return;
	spans = list.spans;
	for (uint32_t i = 0; i < list.wait; i++) {
		if (i && spans[i].from_ns != spans[i - 1].to_ns)
			c->wrong++;
		sum_ns += spans[i].to_ns - spans[i].from_ns;
		compare_span(c, job, j, &spans[i]);
	}
	c->wrong += !are_totals(&c->roots, &list);
	check_inflight(c, job, j, &list);
	for (uint32_t i = 0; i < job->nr_charges; i++)
		wait_ns += job->charges[i].ns;
	if (sum_ns == wait_ns || c->wrong++ || !c->out)
		return;
	fprintf(c->out, "# job %" PRIu64 ":%" PRIu64 ": roots sum to %" PRIu64 ", it waited %" PRIu64
		"\n", job->ctx, job->seqno, sum_ns, wait_ns);
}

static void ignore_job(void *arg, const struct grt_job *job)
{
	(void)arg;
	(void)job;
}

/* If events are missing, the results of a second pass count. */
static bool run_model(struct roots *c, bool has_threads)
{
	struct grt_model *first = NULL;
	bool is_ok;

	c->model = grt_model_create(take_job, c);
	is_ok = c->model;
	if (is_ok)
		grt_model_keep_pieces(c->model);
	if (!c->is_lossless) {
		first = grt_model_create(ignore_job, NULL);
		is_ok = is_ok && first && !sim_feed(c->sim, first) &&
			(!grt_model_wants_hindsight(first) || !grt_model_learn(c->model, first));
	}
	is_ok = is_ok && !(has_threads ? sim_feed_threads : sim_feed)(c->sim, c->model);
	grt_model_destroy(first);
	grt_model_destroy(c->model);
	grt_roots_free(&c->roots);
	return is_ok && !c->wrong;
}

bool sim_check_roots(const struct sim *s, const struct sim_truth *truth, bool is_lossless,
		     struct sim_tally *tally, FILE *out)
{
	struct roots *c = calloc(1, sizeof(*c));
	bool is_right;

	if (!c)
		return false;
	*c = (struct roots){
		.sim = s, .truth = truth, .is_lossless = is_lossless, .tally = tally, .out = out,
	};
	find_points(c);
	is_right = run_model(c, false);
	/* Jobs that are handed out late tell of their roots in time.  One schedule in four is enough. */
	if (is_right && is_lossless && s->nr_events % 4 == 0) {
		memset(c->given, 0, sizeof(c->given));
		c->nr_given = 0;
		is_right = run_model(c, true);
	}
	free(c);
	return is_right;
}
