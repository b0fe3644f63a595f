// SPDX-License-Identifier: GPL-2.0
/* Which events the module keeps: the pure files of drivers/gpu/grtrace/policy/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "mask.h"
#include "pressure.h"
#include "rule.h"
#include "sample.h"
#include "watch.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define SECOND		1000000000ull
#define T(NAME)		(1ull << GRTRACE_##NAME)

/* --- rings by number and name --- */

static const struct { const char *word; bool is_ok; } words[] = {
	{ "0", true }, { "17", true }, { "1023", true }, { "gfx", true }, { "3d", true },
	{ "0000:03:00.0/sdma0", true }, { "comp_1.2.0", true },
	{ "1024", false }, { "", false }, { "-1", false }, { "+1", false }, { "a b", false },
	{ "!gfx", false }, { "a=b", false }, { "4294967296", true /* a strange name */ },
	{ "a name that is longer than any ring's and any device's can be, both in all", false },
};

static void test_ring_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(words); i++) {
		struct grt_ringset set = { 0 };

		if (grt_ringset_add(&set, words[i].word) != words[i].is_ok)
			fail_msg("'%s'", words[i].word);
		assert_int_equal(set.nr, words[i].is_ok);
	}
}

static void test_ring_names(void **state)
{
	struct grt_ringset set = { 0 }, other = { 0 };
	char text[64];

	(void)state;
	assert_true(grt_ringset_add(&set, "5"));
	assert_true(grt_ringset_add(&set, "gfx"));
	assert_true(grt_ringset_add(&set, "card1/copy"));
	assert_true(grt_ringset_add(&set, "gfx"));	/* no second time */
	grt_ringset_format(&set, text, sizeof(text));
	assert_string_equal(text, "5,gfx,card1/copy");

	grt_ringset_match_row(&set, 7, "card0", "gfx");
	grt_ringset_match_row(&set, 8, "card0", "copy");
	grt_ringset_match_row(&set, 9, "card1", "copy");
	grt_ringset_match_row(&set, 10, "card1", "gfx0");
	for (uint32_t row = 0; row < GRT_RINGSET_ROWS; row++) {
		assert_int_equal(grt_ringset_has(&set, row), row == 5 || row == 7 || row == 9);
		/* The number of the third ring that uses this row. */
		assert_int_equal(grt_ringset_has(&set, row + 2 * GRT_RINGSET_ROWS),
				 row == 5 || row == 7 || row == 9);
	}
	/* Other rings get the rows. */
	grt_ringset_match_row(&set, 7, "card0", "copy");
	grt_ringset_match_row(&set, 5, "card0", "copy");
	assert_false(grt_ringset_has(&set, 7));
	assert_true(grt_ringset_has(&set, 5));
	grt_ringset_clear_names(&set);
	for (uint32_t row = 0; row < GRT_RINGSET_ROWS; row++)
		assert_int_equal(grt_ringset_has(&set, row), row == 5);
	grt_ringset_format(&set, text, 8);	/* little room */
	assert_string_equal(text, "5,gfx,c");
	grt_ringset_put(&other, &set);
	assert_true(grt_ringset_is_used(&other) && grt_ringset_has(&other, 5));
	grt_ringset_put(&other, &(struct grt_ringset){ 0 });
	/* A reader that just saw the set in use still finds its rings. */
	assert_true(!grt_ringset_is_used(&other) && grt_ringset_has(&other, 5));
}

static void test_ring_limit(void **state)
{
	struct grt_ringset set = { 0 };
	char word[16];

	(void)state;
	for (int i = 0; i < GRT_RINGSET_ITEMS + 1; i++) {
		snprintf(word, sizeof(word), "%d", i);
		assert_int_equal(grt_ringset_add(&set, word), i < GRT_RINGSET_ITEMS);
	}
}

/* --- watch lists: contexts 7 and 8, rings 3 and 4 are listed where a list is used --- */

