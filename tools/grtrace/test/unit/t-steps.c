// SPDX-License-Identifier: GPL-2.0
/*
 * Rows of time, on random schedules of each class: the time of a ring sums to that of the step, the
 * steps sum to the whole, and each job counts in the step in which it completed.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "error.h"
#include "reading.h"
#include "sim.h"
#include "sim-file.h"
#include "sim-random.h"
#include "summary.h"

#define MAX_RINGS	32
#define SEEDS		10

struct pass {
	struct grt_window window;
	struct grt_summary_wants wants;
	struct grt_summary summary;
	uint64_t completed, wait_ns;
};

static int begin_pass(void *arg, struct grt_model *model)
{
	struct pass *p = arg;
	int err;

	grt_summary_free(&p->summary);
	p->completed = p->wait_ns = 0;
	p->wants.query.window = &p->window;
	err = grt_summary_init(&p->summary, model, &p->wants);
	return err ? err : grt_steps_begin(&p->summary.steps, model, &p->window);
}

static int add_job(void *arg, const struct grt_job *job)
{
	struct pass *p = arg;
	bool is_wanted;
	int err = grt_summary_add(&p->summary, job, &is_wanted);

	if (err || !is_wanted || !grt_job_has(job, GRT_AT_COMPLETE) ||
	    job->at_ns[GRT_AT_COMPLETE] < p->window.from_ns ||
	    job->at_ns[GRT_AT_COMPLETE] >= p->window.to_ns)
		return err;
	p->completed++;
	for (uint32_t i = 0; i < job->nr_charges && !(job->flags & GRT_JOB_CUT); i++)
		p->wait_ns += job->charges[i].ns;
	return 0;
}

static int end_pass(void *arg)
{
	return grt_summary_close(&((struct pass *)arg)->summary);
}

static const struct grt_replay_ops ops = { .begin = begin_pass, .job = add_job, .end = end_pass };

static int read_steps(struct pass *p, struct grt_replay *replay, char *path)
{
	*replay = (struct grt_replay){
		.ops = &ops, .arg = p, .window = &p->window, .is_final = true, .keeps_pieces = true, .with_synthetic = true,
	};
	p->wants.query.with_synthetic = p->wants.has_roots = true;
	return reading_replay(replay, path, NULL);
}

static void forget(struct pass *p, struct grt_replay *replay)
{
	grt_summary_free(&p->summary);
	grt_replay_free(replay);
}

/* Rings of one step have the same time.  Rings sum to their use, and jobs to all that completed. */
static void check(const struct pass *p)
{
	const struct grt_steps *s = &p->summary.steps;
	struct grt_ring_use sums[MAX_RINGS] = { 0 };
	uint64_t jobs[2] = { 0 }, wait_ns[2] = { 0 }, nr = UINT64_MAX, wall_ns = 0;

	for (size_t i = 0; i < grt_steps_count(s); i++) {
		const struct grt_step *row = grt_step_at(s, i);
		bool is_process = row->process != GRT_ALL_PROCESSES;

		jobs[is_process] += row->jobs;
		for (int root = 0; root < GRT_NR_ROOTS; root++)
			wait_ns[is_process] += row->wait_ns[root];
		assert_true(!i || row->nr >= grt_step_at(s, i - 1)->nr);
		if (is_process) {
			assert_true(grt_step_wall_ns(row) <= s->step_ns);
			continue;
		}
		if (!row->has_time)
			continue;
		if (row->nr != nr)
			wall_ns = grt_step_wall_ns(row);
		nr = row->nr;
		assert_int_equal(grt_step_wall_ns(row), wall_ns);
		assert_true(wall_ns <= s->step_ns && row->nr < s->count && row->ring < MAX_RINGS);
		sums[row->ring].busy_ns += row->busy_ns;
		sums[row->ring].unexplained_ns += row->unexplained_ns;
		assert_true(row->unexplained_ns <= row->idle_ns[GRT_IDLE_UNKNOWN]);
		for (int cause = 0; cause < GRT_NR_IDLES; cause++)
			sums[row->ring].idle_ns[cause] += row->idle_ns[cause];
	}
	assert_int_equal(jobs[0], p->completed);
	assert_int_equal(wait_ns[0], p->wait_ns);
	assert_int_equal(jobs[1], s->by_process ? p->completed : 0);
	assert_int_equal(wait_ns[1], s->by_process ? p->wait_ns : 0);
	for (uint32_t i = 0; i < MAX_RINGS; i++) {
		const struct grt_ring_use *use;

		if (!sums[i].busy_ns && grt_keymap_get(&s->rings, i, 0) == GRT_NONE)
			continue;
		use = grt_model_ring_use(s->model, i);
		sums[i].jobs = use->jobs;
		sums[i].unknown_jobs = use->unknown_jobs;
		sums[i].before_ns = use->before_ns;
		if (sums[i].busy_ns || sums[i].idle_ns[GRT_IDLE_UNKNOWN] || sums[i].idle_ns[0])
			assert_memory_equal(&sums[i], use, sizeof(*use));
	}
}

static void test_class(void **state)
{
	const struct sim_class *class = *state;
	static struct sim sim;
	unsigned int several = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct pass p = { .wants.step_ns = UINT64_MAX, .wants.has_step_processes = seed & 1 };
		struct grt_vec bytes = { 0 };
		struct grt_replay replay;
		uint64_t span_ns;
		char path[256];

		snprintf(path, sizeof(path), "%s", reading_path("steps"));
		sim_play(&sim, class, seed, SIM_MAX_JOBS);
		sim_write(&sim, &bytes);
		reading_write(path, bytes.data, bytes.bytes);
		grt_vec_free(&bytes);
		assert_int_equal(read_steps(&p, &replay, path), 0);
		assert_int_equal(p.summary.steps.count, 1);
		check(&p);
		span_ns = p.window.last_ns - p.window.first_ns;
		forget(&p, &replay);
		p.wants.step_ns = 1 + sim_random(&sim, span_ns + 1);
		if (seed & 2)
			p.window.since = (struct grt_moment){
				.text = "x", .kind = GRT_MOMENT_SINCE_FIRST, .ns = span_ns / 3,
			};
		assert_int_equal(read_steps(&p, &replay, path), 0);
		several += p.summary.steps.count > 1;
		check(&p);
		forget(&p, &replay);
		if (span_ns <= GRT_MAX_STEPS)
			continue;
		p.wants.step_ns = 1;
		p.window = (struct grt_window){ .rule = GRT_WINDOW_TOUCH };
		assert_int_equal(read_steps(&p, &replay, path), -EDOM);
		assert_non_null(strstr(grt_cause(), "steps of 1 ns"));
		forget(&p, &replay);
	}
	assert_true(several);
}

int main(void)
{
	struct CMUnitTest tests[64];
	size_t count = 0;

	for (uint32_t i = 0; i < sim_nr_classes && count < 64; i++)
		tests[count++] = (struct CMUnitTest){
			.name = sim_classes[i].name, .test_func = test_class,
			.initial_state = (void *)&sim_classes[i],
		};
	return _cmocka_run_group_tests("steps", tests, count, NULL, NULL);
}
