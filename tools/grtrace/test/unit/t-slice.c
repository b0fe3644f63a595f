// SPDX-License-Identifier: GPL-2.0
/*
 * Slices of random schedules of the simulated scheduler: the model reports the same on the
 * jobs of a ring, from the slice with this ring and from the whole trace.
 * GRTRACE_SIM_COUNT in the environment is the number of schedules.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "error.h"
#include "model.h"
#include "reading.h"
#include "sim-file.h"
#include "sim-random.h"
#include "sim-truth.h"
#include "slice.h"
#include "source.h"
#include "verify.h"

#define COUNT	320

/* The known values of a job, without row numbers, which differ from model to model. */
struct known {
	uint64_t ctx, seqno;
	uint32_t ring, flags;
	int32_t status;
	bool has_status;
	uint16_t stages;
	uint8_t stamps;
	uint64_t at_ns[GRT_NR_STAMPS], stage_ns[GRT_NR_STAGES];
};

struct pass {
	struct grt_model *model;
	struct grt_vec jobs;		/* struct known */
};

static int add_job(void *arg, const struct grt_job *job)
{
	struct pass *p = arg;
	struct known k = {
		.ctx = job->ctx, .seqno = job->seqno, .flags = job->flags, .status = job->status,
		.has_status = job->has_status, .stages = job->stages, .stamps = job->stamps,
	};

	if (job->ring != GRT_NONE)
		k.ring = grt_names_ring_at(grt_model_names(p->model), job->ring)->id;
	for (int i = 0; i < GRT_NR_STAMPS; i++)
		k.at_ns[i] = grt_job_has(job, i) ? job->at_ns[i] : 0;
	for (int i = 0; i < GRT_NR_STAGES; i++)
		k.stage_ns[i] = grt_job_knows(job, i) ? job->stage_ns[i] : 0;
	return grt_vec_append(&p->jobs, &k, sizeof(k));
}

static int begin_pass(void *arg, struct grt_model *model)
{
	struct pass *p = arg;

	p->model = model;
	p->jobs.bytes = 0;
	return 0;
}

static const struct grt_replay_ops ops = { .begin = begin_pass, .job = add_job };

static struct grt_vec jobs_of(char *path)
{
	struct pass p = { 0 };
	struct grt_replay replay = { .ops = &ops, .arg = &p };

	assert_int_equal(reading_replay(&replay, path, NULL), 0);
	grt_replay_free(&replay);
	return p.jobs;
}

static const struct known *find(const struct grt_vec *jobs, const struct known *like)
{
	for (size_t i = 0; i < grt_vec_count(jobs, struct known); i++) {
		const struct known *k = grt_vec_at(jobs, struct known, i);

		if (k->ctx == like->ctx && k->seqno == like->seqno)
			return k;
	}
	return NULL;
}

static void show(const struct known *k, const char *what)
{
	printf("# %s %" PRIu64 ":%" PRIu64 " ring %u flags %x stages %x", what, k->ctx, k->seqno,
	       k->ring, k->flags, k->stages);
	for (int i = 0; i < GRT_NR_STAGES; i++)
		printf(" %" PRIu64, k->stage_ns[i]);
	putchar('\n');
}

/* Whether the job's ring has the same hardware as @ring. */
static bool is_of(const struct sim *s, const struct known *k, uint32_t ring)
{
	return k->ring && s->rings[k->ring - 1].hw == s->rings[ring - 1].hw;
}

/*
 * Where events were lost, either may know less: the slice does not see what jobs of other
 * rings tell about the losses.  But the values that it knows must be true.
 */
static bool is_true(const struct sim *s, const struct sim_truth *truth, const struct known *whole,
		    const struct known *part)
{
	struct known a = *whole, b = *part;

	for (uint32_t j = 0; j < s->nr_jobs; j++) {
		if (s->jobs[j].ctx_id != a.ctx || s->jobs[j].seqno != a.seqno)
			continue;
		for (int i = 0; i <= GRT_STAGE_SCHED; i++)
			if (b.stages >> i & 1 && b.stage_ns[i] != truth->jobs[j].stage_ns[i])
				return false;
	}
	a.stages &= ~0u << GRT_STAGE_SUBMIT_HOST;
	b.stages &= ~0u << GRT_STAGE_SUBMIT_HOST;
	for (int i = 0; i <= GRT_STAGE_SCHED; i++)
		a.stage_ns[i] = b.stage_ns[i] = 0;
	return !memcmp(&a, &b, sizeof(a));
}

