// SPDX-License-Identifier: GPL-2.0
#include "property-view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "model.h"
#include "reading.h"
#include "summary.h"

#define CTX_UNIT	(1ull << 48)	/* contexts of one boot of a merged trace */
#define PID_UNIT	10000000u

struct pass {
	struct property_view *view;
	const struct property_lens *lens;
	struct grt_model *model;
	struct grt_summary summary;
	bool has_failed;
};

static void append(struct grt_vec *v, const void *data, size_t bytes)
{
	if (grt_vec_append(v, data, bytes))
		abort();
}

/* --- names ---------------------------------------------------------------------------- */

static struct grt_vec names;	/* of char * */

uint32_t property_name(const char *name)
{
	char *copy;

	for (size_t i = 0; i < grt_vec_count(&names, char *); i++)
		if (!strcmp(*grt_vec_at(&names, char *, i), name))
			return i + 1;
	copy = strdup(name);
	if (!copy)
		abort();
	append(&names, &copy, sizeof(copy));
	return grt_vec_count(&names, char *);
}

const char *property_name_at(uint32_t name)
{
	return name ? *grt_vec_at(&names, char *, name - 1) : "nobody";
}

void property_forget_names(void)
{
	for (size_t i = 0; i < grt_vec_count(&names, char *); i++)
		free(*grt_vec_at(&names, char *, i));
	grt_vec_free(&names);
}

/* 0: the ring is not defined, or the lens excludes it. */
static uint32_t name_device(const struct pass *p, const struct grt_ring *ring, const char *tail)
{
	const char *device = ring->device, *prefix = p->lens ? p->lens->prefix : "";
	const char *others = p->lens ? p->lens->others : NULL;
	char name[128];

	if (!ring->is_defined || strncmp(device, prefix, strlen(prefix)) ||
	    (others && !strncmp(device, others, strlen(others))))
		return 0;
	snprintf(name, sizeof(name), "%s%s", device + strlen(prefix), tail);
	return property_name(name);
}

static uint32_t name_ring(const struct pass *p, uint32_t row)
{
	const struct grt_ring *ring;
	char tail[48];

	if (row == GRT_NONE)
		return 0;
	ring = grt_names_ring_at(grt_model_names(p->model), row);
	snprintf(tail, sizeof(tail), "/%s", ring->name);
	return name_device(p, ring, tail);
}

static uint32_t name_client(const struct pass *p, uint32_t nr)
{
	const struct grt_client *client;
	uint32_t ring, tgid;
	char name[192];

	if (nr == GRT_NONE)
		return 0;
	client = grt_model_client(p->model, nr);
	ring = name_ring(p, client->ring);
	if (!ring || client->process == GRT_NONE)
		return 0;
	tgid = grt_names_process_at(grt_model_names(p->model), client->process)->tgid;
	snprintf(name, sizeof(name), "%s/%u/%" PRIu64, property_name_at(ring), tgid % PID_UNIT,
		 client->client_id);
	return property_name(name);
}

/* --- jobs ----------------------------------------------------------------------------- */

static bool is_of_lens(const struct property_lens *lens, uint64_t ctx)
{
	return !lens || ctx / CTX_UNIT == lens->boot;
}

static uint64_t own_ctx(const struct property_lens *lens, uint64_t ctx)
{
	return lens ? ctx % CTX_UNIT : ctx;
}

static uint64_t own_ns(const struct property_lens *lens, uint64_t ns)
{
	return lens && ns ? ns - lens->shift_ns : ns;
}

static void take_charges(struct pass *p, struct property_job *to, const struct grt_job *job)
{
	struct property_view *v = p->view;

	to->first_charge = grt_vec_count(&v->charges, struct property_charge);
	to->nr_charges = job->nr_charges;
	for (uint32_t i = 0; i < job->nr_charges; i++) {
		const struct grt_charge *ch = &job->charges[i];
		struct property_charge charge = {
			.client = name_client(p, ch->client),
			.reason = ch->reason,
			.ns = ch->ns,
		};

		append(&v->charges, &charge, sizeof(charge));
	}
}

