// SPDX-License-Identifier: GPL-2.0
/*
 * A trace that is cut at any byte.  Each value of its jobs is that of the whole trace, or
 * unknown, with a warning; or the trace is refused, with a hint.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "error.h"
#include "file.h"
#include "job.h"
#include "reading.h"
#include "scene.h"
#include "sim-random.h"
#include "synth.h"
#include "writer.h"

#define MAX_JOBS	128
#define MAX_BYTES	(1u << 17)
#define ROUND		32	/* events before the next watermark */
#define SEEDS		3
/* Odd steps: cuts at every offset modulo 8. */
#define STEP		35
#ifdef __SANITIZE_ADDRESS__
#define FEWER		5	/* the plain build has all */
#else
#define FEWER		1
#endif

struct account {
	struct grt_job jobs[MAX_JOBS];
	unsigned int count;
	unsigned int warnings;
	uint64_t events;
};

static unsigned int warnings;

static void count_warning(const char *hint, const char *text)
{
	(void)hint;
	assert_int_not_equal(text[0], '\0');
	warnings++;
}

static int begin_pass(void *arg, struct grt_model *model)
{
	struct account *a = arg;

	(void)model;
	a->count = 0;
	return 0;
}

static int keep_job(void *arg, const struct grt_job *job)
{
	struct account *a = arg;

	assert_true(a->count < MAX_JOBS);
	a->jobs[a->count++] = *job;
	return 0;
}

static const struct grt_replay_ops ops = { .begin = begin_pass, .job = keep_job };

/* Reads a trace as report does.  0 or the reader's -errno. */
static int read_account(const void *bytes, size_t count, struct account *a)
{
	struct grt_replay replay = { .ops = &ops, .arg = a };
	struct grt_stream_stats stats;
	char path[256];
	int err;

	snprintf(path, sizeof(path), "%s", reading_path("cut"));
	reading_write(path, bytes, count);
	warnings = 0;
	grt_warn_to(count_warning);
	err = reading_replay(&replay, path, &stats);
	if (!err)
		a->events = stats.events;
	a->warnings = warnings;
	grt_replay_free(&replay);
	return err;
}

static const struct grt_job *find(const struct account *a, const struct grt_job *job)
{
	for (unsigned int i = 0; i < a->count; i++)
		if (a->jobs[i].ctx == job->ctx && a->jobs[i].seqno == job->seqno &&
		    !((a->jobs[i].flags ^ job->flags) & GRT_JOB_SYNTHETIC))
			return &a->jobs[i];
	return NULL;
}

static void compare(const struct grt_job *job, const struct grt_job *whole, size_t cut)
{
	for (int i = 0; i < GRT_NR_STAMPS; i++)
		if (grt_job_has(job, i) && (!grt_job_has(whole, i) || job->at_ns[i] != whole->at_ns[i]))
			fail_msg("cut at %zu: %u:%u: stamp %d is another", cut, (unsigned int)job->ctx,
				 (unsigned int)job->seqno, i);
	for (int i = 0; i < GRT_NR_STAGES; i++)
		if (grt_job_knows(job, i) && (!grt_job_knows(whole, i) ||
					      job->stage_ns[i] != whole->stage_ns[i]))
			fail_msg("cut at %zu: %u:%u: %s is another", cut, (unsigned int)job->ctx,
				 (unsigned int)job->seqno, grt_stage_name(i));
}

/* Cuts @bytes after @first bytes, and then every @step bytes. */
static void cut_all(const uint8_t *bytes, size_t count, size_t first, size_t step)
{
	struct account *whole = calloc(1, sizeof(*whole)), *part = calloc(1, sizeof(*part));
	unsigned int refused = 0, told = 0;

	assert_true(whole && part && count < MAX_BYTES);
	assert_int_equal(read_account(bytes, count, whole), 0);
	assert_true(whole->count > 0);
	for (size_t cut = first; cut < count; cut += step * FEWER) {
		int err = read_account(bytes, cut, part);

		if (err) {
			assert_int_equal(err, -EBADMSG);
			assert_int_not_equal(grt_cause()[0], '\0');
			assert_non_null(grt_hint());
			refused++;
			continue;
		}
		told++;
		if (!part->warnings)
			fail_msg("cut at %zu of %zu: no warning", cut, count);
		if (part->count > whole->count || part->events > whole->events)
			fail_msg("cut at %zu: %u jobs of %u, %u events of %u", cut, part->count,
				 whole->count, (unsigned int)part->events,
				 (unsigned int)whole->events);
		for (unsigned int i = 0; i < part->count; i++) {
			const struct grt_job *job = find(whole, &part->jobs[i]);

			assert_non_null(job);
			compare(&part->jobs[i], job, cut);
		}
	}
	assert_true((refused || first) && told);
	free(whole);
	free(part);
}

