// SPDX-License-Identifier: GPL-2.0
/* Which kinds of events policies leave out, and what the model concludes from the accounts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model.h"
#include "model-script.h"
#include "omitted.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define SECOND		1000000000ull

#define JOB	GRT_KIND_JOB
#define DEP	GRT_KIND_DEP
#define THREAD	GRT_KIND_THREAD
#define OTHER	GRT_KIND_OTHER
#define MEMORY	GRT_KIND_MEMORY

/*
 * Keys with the second from which they hold, then an account between two seconds: the kinds
 * of events that it may count, and since which second.
 */
static const struct omitted_case {
	const char *name, *policies;
	uint32_t fate;
	unsigned int from_s, to_s;
	unsigned int kinds;
	unsigned int since_s;	/* of the JOB kind, or of all */
} omitted_cases[] = {
	{ "no policy explains it", "", GRTRACE_FATE_FILTERED_TYPE, 10, 20, 0, 0 },
	{ "all types", "0 filter_type_mask=0", GRTRACE_FATE_FILTERED_TYPE, 10, 20, 0, 0 },
	{ "all, before there were stacks", "0 filter_type_mask=0x3fffff", GRTRACE_FATE_FILTERED_TYPE,
	  10, 20, 0, 0 },
	{ "all, as a word", "0 filter_type_mask=all", GRTRACE_FATE_FILTERED_TYPE, 10, 20, 0, 0 },
	{ "all, as -1", "0 filter_type_mask=-1", GRTRACE_FATE_FILTERED_TYPE, 10, 20, 0, 0 },
	{ "bits that mean nothing", "0 filter_type_mask=0xffffffff", GRTRACE_FATE_FILTERED_TYPE,
	  10, 20, 0, 0 },
	{ "no dependencies", "0 filter_type_mask=0xfffff3ff", GRTRACE_FATE_FILTERED_TYPE, 10, 20,
	  DEP, 10 },
	{ "in decimal", "0 filter_type_mask=4294964223", GRTRACE_FATE_FILTERED_TYPE, 10, 20, DEP, 10 },
	{ "events of jobs only", "0 filter_type_mask=0x23b", GRTRACE_FATE_FILTERED_TYPE, 10, 20,
	  DEP | THREAD | OTHER | MEMORY, 10 },
	{ "no MEMORY", "0 filter_type_mask=0xffffefff", GRTRACE_FATE_FILTERED_TYPE, 10, 20, MEMORY, 10 },
	{ "MEMORY, but no MARK", "0 filter_type_mask=0xffff7fff", GRTRACE_FATE_FILTERED_TYPE, 10, 20,
	  OTHER, 10 },
	{ "no END", "0 filter_type_mask=0xffffffdf", GRTRACE_FATE_FILTERED_TYPE, 10, 20, JOB, 10 },
	{ "no ERROR", "0 filter_type_mask=0xfffffdff", GRTRACE_FATE_FILTERED_TYPE, 10, 20, JOB, 10 },
	{ "no number", "0 filter_type_mask=foo", GRTRACE_FATE_FILTERED_TYPE, 10, 20, JOB | MEMORY, 10 },
	{ "another fate", "0 filter_type_mask=0xfffff3ff", GRTRACE_FATE_FILTERED_LEVEL, 10, 20, 0, 0 },
	{ "level minimal", "0 level=minimal", GRTRACE_FATE_FILTERED_LEVEL, 10, 20,
	  JOB | DEP | THREAD | OTHER | MEMORY, 10 },
	{ "level normal", "0 level=normal", GRTRACE_FATE_FILTERED_LEVEL, 10, 20, THREAD | OTHER | MEMORY, 10 },
	{ "level normal, as a number", "0 level=2", GRTRACE_FATE_FILTERED_LEVEL, 10, 20,
	  THREAD | OTHER | MEMORY, 10 },
	{ "level verbose", "0 level=3", GRTRACE_FATE_FILTERED_LEVEL, 10, 20, 0, 0 },
	{ "a level that is not known", "0 level=4", GRTRACE_FATE_FILTERED_LEVEL, 10, 20, JOB | MEMORY, 10 },
	{ "level and types", "0 level=1 0 filter_type_mask=0xfffff3ff", GRTRACE_FATE_FILTERED_TYPE,
	  10, 20, DEP, 10 },
	{ "later", "30 filter_type_mask=2", GRTRACE_FATE_FILTERED_TYPE, 10, 20, 0, 0 },
	{ "meanwhile", "0 filter_type_mask=0xfffff3ff 15 filter_type_mask=3",
	  GRTRACE_FATE_FILTERED_TYPE, 10, 20, JOB | DEP | THREAD | OTHER | MEMORY, 15 },
	{ "no more meanwhile", "0 filter_type_mask=3 15 filter_type_mask=0",
	  GRTRACE_FATE_FILTERED_TYPE, 10, 20, JOB | DEP | THREAD | OTHER | MEMORY, 10 },
	{ "no more just before", "0 filter_type_mask=3 10 filter_type_mask=0",
	  GRTRACE_FATE_FILTERED_TYPE, 10, 20, JOB | DEP | THREAD | OTHER | MEMORY, 10 },
	{ "no more long before", "0 filter_type_mask=3 5 filter_type_mask=0xfffff3ff",
	  GRTRACE_FATE_FILTERED_TYPE, 10, 20, DEP, 10 },
	{ "against time", "5 filter_type_mask=0xfffff3ff 4 filter_type_mask=3",
	  GRTRACE_FATE_FILTERED_TYPE, 10, 20, JOB | MEMORY, 10 },
};