#define CTXS	1
#define RINGS	2

static const struct watch_case {
	int lists;
	bool is_allow, is_or;
	uint64_t ctx;
	uint32_t ring;
	bool is_refused;
} watch_cases[] = {
	/* lists	  allow	 or	ctx ring */
	{ 0,		  true,	 false, 1, 1, false },
	{ 0,		  false, false, 1, 1, false },
	{ CTXS,		  true,	 false, 7, 1, false },
	{ CTXS,		  true,	 false, 9, 3, true },
	{ CTXS,		  true,	 false, 0, 3, false },	/* of no job */
	{ CTXS,		  false, false, 7, 1, true },
	{ CTXS,		  false, false, 9, 1, false },
	{ CTXS,		  false, false, 0, 1, false },
	{ RINGS,	  true,	 false, 7, 3, false },
	{ RINGS,	  true,	 false, 7, 5, true },
	{ RINGS,	  true,	 false, 7, 0, false },	/* ring not known */
	{ RINGS,	  false, false, 7, 4, true },
	{ RINGS,	  false, false, 7, 5, false },
	{ RINGS,	  false, false, 7, 0, false },
	{ CTXS | RINGS,	  true,	 false, 7, 3, false },
	{ CTXS | RINGS,	  true,	 false, 7, 5, true },
	{ CTXS | RINGS,	  true,	 false, 9, 3, true },
	{ CTXS | RINGS,	  true,	 false, 7, 0, false },
	{ CTXS | RINGS,	  true,	 false, 9, 0, true },	/* whatever the ring is */
	{ CTXS | RINGS,	  true,	 true,	7, 5, false },
	{ CTXS | RINGS,	  true,	 true,	9, 3, false },
	{ CTXS | RINGS,	  true,	 true,	9, 5, true },
	{ CTXS | RINGS,	  true,	 true,	9, 0, false },
	{ CTXS | RINGS,	  false, false, 7, 3, true },
	{ CTXS | RINGS,	  false, false, 7, 5, false },
	{ CTXS | RINGS,	  false, false, 7, 0, false },
	{ CTXS | RINGS,	  false, true,	7, 0, true },	/* whatever the ring is */
	{ CTXS | RINGS,	  false, true,	9, 4, true },
	{ CTXS | RINGS,	  false, true,	9, 5, false },
};

static void test_watch(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(watch_cases); i++) {
		const struct watch_case *c = &watch_cases[i];
		struct grt_watch w = { .is_allow = c->is_allow, .is_or = c->is_or };

		if (c->lists & CTXS)
			assert_true(grt_watch_add_ctx(&w, 8) && grt_watch_add_ctx(&w, 7));
		if (c->lists & RINGS)
			assert_true(grt_ringset_add(&w.rings, "3") && grt_ringset_add(&w.rings, "4"));
		grt_watch_prepare(&w);
		if (grt_watch_refuses(&w, c->ctx, c->ring) != c->is_refused)
			fail_msg("case %zu", i);
		/* The second look must not contradict a certain answer of the first. */
		if (grt_watch_keeps(&w, c->ctx) && c->is_refused)
			fail_msg("first look of case %zu", i);
	}
}

