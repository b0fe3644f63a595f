// SPDX-License-Identifier: LGPL-2.1
#include "job_sums.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "names.h"
#include "rollup.h"

static const struct {
	const char *name, *title, *text;
} spans[] = {
#define GRT_X(NAME, name, title, text) { #name, title, text },
	GRT_JOB_SPANS(GRT_X)
#undef GRT_X
};

const char *grt_job_span_name(enum grt_job_span span)
{
	return spans[span].name;
}

const char *grt_job_span_title(enum grt_job_span span)
{
	return spans[span].title;
}

const char *grt_job_span_text(enum grt_job_span span)
{
	return spans[span].text;
}

bool grt_job_span_ns(const struct grt_job *job, enum grt_job_span span, uint64_t *ns)
{
	const uint64_t *at_ns = job->at_ns, *stage_ns = job->stage_ns;

	switch (span) {
	case GRT_SPAN_WAIT:
		*ns = stage_ns[GRT_STAGE_SUBMIT_HOST];
		if (grt_job_knows(job, GRT_STAGE_QUEUE))
			*ns += stage_ns[GRT_STAGE_QUEUE];
		return grt_job_knows(job, GRT_STAGE_SUBMIT_HOST);
	case GRT_SPAN_EXEC:
		*ns = stage_ns[GRT_STAGE_EXEC];
		return grt_job_knows(job, GRT_STAGE_EXEC);
	case GRT_SPAN_TOTAL:
		*ns = stage_ns[GRT_STAGE_TOTAL];
		return grt_job_knows(job, GRT_STAGE_TOTAL);
	case GRT_SPAN_QUEUE:
		*ns = stage_ns[GRT_STAGE_SUBMIT_HOST];
		return grt_job_knows(job, GRT_STAGE_SUBMIT_HOST);
	default:
		*ns = at_ns[GRT_AT_COMPLETE] - at_ns[GRT_AT_COMMIT];
		return grt_job_has(job, GRT_AT_COMMIT) && grt_job_has(job, GRT_AT_COMPLETE) &&
		       at_ns[GRT_AT_COMPLETE] >= at_ns[GRT_AT_COMMIT] &&
		       !(job->flags & GRT_JOB_OUT_OF_ORDER);
	}
}

bool grt_job_span_is_bound(const struct grt_job *job, enum grt_job_span span)
{
	switch (span) {
	case GRT_SPAN_EXEC:
		return grt_flags_bound(job->flags, GRT_STAGE_EXEC);
	case GRT_SPAN_TOTAL:
	case GRT_SPAN_RUN:
		return grt_flags_bound(job->flags, GRT_STAGE_TOTAL);
	default:
		return false;
	}
}

static struct grt_job_sum *row_at(struct grt_job_sums *s, uint32_t i)
{
	return grt_vec_at(&s->rows, struct grt_job_sum, i);
}

/* Finds a row, or adds it.  NULL without memory. */
static struct grt_job_sum *put_row(struct grt_job_sums *s, uint32_t ring, uint32_t process)
{
	struct grt_job_sum new = { .ring = ring, .process = process };
	uint32_t i = grt_keymap_get(&s->index, ring, process);

	if (i != GRT_NONE)
		return row_at(s, i);
	i = grt_job_sums_count(s);
	if (grt_vec_append(&s->rows, &new, sizeof(new)) || grt_keymap_put(&s->index, ring, process, i))
		return NULL;
	return row_at(s, i);
}

static struct grt_job_sum *row_of(struct grt_job_sums *s, uint32_t ring, uint32_t process)
{
	size_t count = grt_job_sums_count(s);

	if (count >= GRT_JOB_SUMS_ROWS && grt_keymap_get(&s->index, ring, process) == GRT_NONE)
		process = GRT_OTHERS;
	if (count >= GRT_JOB_SUMS_ROWS + GRT_JOB_SUMS_OTHERS &&
	    grt_keymap_get(&s->index, ring, process) == GRT_NONE)
		ring = GRT_OTHERS;
	return put_row(s, ring, process);
}

