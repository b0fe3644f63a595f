// SPDX-License-Identifier: LGPL-2.1
#include "hw_queue.h"

#include <errno.h>
#include <stdlib.h>

#include "sorted.h"

/* No hardware ring takes as many jobs at once; bounds the cost of a hostile trace. */
#define MAX_AHEAD	1024

static void raise(uint64_t *ns, uint64_t to_ns)
{
	if (*ns < to_ns)
		*ns = to_ns;
}

void grt_hw_queue_append(struct grt_pool *p, struct grt_hw_queue *hwq, uint32_t hwq_nr, uint32_t i)
{
	struct grt_slot *slot = grt_pool_at(p, i);

	slot->hwq = hwq_nr;
	slot->hwq_prev = hwq->tail;
	slot->before_ns = hwq->tail_ns;
	slot->before_doubt_ns = hwq->tail_doubt_ns;
	slot->overtaken_ns = 0;
	hwq->tail_ns = hwq->tail_doubt_ns = 0;
	if (hwq->tail == GRT_NONE)
		hwq->head = i;
	else
		grt_pool_at(p, hwq->tail)->hwq_next = i;
	hwq->tail = i;
}

void grt_hw_queue_insert(struct grt_pool *p, struct grt_hw_queue *hwq, uint32_t hwq_nr, uint32_t i, uint32_t behind)
{
	struct grt_slot *slot = grt_pool_at(p, i), *next = grt_pool_at(p, behind);

	slot->hwq = hwq_nr;
	slot->hwq_prev = next->hwq_prev;
	slot->hwq_next = behind;
	slot->before_ns = next->before_ns;
	slot->before_doubt_ns = next->before_doubt_ns;
	slot->overtaken_ns = 0;
	next->before_ns = next->before_doubt_ns = 0;
	*(slot->hwq_prev == GRT_NONE ? &hwq->head : &grt_pool_at(p, slot->hwq_prev)->hwq_next) = i;
	next->hwq_prev = i;
}

void grt_hw_queue_remove(struct grt_pool *p, struct grt_hw_queue *hwq, uint32_t i, uint64_t end_ns,
		     uint64_t doubt_ns)
{
	struct grt_slot *slot = grt_pool_at(p, i);
	uint64_t *behind_ns = &hwq->tail_ns, *behind_doubt_ns = &hwq->tail_doubt_ns;

	if (slot->hwq_next != GRT_NONE) {
		grt_pool_at(p, slot->hwq_next)->hwq_prev = slot->hwq_prev;
		behind_ns = &grt_pool_at(p, slot->hwq_next)->before_ns;
		behind_doubt_ns = &grt_pool_at(p, slot->hwq_next)->before_doubt_ns;
	} else {
		hwq->tail = slot->hwq_prev;
	}
	if (slot->hwq_prev != GRT_NONE)
		grt_pool_at(p, slot->hwq_prev)->hwq_next = slot->hwq_next;
	else
		hwq->head = slot->hwq_next;
	/* Jobs behind must still find these ENDs. */
	raise(behind_ns, slot->before_ns);
	raise(behind_ns, end_ns);
	raise(behind_doubt_ns, slot->before_doubt_ns);
	raise(behind_doubt_ns, doubt_ns);
	slot->hwq = slot->hwq_prev = slot->hwq_next = GRT_NONE;
}

void grt_hw_queue_pass(struct grt_pool *p, struct grt_hw_queue *hwq, uint64_t end_ns)
{
	raise(hwq->head == GRT_NONE ? &hwq->tail_ns : &grt_pool_at(p, hwq->head)->before_ns,
	      end_ns);
}

bool grt_hw_queue_done_before(const struct grt_pool *p, uint32_t i, uint64_t *end_ns)
{
	const struct grt_slot *slot = grt_pool_at(p, i);
	uint64_t doubt_ns = slot->before_doubt_ns, commit_ns = slot->job.at_ns[GRT_AT_COMMIT];
	unsigned int ahead = 0;

	*end_ns = slot->before_ns;
	for (i = slot->hwq_prev; i != GRT_NONE; i = slot->hwq_prev) {
		slot = grt_pool_at(p, i);
		if (++ahead > MAX_AHEAD)
			return false;
		raise(end_ns, slot->before_ns);
		/* A job that ends at the same instant is still in the list. */
		if (grt_job_has(&slot->job, GRT_AT_END) && !(slot->job.flags & GRT_JOB_NO_HW))
			raise(end_ns, slot->job.at_ns[GRT_AT_END]);
		raise(&doubt_ns, slot->before_doubt_ns);
		raise(&doubt_ns, grt_hw_queue_doubt_ns(&slot->job));
	}
	return doubt_ns <= *end_ns || doubt_ns <= commit_ns;
}

int grt_hw_queue_ran(struct grt_hw_queue *hwq, const struct grt_span_by *by, uint64_t start_ns,
		     uint64_t end_ns)
{
	if (!hwq->jobs)
		hwq->jobs = calloc(1, sizeof(*hwq->jobs));
	if (!hwq->jobs || grt_spans_add(hwq->jobs, by, start_ns, end_ns, true))
		return -ENOMEM;
	return grt_spans_add(&hwq->runs, by, start_ns, end_ns, false);
}

const struct grt_span_by *grt_hw_queue_job_at(const struct grt_hw_queue *hwq, uint64_t ns)
{
	const struct grt_span_by *job;

	if (!hwq->jobs)
		return NULL;
	job = grt_spans_find(hwq->jobs, grt_spans_begin(hwq->jobs), ns);
	return job == grt_spans_end(hwq->jobs) ? NULL : job;
}

void grt_hw_queue_drop(struct grt_hw_queue *hwq, uint64_t ns, size_t max_jobs)
{
	if (hwq->jobs)
		grt_spans_keep(hwq->jobs, ns, max_jobs);
	grt_spans_drop(&hwq->runs, ns);
}

void grt_hw_queue_free(struct grt_hw_queue *hwq)
{
	grt_spans_free(&hwq->runs);
	if (hwq->jobs)
		grt_spans_free(hwq->jobs);
	free(hwq->jobs);
	hwq->jobs = NULL;
}
