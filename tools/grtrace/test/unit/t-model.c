// SPDX-License-Identifier: GPL-2.0
/* The life of a job: every event in every state, and the job that comes out. */
#include <stdio.h>

#include "model-script.h"

static const struct life_case {
	const char *name, *script;
	/* per job: ctx.seqno host queue exec hw complete total status flags; */
	const char *jobs;
} life_cases[] = {
	{ "whole life", "S1.1@100 C1.1@110 E1.1@150 D1.1@155",
	  "1.1 10 0 40 40 5 55 0 inferred_start;" },
	{ "START was seen", "S1.1@100 C1.1@110 B1.1@120 E1.1@150 D1.1@155",
	  "1.1 10 10 30 40 5 55 0 -;" },
	{ "START was derived by the source", "S1.1@100 C1.1@110 B1.1@120!i E1.1@150 D1.1@155",
	  "1.1 10 10 30 40 5 55 0 inferred_start;" },
	{ "all at one instant", "S1.1@100 C1.1@100 E1.1@100 D1.1@100",
	  "1.1 0 0 0 0 0 0 0 inferred_start;" },
	{ "one instant, wrong order", "D1.1@100 E1.1@100 C1.1@100 S1.1@100",
	  "1.1 0 0 0 0 0 0 0 inferred_start;" },
	{ "COMMIT before SUBMIT at one instant", "C1.1@100 S1.1@100 E1.1@130 D1.1@140",
	  "1.1 0 0 30 30 10 40 0 inferred_start;" },
	{ "COMPLETE before END at one instant", "S1.1@100 C1.1@110 D1.1@130 E1.1@130",
	  "1.1 10 0 20 20 0 30 0 inferred_start;" },
	{ "END before COMMIT at one instant", "S1.1@100 E1.1@130 C1.1@130 D1.1@140",
	  "1.1 30 0 0 0 10 40 0 inferred_start;" },
	{ "START after END at one instant", "S1.1@100 C1.1@110 E1.1@130 B1.1@130 D1.1@140",
	  "1.1 10 20 0 20 10 40 0 -;" },
	{ "COMMIT after END: time ran back", "S1.1@100 E1.1@130 C1.1@131 D1.1@140",
	  "1.1 31 - - - 10 40 0 out_of_order;" },
	{ "END after COMPLETE", "S1.1@100 C1.1@110 D1.1@130 E1.1@140",
	  "1.1 10 0 30 30 - 30 0 out_of_order|inferred_start;" },
	{ "END a moment after COMPLETE",
	  "S1.1@100000 C1.1@100010 D1.1@100030 S2.1@109000 E1.1@110030 D2.1@140000=-3",
	  "1.1 10 0 10020 10020 - 30 0 out_of_order|inferred_start;"
	  "2.1 - - - - - 31000 -3 killed;" },
	{ "END long after COMPLETE: too late",
	  "S1.1@100000 C1.1@100010 D1.1@100030 E1.1@110031",
	  "1.1 10 - - - - 30 0 partial;" },
	{ "START after END: when it began is not known",
	  "S1.1@100 C1.1@110 E1.1@150 B1.1@152 D1.1@155", "1.1 10 - - 40 5 55 0 out_of_order;" },
	{ "COMPLETE before SUBMIT", "D1.1@100 S1.1@140",
	  "1.1 - - - - - - 0 partial|out_of_order;" },
	{ "START before COMMIT", "S1.1@100 B1.1@105 C1.1@110 E1.1@150 D1.1@155",
	  "1.1 10 - 45 40 5 55 0 out_of_order;" },
	{ "killed with its process", "S1.1@100 D1.1@150=-3",
	  "1.1 - - - - - 50 -3 killed;" },
	{ "killed while events were lost", "S1.1@100 L@110-120 D1.1@150=-3",
	  "1.1 - - - - - 50 -3 killed;" },
	{ "SUBMIT and COMPLETE only, well ended", "S1.1@100 D1.1@150!u",
	  "1.1 - - - - - 50 0 partial|upper_bound;" },
	{ "nothing ran", "S1.1@100 C1.1@110 E1.1@112=-12!n D1.1@115=-12",
	  "1.1 10 - - 2 3 15 -12 no_hw;" },
	{ "failed, COMPLETE says so", "S1.1@100 C1.1@110 E1.1@150 D1.1@155=-5",
	  "1.1 10 0 40 40 5 55 -5 inferred_start;" },
	{ "failed, only END says so", "S1.1@100 C1.1@110 E1.1@150=-5 D1.1@155",
	  "1.1 10 0 40 40 5 55 -5 inferred_start;" },
	{ "failed, COMPLETE came first", "S1.1@100 C1.1@110 D1.1@150 E1.1@150=-5",
	  "1.1 10 0 40 40 0 50 -5 inferred_start;" },
	{ "both say an error: COMPLETE's counts", "S1.1@100 C1.1@110 E1.1@150=-5 D1.1@155=-62",
	  "1.1 10 0 40 40 5 55 -62 inferred_start;" },
	{ "both, COMPLETE first", "S1.1@100 C1.1@110 D1.1@150=-62 E1.1@150=-5",
	  "1.1 10 0 40 40 0 50 -62 inferred_start;" },
	{ "submitted before the trace", "C1.1@110 E1.1@150 D1.1@155",
	  "1.1 - 0 40 40 5 - 0 cut|inferred_start;" },
	{ "committed before the trace", "E1.1@150 D1.1@155",
	  "1.1 - - - - 5 - 0 cut;" },
	{ "ended before the trace", "D1.1@155", "1.1 - - - - - - 0 cut;" },
	{ "trace ends: submitted", "S1.1@100", "1.1 - - - - - - ? cut;" },
	{ "trace ends: committed", "S1.1@100 C1.1@110", "1.1 10 - - - - - ? cut;" },
	{ "trace ends: ended", "S1.1@100 C1.1@110 E1.1@150",
	  "1.1 10 0 40 40 - - 0 cut|inferred_start;" },
	{ "COMMIT missing", "S1.1@100 E1.1@150 D1.1@155", "1.1 - - - - 5 55 0 partial;" },
	{ "END missing", "S1.1@100 C1.1@110 D1.1@155", "1.1 10 - - - - 55 0 partial;" },
	{ "COMMIT lost", "S1.1@100 L@105-115 E1.1@150 D1.1@155", "1.1 - - - - 5 55 0 lossy;" },
	{ "END lost", "S1.1@100 C1.1@110 L@120-130 D1.1@155", "1.1 10 - - - - 55 0 lossy;" },
	{ "SUBMIT lost", "L@1-50 C1.1@110 E1.1@150 D1.1@155",
	  "1.1 - 0 40 40 5 - 0 lossy|inferred_start;" },
	{ "COMPLETE lost, trace ends", "S1.1@100 C1.1@110 E1.1@150 L@160-200",
	  "1.1 10 0 40 40 - - 0 cut|lossy|inferred_start;" },
	{ "loss after the job", "S1.1@100 C1.1@110 E1.1@150 D1.1@155 L@160-200",
	  "1.1 10 0 40 40 5 55 0 inferred_start;" },
	{ "COMPLETE lost, later job of the context is complete",
	  "S1.1@100 L@105-110 S1.2@120 C1.2@130 E1.2@140 D1.2@150 S9.1@90000",
	  "1.1 - - - - - - ? lossy;1.2 10 0 10 10 10 30 0 inferred_start;"
	  "9.1 - - - - - - ? cut;" },
	{ "no loss: the earlier job may still complete",
	  "S1.1@100 S1.2@120 C1.2@130 E1.2@140 D1.2@150 S9.1@90000 D1.1@90001=-3",
	  "1.2 10 0 10 10 10 30 0 inferred_start;1.1 - - - - - 89901 -3 killed;"
	  "9.1 - - - - - - ? cut;" },
	{ "no SUBMIT and no COMPLETE, a later job of the context is complete",
	  "E1.1@100 S1.2@120 C1.2@130 E1.2@140 D1.2@150 S9.1@90000",
	  "1.1 - - - - - - 0 cut;1.2 10 0 10 10 10 30 0 inferred_start;9.1 - - - - - - ? cut;" },
	{ "every event twice",
	  "S1.1@100 C1.1@110 C1.1@111 B1.1@120 B1.1@121 E1.1@150 E1.1@151 D1.1@155 D1.1@156",
	  "1.1 10 10 30 40 5 55 0 repeated;" },
	{ "late events twice",
	  "S1.1@100 C1.1@110 B1.1@120 C1.1@121 E1.1@150 B1.1@151 D1.1@155 E1.1@156",
	  "1.1 10 10 30 40 5 55 0 repeated;" },
	{ "key used again, old job in flight", "S1.1@100 C1.1@105 S1.1@110 D1.1@155=-3",
	  "1.1 5 - - - - - ? partial;1.1 - - - - - 45 -3 killed;" },
	{ "key used again at once", "S1.1@100 C1.1@105 E1.1@107 D1.1@110 S1.1@110 D1.1@155=-3",
	  "1.1 5 0 2 2 3 10 0 inferred_start;1.1 - - - - - 45 -3 killed;" },
	{ "sequence numbers wrap",
	  "S1.4294967295@100 S1.0@101 C1.4294967295@110 E1.4294967295@120 D1.4294967295@120 "
	  "C1.0@125 E1.0@130 D1.0@131 S1.1@140 C1.1@141 E1.1@150 D1.1@150",
	  "1.4294967295 10 0 10 10 0 20 0 inferred_start;"
	  "1.0 24 0 5 5 1 30 0 inferred_start;1.1 1 0 9 9 0 10 0 inferred_start;" },
	{ "wrap, COMPLETE of the last one lost",
	  "S1.4294967295@100 L@101-102 S1.0@103 C1.0@125 E1.0@130 D1.0@131",
	  "1.4294967295 - - - - - - ? lossy;1.0 22 0 5 5 1 28 0 inferred_start;" },
	{ "same key, by hand and real, at once",
	  "S1.1@100!s S1.1@101 C1.1@110 C1.1@111!s E1.1@150 E1.1@152!s D1.1@155 D1.1@156!s",
	  "1.1 9 0 40 40 5 54 0 inferred_start;"
	  "1.1 11 0 41 41 4 56 0 inferred_start|synthetic;" },
	{ "the kernel's own", "S1.1@100!k C1.1@110 E1.1@150 D1.1@155",
	  "1.1 10 0 40 40 5 55 0 inferred_start|kernel_job;" },
};

