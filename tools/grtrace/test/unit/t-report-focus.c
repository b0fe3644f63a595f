// SPDX-License-Identifier: GPL-2.0
/* A report on a trace recorded for one process shows that process, and says so. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cursor.h"
#include "synth.h"
#include "writer.h"

static char path[64];

/* Two jobs of process 100, three of 101; recorded for 101. */
static int make_trace(void **state)
{
	struct grt_file_header header = {
		.session_id = SYNTH_SESSION, .start_ns = SYNTH_START, .focus_pid = 101,
	};
	uint64_t ns = SYNTH_START + 1000;
	struct grt_writer *w;
	struct grt_cursor c;
	struct grt_run run;
	struct synth s;

	(void)state;
	snprintf(path, sizeof(path), "/tmp/grtrace-focus-%d.grt", getpid());
	assert_int_equal(grt_writer_create(&w, path, &header, geteuid(), getegid()), 0);
	synth_begin(&s, 0);
	synth_ring(&s, 1, "gfx", SYNTH_START);
	synth_process(&s, 100, "other", SYNTH_START);
	synth_process(&s, 101, "mine", SYNTH_START);
	synth_subbuf(&s, ns);
	for (int i = 0; i < 5; i++, ns += 100000)
		synth_job(&s, 7, i + 1, 1, i < 2 ? 100 : 101, ns);
	synth_end(&s, ns);
	c = grt_cursor(s.bytes.data, s.bytes.bytes);
	while (grt_next_run(&c, GRT_CHUNK_GOAL_BYTES, &run))
		assert_int_equal(grt_writer_run(w, 0, &run), 0);
	synth_free(&s);
	return grt_writer_close(w);
}

static int remove_trace(void **state)
{
	(void)state;
	return unlink(path);
}

static const struct focus_case {
	const char *name, *options;
	int jobs;
	const char *says;	/* the summary, besides */
} focus_cases[] = {
	{ "the recorded process", "", 3,
	  "only process 101, which was recorded: 2 other jobs left out" },
	{ "--all", "--all", 5, "5 jobs, 2 processes" },
	{ "--pid wins", "--pid 100", 2, "only process 100: 3 other jobs left out" },
	{ "nobody", "--pid 99", 0, "no jobs match" },
};

static void run(const char *options, char *text, size_t bytes)
{
	const char *build = getenv("GRTRACE_BUILD");
	char command[512];
	FILE *p;

	snprintf(command, sizeof(command), "%s/grtrace report %s %s", build ? build : "build",
		 options, path);
	p = popen(command, "r");
	assert_non_null(p);
	text[fread(text, 1, bytes - 1, p)] = '\0';
	assert_int_equal(pclose(p), 0);
}

static void test_focus(void **state)
{
	const struct focus_case *c = *state;
	char text[8192], options[64];
	int lines = 0;

	run(c->options, text, sizeof(text));
	assert_non_null(strstr(text, c->says));
	snprintf(options, sizeof(options), "--jobs -f json %s", c->options);
	run(options, text, sizeof(text));
	for (const char *p = text; *p; p++)
		lines += *p == '\n';
	assert_int_equal(lines, c->jobs);
}

#define NR_FOCUS_CASES	(sizeof(focus_cases) / sizeof(focus_cases[0]))

int main(void)
{
	struct CMUnitTest tests[NR_FOCUS_CASES];

	for (size_t i = 0; i < NR_FOCUS_CASES; i++)
		tests[i] = (struct CMUnitTest){
			.name = focus_cases[i].name, .test_func = test_focus,
			.initial_state = (void *)&focus_cases[i],
		};
	return cmocka_run_group_tests(tests, make_trace, remove_trace);
}
