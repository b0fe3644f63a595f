// SPDX-License-Identifier: GPL-2.0
#include "sim-check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"
#include "sim-idle.h"

struct check {
	const struct sim *sim;
	const struct sim_truth *truth;
	struct grt_model *model;
	struct sim_tally *tally;
	struct grt_matrix blame;
	FILE *out;
	uint32_t wrong;
	bool is_lossless;
	bool is_masked;		/* nothing is missing on these rings except dependencies */
	uint8_t kept[SIM_MAX_JOBS];	/* stamps of each job that are in the trace */
	uint8_t given[SIM_MAX_JOBS];	/* how often the model returned it */
};

static const char * const share_names[] = {
#define SIM_X(NAME, text) [SIM_SHARE_##NAME] = text,
	SIM_SHARES(SIM_X)
#undef SIM_X
};

static void __attribute__((format(printf, 2, 3))) object(struct check *c, const char *text, ...)
{
	va_list args;

	if (c->wrong++ >= 5 || !c->out)	/* later faults follow from these */
		return;
	va_start(args, text);
	fprintf(c->out, "# ");
	vfprintf(c->out, text, args);
	fprintf(c->out, "\n");
	va_end(args);
}

static void count(struct check *c, const char *whose, enum sim_share share, uint64_t known,
		  uint64_t all)
{
	c->tally->known[share] += known;
	c->tally->all[share] += all;
	if (c->is_lossless && known != all)
		object(c, "%s: %s: %" PRIu64 " of %" PRIu64 " known, though nothing was lost",
		       whose, share_names[share], known, all);
}

bool sim_is_client(const struct grt_model *m, uint32_t client, const struct sim_client *want)
{
	const struct grt_names *names = grt_model_names(m);
	const struct grt_client *p = grt_model_client(m, client);

	return p->ring != GRT_NONE && p->process != GRT_NONE &&
	       grt_names_ring_at(names, p->ring)->id - 1 == want->ring &&
	       grt_names_process_at(names, p->process)->tgid == want->tgid &&
	       p->client_id == want->client_id;
}

/* The model's client as one of ours; SIM_NONE: nobody, or not fully known. */
static uint32_t client_of(const struct check *c, uint32_t client)
{
	for (uint32_t i = 0; client != GRT_NONE && i < c->truth->nr_clients; i++)
		if (sim_is_client(c->model, client, &c->truth->clients[i]))
			return i;
	return SIM_NONE;
}

static const char *client_name(const struct check *c, uint32_t client, char *buf, size_t bytes)
{
	const struct sim_client *p;

	if (client == SIM_NONE)
		return "nobody";
	p = &c->truth->clients[client];
	snprintf(buf, bytes, "%s/%u/%" PRIu64, c->sim->rings[p->ring].name, p->tgid, p->client_id);
	return buf;
}

static const char * const through_names[] = {
#define GRT_X(NAME, name, text) [GRT_BLAME_##NAME] = #name,
	GRT_BLAME_REASONS(GRT_X)
#undef GRT_X
};

static uint64_t sum_through(const struct sim_cells *cells, uint8_t reason)
{
	uint64_t ns = 0;

	for (uint32_t i = 0; i < cells->count; i++)
		if (cells->cell[i].reason == reason)
			ns += cells->cell[i].ns;
	return ns;
}

/*
 * Compares cells of the model with the truth.  If events are missing, the model may know less, but
 * nothing more or different.
 */
static void compare_cells(struct check *c, const char *whose, const struct sim_cells *said,
			  const struct sim_cells *truth)
{
	char name[64];

	for (uint32_t i = 0; i < said->count; i++) {
		const struct sim_cell *s = &said->cell[i];
		const struct sim_cell *t = sim_cell_find(truth, s->client, s->reason);
		uint64_t ns = t ? t->ns : 0;

		if (!c->is_lossless && (s->reason == GRT_BLAME_UNKNOWN || s->client == SIM_NONE))
			continue;
		if (c->is_lossless ? s->ns == ns : s->ns <= ns)
			continue;
		object(c, "%s: %" PRIu64 " ns through %s by %s, but the truth is %" PRIu64, whose,
		       s->ns, through_names[s->reason],
		       client_name(c, s->client, name, sizeof(name)), ns);
	}
	for (uint32_t i = 0; i < truth->count; i++) {
		const struct sim_cell *t = &truth->cell[i];

		if (c->is_lossless && t->ns && !sim_cell_find(said, t->client, t->reason))
			object(c, "%s: nothing through %s by %s, but the truth is %" PRIu64, whose,
			       through_names[t->reason],
			       client_name(c, t->client, name, sizeof(name)), t->ns);
	}
	for (int i = 0; i < GRT_BLAME_UNKNOWN; i++)
		if (sum_through(said, i) > sum_through(truth, i))
			object(c, "%s: %" PRIu64 " ns through %s in all, but the truth is %" PRIu64,
			       whose, sum_through(said, i), through_names[i],
			       sum_through(truth, i));
}