static void job_as_text(void *arg, const struct grt_job *job)
{
	static const enum grt_stage stages[] = {
		GRT_STAGE_SUBMIT_HOST, GRT_STAGE_QUEUE, GRT_STAGE_EXEC,
		GRT_STAGE_HW, GRT_STAGE_COMPLETE, GRT_STAGE_TOTAL,
	};
	char flags[GRT_JOB_FLAGS_LEN];
	FILE *out = arg;

	assert_true(grt_job_adds_up(job));
	fprintf(out, "%llu.%llu", (unsigned long long)job->ctx, (unsigned long long)job->seqno);
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
		if (grt_job_knows(job, stages[i]))
			fprintf(out, " %llu", (unsigned long long)job->stage_ns[stages[i]]);
		else
			fprintf(out, " -");
	}
	if (job->has_status)
		fprintf(out, " %d", job->status);
	else
		fprintf(out, " ?");
	fprintf(out, " %s;", job->flags ? grt_job_flags(job->flags, flags) : "-");
}

static void run_script(const char *script, uint64_t later_ns, const char *expected)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	struct grt_model *m = grt_model_create(job_as_text, out);

	assert_non_null(m);
	script_rings(m);
	script_feed_later(m, script, later_ns);
	assert_int_equal(grt_model_finish(m), 0);
	grt_model_destroy(m);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static void test_life(void **state)
{
	const struct life_case *c = *state;

	run_script(c->script, 0, c->jobs);
	/* Times far from 0 let the model hand out jobs before the end. */
	run_script(c->script, 1000000000, c->jobs);
}

