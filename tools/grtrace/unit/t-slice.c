// SPDX-License-Identifier: GPL-2.0
/*
 * Slices of random schedules of the simulated scheduler: what a model says of the jobs of
 * a ring is the same for the slice with this ring as for the whole trace.
 * GRTRACE_SIM_COUNT in the environment: so many schedules in all.
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

/* What is known of a job, without what depends on the rows of one model. */
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
	int err;
};

static void take_job(void *arg, const struct grt_job *job)
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
	if (grt_vec_append(&p->jobs, &k, sizeof(k)))
		abort();
}

static void feed(void *arg, const struct grtrace_hdr *rec)
{
	struct pass *p = arg;

	if (!p->err)
		p->err = grt_model_feed(p->model, rec);
}

static struct grt_model *run_once(struct pass *p, char *path, const struct grt_model *earlier)
{
	struct reading r;

	p->jobs.bytes = 0;
	p->model = grt_model_create(take_job, p);
	assert_non_null(p->model);
	if (earlier)
		assert_int_equal(grt_model_learn(p->model, earlier), 0);
	r = reading_files(1, &path, feed, p);
	assert_int_equal(r.err, 0);
	assert_int_equal(p->err, 0);
	assert_int_equal(grt_model_finish(p->model), 0);
	return p->model;
}

/* As report reads it: twice where that tells more. */
static struct grt_vec jobs_of(char *path)
{
	struct pass p = { 0 };
	struct grt_model *first = run_once(&p, path, NULL), *second = NULL;

	if (grt_model_wants_hindsight(first))
		second = run_once(&p, path, first);
	grt_model_destroy(second);
	grt_model_destroy(first);
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

/* Jobs of rings that have the hardware of @ring. */
static bool is_of(const struct sim *s, const struct known *k, uint32_t ring)
{
	return k->ring && s->rings[k->ring - 1].hw == s->rings[ring - 1].hw;
}

/*
 * Where events were lost either may know less: the slice does not see what other rings'
 * jobs tell of the losses.  What it knows is true all the same.
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
	struct grt_slice slice = { .until_ns = UINT64_MAX, .rings = rings, .line = "slice=x" };

	/* To replace a file costs a write to the disk. */
	unlink(to);
	assert_int_equal(grt_slice_scan(&slice, path), 0);
	assert_int_equal(grt_slice_write(&slice, path, &target), 0);
	grt_slice_free(&slice);
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
