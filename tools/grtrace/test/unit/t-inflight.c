// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs in flight at the end of a trace: since when they run, what they waited for so far, and which
 * job that hung they are behind.  The simulator compares such waits with the truth, too (t-sim.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "job.h"
#include "piece.h"
#include "reading.h"
#include "scene.h"

#define END	1502010000u	/* of most scenes, in ns */

struct wanted {
	uint64_t ctx, seqno;	/* the job */
	uint64_t until_ns;	/* 0: it is not in flight, as far as that is known */
	uint64_t run_ns;	/* 0: it does not run, or that is not known */
	uint64_t hang;		/* the seqno of 15:N, the job that hung; 0: it is not behind one */
};

/* Each job of a scene that is not over. */
static const struct scene_case {
	const char *scene;
	bool keeps_pieces;
	struct wanted jobs[8];
} cases[] = {
	{ "snapshot-hang", true, {
		{ 15, 43, END, 1002010000, 0 }, { 15, 44, END, 0, 43 }, { 9, 3, END, 0, 43 },
		{ 17, 9, END, 0, 43 }, { 17, 10, END, 0, 43 }, { 5, 1, END, 1002510000, 0 },
		{ 5, 2, END, 0, 0 } } },
	{ "snapshot-hang", false, {
		{ 15, 43, END, 1002010000, 0 }, { 15, 44, END, 0, 43 }, { 9, 3, END, 0, 43 },
		{ 17, 9, END, 0, 43 }, { 17, 10, END, 0, 43 }, { 5, 1, END, 1002510000, 0 },
		{ 5, 2, END, 0, 0 } } },
	{ "snapshot-started", true, { { 15, 43, END, 1002050000, 0 } } },
	{ "snapshot-not-begun", true, { { 15, 43, END, 0, 0 } } },
	/* Of the job that hung there is no event but the ERROR. */
	{ "snapshot-unseen", true, { { 15, 44, END, 0, 43 }, { 9, 3, END, 0, 43 } } },
	/* Events are missing since its SUBMIT. */
	{ "snapshot-lossy", true, { { 9, 3, 0, 0, 0 }, { 15, 43, END, 1000110000, 0 } } },
	/* The snapshot was taken long after the last event. */
	{ "snapshot-request", true, { { 1, 2, 4000000000, 1001110000, 0 }, { 1, 3, 4000000000, 0, 0 } } },
	/* No snapshot: the trace ends with its last event. */
	{ "cut", true, { { 1, 3, 1001220000, 1001210000, 0 }, { 1, 4, 1001220000, 0, 0 } } },
	/* After a reset nobody is behind the job that hung. */
	{ "reset", true, { { 0 } } },
};

struct pass {
	const struct scene_case *c;
	unsigned int inflight, cut;
};

static int begin_pass(void *arg, struct grt_model *model)
{
	struct pass *p = arg;

	(void)model;
	p->inflight = p->cut = 0;
	return 0;
}

static int check_piece(void *arg, const struct grt_charge *piece)
{
	uint64_t *ns = arg;

	assert_int_equal(piece->from_ns, *ns);
	*ns += piece->ns;
	return 0;
}

/* Pieces go on, without a gap, from SUBMIT to START or to the end, and charges are their sums. */
static void check_charges(const struct grt_job *job)
{
	const struct grt_inflight *f = &job->inflight;
	uint64_t submit_ns = job->at_ns[GRT_AT_SUBMIT], to_ns = f->run_ns ? f->run_ns : f->until_ns;
	uint64_t ns = submit_ns, charged_ns = 0;

	assert_int_equal(grt_pieces_walk(job, 0, UINT64_MAX, check_piece, &ns), 0);
	assert_int_equal(ns, to_ns);
	for (uint32_t i = 0; i < grt_job_all_charges(job); i++)
		charged_ns += job->charges[i].ns;
	assert_int_equal(charged_ns, to_ns - submit_ns);
}

static int check_job(void *arg, const struct grt_job *job)
{
	const struct grt_inflight *f = &job->inflight;
	struct pass *p = arg;
	const struct wanted *w = p->c->jobs;

	while (w->ctx && (w->ctx != job->ctx || w->seqno != job->seqno))
		w++;
	assert_int_equal(f->until_ns, w->until_ns);
	assert_int_equal(f->run_ns, w->run_ns);
	assert_int_equal(f->hang_ctx, w->hang ? 15 : 0);
	assert_int_equal(f->hang_seqno, w->hang);
	assert_int_equal(f->is_run_inferred, f->run_ns && !grt_job_has(job, GRT_AT_START));
	p->inflight += !!f->until_ns;
	p->cut += !!w->ctx;
	if (f->until_ns && p->c->keeps_pieces)
		check_charges(job);
	else
		assert_int_equal(f->nr_charges, 0);
	/* Its stages are not over. */
	if (f->until_ns && !grt_job_has(job, GRT_AT_COMMIT))
		assert_int_equal(job->stages, 0);
	return 0;
}

static void test_scene(void **state)
{
	static const struct grt_replay_ops ops = { .begin = begin_pass, .job = check_job };
	struct pass p = { .c = *state };
	struct grt_replay replay = { .ops = &ops, .arg = &p, .keeps_pieces = p.c->keeps_pieces };
	char path[256];
	struct synth s;
	unsigned int wanted = 0, inflight = 0;

	scene_write(&s, scene_find(p.c->scene));
	snprintf(path, sizeof(path), "%s", reading_path("scene"));
	reading_write(path, s.bytes.data, s.bytes.bytes);
	assert_int_equal(reading_replay(&replay, path, NULL), 0);
	for (; p.c->jobs[wanted].ctx; wanted++)
		inflight += !!p.c->jobs[wanted].until_ns;
	assert_int_equal(p.cut, wanted);
	assert_int_equal(p.inflight, inflight);
	grt_replay_free(&replay);
	synth_free(&s);
}

int main(void)
{
	struct CMUnitTest tests[sizeof(cases) / sizeof(cases[0])];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		tests[i] = (struct CMUnitTest){
			.name = cases[i].scene, .test_func = test_scene,
			.initial_state = (void *)&cases[i],
		};
	return cmocka_run_group_tests_name("inflight", tests, NULL, NULL);
}