/*
 * A loss that is known beforehand marks jobs, even those that are over before the LOSS
 * record comes.
 */
static void test_loss_beforehand(void **state)
{
	const char *script = "S1.1@100 C1.1@110 E1.1@150 D1.1@155 S9.1@90000 L@120-90000";
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	struct grt_model *m = grt_model_create(job_as_text, out);

	(void)state;
	script_rings(m);
	assert_int_equal(grt_model_add_loss(m, 120, 90000), 0);
	script_feed(m, script);
	assert_int_equal(grt_model_finish(m), 0);
	assert_int_equal(grt_model_totals(m)->lost[GRTRACE_FATE_BUFFER_FULL], 1);
	grt_model_destroy(m);
	fclose(out);
	assert_string_equal(text, "1.1 10 - - 40 5 55 0 lossy;9.1 - - - - - - ? cut|lossy;");
	free(text);
}

static void keep_job(void *arg, const struct grt_job *job)
{
	*(struct grt_job *)arg = *job;
}

/* A whole job in one record, and errors by code, known or not. */
static void test_job_and_errors(void **state)
{
	const struct grtrace_job rec = {
		.hdr = { .type = GRTRACE_JOB, .size = sizeof(rec), .ts = 200,
			 .flags = GRTRACE_F_SYNTHETIC },
		.ctx = 1, .seqno = 2, .ring = 1, .tgid = 7, .tid = 8, .status = -5,
		.submit_ns = 100, .commit_ns = 110, .end_ns = 150, .complete_ns = 155,
	};
	struct grtrace_error error = {
		.hdr = { .type = GRTRACE_ERROR, .size = sizeof(error), .ts = 300 },
		.code = GRTRACE_ERROR_RESET,
	};
	struct grt_job job = { 0 };
	struct grt_model *m = grt_model_create(keep_job, &job);

	(void)state;
	script_rings(m);
	assert_int_equal(grt_model_feed(m, &rec.hdr), 0);
	assert_int_equal(grt_model_feed(m, &error.hdr), 0);
	error.code = 4711;
	assert_int_equal(grt_model_feed(m, &error.hdr), 0);
	assert_int_equal(grt_model_finish(m), 0);
	assert_int_equal(job.stage_ns[GRT_STAGE_TOTAL], 55);
	assert_int_equal(job.stage_ns[GRT_STAGE_HW], 40);
	assert_false(grt_job_knows(&job, GRT_STAGE_EXEC));
	assert_int_equal(job.status, -5);
	assert_int_equal(job.flags, GRT_JOB_SYNTHETIC);
	assert_int_equal(grt_model_totals(m)->errors[GRTRACE_ERROR_RESET], 1);
	assert_int_equal(grt_model_totals(m)->errors[GRTRACE_ERROR_NONE], 1);
	assert_int_equal(grt_model_totals(m)->synthetic, 1);
	assert_int_equal(grt_model_totals(m)->events[GRTRACE_ERROR], 2);
	grt_model_destroy(m);
}