/* --- jobs -------------------------------------------------------------------- */

static uint32_t find_job(const struct sim *s, const struct grt_job *job)
{
	for (uint32_t i = 0; i < s->nr_jobs; i++)
		if (s->jobs[i].ctx_id == job->ctx && s->jobs[i].seqno == job->seqno)
			return i;
	return SIM_NONE;
}

static uint64_t true_stamp(const struct check *c, uint32_t j, enum grt_stamp stamp)
{
	const struct sim_job *job = &c->sim->jobs[j];

	switch (stamp) {
	case GRT_AT_SUBMIT:
		return job->submit_ns;
	case GRT_AT_COMMIT:
		return job->commit_ns;
	case GRT_AT_START:
		return c->truth->jobs[j].start_ns;
	case GRT_AT_END:
		return job->end_ns;
	default:
		return job->complete_ns;
	}
}

static void compare_stamps(struct check *c, const char *name, uint32_t j, const struct grt_job *job)
{
	uint64_t start_ns = c->truth->jobs[j].start_ns;

	for (int i = 0; i < GRT_NR_STAMPS; i++) {
		uint64_t true_ns = true_stamp(c, j, i);

		if (!grt_job_has(job, i)) {
			if (i != GRT_AT_START && c->kept[j] >> i & 1 && c->given[j] == 1)
				object(c, "job %s: stamp %d is missing", name, i);
		} else if (job->at_ns[i] != true_ns) {
			object(c, "job %s: stamp %d is %" PRIu64 ", but the truth is %" PRId64,
			       name, i, job->at_ns[i], (int64_t)true_ns);
		}
	}
	if (start_ns != SIM_NEVER && c->kept[j] >> GRT_AT_END & 1)
		count(c, name, SIM_SHARE_START, grt_job_has(job, GRT_AT_START), 1);
}

/* The true value of a stage, or SIM_NEVER. */
static uint64_t true_stage(const struct check *c, uint32_t j, enum grt_stage stage)
{
	static const struct {
		enum grt_stamp from, to;
	} spans[GRT_NR_STAGES] = {
		[GRT_STAGE_SUBMIT_HOST] = { GRT_AT_SUBMIT, GRT_AT_COMMIT },
		[GRT_STAGE_QUEUE] = { GRT_AT_COMMIT, GRT_AT_START },
		[GRT_STAGE_EXEC] = { GRT_AT_START, GRT_AT_END },
		[GRT_STAGE_HW] = { GRT_AT_COMMIT, GRT_AT_END },
		[GRT_STAGE_COMPLETE] = { GRT_AT_END, GRT_AT_COMPLETE },
		[GRT_STAGE_TOTAL] = { GRT_AT_SUBMIT, GRT_AT_COMPLETE },
	};
	const struct sim_truth_job *t = &c->truth->jobs[j];
	uint64_t from_ns, to_ns;

	if (stage <= GRT_STAGE_SCHED)
		return t->has_stages ? t->stage_ns[stage] : SIM_NEVER;
	if (stage == GRT_STAGE_GPU_WAIT)
		return SIM_NEVER;
	from_ns = true_stamp(c, j, spans[stage].from);
	to_ns = true_stamp(c, j, spans[stage].to);
	return from_ns == SIM_NEVER || to_ns == SIM_NEVER ? SIM_NEVER : to_ns - from_ns;
}

