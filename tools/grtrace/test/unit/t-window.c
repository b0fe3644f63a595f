// SPDX-License-Identifier: GPL-2.0
/*
 * Windows of a trace, on random schedules of each class, whole and with losses: in each window the
 * time of a ring sums to the time of the window, and windows that follow each other sum to the
 * whole.  Jobs are those of the whole trace.
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
#include "model.h"
#include "reading.h"
#include "sim.h"
#include "sim-file.h"
#include "sim-random.h"
#include "window.h"

#define MAX_RINGS	16
#define MAX_JOBS	4096
#define SEEDS		20
#define PARTS		5

/* What one reading of a trace found. */
struct found {
	struct grt_window *window;
	const struct grt_model *model;
	struct grt_ring_use rings[MAX_RINGS], devices[MAX_RINGS];
	uint64_t watched[MAX_RINGS][GRT_RING_BUSY + 1];	/* by ring and state */
	uint64_t last_ns[MAX_RINGS];
	uint64_t idle_ns;		/* of all rows of idle time */
	uint64_t wall_ns;
	unsigned int nr_rings, nr_devices, jobs, inside;
	struct grt_job job[MAX_JOBS];
	bool is_inside[MAX_JOBS];
};

static int watch(void *arg, const struct grt_ring_stretch *s)
{
	struct found *f = arg;

	assert_true(s->ring < MAX_RINGS && s->state <= GRT_RING_BUSY);
	assert_true(s->from_ns < s->to_ns && s->from_ns >= f->last_ns[s->ring]);
	f->watched[s->ring][s->state] += s->to_ns - s->from_ns;
	f->last_ns[s->ring] = s->to_ns;
	return 0;
}

static int begin_pass(void *arg, struct grt_model *model)
{
	struct found *f = arg;
	struct grt_window *window = f->window;

	memset(f, 0, sizeof(*f));
	f->window = window;
	f->model = model;
	grt_model_watch_rings(model, watch, f);
	return 0;
}

static int add_job(void *arg, const struct grt_job *job)
{
	struct found *f = arg;

	assert_true(f->jobs < MAX_JOBS);
	f->is_inside[f->jobs] = grt_window_has(f->window, job);
	f->inside += f->is_inside[f->jobs];
	f->job[f->jobs] = *job;
	f->job[f->jobs++].charges = NULL;
	return 0;
}

static int end_pass(void *arg)
{
	struct found *f = arg;
	const struct grt_ring_use *use;
	const struct grt_idle_row *row;
	const char *name;

	f->nr_rings = grt_vec_count(&grt_model_names(f->model)->rings, struct grt_ring);
	assert_true(f->nr_rings <= MAX_RINGS);
	for (uint32_t i = 0; i < f->nr_rings; i++)
		f->rings[i] = *grt_model_ring_use(f->model, i);
	while ((use = grt_model_device_use(f->model, f->nr_devices, &name)))
		f->devices[f->nr_devices++] = *use;
	for (size_t i = 0; (row = grt_model_idle_row(f->model, i)); i++)
		f->idle_ns += row->ns;
	f->wall_ns = grt_model_wall_ns(f->model);
	return 0;
}

static const struct grt_replay_ops ops = { .begin = begin_pass, .job = add_job, .end = end_pass };

static int read_window(struct found *f, char *path, struct grt_window *w)
{
	struct grt_replay replay = {
		.ops = &ops, .arg = f, .window = w, .is_final = true, .with_synthetic = true,
	};
	int err;

	f->window = w;
	err = reading_replay(&replay, path, NULL);
	grt_replay_free(&replay);
	return err;
}

static void check_sums(const struct found *f)
{
	for (unsigned int i = 0; i < f->nr_rings + f->nr_devices; i++) {
		const struct grt_ring_use *use = i < f->nr_rings ? &f->rings[i] :
						 &f->devices[i - f->nr_rings];
		uint64_t sum_ns = use->busy_ns;

		for (int cause = 0; cause < GRT_NR_IDLES; cause++)
			sum_ns += use->idle_ns[cause];
		assert_int_equal(sum_ns, f->wall_ns);
	}
	/* What a watcher sees is the same, ring by ring; a ring without an event has no stretch. */
	for (unsigned int i = 0; i < f->nr_rings; i++) {
		if (!f->last_ns[i])
			continue;
		assert_int_equal(f->watched[i][GRT_RING_BUSY], f->rings[i].busy_ns);
		for (int cause = 0; cause < GRT_NR_IDLES; cause++)
			assert_int_equal(f->watched[i][cause], f->rings[i].idle_ns[cause]);
	}
}

static void add_use(struct grt_ring_use *to, const struct grt_ring_use *from)
{
	grt_use_add_times(to, from);
	to->jobs += from->jobs;
	to->unknown_jobs += from->unknown_jobs;
}

/* Without the padding at the end, which may be anything. */
#define JOB_BYTES	(offsetof(struct grt_job, inflight.is_at_snapshot) + sizeof(bool))

/* Every job of @part is the same as in @whole, and is inside if its life touches the window. */
static void check_jobs(const struct found *part, const struct found *whole)
{
	const struct grt_window *w = part->window;

	assert_int_equal(part->jobs, whole->jobs);
	for (unsigned int i = 0; i < part->jobs; i++) {
		const struct grt_job *job = &part->job[i];

		assert_memory_equal(job, &whole->job[i], JOB_BYTES);
		assert_int_equal(part->is_inside[i], grt_job_first_ns(job) < w->to_ns &&
				 grt_job_last_ns(job) >= w->from_ns);
	}
}

