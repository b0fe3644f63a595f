// SPDX-License-Identifier: LGPL-2.1
#include "hangs.h"

#include "error.h"
#include "roots.h"

/* The row of a job that hung; NULL without memory, or with *err 0 if there are too many. */
static struct grt_hang *row_of(struct grt_hangs *h, uint64_t ctx, uint64_t seqno, int *err)
{
	uint32_t row = grt_keymap_get(&h->index, ctx, seqno);
	struct grt_hang *hang;

	*err = 0;
	if (row != GRT_NONE)
		return grt_vec_at(&h->rows, struct grt_hang, row);
	row = grt_hangs_count(h);
	if (row == GRT_MAX_HANGS) {
		h->more++;
		return NULL;
	}
	hang = grt_vec_grow(&h->rows, sizeof(*hang));
	if (!hang || grt_keymap_put(&h->index, ctx, seqno, row)) {
		*err = grt_fail_memory();
		return NULL;
	}
	*hang = (struct grt_hang){ .ctx = ctx, .seqno = seqno };
	return hang;
}

/* Counts the process of a job once for each hang. */
static int count_process(struct grt_hangs *h, struct grt_hang *hang, uint32_t process)
{
	uint32_t row = hang - grt_vec_at(&h->rows, struct grt_hang, 0);

	if (process == GRT_NONE || grt_keymap_get(&h->victims, row, process) != GRT_NONE)
		return 0;
	hang->processes++;
	return grt_keymap_put(&h->victims, row, process, 0) ? grt_fail_memory() : 0;
}

static int add_span(struct grt_hangs *h, const struct grt_job *job, const struct grt_root_span *span)
{
	struct grt_hang *hang;
	int err;

	hang = row_of(h, span->ctx, span->seqno, &err);
	if (!hang)
		return err;
	hang->is_wanted = true;
	if (hang->latest_job != h->job_number) {
		hang->latest_job = h->job_number;
		hang->latest_ns = 0;
		hang->jobs++;
	}
	hang->latest_ns += span->to_ns - span->from_ns;
	if (hang->latest_ns > hang->worst_ns) {
		hang->worst_ns = hang->latest_ns;
		hang->worst_ctx = job->ctx;
		hang->worst_seqno = job->seqno;
	}
	return count_process(h, hang, job->process);
}

int grt_hangs_add(struct grt_hangs *h, const struct grt_job *job, bool is_wanted,
		  const struct grt_root_span *spans, uint32_t count)
{
	struct grt_hang *hang;
	int err = 0;

	h->job_number++;
	if (job->flags & GRT_JOB_HUNG) {
		hang = row_of(h, job->ctx, job->seqno, &err);
		if (!hang)
			return err;
		hang->has_job = true;
		hang->is_wanted |= is_wanted;
		hang->job = *job;
		hang->job.charges = NULL;
		hang->job.nr_charges = 0;
	}
	for (uint32_t i = 0; i < count && is_wanted && !err; i++)
		if (spans[i].kind == GRT_ROOT_HANG)
			err = add_span(h, job, &spans[i]);
	return err;
}

void grt_hangs_free(struct grt_hangs *h)
{
	grt_vec_free(&h->rows);
	grt_keymap_free(&h->index);
	grt_keymap_free(&h->victims);
	*h = (struct grt_hangs){ 0 };
}
