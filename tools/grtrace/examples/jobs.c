// SPDX-License-Identifier: LGPL-2.1
/* Prints a line for each job: jobs trace.grt */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include <grtrace.h>

/* A time in us; "-" where it is not known, which is not 0. */
static void print_stage(const struct grtrace_job_info *job, enum grtrace_stage stage)
{
	if (job->stages >> stage & 1)
		printf(" %11.1f", job->stage_ns[stage] / 1e3);
	else
		printf(" %11s", "-");
}

int main(int argc, char **argv)
{
	const struct grtrace_job_info *job;
	struct grtrace *trace;
	int got;

	if (argc != 2)
		errx(2, "usage: jobs TRACE");
	if (grtrace_open(&trace, argv[1]))
		errx(1, "%s", grtrace_error());
	printf("%-16s %-8s %6s:%-6s %11s %11s %11s  us\n", "PROCESS", "RING", "CTX", "SEQNO",
	       "t_dep", "t_exec", "total");
	while ((got = grtrace_next_job(trace, &job)) == 1) {
		printf("%-16s %-8s %6" PRIu64 ":%-6" PRIu64, job->client.comm,
		       job->client.ring_name, job->ctx, job->seqno);
		print_stage(job, GRTRACE_STAGE_DEP);
		print_stage(job, GRTRACE_STAGE_EXEC);
		print_stage(job, GRTRACE_STAGE_TOTAL);
		printf("\n");
	}
	if (got < 0)
		errx(1, "%s", grtrace_error());
	grtrace_close(trace);
	return 0;
}
