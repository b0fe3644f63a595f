// SPDX-License-Identifier: LGPL-2.1
/* Prints how long each process used the GPU, and how busy its rings were: processes trace.grt */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include <grtrace.h>

int main(int argc, char **argv)
{
	const struct grtrace_job_info *job;
	struct grtrace_ring_time time;
	struct grtrace_rollup row;
	struct grtrace *trace;
	int got;

	if (argc != 2)
		errx(2, "usage: processes TRACE");
	if (grtrace_open(&trace, argv[1]) || grtrace_group_by(trace, GRTRACE_BY_PROCESS))
		errx(1, "%s", grtrace_error());
	do	/* the sums are complete when all jobs are read */
		got = grtrace_next_job(trace, &job);
	while (got == 1);
	if (got < 0)
		errx(1, "%s", grtrace_error());
	for (size_t i = 0; grtrace_rollup(trace, GRTRACE_BY_PROCESS, i, &row) == 1; i++) {
		const struct grtrace_times *hw = &row.stages[GRTRACE_STAGE_HW];

		printf("%-16s %8" PRIu32 " %8" PRIu64 " jobs, %10.3f ms on rings, p99 %.1f us\n",
		       row.client.comm, row.client.tgid, row.jobs, hw->sum_ns / 1e6,
		       hw->p99_ns / 1e3);
	}
	for (unsigned int i = 0; grtrace_ring_time(trace, i, &time) == 1; i++)
		printf("%-16s %5.1f %% busy, %5.1f %% starved\n", time.name,
		       100.0 * time.busy_ns / time.wall_ns,
		       100.0 * time.idle_ns[GRTRACE_IDLE_STARVED] / time.wall_ns);
	grtrace_close(trace);
	return 0;
}
