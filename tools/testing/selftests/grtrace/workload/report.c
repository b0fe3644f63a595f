// SPDX-License-Identifier: GPL-2.0
/* What was submitted, and whether it ended as planned. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "script.h"
#include "workload.h"

struct tally {
	uint32_t jobs;
	uint32_t deps;
	uint32_t faulty;	/* should fail, hang or not run */
	uint32_t unexpected;	/* nobody waited for it, or its status is not the planned one */
	uint64_t asked_ns;	/* planned duration of the jobs that run */
};

static bool is_expected(const struct job *job)
{
	return job->is_waited && job->status == job_expected_status(job);
}

static void tally_add(struct tally *t, const struct job *job)
{
	t->jobs++;
	t->deps += job->dep_count;
	t->faulty += job->flags != 0;
	t->unexpected += !is_expected(job);
	if (!(job->flags & ~GRTRACE_MOCK_JOB_FAIL))
		t->asked_ns += job->duration_ns;
}

static void tally_print(const char *what, const char *name, const struct tally *t)
{
	printf("%-8s %-10s %7u %7u %7u %10u %12.3f\n", what, name, t->jobs,
	       t->deps, t->faulty, t->unexpected, (double)t->asked_ns / 1e6);
}

static void print_unexpected(const struct run *run)
{
	unsigned int shown = 0;

	for (uint32_t i = 0; i < run->job_cnt && shown < 10; i++) {
		const struct job *job = &run->jobs[i];

		if (!job->is_submitted || is_expected(job))
			continue;
		shown++;
		fprintf(stderr, "workload: job %llu:%llu on '%s': ",
			(unsigned long long)job->key.fence_ctx,
			(unsigned long long)job->key.seqno,
			ring_names[job->ring]);
		if (job->is_waited)
			fprintf(stderr, "status %d, expected %d\n", job->status,
				job_expected_status(job));
		else
			fprintf(stderr, "never waited for\n");
	}
}

/* True if every job was submitted, waited for and ended as planned. */
bool report_print(const struct run *run)
{
	struct tally rings[GRTRACE_MOCK_RINGS] = { 0 }, total = { 0 };
	char pid[16];

	printf("scenario %s, seed %llu, device %s\n", run->scenario->name,
	       (unsigned long long)run->seed, run->device);
	printf("%-8s %-10s %7s %7s %7s %10s %12s\n", "", "", "jobs", "deps",
	       "faulty", "unexpected", "asked_ms");
	for (uint32_t p = 0; p < run->process_cnt; p++) {
		const struct process *process = &run->processes[p];
		struct tally tally = { 0 };

		for (uint32_t i = 0; i < process->job_cnt; i++) {
			const struct job *job = &run->jobs[process->first_job + i];

			if (!job->is_submitted)
				continue;
			tally_add(&tally, job);
			tally_add(&rings[job->ring], job);
			tally_add(&total, job);
		}
		snprintf(pid, sizeof(pid), "%d", process->pid);
		tally_print(process->comm, pid, &tally);
	}
	for (uint32_t r = 0; r < GRTRACE_MOCK_RINGS; r++)
		tally_print("ring", ring_names[r], &rings[r]);
	tally_print("total", "", &total);
	printf("elapsed %.3f s\n", (double)run->elapsed_ns / 1e9);
	print_unexpected(run);
	return total.jobs == run->job_cnt && !total.unexpected;
}

static void csv_job(FILE *out, const struct process *process, const struct job *job)
{
	static const char * const times[] = {
		[FOREIGN_EARLY]		= "early",
		[FOREIGN_LATE]		= "late",
		[FOREIGN_UNUSED]	= "unused",
	};

	fprintf(out, "%d,%s,%s,%llu,%llu,%llu,%u,", process->pid, process->comm,
		ring_names[job->ring], (unsigned long long)job->key.fence_ctx,
		(unsigned long long)job->key.seqno,
		(unsigned long long)job->duration_ns, job->dep_count);
	for (uint32_t i = 0; i < job->dep_count; i++)
		fprintf(out, "%s%llu:%llu", i ? " " : "",
			(unsigned long long)job->deps[i].fence_ctx,
			(unsigned long long)job->deps[i].seqno);
	fprintf(out, ",%d,", job_expected_status(job));
	if (job->is_waited)
		fprintf(out, "%d", job->status);
	fputc(',', out);
	for (uint32_t i = 0; i < job->foreign_cnt; i++)
		fprintf(out, "%s%llu:%llu:%d:%s", i ? " " : "",
			(unsigned long long)job->foreign[i].key.fence_ctx,
			(unsigned long long)job->foreign[i].key.seqno,
			job->foreign[i].status, times[job->foreign[i].time]);
	fputc('\n', out);
}

/* 0, or -1 after a message. */
static int csv_close(FILE *out, const char *path)
{
	const bool is_bad = !out || ferror(out);

	if (out && !fclose(out) && !is_bad)
		return 0;
	fprintf(stderr, "workload: cannot write '%s': %s\n", path, strerror(errno));
	return -1;
}

int report_csv(const struct run *run, const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		return csv_close(out, path);
	fprintf(out, "pid,comm,ring,ctx,seqno,duration_ns,ndeps,deps,expected,status,foreign\n");
	for (uint32_t p = 0; p < run->process_cnt; p++) {
		const struct process *process = &run->processes[p];

		for (uint32_t i = 0; i < process->job_cnt; i++)
			if (run->jobs[process->first_job + i].is_submitted)
				csv_job(out, process,
					&run->jobs[process->first_job + i]);
	}
	return csv_close(out, path);
}

/* Empty if nobody could wait for the job. */
static const char *script_status(const struct script_job *job, char *buf, size_t size)
{
	snprintf(buf, size, job->has_status ? "%d" : "", job->status);
	return buf;
}

void report_script(const struct script *s)
{
	char key[48], status[16];

	printf("%-16s %-16s %s\n", "job", "ctx:seqno", "status");
	for (uint32_t i = 0; i < s->job_cnt; i++) {
		const struct script_job *job = &s->jobs[i];

		snprintf(key, sizeof(key), "%llu:%llu", (unsigned long long)job->key.fence_ctx,
			 (unsigned long long)job->key.seqno);
		script_status(job, status, sizeof(status));
		printf("%-16s %-16s %s\n", job->name, key, *status ? status : "killed");
	}
}

int report_script_csv(const struct script *s, const char *path)
{
	FILE *out = fopen(path, "w");
	char status[16];

	if (!out)
		return csv_close(out, path);
	fprintf(out, "job,ctx,seqno,status\n");
	for (uint32_t i = 0; i < s->job_cnt; i++)
		fprintf(out, "%s,%llu,%llu,%s\n", s->jobs[i].name,
			(unsigned long long)s->jobs[i].key.fence_ctx,
			(unsigned long long)s->jobs[i].key.seqno,
			script_status(&s->jobs[i], status, sizeof(status)));
	return csv_close(out, path);
}
