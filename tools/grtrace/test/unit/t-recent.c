// SPDX-License-Identifier: GPL-2.0
/*
 * What rings and processes did in the last minute: on small scenes, with the expected sums of each
 * second; on random schedules, against reports; and with a session that goes on for hours.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "hist.h"
#include "model-script.h"
#include "reading.h"
#include "recent.h"
#include "sim.h"
#include "sim-file.h"
#include "sim-random.h"
#include "top_sink.h"

#define SECOND		1000000000ull
#define SEEDS		6

static struct grt_recent recent;

static void add_job(void *arg, const struct grt_job *job)
{
	assert_int_equal(grt_recent_job(arg, job), 0);
}

/* A model with rings 1 and 2, whose events a test feeds one by one; the first one comes after a second. */
static struct grt_model *begin(void)
{
	const struct grtrace_hdr first = { .type = GRTRACE_SUBMIT, .ts = SECOND };
	struct grt_model *m = grt_model_create(add_job, &recent);

	assert_non_null(m);
	recent.seconds = 60;
	assert_int_equal(grt_recent_begin(&recent, m), 0);
	assert_int_equal(grt_recent_record(&recent, &first), 0);
	script_rings(m);
	return m;
}

static void end(struct grt_model *m)
{
	grt_recent_free(&recent);
	grt_model_destroy(m);
}

/* The life of a job on ring 1: it waits a moment, then runs. */
static void run_job(struct grt_model *m, uint64_t seqno, uint64_t from_ns, uint64_t to_ns)
{
	char text[256];

	snprintf(text, sizeof(text), "S1.%llu@%llu C1.%llu@%llu E1.%llu@%llu D1.%llu@%llu",
		 (unsigned long long)seqno, (unsigned long long)from_ns,
		 (unsigned long long)seqno, (unsigned long long)from_ns + 100,
		 (unsigned long long)seqno, (unsigned long long)to_ns,
		 (unsigned long long)seqno, (unsigned long long)to_ns + 10);
	script_feed(m, text);
}

static struct grt_ring_use use_of(unsigned int ago)
{
	struct grt_ring_use use;

	grt_recent_look(&recent);
	assert_int_equal(grt_recent_rings(&recent), 1);
	grt_recent_ring_use(&recent, grt_recent_ring_at(&recent, 0), ago, &use);
	return use;
}

/* A job over the border of a second counts in both; what the ring does now is there, too. */
static void test_seconds(void **state)
{
	struct grt_model *m = begin();
	struct grt_recent_ring_sums sums;
	const struct grt_hist *exec;

	(void)state;
	run_job(m, 1, SECOND, SECOND + SECOND * 3 / 2);
	grt_recent_pass(&recent, SECOND + 2 * SECOND + SECOND / 2);
	assert_int_equal(use_of(2).busy_ns, SECOND - 100);
	assert_int_equal(use_of(1).busy_ns, SECOND / 2);
	assert_int_equal(use_of(1).idle_ns[GRT_IDLE_STARVED], SECOND / 2);
	assert_int_equal(use_of(0).idle_ns[GRT_IDLE_STARVED], SECOND / 2);
	assert_int_equal(use_of(0).busy_ns, 0);
	grt_recent_ring_sums(&recent, grt_recent_ring_at(&recent, 0), &sums);
	assert_int_equal(sums.jobs, 1);
	assert_int_equal(sums.waiting_ns, 100);
	assert_int_equal(sums.use.busy_ns, SECOND * 3 / 2 - 100);
	exec = &grt_recent_ring_at(&recent, 0)->exec.all;
	assert_int_equal(exec->count, 1);
	assert_int_equal(exec->max, SECOND * 3 / 2 - 100);
	assert_int_equal(grt_recent_ring_at(&recent, 0)->wait.all.max, 100);
	end(m);
}

/* A job that runs is seen before it is over; looking twice changes nothing. */
static void test_now(void **state)
{
	struct grt_model *m = begin();
	struct grt_ring_load load;

	(void)state;
	script_feed(m, "S1.1@1000000000 C1.1@1000000100 S1.2@1000000200");
	grt_recent_pass(&recent, 3 * SECOND + SECOND / 2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(use_of(2).busy_ns, SECOND - 100);
		assert_int_equal(use_of(1).busy_ns, SECOND);
		assert_int_equal(use_of(0).busy_ns, SECOND / 2);
	}
	assert_true(grt_model_ring_load(m, grt_recent_ring_at(&recent, 0)->ring, &load));
	assert_int_equal(load.waiting, 1);
	assert_int_equal(load.on_ring, 1);
	end(m);
}