int grt_job_sums_add(struct grt_job_sums *s, const struct grt_job *job, const struct grt_job_counts *counts)
{
	struct grt_job_sum *row = row_of(s, job->ring, job->process);
	bool is_cut = job->flags & GRT_JOB_CUT;
	uint64_t ns;

	if (!row)
		return grt_fail_memory();
	row->jobs++;
	row->cut += is_cut;
	row->failed += job->has_status && job->status;
	row->unjudged += !job->has_status && !is_cut;
	row->deps += counts->deps;
	row->waits += counts->waits;
	if (is_cut)
		return 0;
	row->dep_waits += grt_job_knows(job, GRT_STAGE_DEP) && job->stage_ns[GRT_STAGE_DEP];
	row->until_commit += grt_job_span_ns(job, GRT_SPAN_WAIT, &ns) && !grt_job_knows(job, GRT_STAGE_QUEUE);
	row->bounds += !!(job->flags & GRT_JOB_UPPER_BOUND);
	for (int i = 0; i < GRT_NR_JOB_SPANS; i++) {
		bool is_bound = grt_job_span_is_bound(job, i);

		if (!grt_job_span_ns(job, i, &ns) || (is_bound && s->skips_bounds))
			continue;
		row->spans_bound[i] += is_bound;
		if (grt_hist_add(&row->spans[i], ns))
			return grt_fail_memory();
	}
	return 0;
}

void grt_job_sums_free(struct grt_job_sums *s)
{
	for (size_t i = 0; i < grt_job_sums_count(s); i++)
		for (int k = 0; k < GRT_NR_JOB_SPANS; k++)
			grt_hist_free(&row_at(s, i)->spans[k]);
	grt_vec_free(&s->rows);
	grt_keymap_free(&s->index);
}

static int merge(struct grt_job_sum *to, const struct grt_job_sum *from)
{
	to->jobs += from->jobs;
	to->cut += from->cut;
	to->failed += from->failed;
	to->unjudged += from->unjudged;
	to->deps += from->deps;
	to->waits += from->waits;
	to->dep_waits += from->dep_waits;
	to->until_commit += from->until_commit;
	to->bounds += from->bounds;
	for (int i = 0; i < GRT_NR_JOB_SPANS; i++) {
		to->spans_bound[i] += from->spans_bound[i];
		if (grt_hist_merge(&to->spans[i], &from->spans[i]))
			return grt_fail_memory();
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct grt_job_sum *x = a, *y = b;

	if (x->jobs != y->jobs)
		return x->jobs > y->jobs ? -1 : 1;
	if (x->ring != y->ring)
		return x->ring < y->ring ? -1 : 1;
	return (x->process > y->process) - (x->process < y->process);
}

int grt_job_sums_group(struct grt_job_sums *to, const struct grt_job_sums *from, enum grt_job_sums_by by,
		       const struct grt_names *names)
{
	for (size_t i = 0; i < grt_job_sums_count(from); i++) {
		const struct grt_job_sum *row = grt_job_sums_at(from, i);
		uint32_t ring = by & GRT_SUMS_BY_RING ? row->ring : GRT_OTHERS;
		uint32_t process = by & GRT_SUMS_BY_PROCESS ? row->process : GRT_OTHERS;
		struct grt_job_sum *sum;
		int err;

		if (process != GRT_OTHERS && process != GRT_NONE)
			process = grt_rollup_last_name(names, process);
		sum = put_row(to, ring, process);
		err = sum ? merge(sum, row) : grt_fail_memory();
		if (err)
			return err;
	}
	/* The index is of the unsorted rows; no more are added. */
	grt_keymap_free(&to->index);
	if (to->rows.bytes)
		qsort(to->rows.data, grt_job_sums_count(to), sizeof(struct grt_job_sum), compare);
	return 0;
}
