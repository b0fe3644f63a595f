// SPDX-License-Identifier: LGPL-2.1
#include "hangs.h"

#include "charge_sum.h"
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
static int count_process(const struct grt_hangs *h, struct grt_keymap *counted,
			 const struct grt_hang *hang, uint32_t process, uint64_t *count)
{
	uint32_t row = hang - grt_vec_at(&h->rows, struct grt_hang, 0);

	if (process == GRT_NONE || grt_keymap_get(counted, row, process) != GRT_NONE)
		return 0;
	++*count;
	return grt_keymap_put(counted, row, process, 0) ? grt_fail_memory() : 0;
}

static int add_wait(struct grt_hangs *h, const struct grt_job *job, const struct grt_root_total *wait)
{
	struct grt_hang *hang;
	int err;

	hang = row_of(h, wait->ctx, wait->seqno, &err);
	if (!hang)
		return err;
	hang->is_wanted = true;
	if (hang->latest_job != h->job_number) {
		hang->latest_job = h->job_number;
		hang->latest_ns = 0;
		hang->jobs++;
	}
	hang->latest_ns += wait->ns;
	if (hang->latest_ns > hang->worst_ns) {
		hang->worst_ns = hang->latest_ns;
		hang->worst_ctx = job->ctx;
		hang->worst_seqno = job->seqno;
	}
	return count_process(h, &h->victims, hang, job->process, &hang->processes);
}

/* A job in flight that cannot run before the one that hung is over. */
static int add_behind(struct grt_hangs *h, const struct grt_job *job, bool is_wanted)
{
	struct grt_hang *hang;
	uint64_t before;
	int err;

	hang = row_of(h, job->inflight.hang_ctx, job->inflight.hang_seqno, &err);
	if (!hang)
		return err;
	hang->is_wanted |= is_wanted;
	/* Jobs in flight come by their first event. */
	if (!hang->behind++)
		hang->oldest = grt_job_alone(job);
	before = hang->behind_processes;
	err = count_process(h, &h->followers, hang, job->process, &hang->behind_processes);
	if (hang->behind_processes > before && before < GRT_HANG_NAMES)
		hang->process[before] = job->process;
	return err;
}

/* The job that hung itself. */
static int add_hung(struct grt_hangs *h, const struct grt_job *job, bool is_wanted)
{
	struct grt_job whole = *job;
	uint64_t until_ns;
	int err;
	struct grt_hang *hang = row_of(h, job->ctx, job->seqno, &err);

	if (!hang)
		return err;
	hang->has_job = true;
	hang->is_wanted |= is_wanted;
	hang->job = grt_job_alone(job);
	whole.nr_charges = grt_job_all_charges(job);
	return grt_charge_greatest(&whole, 0, UINT64_MAX, false, &hang->waited, &until_ns);
}

/* Whether nobody knows if the job is in flight when the trace ends. */
static bool is_unknown(const struct grt_job *job)
{
	return job->flags & GRT_JOB_CUT && !job->inflight.until_ns && !grt_job_has(job, GRT_AT_END) &&
	       !grt_job_has(job, GRT_AT_COMPLETE);
}

static int add_waits(struct grt_hangs *h, const struct grt_job *job, const struct grt_root_total *totals,
		     uint32_t count)
{
	int err = 0;

	for (uint32_t i = 0; i < count && !err; i++)
		if (totals[i].kind == GRT_ROOT_HANG)
			err = add_wait(h, job, &totals[i]);
	return err;
}

int grt_hangs_add(struct grt_hangs *h, const struct grt_job *job, bool is_wanted, struct grt_roots *roots)
{
	const struct grt_root_total *totals;
	uint32_t count;
	int err = 0;

	h->job_number++;
	if (!(job->flags & GRT_JOB_SYNTHETIC)) {
		h->inflight += !!job->inflight.until_ns;
		h->unknown += is_unknown(job);
	}
	if (job->flags & GRT_JOB_HUNG)
		err = add_hung(h, job, is_wanted);
	if (!err && (job->inflight.hang_ctx || job->inflight.hang_seqno))
		err = add_behind(h, job, is_wanted);
	if (err || !is_wanted)
		return err;
	err = grt_roots_totals(roots, &totals, &count);
	if (!err)
		err = add_waits(h, job, totals, count);
	if (!err)
		err = grt_roots_flight_totals(roots, &totals, &count);
	return err ? err : add_waits(h, job, totals, count);
}

void grt_hangs_free(struct grt_hangs *h)
{
	grt_vec_free(&h->rows);
	grt_keymap_free(&h->index);
	grt_keymap_free(&h->victims);
	grt_keymap_free(&h->followers);
	*h = (struct grt_hangs){ 0 };
}
