// SPDX-License-Identifier: LGPL-2.1
#include "model.h"

#include <stdlib.h>

#include "error.h"
#include "inside.h"

struct grt_model *grt_model_create(grt_job_fn *fn, void *arg)
{
	struct grt_model *m = calloc(1, sizeof(*m));

	if (!m) {
		grt_fail_memory();
		return NULL;
	}
	m->fn = fn;
	m->arg = arg;
	m->free_ctx = m->ended = m->held_head = m->held_tail = GRT_NONE;
	return m;
}

void grt_model_destroy(struct grt_model *m)
{
	if (!m)
		return;
	grt_vec_free(&m->uses);
	grt_vec_free(&m->lanes);
	grt_losses_free(&m->losses);
	grt_names_free(&m->names);
	grt_vec_free(&m->ctxs);
	grt_keymap_free(&m->ctx_rows);
	grt_keymap_free(&m->jobs[1]);
	grt_keymap_free(&m->jobs[0]);
	grt_pool_free(&m->pool);
	free(m);
}

int grt_model_add_loss(struct grt_model *m, uint64_t from_ns, uint64_t to_ns)
{
	return grt_losses_add(&m->losses, from_ns, to_ns);
}

static int take_loss(struct grt_model *m, const struct grtrace_loss *rec)
{
	if (rec->reason < GRTRACE_NR_FATES)
		m->totals.lost[rec->reason] += rec->count;
	return grt_losses_add(&m->losses, rec->from_ns, rec->to_ns);
}

/* Time moves on: nothing with an earlier time will come. */
static void advance(struct grt_model *m, uint64_t ts_ns)
{
	grt_settle_ended(m);
	m->now_ns = ts_ns;
	if (ts_ns > GRT_SKEW_NS)
		grt_finish_held(m, ts_ns - GRT_SKEW_NS - 1);
}

static void count(struct grt_model *m, const struct grtrace_hdr *rec)
{
	struct grt_model_totals *t = &m->totals;

	t->events[rec->type]++;
	if (rec->flags & GRTRACE_F_SYNTHETIC)
		t->synthetic++;
	if (!t->last_ns)
		t->first_ns = rec->ts;
	if (rec->ts > t->last_ns)
		t->last_ns = rec->ts;
	if (rec->ts < m->now_ns)
		t->backwards++;
}

static void count_error(struct grt_model *m, const struct grtrace_error *rec)
{
	m->totals.errors[rec->code < GRT_NR_ERRORS ? rec->code : GRTRACE_ERROR_NONE]++;
}

/* A job that the kernel kept back until it was over: all its stamps at once. */
static void take_job(struct grt_model *m, const struct grtrace_job *rec)
{
	const uint64_t at_ns[GRT_NR_STAMPS] = {
		[GRT_AT_SUBMIT] = rec->submit_ns, [GRT_AT_COMMIT] = rec->commit_ns,
		[GRT_AT_START] = rec->start_ns, [GRT_AT_END] = rec->end_ns,
		[GRT_AT_COMPLETE] = rec->complete_ns,
	};
	struct grt_job job = {
		.ctx = rec->ctx, .seqno = rec->seqno, .client_id = rec->client_id,
		.tid = rec->tid, .status = rec->status, .has_status = true,
		.ring = grt_names_ring_row(&m->names, rec->ring),
		.process = grt_names_process_row(&m->names, rec->tgid, rec->hdr.ts),
	};

	for (int i = 0; i < GRT_NR_STAMPS; i++)
		if (at_ns[i])
			grt_job_stamp(&job, i, at_ns[i]);
	if (rec->hdr.flags & GRTRACE_F_SYNTHETIC)
		job.flags |= GRT_JOB_SYNTHETIC;
	if (rec->hdr.flags & GRTRACE_F_KERNEL_JOB)
		job.flags |= GRT_JOB_KERNEL_JOB;
	if (!rec->submit_ns)
		job.flags |= GRT_JOB_CUT;
	grt_job_stages(&job);
	m->fn(m->arg, &job);
}

static int take_event(struct grt_model *m, const struct grtrace_hdr *rec)
{
	const struct grtrace_job_key *key = (const struct grtrace_job_key *)rec;

	count(m, rec);
	if (rec->ts > m->now_ns)
		advance(m, rec->ts);
	switch (rec->type) {
	case GRTRACE_SUBMIT:
		return grt_life_event(m, key, GRT_AT_SUBMIT);
	case GRTRACE_COMMIT:
		return grt_life_event(m, key, GRT_AT_COMMIT);
	case GRTRACE_START:
		return grt_life_event(m, key, GRT_AT_START);
	case GRTRACE_END:
		return grt_life_event(m, key, GRT_AT_END);
	case GRTRACE_COMPLETE:
		return grt_life_event(m, key, GRT_AT_COMPLETE);
	case GRTRACE_JOB:
		take_job(m, (const struct grtrace_job *)rec);
		return 0;
	case GRTRACE_ERROR:
		count_error(m, (const struct grtrace_error *)rec);
		return 0;
	default:
		return 0;
	}
}

int grt_model_feed(struct grt_model *m, const struct grtrace_hdr *rec)
{
	if (rec->type < GRTRACE_NR_EVENTS)
		return take_event(m, rec);
	switch (rec->type) {
	case GRTRACE_LOSS:
		return take_loss(m, (const struct grtrace_loss *)rec);
	case GRTRACE_RING:
		return grt_names_ring(&m->names, (const struct grtrace_ring *)rec);
	case GRTRACE_PROCESS:
		return grt_names_process(&m->names, (const struct grtrace_process *)rec);
	case GRTRACE_METADATA:
		return grt_names_metadata(&m->names, (const struct grtrace_metadata *)rec);
	default:
		return 0;
	}
}

int grt_model_finish(struct grt_model *m)
{
	return grt_finish_all(m);
}

const struct grt_names *grt_model_names(const struct grt_model *m)
{
	return &m->names;
}

const struct grt_model_totals *grt_model_totals(const struct grt_model *m)
{
	return &m->totals;
}

const struct grt_ring_use *grt_model_ring_use(const struct grt_model *m, uint32_t row)
{
	static const struct grt_ring_use none;

	if (row >= grt_vec_count(&m->uses, struct grt_ring_use))
		return &none;
	return grt_vec_at(&m->uses, struct grt_ring_use, row);
}
