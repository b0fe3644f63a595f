// SPDX-License-Identifier: GPL-2.0
/* Built-in rules, files of rules, and rules that are refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "column.h"
#include "error.h"
#include "rules.h"

#define US	1000ull
#define MS	1000000ull

/* One stage of a job of 10 ms; the others are not known. */
static struct grt_job job_with(enum grt_stage stage, uint64_t ns)
{
	struct grt_job job = {
		.ring = GRT_NONE, .process = GRT_NONE, .has_status = true,
		.stages = 1u << GRT_STAGE_TOTAL,
	};

	job.stage_ns[GRT_STAGE_TOTAL] = 10 * MS;
	job.stage_ns[stage] = ns;
	job.stages |= 1u << stage;
	return job;
}

static const char *labels_of(const struct grt_rules *r, const struct grt_job *job, char *buf)
{
	static const struct grt_names names;
	struct grt_view view = { .job = job, .names = &names };

	return grt_rules_names(r, grt_rules_labels(r, &view), buf);
}

static const struct default_case {
	const char *name;
	enum grt_stage stage;
	uint64_t ns;
	int32_t status;
	uint32_t flags;
	const char *labels;
} default_cases[] = {
	{ "nothing", GRT_STAGE_HW, 1 * MS, 0, 0, "" },
	{ "long on the ring", GRT_STAGE_QUEUE, 6 * MS, 0, 0, "long-queue" },
	{ "long for credits", GRT_STAGE_RING, 6 * MS, 0, 0, "long-queue" },
	{ "a little on the ring", GRT_STAGE_QUEUE, 2 * MS, 0, 0, "" },
	{ "slow", GRT_STAGE_EXEC, 17 * MS, 0, 0, "slow-exec" },
	{ "not slow", GRT_STAGE_EXEC, 16 * MS, 0, 0, "" },
	{ "stalled", GRT_STAGE_DEP, 6 * MS, 0, 0, "dependency-stall" },
	{ "late by the scheduler", GRT_STAGE_SCHED, 101 * US, 0, 0, "scheduler-delay" },
	{ "not late", GRT_STAGE_SCHED, 100 * US, 0, 0, "" },
	{ "preempted", GRT_STAGE_HW, 1, 0, GRT_JOB_PREEMPTED, "preempted" },
	{ "seen late", GRT_STAGE_COMPLETE, 2 * MS, 0, 0, "late-completion" },
	{ "failed", GRT_STAGE_HW, 1, -5, 0, "error" },
	{ "two at once", GRT_STAGE_DEP, 6 * MS, -5, 0, "dependency-stall|error" },
};

static void test_default(void **state)
{
	const struct default_case *c = *state;
	struct grt_job job = job_with(c->stage, c->ns);
	struct grt_rules r = { 0 };
	char buf[GRT_CELL_MAX];

	job.status = c->status;
	job.flags = c->flags;
	assert_int_equal(grt_rules_read(&r, grt_default_rules, "built-in"), 0);
	assert_string_equal(labels_of(&r, &job, buf), c->labels);
	grt_rules_free(&r);
}

/* Files on top of the built-in rules, for a job that failed and waited 6 ms for a fence. */
static const struct file_case {
	const char *name, *text, *labels;
} file_cases[] = {
	{ "empty", "", "dependency-stall|error" },
	{ "comments and blanks", "# nothing\n\n   \t# more\n", "dependency-stall|error" },
	{ "another rule", "ctx == 0 label=mine", "dependency-stall|error|mine" },
	{ "a comment behind it", "ctx == 0 label=mine # why not\n", "dependency-stall|error|mine" },
	{ "in place of another", "ctx == 1 label=error\n", "dependency-stall" },
	{ "switched off", "off error\n", "dependency-stall" },
	{ "off, then anew", "off error\nctx == 0 label=error\n", "dependency-stall|error" },
	{ "the last one counts", "ctx == 1 label=mine\nctx == 0 label=mine\n",
	  "dependency-stall|error|mine" },
	{ "label= in a name", "comm != 'a label=b' || ctx == 0 label=c\n",
	  "dependency-stall|error|c" },
	{ "action= for the module", "ctx == 0 action=snapshot label=mine\n",
	  "dependency-stall|error|mine" },
	{ "other actions", "ctx == 0  action=stop  label=a\nctx == 0 action=mark label=b\n",
	  "dependency-stall|error|a|b" },
	{ "action= in a name", "ctx == 0 || comm == 'an action=it' label=c\n", "dependency-stall|error|c" },
};