/* After a loss nothing is known of idle time, until no job of that time is in flight. */
static void test_loss(void **state)
{
	struct grt_model *m = begin();

	(void)state;
	run_job(m, 1, SECOND, SECOND + 1000);
	script_feed(m, "S1.2@1500000000 L@1600000000-1700000000");
	grt_recent_pass(&recent, 4 * SECOND);
	grt_recent_calm(&recent);
	assert_int_equal(use_of(0).idle_ns[GRT_IDLE_STARVED], 0);
	script_feed(m, "C1.2@4100000000 E1.2@4200000000 D1.2@4200000010");
	grt_recent_pass(&recent, 5 * SECOND);
	grt_recent_calm(&recent);
	grt_recent_pass(&recent, 7 * SECOND);
	assert_int_equal(use_of(1).idle_ns[GRT_IDLE_STARVED], SECOND);
	assert_int_equal(use_of(1).idle_ns[GRT_IDLE_UNKNOWN], 0);
	end(m);
}

/* What was longer ago than a minute is gone, and memory does not grow. */
static void test_hours(void **state)
{
	struct grt_model *m = begin();
	struct grt_recent_ring_sums sums;
	struct grt_recent_sums user = { .jobs = 0 };
	const struct grt_recent_ring *ring;

	(void)state;
	for (uint64_t i = 1; i <= 7200; i++)
		run_job(m, i, i * SECOND, i * SECOND + SECOND / 4);
	grt_recent_pass(&recent, 7200 * SECOND + SECOND * 99 / 100);
	grt_recent_look(&recent);
	assert_int_equal(grt_recent_users(&recent), 1);
	grt_recent_ring_sums(&recent, grt_recent_ring_at(&recent, 0), &sums);
	assert_int_equal(sums.jobs, 60);
	assert_int_equal(sums.use.busy_ns, 60 * (SECOND / 4 - 100));
	ring = grt_recent_ring_at(&recent, 0);
	assert_int_equal(ring->wait.all.count, 60);
	assert_true(ring->exec.all.min == SECOND / 4 - 100 && ring->exec.all.max == SECOND / 4 - 100);
	assert_true(ring->exec.all.sum == 60 * (SECOND / 4 - 100));
	recent.seconds = 10;
	grt_recent_look(&recent);
	assert_int_equal(ring->wait.all.count, 10);
	assert_true(ring->exec.all.sum == 10 * (SECOND / 4 - 100));
	grt_recent_user_sums(&recent, grt_recent_user_at(&recent, 0), &user);
	assert_int_equal(user.jobs, 10);
	assert_int_equal(user.exec_ns, 10 * (SECOND / 4 - 100));
	assert_int_equal(user.wait_ns, 10 * 100);
	assert_int_equal(user.taken_ns, 0);
	end(m);
}

/* A distribution is the one of the last seconds, whatever was there before. */
static void test_times(void **state)
{
	struct grt_hist expected = { .count = 0 };
	struct grt_model *m = begin();
	const struct grt_hist *got;

	(void)state;
	recent.seconds = 3;
	for (uint64_t i = 1; i <= 2000; i++) {
		uint64_t exec_ns = 1000 + i * i * 7919 % 4000000;

		run_job(m, i, SECOND + i * 5000000, SECOND + i * 5000000 + 100 + exec_ns);
		if (i >= 1600)	/* over after 8 seconds or more */
			assert_int_equal(grt_hist_add(&expected, exec_ns), 0);
		if (i % 300 == 0)
			grt_recent_look(&recent);
	}
	grt_recent_pass(&recent, SECOND + 2001 * 5000000ull);
	grt_recent_look(&recent);
	got = &grt_recent_ring_at(&recent, 0)->exec.all;
	assert_int_equal(got->count, expected.count);
	assert_true(got->sum == expected.sum && got->min == expected.min && got->max == expected.max);
	for (unsigned int permille = 0; permille <= 1000; permille += 10)
		assert_int_equal(grt_hist_quantile(got, permille), grt_hist_quantile(&expected, permille));
	grt_hist_free(&expected);
	end(m);
}

/* Processes come and go: those of the last minute have room, and no row is there for ever. */
static void test_many_processes(void **state)
{
	struct grt_model *m = begin();
	char text[256];

	(void)state;
	for (uint64_t i = 1; i <= 3 * GRT_RECENT_MAX_USERS; i++) {
		unsigned long long ns = SECOND + i * (SECOND / 20);

		snprintf(text, sizeof(text), "S%llu.1@%llu#%llu C%llu.1@%llu E%llu.1@%llu D%llu.1@%llu",
			 (unsigned long long)i, ns, (unsigned long long)i + 100, (unsigned long long)i, ns + 100,
			 (unsigned long long)i, ns + 1000, (unsigned long long)i, ns + 1010);
		script_feed(m, text);
	}
	assert_true(grt_recent_users(&recent) <= GRT_RECENT_MAX_USERS);
	assert_true(grt_recent_users(&recent) >= 59 * 20);
	end(m);
}

