// SPDX-License-Identifier: GPL-2.0
/* The public functions for jobs: their results keep the laws, and wrong calls are refused. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "grtrace.h"
#include "load.h"
#include "reading.h"

#define RINGS	3
#define JOBS	40

/* Jobs on three rings; @lose events are missing half-way. */
static const char *write_trace(const char *lose)
{
	char *words[] = { "rings=3", "jobs=40", "wait=200", "gap=1", (char *)lose };
	struct synth s = { .cpu = 0 };
	const char *path = reading_path("api");

	assert_true(load_write(&s, 5, words));
	reading_write(path, s.bytes.data, s.bytes.bytes);
	synth_free(&s);
	return path;
}

static struct grtrace *open_trace(const char *lose)
{
	struct grtrace *trace;

	assert_int_equal(grtrace_open(&trace, write_trace(lose)), 0);
	return trace;
}

static uint64_t read_all(struct grtrace *trace)
{
	const struct grtrace_job_info *job;
	uint64_t jobs = 0;
	int got;

	while ((got = grtrace_next_job(trace, &job)) == 1)
		jobs++;
	assert_int_equal(got, 0);
	return jobs;
}

static bool has(const struct grtrace_job_info *job, enum grtrace_stamp stamp)
{
	return job->stamps >> stamp & 1;
}

static bool knows(const struct grtrace_job_info *job, enum grtrace_stage stage)
{
	return job->stages >> stage & 1;
}

/* The known values of a job agree, and unknown values are 0. */
static void check_job(const struct grtrace_job_info *job)
{
	enum grtrace_stamp to = has(job, GRTRACE_AT_START) ? GRTRACE_AT_START : GRTRACE_AT_COMMIT;
	uint64_t charged_ns = 0;

	for (int i = 0; i < GRTRACE_NR_STAMPS; i++)
		assert_true(has(job, i) || !job->at_ns[i]);
	for (int i = 0; i < GRTRACE_NR_STAGES; i++)
		assert_true(knows(job, i) || !job->stage_ns[i]);
	if (knows(job, GRTRACE_STAGE_TOTAL))
		assert_int_equal(job->stage_ns[GRTRACE_STAGE_TOTAL],
				 job->at_ns[GRTRACE_AT_COMPLETE] - job->at_ns[GRTRACE_AT_SUBMIT]);
	for (uint32_t i = 0; i < job->nr_charges; i++) {
		charged_ns += job->charges[i].ns;
		assert_true(job->charges[i].reason < GRTRACE_NR_BLAME_REASONS);
		assert_non_null(job->charges[i].culprit.comm);
	}
	if (job->nr_charges)
		assert_int_equal(charged_ns, job->at_ns[to] - job->at_ns[GRTRACE_AT_SUBMIT]);
	assert_string_equal(job->client.comm, "game");
	assert_int_equal(job->client.tgid, 7);
	assert_int_equal(job->client.ring, job->ctx);
}

static void test_jobs(void **state)
{
	const char *const names[RINGS + 1] = { "", "gfx", "copy", "compute" };
	struct grtrace *trace = open_trace("lose=0");
	const struct grtrace_job_info *job;
	uint64_t seqno[RINGS + 1] = { 0 };
	uint64_t last_ns = 0;

	(void)state;
	while (grtrace_next_job(trace, &job) == 1) {
		check_job(job);
		assert_true(job->at_ns[GRTRACE_AT_COMPLETE] > last_ns);
		last_ns = job->at_ns[GRTRACE_AT_COMPLETE];
		assert_int_equal(job->seqno, ++seqno[job->ctx]);
		assert_string_equal(job->client.ring_name, names[job->ctx]);
		assert_string_equal(grtrace_ring_of(trace, job->client.ring)->name, names[job->ctx]);
		assert_false(job->flags & (GRTRACE_JOB_CUT | GRTRACE_JOB_LOSSY));
	}
	for (int i = 1; i <= RINGS; i++)
		assert_int_equal(seqno[i], JOBS);
	assert_int_equal(grtrace_next_job(trace, &job), 0);
	grtrace_close(trace);
}

/* A loss is reported, and nobody is charged for its time. */
static void test_loss(void **state)
{
	struct grtrace *trace = open_trace("lose=5");
	const struct grtrace_job_info *job;
	struct grtrace_ring_time time;
	uint64_t jobs = 0;

	(void)state;
	while (grtrace_next_job(trace, &job) == 1) {
		check_job(job);
		jobs++;
	}
	assert_int_equal(jobs, RINGS * JOBS);
	assert_int_equal(grtrace_ring_time(trace, 0, &time), 1);
	assert_true(time.idle_ns[GRTRACE_IDLE_UNKNOWN]);
	assert_int_equal(grtrace_lost(trace, GRTRACE_FATE_BUFFER_FULL), 5);
	grtrace_close(trace);
}

