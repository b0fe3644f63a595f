// SPDX-License-Identifier: GPL-2.0
/*
 * Scripted schedules whose stages were worked out by hand: the simulator agrees, and
 * so does the model on the simulator's records.  The same scripts run on the real
 * scheduler elsewhere.
 */
#include <glob.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim-check.h"
#include "sim-script.h"

#define SCRIPTS		"../testing/selftests/grtrace/scenarios/*.txt"
#define CREDITS		2	/* of the mock, unless it is told otherwise */
#define MIN_SCRIPTS	20

static const enum grt_stage columns[] = {
	GRT_STAGE_ORDER, GRT_STAGE_DEP, GRT_STAGE_RING, GRT_STAGE_SCHED, GRT_STAGE_QUEUE,
	GRT_STAGE_EXEC,
};

#define NR_COLUMNS	(sizeof(columns) / sizeof(columns[0]))

/* One job's stages in ns, SIM_NEVER: not known. */
struct row {
	uint64_t ns[NR_COLUMNS];
	int32_t status;
};

struct scenario {
	struct sim_script script;
	struct row rows[SIM_MAX_JOBS];
};

static char *table_of(const struct sim_script *script, const struct row *rows)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	fprintf(out, "job,t_order,t_dep,t_ring,t_sched,t_queue,t_exec,status\n");
	for (uint32_t j = 0; j < script->sim.nr_jobs; j++) {
		fprintf(out, "%s", script->job_names[j]);
		for (size_t i = 0; i < NR_COLUMNS; i++)
			if (rows[j].ns[i] == SIM_NEVER)
				fprintf(out, ",-");
			else
				fprintf(out, ",%" PRIu64, rows[j].ns[i] / SIM_UNIT_NS);
		fprintf(out, ",%" PRId32 "\n", rows[j].status);
	}
	fclose(out);
	return text;
}

static char *wanted_table(const char *script_path)
{
	char path[512], *text = calloc(1, 65536);
	FILE *in;

	assert_non_null(text);
	snprintf(path, sizeof(path), "%.*s.out", (int)strlen(script_path) - 4, script_path);
	in = fopen(path, "r");
	assert_non_null(in);
	assert_true(fread(text, 1, 65535, in) > 0);
	fclose(in);
	return text;
}

/* The truth of the simulator. */
static void fill_true_rows(struct scenario *sc)
{
	static struct sim_truth truth;
	const struct sim *s = &sc->script.sim;

	sim_truth(&truth, s, true);
	for (uint32_t j = 0; j < s->nr_jobs; j++) {
		const struct sim_job *job = &s->jobs[j];
		const struct sim_truth_job *t = &truth.jobs[j];
		struct row *row = &sc->rows[j];

		memset(row->ns, 0xff, sizeof(row->ns));
		row->status = job->status;
		for (size_t i = 0; i < 4 && t->has_stages; i++)
			row->ns[i] = t->stage_ns[columns[i]];
		if (t->start_ns == SIM_NEVER)
			continue;
		row->ns[4] = t->start_ns - job->commit_ns;
		row->ns[5] = job->end_ns - t->start_ns;
	}
}

static void take_job(void *arg, const struct grt_job *job)
{
	struct scenario *sc = arg;
	const struct sim *s = &sc->script.sim;

	for (uint32_t j = 0; j < s->nr_jobs; j++) {
		struct row *row = &sc->rows[j];

		if (s->jobs[j].ctx_id != job->ctx || s->jobs[j].seqno != job->seqno)
			continue;
		row->status = job->has_status ? job->status : 1;
		for (size_t i = 0; i < NR_COLUMNS; i++)
			if (grt_job_knows(job, columns[i]))
				row->ns[i] = job->stage_ns[columns[i]];
	}
}

static void play(const char *path, bool is_popped)
{
	struct scenario *sc = malloc(sizeof(*sc));
	char *want = wanted_table(path), *have;
	struct sim_tally tally = { .jobs = 0 };
	struct grt_model *m;

	assert_non_null(sc);
	assert_true(sim_script_play(&sc->script, path, CREDITS, is_popped));
	fill_true_rows(sc);
	have = table_of(&sc->script, sc->rows);
	assert_string_equal(have, want);
	free(have);

	memset(sc->rows, 0xff, sizeof(sc->rows));
	m = grt_model_create(take_job, sc);
	assert_non_null(m);
	assert_int_equal(sim_feed(&sc->script.sim, m), 0);
	grt_model_destroy(m);
	have = table_of(&sc->script, sc->rows);
	assert_string_equal(have, want);
	/* All else that is said of it, too. */
	assert_true(sim_check(&sc->script.sim, true, &tally, stdout));
	free(have);
	free(want);
	free(sc);
}

/* Both ways in which kernels tell of dependencies. */
static void test_scenario(void **state)
{
	play(*state, false);
	play(*state, true);
}

int main(void)
{
	glob_t paths;
	int failed;

	if (glob(SCRIPTS, 0, NULL, &paths) || paths.gl_pathc < MIN_SCRIPTS) {
		printf("1..1\nnot ok 1 - at least %d scripts are in %s\n", MIN_SCRIPTS, SCRIPTS);
		return 1;
	}

	struct CMUnitTest tests[paths.gl_pathc];

	for (size_t i = 0; i < paths.gl_pathc; i++)
		tests[i] = (struct CMUnitTest){
			.name = strrchr(paths.gl_pathv[i], '/') + 1,
			.test_func = test_scenario, .initial_state = paths.gl_pathv[i],
		};
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	globfree(&paths);
	return failed;
}
