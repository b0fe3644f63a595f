// SPDX-License-Identifier: GPL-2.0
/*
 * Compares the model with random schedules of a simulated scheduler, whose truth is known.
 * The schedules are the same each time.  Environment:
 *
 *	GRTRACE_SIM_SEED	a seed for other schedules
 *	GRTRACE_SIM_COUNT	number of schedules
 *	GRTRACE_SIM_FIRST	skip so many schedules of each class
 *	GRTRACE_SIM_JOBS	most jobs of a schedule
 *	GRTRACE_SIM_ALL		print all schedules that differ, not only the first
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim-check.h"
#include "sim-random.h"

#define COUNT	10000

static uint64_t setting(const char *name, uint64_t fallback)
{
	const char *value = getenv(name);

	return value && *value ? strtoull(value, NULL, 0) : fallback;
}

static void show(const struct sim *s, const struct sim_class *class, uint64_t n, uint64_t seed)
{
	printf("# schedule %" PRIu64 " of '%s', seed 0x%" PRIx64 ", dependencies %s%s:\n", n,
	       class->name, seed, s->is_popped ? "popped" : "declared",
	       s->stop_before_end ? ", stops before END" : "");
	for (uint32_t r = 0; r < s->nr_rings; r++)
		printf("# %s: hardware %u, device %u, order %u, credits %u\n", s->rings[r].name,
		       s->rings[r].hw, s->rings[r].device, s->rings[r].order,
		       s->rings[r].credit_limit);
	for (uint32_t i = 0; i < s->nr_losses; i++)
		printf("# loss from %" PRIu64 " to %" PRIu64 "\n", s->losses[i].from_ns,
		       s->losses[i].to_ns);
	for (uint32_t i = 0; i < s->nr_masks; i++)
		printf("# no dependencies wanted from %" PRIu64 " to %" PRIu64 "\n",
		       s->masks[i].from_ns, s->masks[i].to_ns);
	for (uint32_t i = 0; i < s->nr_events; i++)
		sim_print_event(s, &s->events[i], stdout);
	fflush(stdout);
}

static void print_tally(const struct sim_class *class, const struct sim_tally *t)
{
	static const char * const names[] = {
#define SIM_X(NAME, text) text,
		SIM_SHARES(SIM_X)
#undef SIM_X
	};

	printf("# %s: %" PRIu64 " jobs, %" PRIu64 " events; known", class->name, t->jobs,
	       t->events);
	for (int i = 0; i < SIM_NR_SHARES; i++)
		printf("%s %s %.1f %%", i ? "," : "", names[i],
		       t->all[i] ? 100.0 * t->known[i] / t->all[i] : 100.0);
	printf("\n");
}

static void print_shares(const char *what, const uint64_t *ns, const char * const *names, int count)
{
	uint64_t all_ns = 0;

	for (int i = 0; i < count; i++)
		all_ns += ns[i];
	printf("#	%s:", what);
	for (int i = 0; i < count; i++)
		printf(" %s %.1f %%", names[i], all_ns ? 100.0 * ns[i] / all_ns : 0.0);
	printf("\n");
}

/* A schedule in which nobody waits shows nothing. */
static void print_truth(const struct sim_tally *t)
{
	static const char * const stages[] = {
#define GRT_X(NAME, name, text) #name,
		GRT_STAGES(GRT_X)
#undef GRT_X
	};
	static const char * const throughs[] = {
#define GRT_X(NAME, name, text) #name,
		GRT_BLAME_REASONS(GRT_X)
#undef GRT_X
	};
	static const char * const roots[] = {
#define GRT_X(NAME, name, text) #name,
		GRT_ROOTS(GRT_X)
#undef GRT_X
	};
	static const char * const idles[] = {
#define GRT_X(NAME, name, text) #name,
		GRT_IDLES(GRT_X)
#undef GRT_X
	};

	print_shares("SUBMIT to COMMIT", t->stage_ns, stages, GRT_STAGE_SCHED + 1);
	print_shares("blame", t->through_ns, throughs, GRT_NR_BLAME_REASONS);
	print_shares("roots", t->root_ns, roots, GRT_NR_ROOTS);
	print_shares("idle", t->idle_ns, idles, GRT_NR_IDLES);
}