static void test_watch_many(void **state)
{
	struct grt_watch w = { .is_allow = true };
	unsigned int kept = 0;

	(void)state;
	assert_false(grt_watch_add_ctx(&w, 0));
	for (uint64_t ctx = 1; ctx <= GRT_WATCH_CTXS; ctx++) {
		assert_true(grt_watch_add_ctx(&w, ctx * 1000003));
		assert_true(grt_watch_add_ctx(&w, ctx * 1000003));
	}
	assert_int_equal(w.ctxs[w.live].nr, GRT_WATCH_CTXS);
	assert_false(grt_watch_add_ctx(&w, 5));
	assert_true(grt_watch_add_ctx(&w, 1000003));	/* in the list already */
	for (uint64_t ctx = 1; ctx <= 2 * GRT_WATCH_CTXS; ctx++)
		assert_int_equal(grt_watch_refuses(&w, ctx * 1000003, 0), ctx > GRT_WATCH_CTXS);
	grt_watch_prepare(&w);
	for (uint64_t ctx = 1; ctx <= 2 * GRT_WATCH_CTXS; ctx++)
		kept += grt_watch_keeps(&w, ctx * 1000003);
	assert_in_range(kept, GRT_WATCH_CTXS / 2, GRT_WATCH_CTXS);	/* the others collide */
	/* No look keeps the numbers that mean "nobody" in the table. */
	assert_false(grt_watch_keeps(&w, 0) || grt_watch_keeps(&w, 1) || grt_watch_keeps(&w, ~0ull));
	w.is_allow = false;
	grt_watch_prepare(&w);
	for (uint64_t ctx = 0; ctx <= 1000; ctx++)
		assert_false(grt_watch_keeps(&w, ctx) || grt_watch_keeps(&w, ctx * 1000003));
	w.is_allow = true;
	grt_watch_put_ctxs(&w, &(struct grt_watch){ 0 });
	assert_false(grt_watch_is_used(&w));
	assert_true(grt_watch_add_ctx(&w, 5));
	assert_true(grt_watch_refuses(&w, 6, 0) && !grt_watch_refuses(&w, 5, 0));
}

/* --- levels and masks --- */

static const struct {
	uint64_t level, types;
	unsigned int type;
	enum grtrace_fate fate;
} type_cases[] = {
	{ 3, 0, GRTRACE_IRQ, GRTRACE_FATE_WRITTEN },
	{ 3, 0, GRTRACE_CPU_WAKE, GRTRACE_FATE_WRITTEN },
	{ 2, 0, GRTRACE_IRQ, GRTRACE_FATE_FILTERED_LEVEL },
	{ 2, 0, GRTRACE_SYNC_WAIT_ENTER, GRTRACE_FATE_FILTERED_LEVEL },
	{ 2, 0, GRTRACE_MEMORY, GRTRACE_FATE_FILTERED_LEVEL },
	{ 2, 0, GRTRACE_COMMIT, GRTRACE_FATE_WRITTEN },
	{ 2, 0, GRTRACE_DEPENDENCY, GRTRACE_FATE_WRITTEN },
	{ 2, 0, GRTRACE_FENCE_SIGNALED, GRTRACE_FATE_WRITTEN },
	{ 1, 0, GRTRACE_SUBMIT, GRTRACE_FATE_WRITTEN },
	{ 1, 0, GRTRACE_COMPLETE, GRTRACE_FATE_WRITTEN },
	{ 1, 0, GRTRACE_ERROR, GRTRACE_FATE_WRITTEN },
	{ 1, 0, GRTRACE_COMMIT, GRTRACE_FATE_FILTERED_LEVEL },
	{ 0, 0, GRTRACE_SUBMIT, GRTRACE_FATE_FILTERED_LEVEL },
	{ 0, 0, GRTRACE_ERROR, GRTRACE_FATE_FILTERED_LEVEL },
	{ 3, T(SUBMIT) | T(END), GRTRACE_END, GRTRACE_FATE_WRITTEN },
	{ 3, T(SUBMIT) | T(END), GRTRACE_COMMIT, GRTRACE_FATE_FILTERED_TYPE },
	{ 1, T(SUBMIT) | T(END), GRTRACE_END, GRTRACE_FATE_FILTERED_LEVEL },
	{ 1, T(SUBMIT) | T(END), GRTRACE_COMPLETE, GRTRACE_FATE_FILTERED_TYPE },
};

static void test_types(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(type_cases); i++) {
		struct grt_mask m = { .level = type_cases[i].level, .types = type_cases[i].types };

		if (grt_mask_type_fate(&m, type_cases[i].type) != type_cases[i].fate)
			fail_msg("case %zu", i);
		/* The bits say the same. */
		if ((grt_mask_types(&m) >> type_cases[i].type & 1) !=
		    (type_cases[i].fate != GRTRACE_FATE_WRITTEN))
			fail_msg("bit of case %zu", i);
	}
}