/*
 * A driver gives each queue a ring of its own, and never the same number: those of the last minute have room, and the
 * latest is there.
 */
static void test_many_rings(void **state)
{
	const uint64_t most = 3 * GRT_RECENT_MAX_RINGS;
	struct grt_model *m = begin();
	unsigned int late = 0;
	char text[256];

	(void)state;
	for (uint64_t i = 1; i <= most; i++) {
		unsigned long long ns = SECOND + i * SECOND, ring = i + 10;

		script_ring(m, ring, ring, GRTRACE_ENGINE_GRAPHICS, GRTRACE_ORDER_FIFO, "rcs0", "xe");
		snprintf(text, sizeof(text), "S%llu.1@%llu/%llu C%llu.1@%llu/%llu E%llu.1@%llu D%llu.1@%llu",
			 ring, ns, ring, ring, ns + 100, ring, ring, ns + 1000, ring, ns + 1010);
		script_feed(m, text);
		if (i % 16 == 0)
			grt_recent_look(&recent);
	}
	assert_true(grt_recent_rings(&recent) <= GRT_RECENT_MAX_RINGS);
	assert_false(recent.lacks[GRT_RECENT_LACKS_RINGS]);
	for (size_t i = 0; i < grt_recent_rings(&recent); i++) {
		const struct grt_recent_ring *ring = grt_recent_ring_at(&recent, i);

		late += ring->has_job && ring->last_nr + 58 > most;
	}
	/* The last job may not be over yet. */
	assert_in_range(late, 57, 59);
	end(m);
}

/* All at once: what has no room is told. */
static void test_too_many_rings(void **state)
{
	struct grt_model *m = begin();
	char text[256];

	(void)state;
	for (unsigned long long i = 1; i <= GRT_RECENT_MAX_RINGS + 2; i++) {
		unsigned long long ns = SECOND + 10000 * i, ring = i + 10;

		assert_int_equal(recent.lacks[GRT_RECENT_LACKS_RINGS], false);
		script_ring(m, ring, ring, GRTRACE_ENGINE_GRAPHICS, GRTRACE_ORDER_FIFO, "rcs0", "xe");
		snprintf(text, sizeof(text), "S%llu.1@%llu/%llu C%llu.1@%llu/%llu E%llu.1@%llu D%llu.1@%llu",
			 ring, ns, ring, ring, ns + 100, ring, ring, ns + 1000, ring, ns + 1010);
		script_feed(m, text);
	}
	script_feed(m, "S1.1@90000000000 D1.1@90000000100");
	assert_int_equal(grt_recent_rings(&recent) <= GRT_RECENT_MAX_RINGS, true);
	assert_true(recent.lacks[GRT_RECENT_LACKS_RINGS]);
	end(m);
}

/* Processes with frames come and go.  There is room for those of the last minute, and a text says if there is not. */
static void test_many_frames(void **state)
{
	struct grt_model *m = begin();
	struct grtrace_vblank told = {
		.hdr = { .type = GRTRACE_VBLANK, .size = sizeof(told), .flags = GRTRACE_F_DELIVERED },
	};
	uint64_t frames;

	(void)state;
	for (uint32_t i = 1; i <= 3 * GRT_RECENT_MAX_FRAMES; i++) {
		told.hdr.ts = SECOND + i * (SECOND / 4);
		told.tgid = i;
		assert_int_equal(grt_recent_record(&recent, &told.hdr), 0);
		assert_true(grt_recent_frame_count(&recent, i, &frames));
		assert_int_equal(frames, 1);
	}
	assert_null(grt_top_lack(&recent, GRT_RECENT_LACKS_FRAMES));
	for (uint32_t i = 1; i <= GRT_RECENT_MAX_FRAMES; i++) {
		told.tgid = 1000 + i;
		assert_int_equal(grt_recent_record(&recent, &told.hdr), 0);
	}
	assert_false(grt_recent_frame_count(&recent, told.tgid, &frames));
	assert_string_equal(grt_top_lack(&recent, GRT_RECENT_LACKS_FRAMES),
			    "more than 256 processes had frames within a minute: those of some are not known");
	end(m);
}

