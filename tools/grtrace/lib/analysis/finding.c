// SPDX-License-Identifier: LGPL-2.1
#include "finding.h"

#include <string.h>

/* Causes that a user can do something about; a starved ring just has no work. */
static const enum grt_idle causes[] = {
	GRT_IDLE_DEPENDENCY, GRT_IDLE_SCHEDULER, GRT_IDLE_HARDWARE, GRT_IDLE_RECOVERY,
};

static void find_exec(const struct grt_summary *s, const struct grt_client *client, struct grt_finding *f)
{
	const struct grt_rollup *rows = &s->groups[GRT_BY_RING_PROCESS];

	for (size_t i = 0; i < grt_rollup_count(rows); i++) {
		const struct grt_rollup_key *key = grt_rollup_key_at(rows, i);
		const struct grt_rollup_row *row;

		if (key->ring != client->ring || key->process != client->process)
			continue;
		row = grt_rollup_at(rows, i);
		f->exec_ns = grt_hist_mean(&row->stages[GRT_STAGE_EXEC]);
		f->is_exec_bound = grt_rollup_is_bound(row, GRT_STAGE_EXEC);
		return;
	}
}

static void find_culprit(const struct grt_summary *s, struct grt_finding *f)
{
	const struct grt_idle_row *row;

	f->client = GRT_NONE;
	for (size_t i = 0; (row = grt_model_idle_row(s->model, i)); i++) {
		if (row->ring != f->ring || row->cause != f->cause || row->ns <= f->culprit_ns ||
		    (row->client == GRT_NONE && !row->ctx))
			continue;
		f->culprit_ns = row->ns;
		f->client = row->client;
		f->ctx = row->ctx;
		f->seqno = row->seqno;
	}
	if (f->client != GRT_NONE)
		find_exec(s, grt_model_client(s->model, f->client), f);
}

static bool is_idle(const struct grt_ring_use *use, struct grt_finding *f)
{
	f->kind = GRT_FINDING_IDLE;
	f->ns = 0;
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		if (use->idle_ns[causes[i]] <= f->ns)
			continue;
		f->ns = use->idle_ns[causes[i]];
		f->cause = causes[i];
	}
	return (unsigned __int128)f->ns * 100 >=
	       (unsigned __int128)f->span_ns * GRT_FINDING_MIN_IDLE;
}

static bool is_full(const struct grt_ring_use *use, const struct grt_rollup_row *row,
		    struct grt_finding *f)
{
	const uint64_t *ns = row->share_ns;

	f->kind = GRT_FINDING_FULL;
	f->ns = use->busy_ns;
	f->total_ns = ns[GRT_STAGE_TOTAL];
	f->behind_ns = ns[GRT_STAGE_ORDER] + ns[GRT_STAGE_RING] + ns[GRT_STAGE_QUEUE];
	return (unsigned __int128)f->ns * 100 >=
	       (unsigned __int128)f->span_ns * GRT_FINDING_MIN_BUSY &&
	       (unsigned __int128)f->behind_ns * 100 >=
	       (unsigned __int128)f->total_ns * GRT_FINDING_MIN_BEHIND && f->total_ns;
}

const char *grt_finding_name(const struct grt_finding *f)
{
	static const char *const names[] = {
#define GRT_X(NAME, name) [GRT_FINDING_##NAME] = #name,
		GRT_FINDINGS(GRT_X)
#undef GRT_X
	};

	if (f->kind == GRT_FINDING_LONG && f->long_job.may_lack_interrupt)
		return "late_interrupt";
	return f->kind == GRT_FINDING_IDLE ? grt_idle_name(f->cause) : names[f->kind];
}

static bool is_worse(const struct grt_finding *a, const struct grt_finding *b)
{
	/* A ring that idles and one that is full are equally bad. */
	bool a_is_ring = a->kind == GRT_FINDING_IDLE || a->kind == GRT_FINDING_FULL;
	bool b_is_ring = b->kind == GRT_FINDING_IDLE || b->kind == GRT_FINDING_FULL;

	if (a->kind != b->kind && !(a_is_ring && b_is_ring))
		return a->kind < b->kind;
	return a->ns > b->ns;
}