static struct grt_moment at(uint64_t ns)
{
	return (struct grt_moment){ .text = "@", .kind = GRT_MOMENT_CLOCK, .ns = ns };
}

static void split(char *path, struct sim *sim, const struct found *whole)
{
	struct found *part = calloc(1, sizeof(*part)), *sum = calloc(1, sizeof(*sum));
	unsigned int outside = 0;
	uint64_t edge[PARTS + 1], span_ns;

	assert_true(part && sum);
	edge[0] = whole->window->first_ns;
	span_ns = whole->window->last_ns - edge[0];
	edge[PARTS] = whole->window->last_ns;
	for (int i = 1; i < PARTS; i++)
		edge[i] = edge[0] + span_ns / PARTS * i + sim_random(sim, span_ns / PARTS);
	for (int i = 0; i < PARTS; i++) {
		struct grt_window w = { .since = at(edge[i]), .until = at(edge[i + 1]) };

		assert_int_equal(read_window(part, path, &w), 0);
		check_sums(part);
		check_jobs(part, whole);
		sum->wall_ns += part->wall_ns;
		sum->idle_ns += part->idle_ns;
		outside += part->jobs - part->inside;
		for (unsigned int j = 0; j < MAX_RINGS; j++) {
			add_use(&sum->rings[j], &part->rings[j]);
			add_use(&sum->devices[j], &part->devices[j]);
		}
	}
	assert_true(outside);
	assert_int_equal(sum->wall_ns, whole->wall_ns);
	assert_int_equal(sum->idle_ns, whole->idle_ns);
	assert_memory_equal(sum->rings, whole->rings, sizeof(sum->rings));
	assert_memory_equal(sum->devices, whole->devices, sizeof(sum->devices));
	free(part);
	free(sum);
}

static void test_class(void **state)
{
	const struct sim_class *class = *state;
	struct found *whole = calloc(1, sizeof(*whole)), *same = calloc(1, sizeof(*same));
	static struct sim sim;
	unsigned int splits = 0;

	assert_true(whole && same);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct grt_window none = { .rule = GRT_WINDOW_TOUCH }, all = none;
		struct grt_vec bytes = { 0 };
		char path[256];

		snprintf(path, sizeof(path), "%s", reading_path("window"));
		sim_play(&sim, class, seed, SIM_MAX_JOBS);
		sim_write(&sim, &bytes);
		reading_write(path, bytes.data, bytes.bytes);
		grt_vec_free(&bytes);
		assert_int_equal(read_window(whole, path, &none), 0);
		check_sums(whole);
		assert_false(none.is_narrow);
		if (none.last_ns - none.first_ns < PARTS)
			continue;
		all.since = at(none.first_ns);
		all.until = at(none.last_ns);
		assert_int_equal(read_window(same, path, &all), 0);
		assert_false(all.is_narrow);
		assert_memory_equal(same->rings, whole->rings, sizeof(same->rings));
		assert_int_equal(same->inside, whole->inside);
		split(path, &sim, whole);
		splits++;
	}
	assert_true(splits > SEEDS / 2);
	free(whole);
	free(same);
}

static const struct {
	const char *text;
	int err;
	struct grt_moment m;
} texts[] = {
	{ "1.5s", 0, { .kind = GRT_MOMENT_SINCE_FIRST, .ns = 1500000000 } },
	{ "5 us", 0, { .kind = GRT_MOMENT_SINCE_FIRST, .ns = 5000 } },
	{ "@904.057", 0, { .kind = GRT_MOMENT_CLOCK, .ns = 904057000000 } },
	{ "@904057ms", 0, { .kind = GRT_MOMENT_CLOCK, .ns = 904057000000 } },
	{ "401:78", 0, { .kind = GRT_MOMENT_JOB, .ctx = 401, .seqno = 78 } },
	{ "401:78+5ms", 0, { .kind = GRT_MOMENT_JOB, .ctx = 401, .seqno = 78, .ns = 5000000 } },
	{ "401:78-5ms", 0, { .kind = GRT_MOMENT_JOB, .ctx = 401, .seqno = 78, .ns = 5000000,
			     .is_before = true } },
	{ "", -EINVAL, { .text = NULL } }, { "@", -EINVAL, { .text = NULL } },
	{ "soon", -EINVAL, { .text = NULL } }, { "-5ms", -EINVAL, { .text = NULL } },
	{ "401:", -EINVAL, { .text = NULL } }, { ":78", -EINVAL, { .text = NULL } },
	{ "401:78+", -EINVAL, { .text = NULL } }, { "401:78+x", -EINVAL, { .text = NULL } },
	{ "@-1", -EINVAL, { .text = NULL } },
	{ "1111111111111111111111111111111111111111:1", -EINVAL, { .text = NULL } },
};

static void test_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct grt_moment *want = &texts[i].m;
		struct grt_moment m;

		assert_int_equal(grt_moment_parse(&m, texts[i].text), texts[i].err);
		if (texts[i].err)
			continue;
		assert_int_equal(m.kind, want->kind);
		assert_int_equal(m.ns, want->ns);
		assert_int_equal(m.ctx, want->ctx);
		assert_int_equal(m.seqno, want->seqno);
		assert_int_equal(m.is_before, want->is_before);
	}
}

int main(void)
{
	struct CMUnitTest tests[64] = { cmocka_unit_test(test_texts) };
	size_t count = 1;

	for (uint32_t i = 0; i < sim_nr_classes && count < 64; i++)
		tests[count++] = (struct CMUnitTest){
			.name = sim_classes[i].name, .test_func = test_class,
			.initial_state = (void *)&sim_classes[i],
		};
	return _cmocka_run_group_tests("window", tests, count, NULL, NULL);
}
