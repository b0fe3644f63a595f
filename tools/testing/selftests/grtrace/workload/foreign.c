// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs that wait for foreign fences: each depends on a fence that its process signals, before the
 * submit or a while after it.
 */
#include <errno.h>
#include <stddef.h>
#include <unistd.h>
#include "workload.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* Long enough for the scheduler to look at the fence before it is signalled. */
#define SIGNAL_AFTER_US	10000

/*
 * The jobs get these kinds in turn.  Their number differs from that of the rings, so that every
 * ring gets every kind.
 */
static const struct kind {
	int32_t status;
	bool is_early;		/* signalled before the submit */
	bool needs_job;		/* also depends on the job before, on another ring */
	bool has_unused;	/* one more fence, on which no job depends */
} kinds[] = {
	{ .status = 0 },
	{ .is_early = true },
	{ .status = -EIO },
	{ .needs_job = true, .has_unused = true },
	{ .status = -ENODEV, .is_early = true },
};

static int make_fence(struct worker *w, struct foreign *fence, int32_t status,
		      enum foreign_time time)
{
	*fence = (struct foreign){ .status = status, .time = time };
	if (gpu_fence_create(w, &fence->key))
		return -1;
	return time == FOREIGN_EARLY ? gpu_fence_signal(w, fence) : 0;
}

static struct job *submit(struct worker *w, uint32_t ring, const struct job *before)
{
	const struct kind *kind = &kinds[(w->self->first_job + w->submitted) % COUNT(kinds)];
	struct foreign fences[MAX_FOREIGN];
	const struct job *deps[MAX_DEPS];
	struct job own = { 0 };
	uint32_t fence_cnt = 0, dep_cnt = 0;
	struct job *job;

	if (make_fence(w, &fences[fence_cnt++], kind->status,
		       kind->is_early ? FOREIGN_EARLY : FOREIGN_LATE))
		return NULL;
	if (kind->has_unused &&
	    (make_fence(w, &fences[fence_cnt++], 0, FOREIGN_UNUSED) || gpu_signal_stub(w)))
		return NULL;

	/* The foreign fence first, because the scheduler looks at one dependency at a time. */
	own.key = fences[0].key;
	deps[dep_cnt++] = &own;
	if (kind->needs_job && before)
		deps[dep_cnt++] = before;
	job = gpu_submit(w, ring, deps, dep_cnt);
	if (!job)
		return NULL;
	for (uint32_t i = 0; i < fence_cnt; i++)
		job->foreign[i] = fences[i];
	job->foreign_cnt = fence_cnt;
	return job;
}

static int signal_rest(struct worker *w, const struct job *job)
{
	for (uint32_t i = 0; i < job->foreign_cnt; i++)
		if (job->foreign[i].time != FOREIGN_EARLY &&
		    gpu_fence_signal(w, &job->foreign[i]))
			return -1;
	return 0;
}

int foreign_work(struct worker *w)
{
	while (jobs_left(w)) {
		struct job *jobs[GRTRACE_MOCK_RINGS] = { NULL };
		uint32_t cnt = 0;

		/* One on each ring, so that no job waits in a queue behind another. */
		for (; cnt < GRTRACE_MOCK_RINGS && jobs_left(w); cnt++) {
			jobs[cnt] = submit(w, cnt, cnt ? jobs[cnt - 1] : NULL);
			if (!jobs[cnt])
				return -1;
		}
		usleep(SIGNAL_AFTER_US);
		/* In reverse order, to differ from the order of the submits. */
		for (uint32_t i = cnt; i--;)
			if (signal_rest(w, jobs[i]))
				return -1;
		for (uint32_t i = 0; i < cnt; i++)
			if (gpu_wait(w, jobs[i]))
				return -1;
	}
	return 0;
}