/* All at once: a pair of ring and process that has no room is told. */
static void test_too_many_processes(void **state)
{
	struct grt_model *m = begin();
	char text[256];

	(void)state;
	for (unsigned long long i = 1; i <= GRT_RECENT_MAX_USERS + 2; i++) {
		unsigned long long ns = SECOND + i * 100000;

		assert_null(grt_top_lack(&recent, GRT_RECENT_LACKS_USERS));
		snprintf(text, sizeof(text), "S%llu.1@%llu#%llu C%llu.1@%llu E%llu.1@%llu D%llu.1@%llu",
			 i, ns, i + 100, i, ns + 100, i, ns + 1000, i, ns + 1010);
		script_feed(m, text);
	}
	script_feed(m, "S1.2@59000000000 D1.2@59000000100");
	assert_int_equal(grt_recent_users(&recent), GRT_RECENT_MAX_USERS);
	assert_non_null(grt_top_lack(&recent, GRT_RECENT_LACKS_USERS));
	end(m);
}

/* --- random schedules --- */

struct whole {
	struct grt_recent recent;
	uint64_t jobs, exec_ns, wait_ns;
};

static int begin_pass(void *arg, struct grt_model *model)
{
	struct whole *w = arg;

	w->jobs = w->exec_ns = w->wait_ns = 0;
	w->recent.with_synthetic = true;
	w->recent.seconds = GRT_RECENT_SECONDS;
	return grt_recent_begin(&w->recent, model);
}

static int count_record(void *arg, const struct grtrace_hdr *rec)
{
	return grt_recent_record(&((struct whole *)arg)->recent, rec);
}

static int count_job(void *arg, const struct grt_job *job)
{
	struct whole *w = arg;

	w->jobs += !!job->stamps;
	for (uint32_t i = 0; i < job->nr_charges && !(job->flags & GRT_JOB_CUT); i++)
		w->wait_ns += job->charges[i].ns;
	if (grt_job_knows(job, GRT_STAGE_EXEC) && !(job->flags & GRT_JOB_CUT))
		w->exec_ns += job->stage_ns[GRT_STAGE_EXEC];
	return grt_recent_job(&w->recent, job);
}

/* These schedules are far shorter than a minute, so nothing is forgotten. */
static void check_whole(const struct whole *w)
{
	struct grt_recent_sums sums = { .jobs = 0 };

	for (size_t i = 0; i < grt_recent_rings(&w->recent); i++) {
		const struct grt_recent_ring *ring = grt_recent_ring_at(&w->recent, i);
		const struct grt_ring_use *use = grt_model_ring_use(w->recent.model, ring->ring);
		struct grt_recent_ring_sums of;

		grt_recent_ring_sums(&w->recent, ring, &of);
		if (of.use.busy_ns || grt_use_known_ns(&of.use)) {
			assert_int_equal(of.use.busy_ns, use->busy_ns);
			assert_memory_equal(of.use.idle_ns, use->idle_ns, sizeof(use->idle_ns));
		}
	}
	for (size_t i = 0; i < grt_recent_users(&w->recent); i++)
		grt_recent_user_sums(&w->recent, grt_recent_user_at(&w->recent, i), &sums);
	assert_int_equal(sums.jobs, w->jobs);
	assert_int_equal(sums.exec_ns, w->exec_ns);
	assert_int_equal(sums.wait_ns, w->wait_ns);
	assert_true(sums.taken_ns <= sums.wait_ns && sums.given_ns == sums.taken_ns);
}

static void test_class(void **state)
{
	static const struct grt_replay_ops ops = {
		.begin = begin_pass, .record = count_record, .job = count_job,
	};
	const struct sim_class *class = *state;
	static struct sim sim;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct whole w = { .jobs = 0 };
		struct grt_replay replay = { .ops = &ops, .arg = &w, .watches_events = true, .with_synthetic = true };
		struct grt_vec bytes = { 0 };
		char path[256];

		snprintf(path, sizeof(path), "%s", reading_path("recent"));
		sim_play(&sim, class, seed, SIM_MAX_JOBS);
		sim_write(&sim, &bytes);
		reading_write(path, bytes.data, bytes.bytes);
		grt_vec_free(&bytes);
		assert_int_equal(reading_replay(&replay, path, NULL), 0);
		check_whole(&w);
		grt_recent_free(&w.recent);
		grt_replay_free(&replay);
	}
}

int main(void)
{
	struct CMUnitTest tests[64] = {
		cmocka_unit_test(test_seconds),
		cmocka_unit_test(test_now),
		cmocka_unit_test(test_loss),
		cmocka_unit_test(test_hours),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_many_processes),
		cmocka_unit_test(test_many_rings),
		cmocka_unit_test(test_too_many_rings),
		cmocka_unit_test(test_many_frames),
		cmocka_unit_test(test_too_many_processes),
	};
	size_t count = 10;

	for (uint32_t i = 0; i < sim_nr_classes && count < 64; i++)
		tests[count++] = (struct CMUnitTest){
			.name = sim_classes[i].name, .test_func = test_class,
			.initial_state = (void *)&sim_classes[i],
		};
	return _cmocka_run_group_tests("recent", tests, count, NULL, NULL);
}