/* How many jobs of @ring differ. */
static unsigned int compare(const struct sim *s, const struct sim_truth *truth,
			    const struct grt_vec *whole, const struct grt_vec *part, uint32_t ring)
{
	unsigned int expected = 0, wrong = 0;

	for (size_t i = 0; i < grt_vec_count(whole, struct known); i++) {
		const struct known *k = grt_vec_at(whole, struct known, i);
		const struct known *other = find(part, k);

		if (k->ring && !is_of(s, k, ring))
			continue;
		expected++;
		if (other && !memcmp(k, other, sizeof(*k)))
			continue;
		if (other && s->nr_losses && is_true(s, truth, k, other))
			continue;
		wrong++;
		show(k, "whole");
		if (other)
			show(other, "slice");
	}
	return wrong + (expected != grt_vec_count(part, struct known));
}

static void check_verifies(char *path)
{
	struct grt_verify *v;

	assert_int_equal(grt_verify_files(&v, 1, &path, 0), 0);
	for (int i = 0; i < GRT_NR_CHECKS; i++) {
		if (grt_verify_check(v, i)->violations)
			printf("# %s\n", grt_verify_check(v, i)->first);
		assert_int_equal(grt_verify_check(v, i)->violations, 0);
	}
	grt_verify_free(v);
}

static void cut(char *path, char *to, const char *rings)
{
	struct grt_target target = { .path = to, .uid = geteuid(), .gid = getegid() };
	struct grt_slice slice = { .part.until_ns = UINT64_MAX, .rings = rings, .line = "slice=x" };

	/* Unlink first: replacing a file waits for the disk. */
	unlink(to);
	assert_int_equal(grt_slice_write(&slice, path, &target), 0);
	check_verifies(to);
}

static unsigned int check_schedule(const struct sim *s, char *path, char *to)
{
	struct sim_truth *truth = calloc(1, sizeof(*truth));
	struct grt_vec bytes = { 0 }, whole, part;
	unsigned int wrong = 0;
	char name[16];

	assert_non_null(truth);
	sim_truth(truth, s, false);
	sim_write(s, &bytes);
	reading_write(path, bytes.data, bytes.bytes);
	grt_vec_free(&bytes);
	whole = jobs_of(path);
	for (uint32_t ring = 1; ring <= s->nr_rings; ring++) {
		snprintf(name, sizeof(name), "%u", ring);
		cut(path, to, name);
		part = jobs_of(to);
		wrong += compare(s, truth, &whole, &part, ring);
		grt_vec_free(&part);
	}
	grt_vec_free(&whole);
	free(truth);
	return wrong;
}

static void test_class(void **state)
{
	const struct sim_class *class = *state;
	char *path = strdup(reading_path("whole")), *to = strdup(reading_path("slice.grt"));
	struct sim *s = malloc(sizeof(*s));
	unsigned int wrong = 0;
	const char *count = getenv("GRTRACE_SIM_COUNT");
	uint64_t schedules = (count ? strtoull(count, NULL, 0) : COUNT) / sim_nr_classes + 1;
	bool has_shown = false;

	assert_non_null(s);
	for (uint64_t n = 0; n < schedules; n++) {
		sim_play(s, class, 0x51ce00000000ull + n * 64 + (class - sim_classes), SIM_MAX_JOBS);
		wrong += check_schedule(s, path, to);
		for (uint32_t i = 0; wrong && !has_shown && i < s->nr_events; i++)
			sim_print_event(s, &s->events[i], stdout);
		has_shown |= wrong;
	}
	if (wrong)
		printf("# %s: %u jobs differ\n", class->name, wrong);
	assert_int_equal(wrong, 0);
	free(s);
	free(path);
	free(to);
}

int main(void)
{
	struct CMUnitTest tests[sim_nr_classes];

	for (uint32_t i = 0; i < sim_nr_classes; i++)
		tests[i] = (struct CMUnitTest){
			.name = sim_classes[i].name, .test_func = test_class,
			.initial_state = (void *)&sim_classes[i],
		};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
