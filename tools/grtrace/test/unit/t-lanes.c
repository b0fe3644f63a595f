// SPDX-License-Identifier: GPL-2.0
/*
 * The cells of a picture, on random schedules of each class: the states of each ring's cells sum to
 * the time of the window and to what reports say, and who has most of a cell is found by counting.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lanes.h"
#include "model.h"
#include "reading.h"
#include "sim.h"
#include "sim-file.h"
#include "sim-random.h"
#include "window.h"

#define MAX_RINGS	32
#define MAX_PROCESSES	64
#define MAX_COLUMNS	40
#define SEEDS		8

/* Counted job by job and column by column. */
struct counted {
	uint64_t waiting_ns, on_ring_ns, longest_ns;
	uint64_t run_ns[MAX_PROCESSES];
	uint32_t runs;
};

struct pass {
	struct grt_window window;
	struct grt_lanes lanes;
	uint32_t columns;
	struct counted cells[MAX_RINGS][MAX_COLUMNS];
};

static int begin_pass(void *arg, struct grt_model *model)
{
	struct pass *p = arg;

	memset(p->cells, 0, sizeof(p->cells));
	return grt_lanes_begin(&p->lanes, model, &p->window, NULL, p->columns);
}

static uint64_t overlap(const struct pass *p, const struct grt_job *job, uint32_t column,
			enum grt_stamp from, enum grt_stamp to)
{
	uint64_t from_ns = grt_lanes_ns(&p->lanes, column), to_ns = grt_lanes_ns(&p->lanes, column + 1);