/* --- traces ---------------------------------------------------------------------- */

static void cut_file(const char *path, size_t step)
{
	uint8_t *bytes = malloc(MAX_BYTES);
	FILE *f = fopen(path, "r");
	size_t count;

	assert_true(f && bytes);
	count = fread(bytes, 1, MAX_BYTES, f);
	fclose(f);
	cut_all(bytes, count, 0, step);
	free(bytes);
}

static void test_raw(void **state)
{
	struct synth s, other;
	size_t named;

	(void)state;
	synth_example(&s, 0);
	cut_all(s.bytes.data, s.bytes.bytes, 0, 1);
	synth_example(&other, 1);
	/* Where the second stream's STREAM_INFO is cut, this is a trace of the first alone. */
	named = s.bytes.bytes + sizeof(struct grtrace_stream_info);
	assert_int_equal(grt_vec_append(&s.bytes, other.bytes.data, other.bytes.bytes), 0);
	cut_all(s.bytes.data, s.bytes.bytes, named, 1);
	synth_free(&s);
	synth_free(&other);
}

static void test_scenes(void **state)
{
	(void)state;
	for (size_t i = 0; i < nr_scenes; i++) {
		struct synth s;

		/* A job overtakes another of its context, which no kernel lets happen. */
		if (!strcmp(scenes[i].name, "firmware"))
			continue;
		scene_write(&s, &scenes[i]);
		cut_all(s.bytes.data, s.bytes.bytes, 0, 7);
		synth_free(&s);
	}
}

static void define(struct synth *s, const struct sim *sim)
{
	struct grtrace_stream_info *info = synth_find(s, GRTRACE_STREAM_INFO, 0);

	info->start_ns = 0;
	info->features |= 1u << GRTRACE_FEATURE_DEPENDENCIES | 1u << GRTRACE_FEATURE_RECOVERY |
			  1u << GRTRACE_FEATURE_CLIENT_ID;
	for (uint32_t i = 0; i < sim->nr_rings; i++) {
		struct grtrace_ring *ring;

		synth_ring(s, i + 1, sim->rings[i].name, 0);
		ring = synth_find(s, GRTRACE_RING, i);
		ring->hw_ring = sim->rings[i].hw + 1;
		ring->order = sim->rings[i].order;
		ring->credit_limit = sim->rings[i].credit_limit;
	}
	synth_subbuf(s, 0);
}

static void put_event(struct synth *s, const struct sim_event *e)
{
	struct grtrace_hdr *to = synth_event(s, e->rec.hdr.type, e->rec.hdr.ts);

	memcpy(to + 1, &e->rec.hdr + 1, to->size - sizeof(*to));
	to->flags = e->rec.hdr.flags;
}

/* Writes a file as record does: each CPU in turn, and a watermark after each round. */
static void write_sim(const char *path, const struct sim *sim)
{
	struct grt_file_header header = { .session_id = SYNTH_SESSION };
	struct synth s[SIM_CPUS];
	struct grt_writer *w;

	assert_int_equal(grt_writer_create(&w, path, &header, geteuid(), getegid()), 0);
	for (uint16_t cpu = 0; cpu < sim->nr_cpus; cpu++) {
		synth_begin(&s[cpu], cpu);
		define(&s[cpu], sim);
	}
	for (uint32_t i = 0; i < sim->nr_events; ) {
		for (uint32_t n = 0; n < ROUND && i < sim->nr_events; n++, i++)
			put_event(&s[sim->events[i].rec.hdr.cpu], &sim->events[i]);
		for (uint16_t cpu = 0; cpu < sim->nr_cpus; cpu++) {
			if (i == sim->nr_events)
				synth_end(&s[cpu], sim->last_ns);
			assert_int_equal(synth_write(w, &s[cpu]), 0);
		}
		if (i < sim->nr_events)
			assert_int_equal(grt_writer_watermark(w, sim->events[i].rec.hdr.ts), 0);
	}
	assert_int_equal(grt_writer_close(w), 0);
	for (uint16_t cpu = 0; cpu < sim->nr_cpus; cpu++)
		synth_free(&s[cpu]);
}

/* Jobs whose events are on several CPUs: the file ends where one CPU is behind another. */
static void test_random(void **state)
{
	struct sim *sim = calloc(1, sizeof(*sim));
	char path[256];

	(void)state;
	assert_non_null(sim);
	snprintf(path, sizeof(path), "%s", reading_path("whole"));
	for (uint32_t class = 0; class < sim_nr_classes; class++) {
		if (sim_classes[class].missing != SIM_NOTHING)
			continue;
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			sim_play(sim, &sim_classes[class], seed, MAX_JOBS - 1);
			write_sim(path, sim);
			cut_file(path, STEP);
		}
	}
	free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_raw),
		cmocka_unit_test(test_scenes),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests_name("cut", tests, NULL, NULL);
}