static void check_time(const struct grtrace_ring_time *time)
{
	uint64_t sum_ns = time->busy_ns;

	for (int i = 0; i < GRTRACE_NR_IDLE_CAUSES; i++)
		sum_ns += time->idle_ns[i];
	assert_int_equal(sum_ns, time->wall_ns);
}

static void test_sums(void **state)
{
	const enum grtrace_group groups[] = { GRTRACE_BY_RING, GRTRACE_BY_PROCESS, GRTRACE_BY_CTX };
	struct grtrace *trace = open_trace("lose=0");
	struct grtrace_ring_time time;
	struct grtrace_rollup row;
	uint64_t jobs, sum, ns;

	(void)state;
	for (int g = 0; g < 3; g++)
		assert_int_equal(grtrace_group_by(trace, groups[g]), 0);
	assert_int_equal(grtrace_ring_time(trace, 0, &time), -EAGAIN);
	assert_int_equal(grtrace_device_time(trace, 0, &time), -EAGAIN);
	assert_int_equal(grtrace_rollup(trace, GRTRACE_BY_RING, 0, &row), -EAGAIN);
	jobs = read_all(trace);
	sum = 0;
	for (int i = 0; grtrace_ring_time(trace, i, &time) == 1; i++) {
		check_time(&time);
		sum += time.jobs;
		assert_int_equal(time.ring, i + 1);
	}
	assert_int_equal(sum, jobs);
	assert_int_equal(grtrace_device_time(trace, 0, &time), 1);
	check_time(&time);
	assert_int_equal(time.ring, 0);
	assert_int_equal(grtrace_device_time(trace, 1, &time), 0);
	ns = 0;
	for (int g = 0; g < 3; g++) {
		uint64_t group_ns = 0;

		sum = 0;
		for (int i = 0; grtrace_rollup(trace, groups[g], i, &row) == 1; i++) {
			const struct grtrace_times *total = &row.stages[GRTRACE_STAGE_TOTAL];

			sum += row.jobs;
			assert_int_equal(total->jobs, row.jobs);
			assert_true(total->min_ns <= total->p50_ns && total->p50_ns <= total->p90_ns &&
				    total->p90_ns <= total->p99_ns && total->p99_ns <= total->max_ns);
			group_ns += total->sum_ns;
		}
		assert_int_equal(sum, jobs);
		assert_true(!g || group_ns == ns);
		ns = group_ns;
	}
	assert_int_equal(grtrace_rollup(trace, GRTRACE_BY_ENGINE, 0, &row), -EINVAL);
	grtrace_close(trace);
}

/* The rows of blame sum to the charges of all jobs. */
static void test_blame(void **state)
{
	struct grtrace *trace = open_trace("lose=0");
	const struct grtrace_job_info *job;
	uint64_t charged_ns = 0, blamed_ns = 0;
	struct grtrace_blame row;

	(void)state;
	while (grtrace_next_job(trace, &job) == 1)
		for (uint32_t i = 0; i < job->nr_charges; i++)
			charged_ns += job->charges[i].ns;
	for (int i = 0; grtrace_blame(trace, i, &row) == 1; i++)
		blamed_ns += row.ns;
	assert_true(charged_ns);
	assert_int_equal(blamed_ns, charged_ns);
	grtrace_close(trace);
}

static void test_wrong_calls(void **state)
{
	struct grtrace *trace = open_trace("lose=0");
	const struct grtrace_job_info *job;
	const struct grtrace_hdr *rec;

	(void)state;
	assert_int_equal(grtrace_group_by(trace, GRTRACE_NR_GROUPS), -EINVAL);
	assert_int_equal(grtrace_next(trace, &rec), 1);
	assert_int_equal(grtrace_next_job(trace, &job), -EINVAL);
	assert_non_null(strstr(grtrace_error(), "records of this trace were read"));
	assert_int_equal(grtrace_next(trace, &rec), 1);
	grtrace_close(trace);

	trace = open_trace("lose=0");
	assert_int_equal(grtrace_next_job(trace, &job), 1);
	assert_int_equal(grtrace_next(trace, &rec), -EINVAL);
	assert_int_equal(grtrace_group_by(trace, GRTRACE_BY_RING), -EINVAL);
	assert_int_equal(grtrace_next_job(trace, &job), 1);
	grtrace_close(trace);	/* amid its jobs */

	assert_string_equal(grtrace_stage_name(GRTRACE_STAGE_DEP), "t_dep");
	assert_string_equal(grtrace_idle_name(GRTRACE_IDLE_STARVED), "starved");
	assert_string_equal(grtrace_blame_name(GRTRACE_BLAME_RING), "ring");
	assert_null(grtrace_stage_name(GRTRACE_NR_STAGES));
	assert_null(grtrace_idle_name(GRTRACE_NR_IDLE_CAUSES));
	assert_null(grtrace_blame_name(GRTRACE_NR_BLAME_REASONS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_loss),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_blame),
		cmocka_unit_test(test_wrong_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