/* A trace with a JOB record only; the caller destroys the model. */
static struct grt_model *feed_one_job(const struct grtrace_job *rec, struct grt_job *job)
{
	struct grt_model *m = grt_model_create(keep_job, job);

	script_rings(m);
	assert_int_equal(grt_model_feed(m, &rec->hdr), 0);
	assert_int_equal(grt_model_finish(m), 0);
	return m;
}

/* A JOB without a time is damage, and no job. */
static void test_job_without_time(void **state)
{
	const struct grtrace_job rec = {
		.hdr = { .type = GRTRACE_JOB, .size = sizeof(rec), .ts = 200 },
		.ctx = 1, .seqno = 2, .ring = 1, .tgid = 7, .tid = 8,
	};
	struct grt_job job = { 0 };
	struct grt_model *m = feed_one_job(&rec, &job);

	(void)state;
	assert_int_equal(job.seqno, 0);
	assert_int_equal(grt_model_totals(m)->timeless, 1);
	grt_model_destroy(m);
}

/* A job of the kernel that was in flight when the session stopped. */
static void test_job_without_end(void **state)
{
	const struct grtrace_job rec = {
		.hdr = { .type = GRTRACE_JOB, .size = sizeof(rec), .ts = 200,
			 .flags = GRTRACE_F_KERNEL_JOB },
		.ctx = 1, .seqno = 2, .ring = 1, .tgid = 7, .tid = 8,
		.submit_ns = 100, .commit_ns = 110,
	};
	struct grt_job job = { 0 };
	struct grt_model *m = feed_one_job(&rec, &job);

	(void)state;
	assert_int_equal(job.stage_ns[GRT_STAGE_SUBMIT_HOST], 10);
	assert_false(grt_job_knows(&job, GRT_STAGE_TOTAL));
	assert_false(job.has_status);
	assert_int_equal(job.tid, 0);
	assert_int_equal(job.flags, GRT_JOB_CUT | GRT_JOB_KERNEL_JOB);
	assert_int_equal(grt_model_client(m, job.client)->ring, job.ring);
	grt_model_destroy(m);
}