static void compare_stages(struct check *c, const char *name, uint32_t j, const struct grt_job *job)
{
	const unsigned int parts = (1 << (GRT_STAGE_SCHED + 1)) - 1;
	uint64_t sum_ns = 0;

	for (int i = 0; i <= GRT_STAGE_TOTAL; i++) {
		uint64_t true_ns = true_stage(c, j, i);
		bool is_known = grt_job_knows(job, i);

		/* Its record may have lost the job: then nothing is known. */
		if (c->is_masked && true_ns != SIM_NEVER && !is_known &&
		    i != GRT_STAGE_DEP && i != GRT_STAGE_RING && i != GRT_STAGE_SCHED)
			object(c, "job %s: %s is not known", name, grt_stage_name(i));
		if (true_ns != SIM_NEVER && c->kept[j])
			count(c, grt_stage_name(i), SIM_SHARE_STAGES, is_known, 1);
		if (is_known && i <= GRT_STAGE_SCHED)
			sum_ns += job->stage_ns[i];
		if (is_known && job->stage_ns[i] != true_ns)
			object(c, "job %s: %s is %" PRIu64 ", but the truth is %" PRId64, name,
			       grt_stage_name(i), job->stage_ns[i], (int64_t)true_ns);
	}
	if (!grt_job_adds_up(job))
		object(c, "job %s: total is not the sum of its stages", name);
	if ((job->stages & parts) == parts && sum_ns != job->stage_ns[GRT_STAGE_SUBMIT_HOST])
		object(c, "job %s: t_submit_host is not the sum of its stages", name);
}

/* If a job had the ring while another waited, it ended after the SUBMIT of the other. */
static void check_first(struct check *c, const char *name, const struct grt_charge *ch)
{
	const struct grt_job key = { .ctx = ch->ctx, .seqno = ch->seqno };
	uint32_t first = ch->reason == GRT_BLAME_RING && ch->ctx ? find_job(c->sim, &key) :
								   SIM_NONE;

	if (first == SIM_NONE || (c->truth->jobs[first].start_ns <= ch->from_ns &&
				  ch->from_ns < c->sim->jobs[first].end_ns))
		return;
	object(c, "job %s: charged to %" PRIu64 ":%" PRIu64 " from %" PRIu64 " on, which was over or had "
	       "not begun: %" PRIu64 " to %" PRIu64, name, ch->ctx, ch->seqno, ch->from_ns,
	       c->truth->jobs[first].start_ns, c->sim->jobs[first].end_ns);
}

static void compare_charges(struct check *c, const char *name, uint32_t j, const struct grt_job *job)
{
	const struct sim_truth_job *t = &c->truth->jobs[j];
	struct sim_cells said = { .count = 0 };
	char whose[64];
	uint64_t wait_ns = 0, known_ns = 0, sum_ns = 0;
	enum grt_stamp to = grt_job_has(job, GRT_AT_START) ? GRT_AT_START : GRT_AT_COMMIT;

	snprintf(whose, sizeof(whose), "job %s: charges", name);
	if (grt_job_has(job, GRT_AT_SUBMIT) && grt_job_has(job, to))
		wait_ns = job->at_ns[to] - job->at_ns[GRT_AT_SUBMIT];
	for (uint32_t i = 0; i < job->nr_charges; i++) {
		const struct grt_charge *ch = &job->charges[i];

		check_first(c, name, ch);
		sim_cell_add(&said, client_of(c, ch->client), ch->reason, ch->ns);
		sum_ns += ch->ns;
		if (ch->reason != GRT_BLAME_UNKNOWN)
			known_ns += ch->ns;
	}
	if (sum_ns != wait_ns)
		object(c, "%s sum to %" PRIu64 ", it waited %" PRIu64, whose, sum_ns, wait_ns);
	compare_cells(c, whose, &said, &t->charges);
	if (c->kept[j])
		count(c, whose, SIM_SHARE_CHARGE, known_ns,
		      t->wait_ns - sum_through(&t->charges, GRT_BLAME_UNKNOWN));
}

static void compare_dep(struct check *c, const char *name, uint32_t j, const struct grt_job *job)
{
	const struct sim_dep *last = sim_last_dep(c->sim, &c->sim->jobs[j]);

	if (!c->is_lossless || !c->truth->jobs[j].stage_ns[GRT_STAGE_DEP])
		return;
	if (job->dep_ctx != last->ctx || job->dep_seqno != last->seqno)
		object(c, "job %s: last dependency %" PRIu64 ":%" PRIu64 ", but the truth is %"
		       PRIu64 ":%" PRIu64, name, job->dep_ctx, job->dep_seqno, last->ctx,
		       last->seqno);
}

static void take_job(void *arg, const struct grt_job *job)
{
	struct check *c = arg;
	uint32_t j = find_job(c->sim, job);
	char name[64];

	snprintf(name, sizeof(name), "%" PRIu64 ":%" PRIu64, job->ctx, job->seqno);
	if (j == SIM_NONE) {
		object(c, "job %s never was", name);
		return;
	}
	if (c->given[j]++)
		object(c, "job %s came twice", name);
	c->tally->jobs++;
	compare_stamps(c, name, j, job);
	compare_stages(c, name, j, job);
	compare_charges(c, name, j, job);
	compare_dep(c, name, j, job);
	if (c->is_lossless && !(job->flags & GRT_JOB_KILLED) != !sim_is_killed(&c->sim->jobs[j]))
		object(c, "job %s: killed or not?", name);
	if (grt_matrix_add_blame(&c->blame, job))
		object(c, "no memory");
}