static int add_job(void *arg, const struct grt_job *job)
{
	struct pass *p = arg;
	const struct property_lens *lens = p->lens;
	struct property_job to = {
		.ctx = own_ctx(lens, job->ctx), .seqno = job->seqno,
		.ring = name_ring(p, job->ring), .client = name_client(p, job->client),
		.tid = job->tid % PID_UNIT, .credits = job->credits, .flags = job->flags,
		.status = job->has_status ? job->status : 0, .has_status = job->has_status,
		.stages = job->stages, .stamps = job->stamps, .client_id = job->client_id,
		.dep_ctx = own_ctx(lens, job->dep_ctx), .dep_seqno = job->dep_seqno,
		.hw_done_ns = own_ns(lens, job->hw_done_ns),
	};
	bool is_wanted;

	if (!is_of_lens(lens, job->ctx))
		return 0;
	for (int i = 0; i < GRT_NR_STAMPS; i++)
		to.at_ns[i] = grt_job_has(job, i) ? own_ns(lens, job->at_ns[i]) : 0;
	for (int i = 0; i < GRT_NR_STAGES; i++)
		to.stage_ns[i] = grt_job_knows(job, i) ? job->stage_ns[i] : 0;
	take_charges(p, &to, job);
	append(&p->view->jobs, &to, sizeof(to));
	return grt_summary_add(&p->summary, job, &is_wanted);
}

static int compare_jobs(const void *a, const void *b)
{
	const struct property_job *x = a, *y = b;

	if (x->ctx != y->ctx)
		return x->ctx < y->ctx ? -1 : 1;
	return (x->seqno > y->seqno) - (x->seqno < y->seqno);
}

const struct property_job *property_find_job(const struct property_view *v, uint64_t ctx,
					     uint64_t seqno)
{
	struct property_job like = { .ctx = ctx, .seqno = seqno };

	if (!v->jobs.bytes)
		return NULL;
	return bsearch(&like, v->jobs.data, grt_vec_count(&v->jobs, struct property_job),
		       sizeof(like), compare_jobs);
}

/* --- rows ------------------------------------------------------------------------------ */

static void take_use(struct pass *p, uint32_t name, const struct grt_ring_use *use,
		     struct property_use row)
{
	row.name = name;
	row.jobs = use->jobs;
	row.unknown_jobs = use->unknown_jobs;
	row.unexplained_ns = use->unexplained_ns;
	row.ns[0] = use->busy_ns;
	for (int i = 0; i < GRT_NR_IDLES; i++) {
		row.ns[i + 1] = use->idle_ns[i];
		row.is_live |= use->idle_ns[i];
	}
	row.is_live |= use->busy_ns;
	append(&p->view->uses, &row, sizeof(row));
}

static uint32_t name_of_device(const struct pass *p, const char *device)
{
	struct grt_ring ring = { .is_defined = true };

	snprintf(ring.device, sizeof(ring.device), "%s", device);
	return name_device(p, &ring, "");
}

static void take_uses(struct pass *p)
{
	const struct grt_names *defs = grt_model_names(p->model);
	const struct grt_ring_use *use;
	const char *device;

	p->view->lacks_rings = defs->metadata && strstr(defs->metadata, "slice_lacks_rings");
	for (uint32_t row = 0; row < grt_vec_count(&defs->rings, struct grt_ring); row++) {
		const struct grt_ring *ring = grt_names_ring_at(defs, row);
		uint32_t name = name_ring(p, row);

		if (name)
			take_use(p, name, grt_model_ring_use(p->model, row), (struct property_use){
				.device = name_device(p, ring, ""),
				.is_fifo = ring->order == GRTRACE_ORDER_FIFO,
			});
	}
	for (uint32_t i = 0; (use = grt_model_device_use(p->model, i, &device)); i++) {
		uint32_t name = name_of_device(p, device);

		if (name)
			take_use(p, name, use, (struct property_use){ .is_device = true });
	}
}

static void take_idles(struct pass *p)
{
	const struct grt_idle_row *row;

	for (size_t i = 0; (row = grt_model_idle_row(p->model, i)); i++) {
		struct property_idle idle = {
			.ring = name_ring(p, row->ring), .client = name_client(p, row->client),
			.ctx = row->client == GRT_NONE && is_of_lens(p->lens, row->ctx) ?
				       own_ctx(p->lens, row->ctx) : 0,
			.cause = row->cause, .ns = row->ns,
		};

		if (idle.ring)
			append(&p->view->idles, &idle, sizeof(idle));
	}
}

