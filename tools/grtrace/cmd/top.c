// SPDX-License-Identifier: GPL-2.0
/* grtrace top: what rings and processes do now. */
#include "top.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "colour.h"
#include "commands.h"
#include "error.h"
#include "job_words.h"
#include "model.h"
#include "number.h"
#include "options.h"
#include "print.h"
#include "sources.h"
#include "stream.h"
#include "terminal.h"
#include "top_curses.h"
#include "trace.h"

#define SECOND_NS	1000000000ull
#define LEAST_INTERVAL_NS	100000000
#define KEYS_NS			50000000
#define BATCH_WIDTH	120	/* where there is no terminal */
#define MOST_CELLS	2000

static volatile sig_atomic_t is_ended;

static void end_it(int signal)
{
	(void)signal;
	is_ended = 1;
}

/* --- a frame --- */

static uint64_t own_cpu_ns(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * SECOND_NS +
	       (use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1000ull;
}

/* The share of a CPU since the frame before, unless that was just now. */
static void measure_cpu(struct top *t)
{
	uint64_t ns = grt_snapshot_now(CLOCK_MONOTONIC), cpu_ns = own_cpu_ns();

	if (t->follow.is_file || ns - t->cpu_at_ns < LEAST_INTERVAL_NS / 2)
		return;
	t->state.has_cpu = t->cpu_at_ns;
	t->state.cpu_pct = 100.0 * (cpu_ns - t->cpu_ns) / (ns - t->cpu_at_ns);
	t->cpu_ns = cpu_ns;
	t->cpu_at_ns = ns;
}

static int make_rows(struct top *t)
{
	const struct grt_model_totals *totals = grt_model_totals(t->follow.replay.model);

	t->state.lost = grt_lost_events(totals);
	t->state.uncounted = grt_losses_uncounted(totals);
	return grt_top_make(&t->rows, &t->recent, &t->wants);
}

static void print_screen(struct top *t)
{
	for (size_t i = 0; i < t->screen.height; i++) {
		grt_glyphs_print(grt_vec_at(&t->screen.lines, struct grt_glyphs, i), stdout,
				 grt_may_colour(STDOUT_FILENO), false);
		putchar('\n');
	}
}

/* The screen has a line for it.  Rows for programs have no place. */
static void warn_of_lacks(struct top *t)
{
	for (unsigned int i = 0; i < GRT_NR_RECENT_LACKS; i++) {
		const char *text = grt_top_lack(&t->recent, i);

		if (text && !t->has_warned[i])
			grt_warn(NULL, "%s", text);
		t->has_warned[i] |= text != NULL;
	}
}

static int print_rows(struct top *t)
{
	int err = 0;

	if (strcmp(t->format, "text") != 0)
		warn_of_lacks(t);
	if (!strcmp(t->format, "csv")) {
		grt_top_csv(&t->rows, stdout, !t->shown);
	} else if (!strcmp(t->format, "json")) {
		grt_top_json(&t->rows, &t->state, stdout);
	} else {
		err = grt_top_draw(&t->screen, &t->rows, &t->state, &t->look);
		if (!err && t->shown)
			putchar('\n');
		if (!err)
			print_screen(t);
	}
	fflush(stdout);
	return err;
}

int top_show(struct top *t)
{
	int err = 0;

	measure_cpu(t);
	if (!t->look.is_frozen)
		err = make_rows(t);
	if (err || !t->has_screen)
		return err ? err : print_rows(t);
	grt_top_curses_size(&t->look.width, &t->look.height);
	if (t->look.selected >= grt_top_rows(&t->rows))
		t->look.selected = grt_top_rows(&t->rows) ? grt_top_rows(&t->rows) - 1 : 0;
	err = grt_top_draw(&t->screen, &t->rows, &t->state, &t->look);
	if (!err)
		grt_top_curses_show(&t->screen);
	return err;
}

/* --- reading and showing --- */

/* A frame that is due is counted; one that a key asked for is not. */
static int show_due(struct top *t, uint64_t now_ns, uint64_t step_ns)
{
	int err = top_show(t);

	t->next_ns = now_ns + step_ns - (t->next_ns && now_ns > t->next_ns ? (now_ns - t->next_ns) % step_ns : 0);
	t->shown++;
	t->is_over |= t->count && t->shown >= t->count;
	return err;
}

static uint64_t now_of(const struct top *t)
{
	return t->follow.is_file ? t->recent.now_ns : grt_snapshot_now(CLOCK_MONOTONIC);
}

/* A look is a system call, and this is called hundreds of times a second. */
static void look_at_keys(struct top *t)
{
	uint64_t ns;

	if (!t->has_screen)
		return;
	ns = grt_snapshot_now(CLOCK_MONOTONIC);
	if (ns - t->keys_ns < KEYS_NS)
		return;
	t->keys_ns = ns;
	top_obey(t);
}

static int follow(struct top *t)
{
	uint64_t step_ns = t->interval_ns ? t->interval_ns : SECOND_NS;
	int got = 1, err = 0;

	while (!err && got == 1 && !t->is_over && !is_ended && !ferror(stdout)) {
		uint64_t now_ns;

		got = top_read(t);
		if (got < 0)
			return got;
		look_at_keys(t);
		now_ns = now_of(t);
		if (!t->next_ns && now_ns)
			t->next_ns = now_ns + step_ns;
		if (got == 1 && !t->is_over && now_ns && now_ns >= t->next_ns)
			err = show_due(t, now_ns, step_ns);
		else if (t->wants_frame && !t->is_over && !t->follow.is_file)
			err = top_show(t);
		t->wants_frame = false;
	}
	return err;
}

/* No more events come: the last frame, which stays on a terminal until q. */
static int stay(struct top *t)
{
	static const struct timespec pause = { .tv_nsec = 50000000 };
	int err;

	if (t->is_over || is_ended || ferror(stdout))
		return 0;
	t->state.is_over = true;
	err = top_show(t);
	t->shown++;
	while (!err && t->has_screen && !t->is_over && !is_ended) {
		nanosleep(&pause, NULL);
		top_obey(t);
		if (t->wants_frame && !t->is_over)
			err = top_show(t);
		t->wants_frame = false;
	}
	return err;
}

static void begin_look(struct top *t)
{
	unsigned int width = 0, height = 0;

	t->look.is_ascii = trace_is_ascii();
	t->look.width = grt_terminal_width(STDOUT_FILENO);
	if (!t->look.width)
		t->look.width = BATCH_WIDTH;
	if (t->size && sscanf(t->size, "%ux%u", &width, &height) == 2) {
		t->look.width = width;
		t->look.height = height;
	}
	t->has_screen = !t->is_batch && grt_top_curses_open(grt_may_colour(STDOUT_FILENO));
	t->look.has_keys = t->has_screen || t->size;
}

static int run(struct top *t)
{
	const struct sigaction end = { .sa_handler = end_it };	/* no SA_RESTART */
	int err = top_open(t);

	if (err)
		return err;
	sigaction(SIGINT, &end, NULL);
	sigaction(SIGTERM, &end, NULL);
	sigaction(SIGHUP, &end, NULL);
	begin_look(t);
	err = t->follow.is_file && !t->interval_ns ? top_read_all(t) : follow(t);
	if (!err)
		err = stay(t);
	grt_top_curses_close();
	return err;
}

/* --- options --- */

static bool is_format(const char *format)
{
	return !strcmp(format, "text") || !strcmp(format, "csv") || !strcmp(format, "json");
}

static bool is_size(const char *size)
{
	unsigned int width, height;
	char rest;

	return sscanf(size, "%ux%u%c", &width, &height, &rest) == 2 && width >= 40 && height >= 10 &&
	       width <= MOST_CELLS && height <= MOST_CELLS;
}

static int check(struct top *t, int operands, const struct grt_option *options)
{
	if (operands > 1)
		return grt_usage(options, "top shows one file");
	if (!is_format(t->format))
		return grt_usage(options, "no format '%s'; text, csv or json", t->format);
	if (strcmp(t->format, "text") != 0 && !t->is_batch)
		return grt_usage(options, "--format needs --batch");
	if (t->size && (!t->is_batch || strcmp(t->format, "text") != 0 || !is_size(t->size)))
		return grt_usage(options, "--screen is WIDTHxHEIGHT, like 80x24, from 40x10 to %dx%d, and needs --batch",
				 MOST_CELLS, MOST_CELLS);
	if (t->interval_ns && t->interval_ns < LEAST_INTERVAL_NS)
		return grt_usage(options, "--interval is 100ms or more");
	if (t->window_ns < SECOND_NS || t->window_ns > GRT_RECENT_SECONDS * SECOND_NS || t->window_ns % SECOND_NS)
		return grt_usage(options, "--window is 1s to %ds, in whole seconds", GRT_RECENT_SECONDS);
	if (t->follow.source && operands)
		return grt_usage(options, "either --source or a file, not both");
	if (grt_top_sort_parse(&t->wants.sort, t->sort))
		return grt_usage(options, "%s; %s", grt_cause(), grt_hint());
	return 0;
}

int cmd_top(int argc, char **argv)
{
	struct top t = { .format = "text", .sort = "gpu", .window_ns = GRT_RECENT_SECONDS * SECOND_NS };
	const struct grt_option options[] = {
		OPT_SOURCE(&t.follow.source),
		OPT_BOOL('b', "batch", &t.is_batch, "print, and take no keys"),
		OPT_NS('i', "interval", &t.interval_ns, "between two states; 1s by default"),
		OPT_U64('n', "count", &t.count, "N", "end after N states"),
		OPT_STRING('f', "format", &t.format, "NAME", "of --batch: text, csv, or json with an object per line"),
		OPT_NS('w', "window", &t.window_ns, "numbers are of the last TIME; 60s by default, which is the most"),
		OPT_STRING('o', "sort", &t.sort, "NAME",
			   "of processes: gpu, waited, taken, given, jobs, fps or pid"),
		OPT_STRING('F', "filter", &t.wants.filter, "TEXT", "only rings and processes with TEXT in their names"),
		OPT_BOOL('g', "cgroups", &t.wants.by_cgroup, "sums of cgroups instead of processes"),
		OPT_STRING(0, "screen", &t.size, "SIZE", "with --batch: print the screen of a terminal of SIZE, like 80x24"),
		OPT_END()
	};
	int code, err;

	argc = grt_parse_options(argc, argv, options, "top [options] [FILE | -]");
	code = check(&t, argc, options);
	if (code)
		return code;
	t.follow.file = argc ? argv[0] : NULL;
	if (!t.follow.file)
		code = follow_choose(&t.follow);
	if (code)
		return code;
	err = run(&t);
	top_close(&t);
	grt_top_free(&t.rows);
	grt_top_screen_free(&t.screen);
	return err ? trace_failure(err) : GRT_EXIT_OK;
}