	if (!grt_job_has(job, from) || !grt_job_has(job, to))
		return 0;
	if (from_ns < job->at_ns[from])
		from_ns = job->at_ns[from];
	if (to_ns > job->at_ns[to])
		to_ns = job->at_ns[to];
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

static void count(struct pass *p, const struct grt_job *job)
{
	const struct grt_ring *ring = grt_names_ring_at(grt_model_names(p->lanes.model), job->ring);
	bool has_start = ring->order == GRTRACE_ORDER_FIFO || grt_job_has(job, GRT_AT_START);

	for (uint32_t c = 0; c < p->lanes.columns; c++) {
		struct counted *cell = &p->cells[job->ring][c];
		uint64_t ns;

		cell->waiting_ns += overlap(p, job, c, GRT_AT_SUBMIT, GRT_AT_COMMIT);
		if (job->flags & GRT_JOB_NO_HW)
			continue;
		cell->on_ring_ns += overlap(p, job, c, GRT_AT_COMMIT, GRT_AT_START);
		ns = overlap(p, job, c, has_start ? GRT_AT_START : GRT_AT_COMMIT, GRT_AT_END);
		cell->runs += ns > 0;
		if (ns > cell->longest_ns)
			cell->longest_ns = ns;
		if (job->process != GRT_NONE)
			cell->run_ns[job->process] += ns;
	}
}

static int add_job(void *arg, const struct grt_job *job)
{
	struct pass *p = arg;

	if (!grt_window_has(&p->window, job))
		return 0;
	if (job->ring != GRT_NONE) {
		assert_true(job->ring < MAX_RINGS);
		assert_true(job->process == GRT_NONE || job->process < MAX_PROCESSES);
		count(p, job);
	}
	return grt_lanes_add(&p->lanes, job);
}

static int end_pass(void *arg)
{
	grt_lanes_close(&((struct pass *)arg)->lanes);
	return 0;
}

static const struct grt_replay_ops ops = { .begin = begin_pass, .job = add_job, .end = end_pass };

static void check_cell(const struct pass *p, const struct grt_lane *lane, uint32_t column)
{
	const struct grt_lane_cell *cell = &lane->cells[column];
	const struct counted *counted = &p->cells[lane->ring][column];
	uint64_t most_ns = 0;

	assert_int_equal(cell->waiting_ns, counted->waiting_ns);
	assert_int_equal(cell->on_ring_ns, counted->on_ring_ns);
	assert_int_equal(cell->runs, counted->runs);
	assert_int_equal(cell->run_ns, counted->longest_ns);
	for (int i = 0; i < MAX_PROCESSES; i++)
		if (counted->run_ns[i] > most_ns)
			most_ns = counted->run_ns[i];
	assert_int_equal(cell->runner.ns, most_ns);
	if (most_ns)
		assert_int_equal(counted->run_ns[cell->runner.who], most_ns);
	assert_true(cell->culprit.ns <= grt_lane_cell_ns(cell) - cell->ns[GRT_RING_BUSY]);
	if (cell->culprit.ns)
		assert_true(grt_lane_culprit_at(&p->lanes, cell->culprit.who)->ctx);
	assert_true(grt_lane_cell_ns(cell) <=
		    grt_lanes_ns(&p->lanes, column + 1) - grt_lanes_ns(&p->lanes, column));
	assert_true((grt_lane_state(cell) < 0) == !grt_lane_cell_ns(cell));
}

/* Law 3: all of the window but sleep; and each state as reports have it. */
static void check_lane(const struct pass *p, const struct grt_lane *lane)
{
	const struct grt_ring_use *use = grt_model_ring_use(p->lanes.model, lane->ring);
	uint64_t sums[GRT_LANE_STATES] = { 0 }, all_ns = 0;

	for (uint32_t c = 0; c < p->lanes.columns; c++) {
		check_cell(p, lane, c);
		for (int state = 0; state < GRT_LANE_STATES; state++)
			sums[state] += lane->cells[c].ns[state];
		all_ns += grt_lane_cell_ns(&lane->cells[c]);
	}
	/* A ring that was named, but had no event, has no time. */
	if (!all_ns && !use->busy_ns)
		return;
	assert_int_equal(sums[GRT_RING_BUSY], use->busy_ns);
	for (int cause = 0; cause < GRT_NR_IDLES; cause++)
		assert_int_equal(sums[cause], use->idle_ns[cause]);
	assert_int_equal(all_ns, grt_model_wall_ns(p->lanes.model));
}

static unsigned int read_lanes(struct pass *p, char *path)
{
	struct grt_replay replay = {
		.ops = &ops, .arg = p, .window = &p->window, .is_final = true, .with_synthetic = true,
	};
	unsigned int busy = 0;

	assert_int_equal(reading_replay(&replay, path, NULL), 0);
	assert_true(p->lanes.columns <= p->columns);
	assert_int_equal(grt_lanes_ns(&p->lanes, 0), p->lanes.from_ns);
	assert_int_equal(grt_lanes_ns(&p->lanes, p->lanes.columns), p->lanes.to_ns);
	for (size_t i = 0; i < grt_lanes_count(&p->lanes); i++) {
		check_lane(p, grt_lane_at(&p->lanes, i));
		busy += grt_lane_at(&p->lanes, i)->has_job;
	}
	grt_lanes_free(&p->lanes);
	grt_replay_free(&replay);
	return busy;
}

static void test_class(void **state)
{
	const struct sim_class *class = *state;
	static struct sim sim;
	static struct pass p;
	unsigned int busy = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct grt_vec bytes = { 0 };
		uint64_t span_ns;
		char path[256];

		snprintf(path, sizeof(path), "%s", reading_path("lanes"));
		sim_play(&sim, class, seed, SIM_MAX_JOBS);
		sim_write(&sim, &bytes);
		reading_write(path, bytes.data, bytes.bytes);
		grt_vec_free(&bytes);
		p.window = (struct grt_window){ .rule = GRT_WINDOW_TOUCH };
		p.columns = 1 + sim_random(&sim, MAX_COLUMNS);
		busy += read_lanes(&p, path);
		span_ns = p.window.last_ns - p.window.first_ns;
		p.columns = 1 + sim_random(&sim, MAX_COLUMNS);
		p.window.since = (struct grt_moment){
			.text = "x", .kind = GRT_MOMENT_SINCE_FIRST, .ns = span_ns / 3,
		};
		/* Now and then, fewer nanoseconds than columns. */
		p.window.until = (struct grt_moment){
			.text = "y", .kind = GRT_MOMENT_SINCE_FIRST,
			.ns = span_ns / 3 + (seed & 1 ? 1 + sim_random(&sim, span_ns) : 7),
		};
		read_lanes(&p, path);
	}
	assert_true(busy);
}

static void test_columns(void **state)
{
	struct grt_lanes l = { .columns = 7, .from_ns = UINT64_MAX - 1000, .to_ns = UINT64_MAX - 1 };

	(void)state;
	for (uint64_t ns = l.from_ns; ns < l.to_ns; ns++) {
		uint32_t c = grt_lanes_column(&l, ns);

		assert_true(grt_lanes_ns(&l, c) <= ns && ns < grt_lanes_ns(&l, c + 1));
	}
	assert_int_equal(grt_lanes_column(&l, 0), 0);
	assert_int_equal(grt_lanes_column(&l, UINT64_MAX), 6);
	l = (struct grt_lanes){ .columns = 2000, .from_ns = 0, .to_ns = UINT64_MAX };
	for (uint32_t c = 0; c < l.columns; c++) {
		assert_int_equal(grt_lanes_column(&l, grt_lanes_ns(&l, c)), c);
		assert_int_equal(grt_lanes_column(&l, grt_lanes_ns(&l, c + 1) - 1), c);
	}
}

int main(void)
{
	struct CMUnitTest tests[64] = { cmocka_unit_test(test_columns) };
	size_t count = 1;

	for (uint32_t i = 0; i < sim_nr_classes && count < 64; i++)
		tests[count++] = (struct CMUnitTest){
			.name = sim_classes[i].name, .test_func = test_class,
			.initial_state = (void *)&sim_classes[i],
		};
	return _cmocka_run_group_tests("lanes", tests, count, NULL, NULL);
}