/* --- rings, devices, matrix --------------------------------------------------- */

/*
 * Whether a ring's whole time is known.  A device is idle for the last cause in the list that any
 * of its rings has, so one ring's unknown cause hides that of another.
 */
static bool is_all_known(const struct check *c, bool is_device, int cause)
{
	if (c->is_lossless)
		return true;
	if (!c->is_masked || cause == GRT_IDLE_DEPENDENCY || cause == GRT_IDLE_SCHEDULER)
		return false;
	return !is_device || (cause == GRT_IDLE_STARVED && !c->sim->kept_rings);
}

static void compare_use(struct check *c, const char *name, bool is_device,
			const struct grt_ring_use *said, const struct grt_ring_use *truth)
{
	uint64_t sum_ns = said->busy_ns;

	for (int i = 0; i < GRT_NR_IDLES; i++)
		sum_ns += said->idle_ns[i];
	if (sum_ns != c->truth->to_ns - c->truth->from_ns)
		object(c, "%s: busy and idle sum to %" PRIu64 ", wall is %" PRIu64, name, sum_ns,
		       c->truth->to_ns - c->truth->from_ns);
	if (c->is_lossless || (c->is_masked && !(is_device && c->sim->kept_rings)) ?
	    said->busy_ns != truth->busy_ns : said->busy_ns > truth->busy_ns)
		object(c, "%s: busy %" PRIu64 ", but the truth is %" PRIu64, name, said->busy_ns,
		       truth->busy_ns);
	/* What is left unknown, but surely idle, was not busy. */
	if (said->unexplained_ns > said->idle_ns[GRT_IDLE_UNKNOWN] ||
	    truth->busy_ns > said->busy_ns + said->idle_ns[GRT_IDLE_UNKNOWN] - said->unexplained_ns)
		object(c, "%s: %" PRIu64 " idle for unknown reasons, but it was busy %" PRIu64, name,
		       said->unexplained_ns, truth->busy_ns);
	for (int i = 0; i < GRT_NR_IDLES; i++) {
		uint64_t said_ns = said->idle_ns[i], true_ns = truth->idle_ns[i];

		if (!c->is_lossless && i == GRT_IDLE_UNKNOWN)
			continue;
		/* The truth does not have rings without events, which may have been busy. */
		if (is_device && c->sim->kept_rings && said_ns)
			object(c, "%s: %s %" PRIu64 ", but rings are left out", name,
			       grt_idle_name(i), said_ns);
		if (is_all_known(c, is_device, i) ? said_ns == true_ns : said_ns <= true_ns)
			continue;
		object(c, "%s: %s %" PRIu64 ", but the truth is %" PRIu64, name, grt_idle_name(i),
		       said_ns, true_ns);
	}
	c->tally->known[SIM_SHARE_RING] += sum_ns - said->idle_ns[GRT_IDLE_UNKNOWN];
	c->tally->all[SIM_SHARE_RING] += sum_ns - truth->idle_ns[GRT_IDLE_UNKNOWN];
}

static void compare_devices(struct check *c)
{
	bool is_wanted[SIM_MAX_RINGS] = { false };
	const struct grt_ring_use *use;
	const char *name;

	for (uint32_t r = 0; r < c->sim->nr_rings; r++)
		if (c->sim->rings[r].order == GRTRACE_ORDER_FIFO &&
		    c->truth->joined_ns[r] != SIM_NEVER)
			is_wanted[c->sim->rings[r].device] = true;
	for (uint32_t i = 0; (use = grt_model_device_use(c->model, i, &name)); i++) {
		uint32_t d = strtoul(name + strcspn(name, "0123456789"), NULL, 10);

		if (d >= SIM_MAX_RINGS || !is_wanted[d])
			continue;	/* none of its rings is in order */
		is_wanted[d] = false;
		compare_use(c, name, true, use, &c->truth->devices[d]);
	}
	for (uint32_t d = 0; d < SIM_MAX_RINGS; d++)
		if (is_wanted[d] && c->is_lossless)
			object(c, "device%u is missing", d);
}