static void put(struct grt_omitted *o, const char *policies)
{
	char key[32], value[32];
	unsigned int s;
	int used;

	while (sscanf(policies, "%u %31[^=]=%31s%n", &s, key, value, &used) == 3) {
		assert_int_equal(grt_omitted_policy(o, key, value, s * SECOND), 0);
		policies += used;
	}
}

static void test_kinds(void **state)
{
	const struct omitted_case *c = *state;
	unsigned int kinds = 0, of = c->kinds & JOB ? JOB : GRT_KIND_ANY;
	struct grt_omitted o;
	uint64_t since_ns;

	grt_omitted_init(&o);
	put(&o, c->policies);
	for (unsigned int kind = 1; kind <= MEMORY; kind <<= 1)
		if (grt_omitted_in(&o, c->fate, kind, c->from_s * SECOND, c->to_s * SECOND, &since_ns))
			kinds |= kind;
	assert_int_equal(kinds, c->kinds);
	if (grt_omitted_in(&o, c->fate, of, c->from_s * SECOND, c->to_s * SECOND, &since_ns))
		assert_int_equal(since_ns, c->since_s * SECOND);
	grt_omitted_free(&o);
}

/* Policies after so many others may be missing: no account is believed. */
static void test_many(void **state)
{
	struct grt_omitted o;
	uint64_t since_ns;
	char text[32];

	(void)state;
	grt_omitted_init(&o);
	for (unsigned int i = 0; i < 10000; i++) {
		snprintf(text, sizeof(text), "%u sample=%u", i, i % 100);
		put(&o, i ? text : "0 filter_type_mask=0xfffff3ff");
	}
	assert_false(grt_omitted_in(&o, GRTRACE_FATE_FILTERED_TYPE, JOB, 0, 10 * SECOND, &since_ns));
	assert_true(grt_omitted_in(&o, GRTRACE_FATE_FILTERED_TYPE, JOB, 0, 9000 * SECOND, &since_ns));
	grt_omitted_free(&o);
}

/* --- the model ------------------------------------------------------------------ */

#define DEP_BIT		(1u << GRT_STAGE_DEP | 1u << GRT_STAGE_RING | 1u << GRT_STAGE_SCHED)
#define STAGES		(1u << GRT_STAGE_ORDER | 1u << GRT_STAGE_SUBMIT_HOST | \
			 1u << GRT_STAGE_QUEUE | 1u << GRT_STAGE_EXEC | 1u << GRT_STAGE_HW | \
			 1u << GRT_STAGE_COMPLETE | 1u << GRT_STAGE_TOTAL)

/* A single job: what is known of it and its ring. */
static const struct model_case {
	const char *name, *policy;
	uint32_t fate;
	unsigned int stages;
	uint64_t busy_ns, starved_ns, unknown_ns;	/* the wall is 400 ns */
	const char *metadata;
	bool has_no_deps;	/* the source has none to leave out */
} model_cases[] = {
	{ "nothing left out", NULL, GRTRACE_FATE_WRITTEN, STAGES | DEP_BIT, 200, 100, 0, NULL, false },
	{ "without MARKs", "filter_type_mask=0xffff7fff", GRTRACE_FATE_FILTERED_TYPE,
	  STAGES | DEP_BIT, 200, 100, 0, NULL, false },
	{ "what is around jobs", "level=2", GRTRACE_FATE_FILTERED_LEVEL, STAGES | DEP_BIT,
	  200, 100, 0, NULL, false },
	{ "without dependencies", "filter_type_mask=0xfffff3ff", GRTRACE_FATE_FILTERED_TYPE,
	  STAGES, 200, 100, 100, NULL, false },
	{ "without FENCE_SIGNALED", "filter_type_mask=0xfffff7ff", GRTRACE_FATE_FILTERED_TYPE,
	  STAGES, 200, 100, 100, NULL, false },
	{ "without CTX_SWITCH and START", "filter_type_mask=0xffffffeb", GRTRACE_FATE_FILTERED_TYPE,
	  STAGES & ~(1u << GRT_STAGE_QUEUE | 1u << GRT_STAGE_EXEC | 1u << GRT_STAGE_ORDER),
	  0, 0, 400, NULL, false },
	{ "of another trace, perhaps", "filter_type_mask=0xfffff3ff", GRTRACE_FATE_FILTERED_TYPE,
	  STAGES & ~(1u << GRT_STAGE_QUEUE | 1u << GRT_STAGE_EXEC | 1u << GRT_STAGE_ORDER),
	  0, 0, 400, "merge_boots=1\n", false },
	{ "no policy explains it", NULL, GRTRACE_FATE_FILTERED_TYPE,
	  STAGES & ~(1u << GRT_STAGE_QUEUE | 1u << GRT_STAGE_EXEC | 1u << GRT_STAGE_ORDER),
	  0, 0, 400, NULL, false },
	{ "a source without dependencies", NULL, GRTRACE_FATE_WRITTEN, STAGES, 200, 100, 100, NULL, true },
	{ "and with a policy", "level=3", GRTRACE_FATE_WRITTEN, STAGES, 200, 100, 100, NULL, true },
};

