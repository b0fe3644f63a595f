// SPDX-License-Identifier: GPL-2.0
/* What record says while it runs and when it is done. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "control.h"
#include "error.h"
#include "moment.h"
#include "number.h"
#include "print.h"
#include "record.h"

/* So far there is one. */
int grt_progress_no_source(int err)
{
	const char *why = "not usable", *hint = grt_hint();

	if (err == -ENOENT)
		why = "not loaded";
	if (err == -EACCES || err == -EPERM) {
		why = "its files are root's";
		hint = "sudo grtrace record";
	}
	grt_print_error(NULL, "cannot record: no source works here");
	fprintf(stderr, "  module   %-34s%s%s\n", why, hint ? "hint: " : "", hint ? hint : "");
	return GRT_EXIT_SETUP;
}

/* A session of ours may have got smaller buffers than were asked for. */
static void say_buffer(void)
{
	char stats[16384], value[32], asked_text[GRT_NUMBER_MAX], given_text[GRT_NUMBER_MAX];
	uint64_t asked, given;

	if (grt_control_read("stats", stats, sizeof(stats)) < 0 ||
	    !grt_control_value(stats, "buffer_bytes_asked", value, sizeof(value)) ||
	    grt_parse_u64(value, &asked) ||
	    !grt_control_value(stats, "buffer_bytes", value, sizeof(value)) ||
	    grt_parse_u64(value, &given) || given >= asked)
		return;
	fprintf(stderr, "note: each CPU has a buffer of %s, not of %s: the machine has too little memory\n",
		grt_format_bytes(given_text, given), grt_format_bytes(asked_text, asked));
}

void grt_progress_source(const struct record *r)
{
	char text[256], version[64] = "";

	if (grt_control_read("version", text, sizeof(text)) > 0)
		grt_control_value(text, "version", version, sizeof(version));
	if (r->is_quiet)
		return;
	fprintf(stderr, "source: module%s%s%s, %s\n", *version ? " (grtrace " : "",
		version, *version ? ")" : "",
		r->session.is_ours ? "a session of its own" : "the session that runs already");
	if (r->session.is_ours)
		say_buffer();
}

static bool may_show(const struct record *r)
{
	return !r->is_quiet && isatty(STDERR_FILENO);
}

void grt_progress_show(struct record *r)
{
	char events[GRT_NUMBER_MAX], bytes[GRT_NUMBER_MAX], lost[GRT_NUMBER_MAX];
	uint64_t ns = grt_moment_now(CLOCK_MONOTONIC);
	double s = (ns - r->start_ns) / 1e9;

	if (!may_show(r) || ns - r->tick_ns < GRT_TICK_MS * 1000000ull)
		return;
	r->tick_ns = ns;
	fprintf(stderr, "\r%5.1f s   %s events   %s   %.0f k/s   %s lost   ^C to stop\033[K", s,
		grt_format_count(events, r->tally.events),
		grt_format_bytes(bytes, grt_output_bytes(&r->output)),
		s > 0 ? r->tally.events / s / 1e3 : 0, grt_format_count(lost, r->tally.lost));
}

static void say_command(struct record *r)
{
	if (!r->command)
		return;
	if (!r->has_status && r->child.pid)
		r->has_status = grt_child_wait(&r->child, 1000, &r->status);
	if (!r->has_status)
		fprintf(stderr, "'%s' runs on\n", r->command[0]);
	else if (WIFSIGNALED(r->status))
		fprintf(stderr, "'%s' was ended by signal %d (%s)\n", r->command[0],
			WTERMSIG(r->status), strsignal(WTERMSIG(r->status)));
	else
		fprintf(stderr, "'%s' ended with status %d\n", r->command[0],
			WEXITSTATUS(r->status));
}

/* Of several files, how many there were and which is the last. */
static void say_files(const struct grt_output *o)
{
	char bytes[GRT_NUMBER_MAX];
	uint64_t left = o->keep && o->keep < o->number ? o->keep : o->number;

	if (o->is_near || o->has_max)
		fprintf(stderr, "stopped at --max-size %s%s\n", grt_format_bytes(bytes, o->max_bytes),
			o->has_max ? "; the last events did not fit" : "");
	if (o->number > 1 && left < o->number)
		fprintf(stderr, "%" PRIu64 " files, the last %" PRIu64 " are kept; the numbers "
			"below are of all\n", o->number, left);
	else if (o->number > 1)
		fprintf(stderr, "%" PRIu64 " files; the numbers below are of all\n", o->number);
}

void grt_progress_result(struct record *r)
{
	const struct grt_tally *t = &r->tally;
	char events[GRT_NUMBER_MAX], jobs[GRT_NUMBER_MAX], lost[GRT_NUMBER_MAX];
	char time[GRT_NUMBER_MAX];

	if (may_show(r))
		fprintf(stderr, "\r\033[K");
	if (r->is_quiet)
		return;
	say_command(r);
	say_files(&r->output);
	fprintf(stderr, "%s: %s events, %s jobs of %" PRIu64 " process%s in %s, %s lost\n",
		r->output.name, grt_format_count(events, t->events),
		grt_format_count(jobs, t->jobs), t->processes, t->processes == 1 ? "" : "es",
		grt_format_ns(time, t->last_ns - t->first_ns),
		grt_format_count(lost, t->lost));
	if (t->lost && !grt_output_is_over(&r->output))
		fprintf(stderr, "hint: a larger buffer loses less: grtrace record -b 16M\n");
	fprintf(stderr, "hint: grtrace report %s\n", r->output.name);
}