/* Sums of windows; windows written by hand do not count. */
static void test_windows(void **state)
{
	struct grtrace_window rec = {
		.hdr = { .type = GRTRACE_WINDOW, .size = sizeof(rec), .ts = 300 },
		.window_ns = 100, .jobs = 2, .latency_sum_ns = 50, .latency_min_ns = 20,
		.latency_max_ns = 30, .depth_peak = 2, .ring = 1, .events = 8,
	};
	struct grt_model *m = grt_model_create(keep_job, NULL);
	const struct grt_window_totals *t = &grt_model_totals(m)->windows;

	(void)state;
	assert_int_equal(grt_model_feed(m, &rec.hdr), 0);
	rec.jobs = rec.latency_sum_ns = rec.latency_min_ns = rec.latency_max_ns = 0;
	rec.depth_peak = 3;
	assert_int_equal(grt_model_feed(m, &rec.hdr), 0);
	rec.hdr.flags = GRTRACE_F_SYNTHETIC;
	rec.depth_peak = 4;
	assert_int_equal(grt_model_feed(m, &rec.hdr), 0);
	assert_int_equal(grt_model_finish(m), 0);
	assert_int_equal(t->windows, 2);
	assert_int_equal(t->synthetic, 1);
	assert_int_equal(t->jobs, 2);
	assert_int_equal(t->latency_min_ns, 20);
	assert_int_equal(t->latency_max_ns, 30);
	assert_int_equal(t->depth_peak, 3);
	grt_model_destroy(m);
}

/* Random records: no crash, every job is handed out, and its times add up. */
static void check_job(void *arg, const struct grt_job *job)
{
	uint64_t sum_ns = 0, *jobs = arg;

	assert_true(grt_job_adds_up(job));
	for (uint32_t i = 0; i < job->nr_charges; i++)
		sum_ns += job->charges[i].ns;
	if (job->nr_charges)
		assert_int_equal(sum_ns, job->stage_ns[GRT_STAGE_SUBMIT_HOST] +
				 (grt_job_knows(job, GRT_STAGE_QUEUE) ?
				  job->stage_ns[GRT_STAGE_QUEUE] : 0));
	if (grt_job_knows(job, GRT_STAGE_RING))
		assert_int_equal(job->stage_ns[GRT_STAGE_ORDER] + job->stage_ns[GRT_STAGE_DEP] +
				 job->stage_ns[GRT_STAGE_RING] + job->stage_ns[GRT_STAGE_SCHED],
				 job->stage_ns[GRT_STAGE_SUBMIT_HOST]);
	++*jobs;
}