/*
 * Readers have a table of their own: a trace names the level, not the types that it kept.
 * The readers' header needs the other linux/grtrace.h.
 */
extern const uint64_t grt_level_types[];

static void test_levels_agree_with_readers(void **state)
{
	(void)state;
	for (uint64_t level = 0; level <= GRT_LEVEL_VERBOSE; level++) {
		struct grt_mask m = { .level = level };

		for (uint16_t type = 0; type < GRTRACE_NR_EVENTS; type++)
			if ((grt_mask_type_fate(&m, type) == GRTRACE_FATE_WRITTEN) !=
			    (grt_level_types[level] >> type & 1))
				fail_msg("level %u, type %u", (unsigned int)level, type);
	}
}

static void test_rings(void **state)
{
	struct grt_mask m = { .level = GRT_LEVEL_VERBOSE };

	(void)state;
	assert_false(grt_mask_is_used(&m));
	m.engines = 1 << GRTRACE_ENGINE_COPY;
	assert_true(grt_mask_is_used(&m));
	assert_int_equal(grt_mask_ring_fate(&m, 4, GRTRACE_ENGINE_COPY), GRTRACE_FATE_WRITTEN);
	assert_int_equal(grt_mask_ring_fate(&m, 4, GRTRACE_ENGINE_OTHER),
			 GRTRACE_FATE_FILTERED_ENGINE);
	assert_int_equal(grt_mask_ring_fate(&m, 0, GRTRACE_ENGINE_OTHER), GRTRACE_FATE_WRITTEN);
	assert_true(grt_ringset_add(&m.rings, "5"));
	assert_int_equal(grt_mask_ring_fate(&m, 5, GRTRACE_ENGINE_COPY), GRTRACE_FATE_WRITTEN);
	assert_int_equal(grt_mask_ring_fate(&m, 4, GRTRACE_ENGINE_COPY), GRTRACE_FATE_FILTERED_RING);
	assert_int_equal(grt_mask_ring_fate(&m, 0, GRTRACE_ENGINE_COPY), GRTRACE_FATE_WRITTEN);
}

/* --- sampling --- */

/* 100000 jobs of few or many contexts: the sampler keeps the wanted share. */
static void test_share(void **state)
{
	static const uint64_t pcts[] = { 0, 1, 10, 25, 50, 75, 99, 100 };
	static const uint64_t ctxs[] = { 1, 7, 64, 1000 };
	const uint64_t jobs = 100000;

	(void)state;
	for (size_t c = 0; c < NR(ctxs); c++)
		for (size_t p = 0; p < NR(pcts); p++) {
			uint64_t limit = grt_sample_limit(pcts[p]), kept = 0;

			for (uint64_t i = 0; i < jobs; i++)
				kept += grt_sample_keeps(limit, 40 + 2 * (i % ctxs[c]),
							 1 + i / ctxs[c], 0);
			if (kept * 1000 < (pcts[p] * 10 - 5 * !!(pcts[p] % 100)) * jobs ||
			    kept * 1000 > (pcts[p] * 10 + 5 * !!(pcts[p] % 100)) * jobs)
				fail_msg("%u %% of %u contexts: %u jobs", (unsigned int)pcts[p],
					 (unsigned int)ctxs[c], (unsigned int)kept);
		}
}

/* Two samplers keep half each: both keep a quarter. */
static void test_two_samplers(void **state)
{
	const uint64_t jobs = 100000, half = grt_sample_limit(50);

	(void)state;
	for (uint64_t salt = 1; salt < 5; salt++) {
		uint64_t both = 0;

		for (uint64_t i = 0; i < jobs; i++)
			both += grt_sample_keeps(half, 33, i, 0) && grt_sample_keeps(half, 33, i, salt);
		assert_in_range(both, jobs * 245 / 1000, jobs * 255 / 1000);
	}
}