static void compare_rings(struct check *c)
{
	for (uint32_t r = 0; r < c->sim->nr_rings; r++)
		if (c->truth->joined_ns[r] != SIM_NEVER)
			compare_use(c, c->sim->rings[r].name, false,
				    grt_model_ring_use(c->model, r), &c->truth->rings[r]);
}

/* Compares the worst job, the number of jobs and the sum of each cell. */
static void compare_matrix(struct check *c)
{
	struct sim_cells said[SIM_MAX_CLIENTS] = { 0 };
	char name[64], whose[128];

	for (size_t i = 0; i < grt_matrix_count(&c->blame); i++) {
		const struct grt_matrix_row *row = grt_matrix_at(&c->blame, i);
		uint32_t victim = client_of(c, row->victim), culprit = client_of(c, row->culprit);
		const struct sim_cell *t;

		if (victim == SIM_NONE) {
			if (c->is_lossless)
				object(c, "matrix: a victim without a name");
			continue;
		}
		sim_cell_add(&said[victim], culprit, row->kind, row->ns);
		t = sim_cell_find(&c->truth->blame[victim], culprit, row->kind);
		if (c->is_lossless && t && t->ns &&
		    (t->jobs != row->jobs || t->worst_ns != row->worst_ns))
			object(c, "matrix: %" PRIu64 " jobs, worst %" PRIu64
			       ", but the truth is %" PRIu64 " and %" PRIu64, row->jobs,
			       row->worst_ns, t->jobs, t->worst_ns);
	}
	for (uint32_t v = 0; v < c->truth->nr_clients; v++) {
		snprintf(whose, sizeof(whose), "matrix: %s", client_name(c, v, name, sizeof(name)));
		compare_cells(c, whose, &said[v], &c->truth->blame[v]);
	}
}

/* Rows of the model may have time that the truth leaves open, but not more. */
static void compare_idle(struct check *c)
{
	static struct sim_idle truth, said;
	const struct grt_names *names = grt_model_names(c->model);
	const struct grt_idle_row *row;
	char name[64];

	sim_idle(&truth, c->truth, c->sim);
	memset(&said, 0, sizeof(said));
	for (size_t i = 0; (row = grt_model_idle_row(c->model, i)); i++) {
		struct sim_idle_row mine = {
			.ring = grt_names_ring_at(names, row->ring)->id - 1,
			.client = client_of(c, row->client), .cause = row->cause, .ns = row->ns,
		};

		if (mine.cause != GRT_IDLE_UNKNOWN)
			sim_idle_add(&said, &mine);
	}
	for (uint32_t i = 0; i < truth.count + said.count; i++) {
		const struct sim_idle_row *like = i < truth.count ? &truth.row[i] :
								    &said.row[i - truth.count];
		uint64_t true_ns = sim_idle_ns(&truth, like), said_ns = sim_idle_ns(&said, like);

		if (said_ns < true_ns ||
		    said_ns > true_ns + truth.open_ns[like->ring][like->cause])
			object(c, "%s: %s for %s: %" PRIu64 ", but the truth is %" PRIu64, c->sim->rings[like->ring].name,
			       grt_idle_name(like->cause),
			       client_name(c, like->client, name, sizeof(name)),
			       said_ns, true_ns);
	}
}

/* Checks the invariants of the truth, and what the simulated hardware did. */
static void check_truth(struct check *c)
{
	const struct sim *s = c->sim;

	for (uint32_t j = 0; j < s->nr_jobs; j++) {
		const struct sim_truth_job *t = &c->truth->jobs[j];
		uint64_t stages_ns = 0, charges_ns = 0;

		if (!t->has_stages)
			continue;
		for (int i = 0; i <= GRT_STAGE_SCHED; i++)
			stages_ns += t->stage_ns[i];
		for (uint32_t i = 0; i < t->charges.count; i++)
			charges_ns += t->charges.cell[i].ns;
		if (stages_ns != s->jobs[j].commit_ns - s->jobs[j].submit_ns ||
		    charges_ns != t->wait_ns)
			object(c, "truth: job %u does not add up", j);
		if (!s->nr_resets && t->start_ns != SIM_NEVER && t->start_ns != s->jobs[j].begin_ns)
			object(c, "truth: job %u began at %" PRIu64 ", not at %" PRIu64, j,
			       s->jobs[j].begin_ns, t->start_ns);
	}
	for (uint32_t r = 0; r < s->nr_rings; r++) {
		uint64_t sum_ns = c->truth->rings[r].busy_ns;

		for (int i = 0; i < GRT_NR_IDLES; i++)
			sum_ns += c->truth->rings[r].idle_ns[i];
		if (sum_ns != c->truth->to_ns - c->truth->from_ns)
			object(c, "truth: %s does not add up", s->rings[r].name);
	}
}

