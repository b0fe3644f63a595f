// SPDX-License-Identifier: GPL-2.0
/* Some jobs for filters and rules. */
#include <string.h>

#include "column.h"
#include "fuzz.h"
#include "names.h"

#define NR_JOBS	6

static struct grt_names names;
static struct grt_job jobs[NR_JOBS];
static struct grt_view views[NR_JOBS + 1];

static void make_names(void)
{
	struct grtrace_ring ring = {
		.hdr = { .type = GRTRACE_RING, .size = sizeof(ring) },
		.ring = 1, .hw_ring = 1, .order = GRTRACE_ORDER_FIFO,
		.name = "gfx", .device = "0000:0b:00.0", .driver = "mock",
	};
	struct grtrace_process process = {
		.hdr = { .type = GRTRACE_PROCESS, .size = sizeof(process) },
		.tgid = 7, .comm = "game",
	};

	if (grt_names_ring(&names, &ring) || grt_names_process(&names, &process) ||
	    grt_names_ring_row(&names, 2) == GRT_NONE)
		abort();
}

/* Makes jobs from one without any known value to one with all values at their limits. */
static void make_job(struct grt_job *job, unsigned int i)
{
	*job = (struct grt_job){
		.ctx = i, .seqno = i, .ring = i < 3 ? i - 1 : 0, .process = i % 2 ? 0 : GRT_NONE,
		.client = GRT_NONE, .has_status = i % 3, .status = i % 2 ? -5 : 0,
		.flags = i > 2 ? 0x5555 * i : 0,
	};
	if (!i)
		job->ring = GRT_NONE;
	for (int stamp = 0; stamp < GRT_NR_STAMPS; stamp++)
		if (i > 1)
			grt_job_stamp(job, stamp, i == 5 ? UINT64_MAX : 1000000ull * i * stamp);
	if (i > 2)
		grt_job_stages(job);
	for (int stage = 0; i == 5 && stage < GRT_NR_STAGES; stage++) {
		job->stages |= 1u << stage;
		job->stage_ns[stage] = UINT64_MAX >> stage;
	}
}

const struct grt_view *fuzz_view(size_t i)
{
	if (!views[0].job) {
		make_names();
		for (unsigned int j = 0; j < NR_JOBS; j++) {
			make_job(&jobs[j], j);
			views[j] = (struct grt_view){
				.job = &jobs[j], .names = &names, .labels = j % 2 ? 0x35 : 0,
			};
		}
	}
	return i < NR_JOBS ? &views[i] : NULL;
}