static void check_ring(const struct grt_model *m, const struct grt_ring_use *use)
{
	uint64_t sum_ns = use->busy_ns;

	for (int i = 0; i < GRT_NR_IDLES; i++)
		sum_ns += use->idle_ns[i];
	if (sum_ns)
		assert_int_equal(sum_ns, grt_model_wall_ns(m));
}

/* A record of any type, with few different values, so that records refer to the same jobs. */
static void random_record(union script_record *r, uint64_t ts_ns)
{
	uint32_t *words = (uint32_t *)r;

	for (size_t i = 0; i < sizeof(*r) / sizeof(*words); i++)
		words[i] = i & 1 ? 0 : random() % 6;
	r->hdr = (struct grtrace_hdr){
		.type = random() % 3 ? random() % 6 : random() % GRTRACE_NR_EVENTS,
		.size = sizeof(*r), .cpu = random() % 4, .ts = ts_ns,
		.flags = random() % 4 ? 0 : random(),
	};
	if (r->hdr.type == GRTRACE_FENCE_SIGNALED && random() % 2)
		r->fence_signaled.signaled_ns = ts_ns - random() % 3000 % ts_ns;
	if (r->hdr.type != GRTRACE_DEPENDENCY)
		r->key.ring = random() % 6;
}

static void ignore_job(void *arg, const struct grt_job *job)
{
	(void)arg;
	(void)job;
}

/* Each ring names unknown hardware: the table gets a new row while another row is in use. */
static void test_unknown_hardware(void **state)
{
	struct grt_model *m = grt_model_create(ignore_job, NULL);

	(void)state;
	for (uint32_t ring = 1; ring <= 40; ring++) {
		const struct grtrace_submit submit = {
			.hdr = { .type = GRTRACE_SUBMIT, .size = sizeof(submit), .ts = ring },
			.ctx = ring, .seqno = 1, .ring = ring,
		};

		script_ring(m, ring, 1000 + ring, GRTRACE_ENGINE_COPY, GRTRACE_ORDER_FIFO, "copy",
			    "mock");
		assert_int_equal(grt_model_feed(m, &submit.hdr), 0);
	}
	assert_int_equal(grt_model_finish(m), 0);
	grt_model_destroy(m);
}

static void test_random(void **state)
{
	uint64_t jobs = 0, ts_ns = 1;
	struct grt_model *m = grt_model_create(check_job, &jobs);
	const struct grt_ring_use *use;
	const char *name;

	(void)state;
	srandom(1);
	script_rings(m);
	for (int i = 0; i < 300000; i++) {
		union script_record r;

		/* Now and then time stands still, jumps, or runs back. */
		ts_ns += random() % 4 ? random() % 3 : random() % 8000;
		random_record(&r, random() % 50 ? ts_ns : ts_ns - random() % 2000 % ts_ns);
		assert_int_equal(grt_model_feed(m, &r.hdr), 0);
		if (!(random() % 2000))
			assert_int_equal(grt_model_add_loss(m, ts_ns, ts_ns + 500), 0);
	}
	assert_int_equal(grt_model_finish(m), 0);
	assert_true(jobs > 1000);
	for (uint32_t row = 0; row < 6; row++)
		check_ring(m, grt_model_ring_use(m, row));
	for (uint32_t i = 0; (use = grt_model_device_use(m, i, &name)); i++)
		check_ring(m, use);
	grt_model_destroy(m);
}

#define NR_LIFE_CASES	(sizeof(life_cases) / sizeof(life_cases[0]))

int main(void)
{
	struct CMUnitTest tests[NR_LIFE_CASES + 7] = {
		[NR_LIFE_CASES] = cmocka_unit_test(test_loss_beforehand),
		cmocka_unit_test(test_job_and_errors),
		cmocka_unit_test(test_job_without_end),
		cmocka_unit_test(test_job_without_time),
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_unknown_hardware),
		cmocka_unit_test(test_random),
	};

	for (size_t i = 0; i < NR_LIFE_CASES; i++)
		tests[i] = (struct CMUnitTest){
			.name = life_cases[i].name, .test_func = test_life,
			.initial_state = (void *)&life_cases[i],
		};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