/* The schedules of a class must contain what the class is about. */
static void check_truth_is_rich(const struct sim_class *class, const struct sim_tally *t)
{
	assert_true(t->stage_ns[GRT_STAGE_ORDER] && t->stage_ns[GRT_STAGE_RING] &&
		    t->stage_ns[GRT_STAGE_SCHED]);
	assert_true(t->through_ns[GRT_BLAME_RING] && t->through_ns[GRT_BLAME_SCHEDULER]);
	assert_true(t->idle_ns[GRT_IDLE_STARVED] && t->idle_ns[GRT_IDLE_SCHEDULER] &&
		    t->idle_ns[GRT_IDLE_HARDWARE] && t->busy_ns);
	if (class->dep_pct)
		assert_true(t->stage_ns[GRT_STAGE_DEP] && t->through_ns[GRT_BLAME_FENCE] &&
			    t->idle_ns[GRT_IDLE_DEPENDENCY]);
	if (class->hang_pct)
		assert_true(t->idle_ns[GRT_IDLE_RECOVERY] && t->root_ns[GRT_ROOT_HANG]);
	assert_true(t->root_ns[GRT_ROOT_RUN] && t->root_ns[GRT_ROOT_FULL] &&
		    t->root_ns[GRT_ROOT_SCHEDULER]);
	if (class->dep_pct)
		assert_true(t->root_ns[GRT_ROOT_SIGNAL]);
	if (class->foreign_pct)
		assert_true(t->root_ns[GRT_ROOT_FOREIGN]);
	if (class->missing == SIM_ENDS)
		assert_true(t->inflight > 100);
}

static void test_class(void **state)
{
	const struct sim_class *class = *state;
	uint64_t base = setting("GRTRACE_SIM_SEED", 1), first = setting("GRTRACE_SIM_FIRST", 0);
	uint64_t count = setting("GRTRACE_SIM_COUNT", COUNT) / sim_nr_classes + 1;
	uint64_t max_jobs = setting("GRTRACE_SIM_JOBS", SIM_MAX_JOBS), wrong = 0;
	bool tells_all = setting("GRTRACE_SIM_ALL", 0);
	struct sim *s = malloc(sizeof(*s));
	struct sim_tally tally = { .jobs = 0 };

	assert_non_null(s);
	for (uint64_t n = first; n < first + count; n++) {
		uint64_t seed = base * 0x100000000ull + n * 64 + (class - sim_classes);

		sim_play(s, class, seed, max_jobs);
		if (tells_all)
			printf("# schedule %" PRIu64 " of '%s'\n", n, class->name);
		if (sim_check(s, class->missing == SIM_NOTHING, &tally, wrong && !tells_all ? NULL : stdout))
			continue;
		if (!wrong++)
			show(s, class, n, seed);
	}
	free(s);
	print_tally(class, &tally);
	print_truth(&tally);
	if (wrong)
		printf("# %s: %" PRIu64 " of %" PRIu64 " schedules differ\n", class->name, wrong,
		       count);
	assert_int_equal(wrong, 0);
	if (count > 10)
		check_truth_is_rich(class, &tally);
	for (int i = 0; i < SIM_NR_SHARES; i++)
		assert_true(100 * tally.known[i] >= class->floor_pct[i] * tally.all[i]);
}

/* Schedules that differed once. */
static const struct {
	const char *class;
	uint64_t seed;
} found[] = {
	{ "cut", 0x4d00004f0b },	/* a job that hung was there before the trace, and counts as a credit in use */
};

static void test_found(void **state)
{
	struct sim *s = malloc(sizeof(*s));
	struct sim_tally tally = { .jobs = 0 };

	(void)state;
	assert_non_null(s);
	for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++) {
		const struct sim_class *class = sim_classes;

		while (strcmp(class->name, found[i].class))
			class++;
		sim_play(s, class, found[i].seed, SIM_MAX_JOBS);
		if (!sim_check(s, class->missing == SIM_NOTHING, &tally, stdout))
			fail_msg("schedule 0x%" PRIx64 " of '%s' differs", found[i].seed, class->name);
	}
	free(s);
}

int main(void)
{
	struct CMUnitTest tests[sim_nr_classes + 1];

	for (uint32_t i = 0; i < sim_nr_classes; i++)
		tests[i] = (struct CMUnitTest){
			.name = sim_classes[i].name, .test_func = test_class,
			.initial_state = (void *)&sim_classes[i],
		};
	tests[sim_nr_classes] = (struct CMUnitTest)cmocka_unit_test(test_found);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