/* --- backpressure --- */

static void test_pressure(void **state)
{
	const struct grt_pressure all = { .threshold_pct = 50 };
	const struct grt_pressure thin = { .threshold_pct = 50, .is_adaptive = true };
	uint64_t share = GRT_PRESSURE_ALL, before;

	(void)state;
	assert_int_equal(grt_pressure_share(&all, 0, 7, 16), GRT_PRESSURE_ALL);
	assert_int_equal(grt_pressure_share(&all, GRT_PRESSURE_ALL, 8, 16), 0);
	/* The share shrinks step by step while the buffer is full, then grows back to all. */
	for (int i = 0; i < 2000; i++, assert_true(share <= before)) {
		before = share;
		share = grt_pressure_share(&thin, share, 12, 16);
		assert_true(before - share <= before / 64 + 1);
	}
	assert_in_range(share, GRT_PRESSURE_ALL * 45 / 100, GRT_PRESSURE_ALL * 55 / 100);
	for (int i = 0; i < 2000; i++)
		share = grt_pressure_share(&thin, share, 16, 16);
	assert_int_equal(share, 0);
	for (int i = 0; i < 3000; i++, assert_true(share >= before)) {
		before = share;
		share = grt_pressure_share(&thin, share, 0, 16);
	}
	assert_int_equal(share, GRT_PRESSURE_ALL);
}

/* --- rules --- */

#define MS	1000000ull

/* Took 1 ms to its COMMIT, 4 ms on the hardware, 2 us until waiters knew. */
static const struct grtrace_job job = {
	.ring = 3, .status = -62, .submit_ns = 100 * MS, .commit_ns = 101 * MS,
	.end_ns = 105 * MS, .complete_ns = 105 * MS + 2000,
};

static const struct { const char *text; bool holds; } rules[] = {
	{ "total > 5ms label=slow", true },
	{ "total > 5001us label=slow", true },
	{ "total > 5002us label=slow", false },
	{ "total >= 5002us label=slow", true },
	{ "total < 1s label=slow", true },
	{ "total == 5002000ns label=slow", true },
	{ "t_submit_host > 999us ring=3 label=late", true },
	{ "t_submit_host > 999us ring=4 label=late", false },
	{ "t_submit_host > 999us ring=gfx label=late", true },
	{ "t_submit_host > 999us label=late ring=card0/gfx", true },
	{ "t_submit_host > 999us label=late ring=card1/gfx", false },
	{ "t_hw > 20ms label=long", false },
	{ "t_hw <= 4ms label=short", true },
	{ "t_complete != 2us label=odd", false },
	{ "status != 0 label=failed", true },
	{ "status == -62 label=timeout", true },
	{ "total > 5ms action=snapshot label=slow", true },
	{ "total > 5ms action=stop ring=3 label=slow", true },
	{ "total > 5ms ring=4 action=mark label=slow", false },
	{ "  status   <   0  label=x-1_Y ", true },
};

static void test_rules(void **state)
{
	struct grt_rule rule;

	(void)state;
	for (size_t i = 0; i < NR(rules); i++) {
		const char *wrong = grt_rule_parse(&rule, rules[i].text);

		if (wrong)
			fail_msg("'%s': %s", rules[i].text, wrong);
		grt_ringset_match_row(&rule.rings, 3, "card0", "gfx");
		grt_ringset_match_row(&rule.rings, 4, "card1", "gfx");
		if (!strcmp(rules[i].text, "t_submit_host > 999us label=late ring=card1/gfx"))
			assert_true(grt_ringset_has(&rule.rings, 4));
		if (grt_rule_holds(&rule, &job) != rules[i].holds)
			fail_msg("'%s'", rules[i].text);
	}
}