struct list {
	struct grt_finding *found;
	unsigned int count;
};

/* Keeps the worst findings, sorted. */
static void put(struct list *l, const struct grt_finding *f)
{
	unsigned int i = l->count;

	if (i == GRT_MAX_FINDINGS && !is_worse(f, &l->found[i - 1]))
		return;
	if (i == GRT_MAX_FINDINGS)
		i--;
	else
		l->count++;
	for (; i && is_worse(f, &l->found[i - 1]); i--)
		l->found[i] = l->found[i - 1];
	l->found[i] = *f;
}

static void find_hangs(const struct grt_summary *s, struct list *l)
{
	for (size_t i = 0; i < grt_hangs_count(&s->hangs); i++) {
		const struct grt_hang *h = grt_hangs_at(&s->hangs, i);

		if (!h->is_wanted)
			continue;
		put(l, &(struct grt_finding){
			.kind = GRT_FINDING_HANG, .hang = h, .ns = h->worst_ns,
			.ring = h->has_job ? h->job.ring : GRT_NONE,
		});
	}
}

/* A job that hung also failed; it is no finding twice. */
static void find_failed(const struct grt_summary *s, struct list *l)
{
	for (size_t i = 0; i < grt_vec_count(&s->outcomes, struct grt_outcome); i++) {
		const struct grt_outcome *o = grt_vec_at(&s->outcomes, struct grt_outcome, i);

		if (!o->status || o->jobs == o->hung)
			continue;
		put(l, &(struct grt_finding){
			.kind = o->is_killed ? GRT_FINDING_KILLED : GRT_FINDING_FAILED,
			.outcome = o, .ring = o->first.ring,
			.ns = grt_job_knows(&o->first, GRT_STAGE_TOTAL) ?
			      o->first.stage_ns[GRT_STAGE_TOTAL] : 0,
		});
	}
}

static void find_long(const struct grt_summary *s, struct list *l)
{
	struct grt_finding f = { .kind = GRT_FINDING_LONG };

	if (!grt_long_jobs_worst(&s->long_jobs, s->model, &f.long_job))
		return;
	f.ring = grt_model_client(s->model, f.long_job.client)->ring;
	f.ns = f.long_job.ns;
	put(l, &f);
}

static void find_rings(const struct grt_summary *s, struct list *l)
{
	const struct grt_rollup *rings = &s->groups[GRT_BY_RING];
	const struct grt_names *names = grt_model_names(s->model);

	for (size_t i = 0; i < grt_rollup_count(rings); i++) {
		const struct grt_rollup_row *row = grt_rollup_at(rings, i);
		const struct grt_ring_use *use = grt_model_ring_use(s->model, row->key.ring);
		struct grt_finding f = {
			.ring = row->key.ring, .known_ns = grt_use_known_ns(use),
			.span_ns = grt_use_span_ns(use), .unsure_ns = grt_use_unsure_ns(use),
			.no_cpu_ns = grt_hist_sum(&row->stages[GRT_STAGE_SCHED_CPU]),
		};

		if (f.ring == GRT_NONE || !f.known_ns ||
		    grt_names_ring_at(names, f.ring)->order != GRTRACE_ORDER_FIFO)
			continue;
		if (is_idle(use, &f) || is_full(use, row, &f))
			put(l, &f);
	}
}

unsigned int grt_findings(const struct grt_summary *s, struct grt_finding found[GRT_MAX_FINDINGS])
{
	struct list l = { .found = found };

	find_hangs(s, &l);
	find_failed(s, &l);
	find_long(s, &l);
	find_rings(s, &l);
	for (unsigned int i = 0; i < l.count; i++)
		if (found[i].kind == GRT_FINDING_IDLE)
			find_culprit(s, &found[i]);
	return l.count;
}
