// SPDX-License-Identifier: LGPL-2.1
#include "long_jobs.h"

#include <stdlib.h>

#include "error.h"
#include "hist.h"
#include "ring_kind.h"

struct long_row {
	struct grt_hist times;
	uint64_t ctx, seqno, ns;	/* of the longest job */
};

static const struct grt_ring *ring_of(const struct grt_model *m, uint32_t ring)
{
	return grt_names_ring_at(grt_model_names(m), ring);
}

/* How long it ran, or was on its ring.  False: not known. */
static bool time_of(const struct grt_model *m, const struct grt_job *job, uint64_t *ns)
{
	bool is_fifo = ring_of(m, job->ring)->order == GRTRACE_ORDER_FIFO;
	enum grt_stage stage = is_fifo ? GRT_STAGE_EXEC : GRT_STAGE_HW;
	uint64_t to_ns = job->at_ns[GRT_AT_END];

	*ns = job->stage_ns[stage];
	return grt_job_knows(job, stage) && !grt_flags_bound(job->flags, stage) &&
	       (*ns < GRT_LONG_MIN_NS || !grt_model_slept(m, to_ns - *ns, to_ns));
}

static struct long_row *row_of(struct grt_long_jobs *l, uint32_t client)
{
	static struct long_row *const none;
	struct long_row **row;

	if (grt_vec_reach(&l->rows, client, &none, sizeof(none)))
		return NULL;
	row = grt_vec_at(&l->rows, struct long_row *, client);
	if (!*row)
		*row = calloc(1, sizeof(**row));
	return *row;
}

/* Counts the first jobs of a client.  NULL without memory. */
static uint8_t *first_of(struct grt_long_jobs *l, uint32_t client)
{
	static const uint8_t none;

	return grt_vec_reach(&l->first, client, &none, sizeof(none)) ? NULL : grt_vec_at(&l->first, uint8_t, client);
}

int grt_long_jobs_add(struct grt_long_jobs *l, const struct grt_model *m, const struct grt_job *job)
{
	struct long_row *row;
	uint8_t *first;
	uint64_t ns;

	if (job->client == GRT_NONE || job->ring == GRT_NONE ||
	    job->flags & (GRT_JOB_CUT | GRT_JOB_NO_HW | GRT_JOB_HUNG) || !time_of(m, job, &ns))
		return 0;
	first = first_of(l, job->client);
	if (first && *first < GRT_LONG_FIRST) {
		++*first;
		return 0;
	}
	row = first ? row_of(l, job->client) : NULL;
	if (!row)
		return grt_fail_memory();
	if (ns > row->ns) {
		row->ctx = job->ctx;
		row->seqno = job->seqno;
		row->ns = ns;
	}
	return grt_hist_add(&row->times, ns);
}

static bool stands_out(const struct long_row *row)
{
	if (row->times.count < GRT_LONG_MIN_JOBS || row->ns < GRT_LONG_MIN_NS)
		return false;
	return row->ns / GRT_LONG_TIMES >= grt_hist_quantile(&row->times, 500) &&
	       row->ns / GRT_LONG_APART >= grt_hist_quantile(&row->times, GRT_LONG_USUAL);
}

/* On a FIFO ring a job runs from when it was passed to the idle ring, or the job before ended. */
static bool may_lack_interrupt(const struct grt_ring *ring, uint64_t ns)
{
	return ring->order == GRTRACE_ORDER_FIFO && grt_driver_looks_itself(ring->driver, ns);
}

bool grt_long_jobs_worst(const struct grt_long_jobs *l, const struct grt_model *m, struct grt_long_job *worst)
{
	*worst = (struct grt_long_job){ .client = GRT_NONE };
	for (size_t i = 0; i < grt_vec_count(&l->rows, struct long_row *); i++) {
		const struct long_row *row = *grt_vec_at(&l->rows, struct long_row *, i);

		if (!row || row->ns <= worst->ns || !stands_out(row))
			continue;
		*worst = (struct grt_long_job){
			.ctx = row->ctx, .seqno = row->seqno, .ns = row->ns, .client = i,
			.median_ns = grt_hist_quantile(&row->times, 500), .jobs = row->times.count,
			.may_lack_interrupt = may_lack_interrupt(ring_of(m, grt_model_client(m, i)->ring), row->ns),
		};
	}
	return worst->ns;
}

void grt_long_jobs_free(struct grt_long_jobs *l)
{
	for (size_t i = 0; i < grt_vec_count(&l->rows, struct long_row *); i++) {
		struct long_row *row = *grt_vec_at(&l->rows, struct long_row *, i);

		if (row)
			grt_hist_free(&row->times);
		free(row);
	}
	grt_vec_free(&l->rows);
	grt_vec_free(&l->first);
}
