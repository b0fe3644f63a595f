// SPDX-License-Identifier: LGPL-2.1
#include "guest_jobs.h"

#include <stdlib.h>
#include <string.h>

#include "boot.h"
#include "error.h"
#include "job.h"
#include "model.h"

/* A job of one side, with what the pairs need of it. */
struct side {
	uint64_t ctx, seqno;
	uint64_t first_ns, second_ns, last_ns;	/* see below */
	uint64_t exec_ns;		/* UINT64_MAX: not known */
	uint32_t command;		/* 0: not known */
	uint64_t tgid;			/* within its boot, 0: not known */
	bool is_paired;
};

static int append(struct grt_vec *to, const struct side *s)
{
	return grt_vec_append(to, s, sizeof(*s)) ? grt_fail_memory() : 0;
}

static uint64_t tgid_of(const struct grt_job *job, const struct grt_model *model)
{
	if (job->process == GRT_NONE)
		return 0;
	return grt_names_process_at(grt_model_names(model), job->process)->tgid % GRT_BOOT_PIDS;
}

/* A command without a fence has no COMPLETE of its own, and the host tells nothing of it. */
static bool has_fence(const struct grt_job *job)
{
	return grt_job_has(job, GRT_AT_COMPLETE) && !(job->flags & GRT_JOB_INFERRED_COMPLETE);
}

/* @first_ns: it is in the virtqueue.  @last_ns: the answer is there. */
static int add_of_guest(struct grt_guest_jobs *g, const struct grt_job *job, struct side s)
{
	s.first_ns = job->at_ns[GRT_AT_COMMIT];
	s.last_ns = job->at_ns[GRT_AT_END];
	if (!has_fence(job) || !grt_job_has(job, GRT_AT_COMMIT) || !grt_job_has(job, GRT_AT_END))
		return 0;
	g->jobs++;
	return append(&g->guest_jobs, &s);
}

/* @first_ns: the emulator begins.  @second_ns: the renderer has it.  @last_ns: it is done. */
static int add_fence(struct grt_guest_jobs *g, const struct grt_job *job, struct side s)
{
	g->fences++;
	s.first_ns = job->at_ns[GRT_AT_SUBMIT];
	s.second_ns = job->at_ns[GRT_AT_COMMIT];
	s.last_ns = job->at_ns[GRT_AT_END];
	if (!grt_job_has(job, GRT_AT_SUBMIT) || !grt_job_has(job, GRT_AT_COMMIT) || !grt_job_has(job, GRT_AT_END))
		return 0;
	return append(&g->host_fences, &s);
}

int grt_guest_jobs_add(struct grt_guest_jobs *g, const struct grt_job *job, const struct grt_model *model)
{
	const struct grt_ring *ring = job->ring == GRT_NONE ? NULL :
				      grt_names_ring_at(grt_model_names(model), job->ring);
	struct side s = {
		.ctx = job->ctx, .seqno = job->seqno, .exec_ns = UINT64_MAX, .command = job->command,
		.tgid = tgid_of(job, model),
	};
	bool is_of_guest = job->ctx / GRT_BOOT_CTXS == g->guest;

	if (!ring)
		return 0;
	if (is_of_guest)
		return strcmp(ring->driver, "virtio_gpu") != 0 ? 0 : add_of_guest(g, job, s);
	if (!strcmp(ring->driver, "qemu"))
		return add_fence(g, job, s);
	if (!grt_job_has(job, GRT_AT_SUBMIT))
		return 0;
	s.first_ns = job->at_ns[GRT_AT_SUBMIT];
	if (grt_job_measures(job, GRT_STAGE_EXEC))
		s.exec_ns = job->stage_ns[GRT_STAGE_EXEC];
	return append(&g->host_jobs, &s);
}