static void keep_stages(void *arg, const struct grt_job *job)
{
	*(unsigned int *)arg = job->stages;
}

static void feed_policy(struct grt_model *m, const char *text)
{
	struct {
		struct grtrace_policy rec;
		char text[64];
	} p = { .rec.hdr = { .type = GRTRACE_POLICY, .size = sizeof(p), .ts = 1 } };

	snprintf(p.text, sizeof(p.text), "%s", text);
	assert_int_equal(grt_model_feed(m, &p.rec.hdr), 0);
}

static void feed_metadata(struct grt_model *m, const char *text)
{
	struct {
		struct grtrace_metadata rec;
		char text[64];
	} p = { .rec.hdr = { .type = GRTRACE_METADATA, .size = sizeof(p) } };

	snprintf(p.text, sizeof(p.text), "%s", text);
	assert_int_equal(grt_model_feed(m, &p.rec.hdr), 0);
}

static void play(struct grt_model *m, const struct model_case *c)
{
	const struct grtrace_stream_info info = {
		.hdr = { .type = GRTRACE_STREAM_INFO, .size = sizeof(info) },
		.features = c->has_no_deps ? 0 : 1 << GRTRACE_FEATURE_DEPENDENCIES,
	};
	const struct grtrace_loss loss = {
		.hdr = { .type = GRTRACE_LOSS, .size = sizeof(loss), .ts = 500 },
		.reason = c->fate, .count = 3, .from_ns = 0, .to_ns = 500,
	};

	assert_int_equal(grt_model_feed(m, &info.hdr), 0);
	if (c->metadata)
		feed_metadata(m, c->metadata);
	script_rings(m);
	if (c->policy)
		feed_policy(m, c->policy);
	script_feed(m, "S1.1@100*1:0 C1.1@200*1:1 E1.1@400 D1.1@500");
	if (c->fate)
		assert_int_equal(grt_model_feed(m, &loss.hdr), 0);
	assert_int_equal(grt_model_finish(m), 0);
}

static void test_model(void **state)
{
	const struct model_case *c = *state;
	const struct grt_ring_use *use;
	unsigned int stages = 0;
	struct grt_model *first = grt_model_create(keep_stages, &stages);
	struct grt_model *second = grt_model_create(keep_stages, &stages);

	play(first, c);
	if (grt_model_wants_hindsight(first))
		assert_int_equal(grt_model_learn(second, first), 0);
	play(second, c);
	use = grt_model_ring_use(second, 0);
	assert_int_equal(stages, c->stages);
	assert_int_equal(use->busy_ns, c->busy_ns);
	assert_int_equal(use->idle_ns[GRT_IDLE_STARVED], c->starved_ns);
	assert_int_equal(use->idle_ns[GRT_IDLE_UNKNOWN], c->unknown_ns);
	grt_model_destroy(second);
	grt_model_destroy(first);
}

int main(void)
{
	struct CMUnitTest tests[NR(omitted_cases) + NR(model_cases) + 1], *t = tests;

	for (size_t i = 0; i < NR(omitted_cases); i++)
		*t++ = (struct CMUnitTest){
			.name = omitted_cases[i].name, .test_func = test_kinds,
			.initial_state = (void *)&omitted_cases[i],
		};
	for (size_t i = 0; i < NR(model_cases); i++)
		*t++ = (struct CMUnitTest){
			.name = model_cases[i].name, .test_func = test_model,
			.initial_state = (void *)&model_cases[i],
		};
	*t = (struct CMUnitTest)cmocka_unit_test(test_many);
	return cmocka_run_group_tests_name("omitted", tests, NULL, NULL);
}