static void test_file(void **state)
{
	const struct file_case *c = *state;
	struct grt_job job = job_with(GRT_STAGE_DEP, 6 * MS);
	struct grt_rules r = { 0 };
	char buf[GRT_CELL_MAX];

	job.status = -5;
	assert_int_equal(grt_rules_read(&r, grt_default_rules, "built-in"), 0);
	assert_int_equal(grt_rules_read(&r, c->text, "mine"), 0);
	assert_string_equal(labels_of(&r, &job, buf), c->labels);
	grt_rules_free(&r);
}

static const struct bad_case {
	const char *text, *cause;
} bad_cases[] = {
	{ "t_dep > 1ms\n", "mine, line 1: a rule ends with label=NAME" },
	{ "\n\nt_dp > 1ms label=x\n", "mine, line 3: filter, column 1: no field 't_dp'" },
	{ "t_dep > 1ms label=\n", "is no name for a label" },
	{ "t_dep > 1ms label=a|b\n", "'a|b' is no name" },
	{ "t_dep > 1ms label=a b\n", "'a b' is no name" },
	{ " label=a\n", "a rule ends with label=NAME" },
	{ "t_dep > 1ms action=panic label=a\n", "'panic' is no action; actions are snapshot, stop, mark" },
	{ "t_dep > 1ms action= label=a\n", "'' is no action" },
	{ "t_dep > 1ms label=a action=stop\n", "'a action=stop' is no name" },
	{ "t_dep > 1ms action=stop action=mark label=a\n", "filter, column" },
	{ "action=stop label=a\n", "filter" },
	{ "off nosuch\n", "no rule 'nosuch'" },
	{ "label == error label=x\n", "labels cannot be asked for here" },
};

static void test_bad(void **state)
{
	const struct bad_case *c = *state;
	struct grt_rules r = { 0 };

	assert_int_not_equal(grt_rules_read(&r, c->text, "mine"), 0);
	if (!strstr(grt_cause(), c->cause))
		fail_msg("it says: %s", grt_cause());
	grt_rules_free(&r);
}

static void test_too_many(void **state)
{
	struct grt_rules r = { 0 };
	char line[64];

	(void)state;
	for (int i = 0; i < GRT_MAX_RULES; i++) {
		snprintf(line, sizeof(line), "ctx == %d label=rule%d\n", i, i);
		assert_int_equal(grt_rules_read(&r, line, "mine"), 0);
	}
	assert_int_not_equal(grt_rules_read(&r, "ctx == 1 label=more\n", "mine"), 0);
	assert_int_equal(grt_rules_off(&r, "rule31"), 0);
	assert_int_not_equal(grt_rules_off(&r, "rule32"), 0);
	assert_non_null(strstr(grt_hint(), "rule0 rule1"));
	grt_rules_free(&r);
}

#define NR(cases)	(sizeof(cases) / sizeof((cases)[0]))
#define ADD(cases, function, member)						\
	for (size_t i = 0; i < NR(cases); i++)					\
		*t++ = (struct CMUnitTest){					\
			.name = (cases)[i].member, .test_func = function,	\
			.initial_state = (void *)&(cases)[i],			\
		}

int main(void)
{
	struct CMUnitTest tests[NR(default_cases) + NR(file_cases) + NR(bad_cases) + 1] = {
		cmocka_unit_test(test_too_many),
	};
	struct CMUnitTest *t = tests + 1;

	ADD(default_cases, test_default, name);
	ADD(file_cases, test_file, name);
	ADD(bad_cases, test_bad, cause);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