static void find_kept(struct check *c)
{
	static const uint8_t stamp_of[] = {
		[GRTRACE_SUBMIT] = 1 << GRT_AT_SUBMIT, [GRTRACE_COMMIT] = 1 << GRT_AT_COMMIT,
		[GRTRACE_END] = 1 << GRT_AT_END, [GRTRACE_COMPLETE] = 1 << GRT_AT_COMPLETE,
		[GRTRACE_NR_EVENTS] = 0,
	};

	for (uint32_t i = 0; i < c->sim->nr_events; i++) {
		const struct sim_event *e = &c->sim->events[i];

		if (!e->is_dropped && e->job != SIM_NONE)
			c->kept[e->job] |= stamp_of[e->rec.hdr.type];
	}
}

static void sum_truth(const struct check *c)
{
	struct sim_tally *tally = c->tally;

	tally->events += c->sim->nr_events;
	for (uint32_t j = 0; j < c->sim->nr_jobs; j++) {
		const struct sim_truth_job *t = &c->truth->jobs[j];

		for (int i = 0; i <= GRT_STAGE_SCHED; i++)
			tally->stage_ns[i] += t->stage_ns[i];
		for (uint32_t i = 0; i < t->charges.count; i++)
			tally->through_ns[t->charges.cell[i].reason] += t->charges.cell[i].ns;
	}
	for (uint32_t r = 0; r < c->sim->nr_rings; r++) {
		tally->busy_ns += c->truth->rings[r].busy_ns;
		for (int i = 0; i < GRT_NR_IDLES; i++)
			tally->idle_ns[i] += c->truth->rings[r].idle_ns[i];
	}
}

static void ignore_job(void *arg, const struct grt_job *job)
{
	(void)arg;
	(void)job;
}

/* If events are missing, the results of a second pass count. */
static bool run_model(struct check *c)
{
	struct grt_model *first = NULL;
	bool is_ok = true;

	c->model = grt_model_create(take_job, c);
	if (!c->is_lossless) {
		first = grt_model_create(ignore_job, NULL);
		is_ok = first && !sim_feed(c->sim, first) &&
			(!grt_model_wants_hindsight(first) || !grt_model_learn(c->model, first));
	}
	is_ok = is_ok && c->model && !sim_feed(c->sim, c->model);
	grt_model_destroy(first);
	return is_ok;
}

/* Whether rings are left out, and none of them shares hardware with a kept one. */
static bool has_whole_rings(const struct sim *s)
{
	for (uint32_t r = 0; r < s->nr_rings; r++)
		if ((s->kept_rings >> r & 1) != (s->kept_rings >> s->rings[r].hw & 1))
			return false;
	return s->kept_rings;
}

bool sim_check(const struct sim *s, bool is_lossless, struct sim_tally *tally, FILE *out)
{
	static struct sim_truth truth;
	struct check c = {
		.sim = s, .truth = &truth, .tally = tally, .out = out, .is_lossless = is_lossless,
		.is_masked = s->nr_masks || has_whole_rings(s),
		.blame.kinds = GRT_NR_BLAME_REASONS,
	};

	sim_truth(&truth, s, is_lossless);
	if (truth.from_ns > truth.to_ns)
		return true;	/* no event is left */
	check_truth(&c);
	sum_truth(&c);
	find_kept(&c);
	if (!run_model(&c)) {
		object(&c, "the model failed");
		goto destroy;
	}
	for (uint32_t j = 0; j < s->nr_jobs; j++)
		if (c.kept[j] && !c.given[j])
			object(&c, "job %" PRIu64 ":%" PRIu64 " is missing", s->jobs[j].ctx_id,
			       s->jobs[j].seqno);
	compare_rings(&c);
	compare_devices(&c);
	compare_matrix(&c);
	if (is_lossless && !sim_check_pieces(s, &truth, c.wrong ? NULL : out))
		object(&c, "pieces differ");
	if (!sim_check_roots(s, &truth, is_lossless, tally, c.wrong ? NULL : out))
		object(&c, "roots differ");
	if (is_lossless && !s->has_ties)
		compare_idle(&c);
destroy:
	grt_matrix_free(&c.blame);
	grt_model_destroy(c.model);
	return !c.wrong;
}