static const struct { const char *text; enum grt_rule_action action; } actions[] = {
	{ "total > 5ms label=slow", GRT_RULE_NOTHING },
	{ "total > 5ms action=snapshot label=slow", GRT_RULE_SNAPSHOT },
	{ "status != 0 action=stop ring=gfx label=slow", GRT_RULE_STOP },
	{ "t_hw > 5ms ring=gfx action=mark label=slow", GRT_RULE_MARK },
};

static void test_actions(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(actions); i++) {
		struct grt_rule rule;

		assert_null(grt_rule_parse(&rule, actions[i].text));
		assert_int_equal(rule.action, actions[i].action);
		assert_string_equal(rule.label, "slow");
		assert_string_equal(rule.text, actions[i].text);
	}
}

/* A job without a stamp is neither slow nor fast. */
static void test_unknown(void **state)
{
	struct grtrace_job unseen = job;
	struct grt_rule rule;

	(void)state;
	unseen.commit_ns = 0;
	assert_null(grt_rule_parse(&rule, "t_hw > 0ns label=a"));
	assert_false(grt_rule_holds(&rule, &unseen));
	assert_null(grt_rule_parse(&rule, "t_submit_host < 1s label=a"));
	assert_false(grt_rule_holds(&rule, &unseen));
	assert_null(grt_rule_parse(&rule, "total > 0ns label=a"));
	assert_true(grt_rule_holds(&rule, &unseen));
}

static const struct { const char *text, *says; } bad_rules[] = {
	{ "", "begins with" }, { "speed > 5ms label=a", "begins with" },
	{ "t_dep > 5ms label=a", "reports only" }, { "t_exec > 5ms label=a", "reports only" },
	{ "total => 5ms label=a", "one of >" }, { "total", "one of >" },
	{ "total > 5 label=a", "a time is" }, { "total > ms label=a", "a time is" },
	{ "total > 1.5ms label=a", "a time is" }, { "total > -5ms label=a", "a time is" },
	{ "total > 99999999999s label=a", "a time is" }, { "total > 12345678901234567ns label=a", "a time is" },
	{ "status != ok label=a", "a status is" }, { "status > 5ms label=a", "a status is" },
	{ "status != 5000 label=a", "a status is" },
	{ "total > 5ms", "ends with label" }, { "total > 5ms label=", "come ring" },
	{ "total > 5ms label=a b", "come ring" }, { "total > 5ms label=a label=b", "come ring" },
	{ "total > 5ms label=a/b", "come ring" }, { "total > 5ms ring= label=b", "ring= is" },
	{ "total > 5ms label=abcdefghijklmnopqrstuvwxyz012345", "come ring" },
	{ "total > 5ms action=panic label=a", "action= is one of" },
	{ "total > 5ms action= label=a", "action= is one of" },
	{ "total > 5ms action=snapshots label=a", "action= is one of" },
	{ "total > 5ms action=stop action=mark label=a", "action= is one of" },
	{ "total > 5ms label=a action=stop", "before label=" },
	{ "total > 5ms action=stop", "ends with label" },
	{ "action=stop label=a", "begins with" },
	{ "total > 5ms label=a                                                                        "
	  "                                                     ", "127 characters" },
};

static void test_bad_rules(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(bad_rules); i++) {
		struct grt_rule rule;
		const char *wrong = grt_rule_parse(&rule, bad_rules[i].text);

		if (!wrong || !strstr(wrong, bad_rules[i].says))
			fail_msg("'%s': %s", bad_rules[i].text, wrong ? wrong : "accepted");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ring_words),
		cmocka_unit_test(test_ring_names),
		cmocka_unit_test(test_ring_limit),
		cmocka_unit_test(test_watch),
		cmocka_unit_test(test_watch_many),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_levels_agree_with_readers),
		cmocka_unit_test(test_rings),
		cmocka_unit_test(test_share),
		cmocka_unit_test(test_two_samplers),
		cmocka_unit_test(test_pressure),
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_actions),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_bad_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