static void take_summary(struct pass *p)
{
	struct property_view *v = p->view;

	for (size_t i = 0; i < grt_matrix_count(&p->summary.blame); i++) {
		const struct grt_matrix_row *row = grt_matrix_at(&p->summary.blame, i);
		struct property_blame blame = {
			name_client(p, row->victim),
			name_client(p, row->culprit),
			row->kind,
			row->ns,
		};

		append(&v->blames, &blame, sizeof(blame));
	}
	for (int g = 0; g < GRT_NR_GROUPS; g++)
		for (size_t i = 0; i < grt_rollup_count(&p->summary.groups[g]); i++)
			v->group_jobs[g] += grt_rollup_at(&p->summary.groups[g], i)->jobs;
	v->all_jobs = p->summary.all.jobs;
	v->outcome_jobs = p->summary.more_outcomes;
	for (size_t i = 0; i < grt_vec_count(&p->summary.outcomes, struct grt_outcome); i++)
		v->outcome_jobs += grt_vec_at(&p->summary.outcomes, struct grt_outcome, i)->jobs;
}

static void take_totals(struct pass *p)
{
	const struct grt_model_totals *totals = grt_model_totals(p->model);

	memcpy(p->view->lost, totals->lost, sizeof(p->view->lost));
	p->view->uncounted = totals->uncounted;
	p->view->is_cut = totals->is_cut;
	p->view->wall_ns = grt_model_wall_ns(p->model);
	p->view->first_ns = totals->first_ns;
	p->view->last_ns = totals->last_ns;
	for (int i = 0; i < GRTRACE_NR_EVENTS; i++)
		p->view->events += totals->events[i];
}

/* --- reading ---------------------------------------------------------------------------- */

static unsigned int warnings;

static void count_warning(const char *hint, const char *text)
{
	(void)hint;
	(void)text;
	warnings++;
}

static void forget(struct property_view *v)
{
	v->jobs.bytes = v->charges.bytes = v->uses.bytes = v->idles.bytes = v->blames.bytes = 0;
	v->events = 0;
	memset(v->group_jobs, 0, sizeof(v->group_jobs));
}

static int begin_pass(void *arg, struct grt_model *model)
{
	static const struct grt_summary_wants wants = {
		.groups = (1u << GRT_NR_GROUPS) - 1, .max_worst = 1, .has_blame = true,
		.query.with_synthetic = true,
	};
	struct pass *p = arg;

	forget(p->view);
	grt_summary_free(&p->summary);
	p->model = model;
	return grt_summary_init(&p->summary, model, &wants);
}

static int end_pass(void *arg)
{
	struct pass *p = arg;
	int err = grt_summary_close(&p->summary);

	if (err)
		return err;
	take_uses(p);
	take_idles(p);
	take_summary(p);
	take_totals(p);
	if (p->view->jobs.bytes)
		qsort(p->view->jobs.data, grt_vec_count(&p->view->jobs, struct property_job),
		      sizeof(struct property_job), compare_jobs);
	return 0;
}

static const struct grt_replay_ops ops = { .begin = begin_pass, .job = add_job, .end = end_pass };

int property_view_read(struct property_view *v, char *path, const struct property_lens *lens)
{
	struct pass p = { .view = v, .lens = lens };
	struct grt_replay replay = {
		.ops = &ops, .arg = &p, .with_synthetic = true,
	};
	int err;

	memset(v, 0, sizeof(*v));
	warnings = 0;
	grt_warn_to(count_warning);
	err = reading_replay(&replay, path, NULL);
	v->warnings = warnings;
	grt_summary_free(&p.summary);
	grt_replay_free(&replay);
	return err;
}

void property_view_free(struct property_view *v)
{
	grt_vec_free(&v->jobs);
	grt_vec_free(&v->charges);
	grt_vec_free(&v->uses);
	grt_vec_free(&v->idles);
	grt_vec_free(&v->blames);
	memset(v, 0, sizeof(*v));
}
