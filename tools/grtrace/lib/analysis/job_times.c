// SPDX-License-Identifier: LGPL-2.1
#include "job_times.h"

#include "error.h"

static struct grt_job_time *at(const struct grt_job_times *t, uint32_t row)
{
	return grt_vec_at(&t->times, struct grt_job_time, row);
}

struct grt_job_time *grt_job_times_find(const struct grt_job_times *t, uint64_t ctx,
					uint64_t seqno)
{
	uint32_t row = grt_keymap_get(&t->rows, ctx, seqno);

	return row == GRT_NONE ? NULL : at(t, row);
}

struct grt_job_time *grt_job_times_put(struct grt_job_times *t, uint64_t ctx, uint64_t seqno)
{
	struct grt_job_time *time = grt_job_times_find(t, ctx, seqno);
	uint32_t row;

	if (time)
		return time;
	if (t->rows.used == GRT_JOB_TIMES)
		grt_job_times_free(t);
	if (t->unused) {
		row = t->unused - 1;
		t->unused = at(t, row)->next;
	} else {
		row = grt_vec_count(&t->times, struct grt_job_time);
		if (!grt_vec_grow(&t->times, sizeof(*time))) {
			grt_fail_memory();
			return NULL;
		}
	}
	if (grt_keymap_put(&t->rows, ctx, seqno, row)) {
		grt_fail_memory();
		return NULL;
	}
	*at(t, row) = (struct grt_job_time){ 0 };
	return at(t, row);
}

void grt_job_times_drop(struct grt_job_times *t, uint64_t ctx, uint64_t seqno)
{
	uint32_t row = grt_keymap_get(&t->rows, ctx, seqno);

	if (row == GRT_NONE)
		return;
	grt_keymap_del(&t->rows, ctx, seqno);
	at(t, row)->next = t->unused;
	t->unused = row + 1;
}

void grt_job_times_free(struct grt_job_times *t)
{
	grt_keymap_free(&t->rows);
	grt_vec_free(&t->times);
	*t = (struct grt_job_times){ 0 };
}