/* By time; those at the same time by number. */
static int compare_times(const void *a, const void *b)
{
	const struct side *x = a, *y = b;

	if (x->first_ns != y->first_ns)
		return x->first_ns < y->first_ns ? -1 : 1;
	return x->seqno < y->seqno ? -1 : x->seqno > y->seqno;
}

static int compare_numbers(const void *a, const void *b)
{
	const struct side *x = a, *y = b;

	if (x->seqno != y->seqno)
		return x->seqno < y->seqno ? -1 : 1;
	return x->first_ns < y->first_ns ? -1 : x->first_ns > y->first_ns;
}

static void sort(struct grt_vec *v, int (*compare)(const void *a, const void *b))
{
	if (v->bytes)
		qsort(v->data, grt_vec_count(v, struct side), sizeof(struct side), compare);
}

static size_t count(const struct grt_vec *v)
{
	return grt_vec_count(v, struct side);
}

static struct side *at(const struct grt_vec *v, size_t i)
{
	return grt_vec_at(v, struct side, i);
}

/* The first row that is not before @value; @key gives what the rows are sorted by. */
static size_t lower_bound(const struct grt_vec *v, uint64_t value, uint64_t (*key)(const struct side *s))
{
	size_t from = 0, to = count(v);

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (key(at(v, middle)) < value)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static uint64_t by_number(const struct side *s)
{
	return s->seqno;
}

static uint64_t by_time(const struct side *s)
{
	return s->first_ns;
}

static bool is_same_command(const struct side *job, const struct side *fence)
{
	return !job->command || !fence->command || job->command == fence->command;
}

/* Whether the host can have done it for this job. */
static bool is_possible(const struct grt_guest_jobs *g, const struct side *job, const struct side *fence)
{
	return (fence->first_ns >= job->first_ns || job->first_ns - fence->first_ns <= g->within_ns) &&
	       (job->last_ns >= fence->last_ns || fence->last_ns - job->last_ns <= g->within_ns);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* The job with the number of the fence.  Numbers begin anew with a reset, so the nearest in time counts. */
static struct side *job_of_number(const struct grt_guest_jobs *g, const struct side *fence)
{
	const struct grt_vec *jobs = &g->guest_jobs;
	struct side *best = NULL;

	for (size_t i = lower_bound(jobs, fence->seqno, by_number); i < count(jobs); i++) {
		struct side *job = at(jobs, i);

		if (job->seqno != fence->seqno)
			break;
		if (!job->is_paired && is_same_command(job, fence) &&
		    (!best || distance(job->first_ns, fence->first_ns) < distance(best->first_ns, fence->first_ns)))
			best = job;
	}
	return best;
}

/* How many pairs there are if job 0 has fence @first, and so on; 0 if one of them cannot be. */
static size_t pairs_from(const struct grt_guest_jobs *g, size_t first)
{
	size_t n = 0;

	for (; n < count(&g->guest_jobs) && first + n < count(&g->host_fences); n++) {
		const struct side *job = at(&g->guest_jobs, n), *fence = at(&g->host_fences, first + n);

		if (!is_same_command(job, fence) || !is_possible(g, job, fence))
			return 0;
	}
	return n;
}

/* The fence of job 0, if only one allows at least half of all pairs; else behind the last. */
static size_t fence_of_first(const struct grt_guest_jobs *g)
{
	size_t none = count(&g->host_fences), found = none;

	for (size_t i = 0; g->has_clock && i < none; i++) {
		size_t pairs = pairs_from(g, i);

		if (!pairs || pairs < count(&g->guest_jobs) / 2)
			continue;
		if (found < none)
			return none;
		found = i;
	}
	return found;
}

/* Jobs that the emulator gave to GPUs of the host while it worked on @fence. */
static void add_host_jobs(const struct grt_guest_jobs *g, const struct side *fence, struct grt_guest_pair *pair)
{
	const struct grt_vec *jobs = &g->host_jobs;

	pair->is_exec_known = true;
	for (size_t i = lower_bound(jobs, fence->first_ns, by_time); i < count(jobs); i++) {
		const struct side *job = at(jobs, i);

		if (job->first_ns > fence->last_ns)
			break;
		if (!fence->tgid || job->tgid != fence->tgid)
			continue;
		pair->host_jobs++;
		pair->is_exec_known &= job->exec_ns != UINT64_MAX;
		if (pair->is_exec_known)
			pair->host_exec_ns += job->exec_ns;
	}
}

static int add_times(struct grt_guest_jobs *g, const struct grt_guest_pair *p)
{
	const uint64_t at_ns[] = { p->queued_ns, p->begun_ns, p->handed_ns, p->done_ns, p->seen_ns };
	int err = 0;

	if (p->begun_ns < p->queued_ns || p->seen_ns < p->done_ns) {
		g->impossible++;
		return 0;
	}
	for (int i = 0; i < GRT_GUEST_WHOLE && !err; i++)
		err = grt_hist_add(&g->parts[i], at_ns[i + 1] - at_ns[i]);
	if (!err)
		err = grt_hist_add(&g->parts[GRT_GUEST_WHOLE], p->seen_ns - p->queued_ns);
	return err ? grt_fail_memory() : 0;
}

/* Narrows how far the guest's times may be moved. */
static void add_bounds(struct grt_guest_jobs *g, const struct grt_guest_pair *p, bool is_first)
{
	int64_t most_ns = p->begun_ns - p->queued_ns, least_ns = p->done_ns - p->seen_ns;

	if (is_first || most_ns < g->most_ns)
		g->most_ns = most_ns;
	if (is_first || least_ns > g->least_ns)
		g->least_ns = least_ns;
}

static int add_pair(struct grt_guest_jobs *g, struct side *job, const struct side *fence)
{
	struct grt_guest_pair pair = {
		.ctx = job->ctx, .seqno = job->seqno, .fence_ctx = fence->ctx, .fence = fence->seqno,
		.queued_ns = job->first_ns, .begun_ns = fence->first_ns, .handed_ns = fence->second_ns,
		.done_ns = fence->last_ns, .seen_ns = job->last_ns, .is_inferred = !g->has_numbers,
	};

	job->is_paired = true;
	add_host_jobs(g, fence, &pair);
	add_bounds(g, &pair, !g->pairs.bytes);
	if (grt_vec_append(&g->pairs, &pair, sizeof(pair)))
		return grt_fail_memory();
	return add_times(g, &pair);
}

/* Fences are numbered in the order of their commands. */
static int match_in_order(struct grt_guest_jobs *g)
{
	size_t first = fence_of_first(g);
	int err = 0;

	for (size_t i = 0; i < count(&g->guest_jobs) && first + i < count(&g->host_fences) && !err; i++)
		err = add_pair(g, at(&g->guest_jobs, i), at(&g->host_fences, first + i));
	return err;
}

static int match_by_number(struct grt_guest_jobs *g)
{
	int err = 0;

	for (size_t i = 0; i < count(&g->host_fences) && !err; i++) {
		const struct side *fence = at(&g->host_fences, i);
		struct side *job = job_of_number(g, fence);

		if (job)
			err = add_pair(g, job, fence);
	}
	return err;
}

int grt_guest_jobs_match(struct grt_guest_jobs *g)
{
	sort(&g->guest_jobs, g->has_numbers ? compare_numbers : compare_times);
	sort(&g->host_fences, compare_times);
	sort(&g->host_jobs, compare_times);
	return g->has_numbers ? match_by_number(g) : match_in_order(g);
}

void grt_guest_jobs_free(struct grt_guest_jobs *g)
{
	for (int i = 0; i < GRT_NR_GUEST_PARTS; i++)
		grt_hist_free(&g->parts[i]);
	grt_vec_free(&g->pairs);
	grt_vec_free(&g->guest_jobs);
	grt_vec_free(&g->host_fences);
	grt_vec_free(&g->host_jobs);
}
