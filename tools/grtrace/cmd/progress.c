// SPDX-License-Identifier: GPL-2.0
/* What record prints while it runs and at its end. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "error.h"
#include "number.h"
#include "print.h"
#include "quote.h"
#include "record.h"
#include "shell.h"
#include "sources.h"

void grt_progress_source(const struct record *r)
{
	if (r->source->warn)
		r->source->warn(r);
	if (r->is_quiet)
		return;
	fprintf(stderr, "source: %s", r->source->name);
	r->source->describe(r);
}

static bool may_show(const struct record *r)
{
	return !r->is_quiet && isatty(STDERR_FILENO);
}

/* Prints the counts so far, and @new_events in @span_ns as a rate. */
static void put_counts(const struct record *r, uint64_t ns, uint64_t new_events, uint64_t span_ns)
{
	char events[GRT_NUMBER_MAX], bytes[GRT_NUMBER_MAX], lost[GRT_NUMBER_MAX];

	fprintf(stderr, "%5.1f s   %s %s   %s   %.0f k/s   %s lost", (ns - r->start_ns) / 1e9,
		grt_format_count(events, r->tally.events),
		grt_plural(r->tally.events, "event", "events"),
		grt_format_bytes(bytes, r->is_live ? grt_pipe_out_counts(r->pipe)->bytes :
						     grt_output_bytes(&r->output)),
		span_ns ? 1e6 * new_events / span_ns : 0, grt_format_count(lost, r->tally.lost));
}

void grt_progress_show(struct record *r)
{
	uint64_t ns = grt_snapshot_now(CLOCK_MONOTONIC);

	if (r->is_summary || r->is_live || !may_show(r) || ns - r->tick_ns < GRT_TICK_MS * 1000000ull)
		return;
	r->tick_ns = ns;
	putc('\r', stderr);
	put_counts(r, ns, r->tally.events, ns - r->start_ns);
	fputs("   ^C to stop\033[K", stderr);
}

void grt_progress_line(struct record *r)
{
	uint64_t ns = grt_snapshot_now(CLOCK_MONOTONIC);

	if (!r->line_ns)
		r->line_ns = r->start_ns;
	if (!r->interval_ns || ns - r->line_ns < r->interval_ns)
		return;
	if (r->is_summary) {
		r->line_ns = ns - (ns - r->line_ns) % r->interval_ns;
		if (grt_record_summary(r))
			grt_warn(grt_hint(), "%s", grt_cause());
		return;
	}
	if (may_show(r))
		fputs("\r\033[K", stderr);
	put_counts(r, ns, r->tally.events - r->line_events, ns - r->line_ns);
	putc('\n', stderr);
	/* A late line must not delay the next ones. */
	r->line_ns = ns - (ns - r->line_ns) % r->interval_ns;
	r->line_events = r->tally.events;
}

static void say_command(const struct record *r)
{
	if (!r->command)
		return;
	if (!r->has_status)
		fprintf(stderr, "'%s' runs on\n", grt_shown(r->command[0]));
	else if (WIFSIGNALED(r->status))
		fprintf(stderr, "'%s' was ended by signal %d (%s)\n", grt_shown(r->command[0]),
			WTERMSIG(r->status), strsignal(WTERMSIG(r->status)));
	else
		fprintf(stderr, "'%s' ended with status %d\n", grt_shown(r->command[0]),
			WEXITSTATUS(r->status));
}

/* For several files: how many there are, and the last one. */
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

/* The hint names the first file that still exists, because a report reads one file. */
static void say_report(const struct grt_output *o)
{
	uint64_t first = !o->number || !o->keep || o->keep >= o->number ? !!o->number :
			 o->number - o->keep + 1;
	struct grt_shell hint = { .at = 0 };
	char name[sizeof(o->name)];

	if (grt_output_name(name, sizeof(name), o->path, first))
		return;
	grt_shell_plain(&hint, "hint: grtrace report");
	grt_shell_file(&hint, name);
	if (first != o->number) {
		snprintf(name, sizeof(name), "    # the first of %" PRIu64 " files", o->number - first + 1);
		grt_shell_plain(&hint, name);
	}
	if (grt_shell_text(&hint))
		fprintf(stderr, "%s\n", hint.text);
}

/* What became of a stream. */
static void say_stream(const struct record *r)
{
	const struct grt_pipe_out_counts *n = grt_pipe_out_counts(r->pipe);
	const char *name = grt_pipe_out_name(r->pipe);
	char dropped[GRT_NUMBER_MAX], bytes[GRT_NUMBER_MAX];

	if (grt_pipe_out_is_gone(r->pipe))
		fprintf(stderr, "the reader of %s is gone: the recording is over\n", name);
	if (n->dropped)
		fprintf(stderr, "%s %s dropped, because the reader of %s was too slow\n",
			grt_format_count(dropped, n->dropped), grt_plural(n->dropped, "event", "events"), name);
	if (n->definitions)
		fprintf(stderr, "likewise %s %s: names may be missing\n",
			grt_format_count(dropped, n->definitions),
			grt_plural(n->definitions, "definition", "definitions"));
	if (n->unread_bytes)
		fprintf(stderr, "the reader did not read the last %s\n",
			grt_format_bytes(bytes, n->unread_bytes));
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
	if (r->is_summary)
		return;
	if (r->is_live)
		say_stream(r);
	/* The error that follows says how many events were sent. */
	if (r->to && !grt_pipe_out_counts(r->pipe)->is_kept)
		return;
	say_files(&r->output);
	fprintf(stderr, "%s: %s %s, %s %s of %" PRIu64 " %s in %s, %s lost\n",
		r->is_live ? grt_pipe_out_name(r->pipe) : grt_shown(r->output.name), grt_format_count(events, t->events),
		grt_plural(t->events, "event", "events"), grt_format_count(jobs, t->jobs),
		grt_plural(t->jobs, "job", "jobs"), t->processes,
		grt_plural(t->processes, "process", "processes"),
		grt_format_ns(time, t->last_ns - t->first_ns),
		grt_format_count(lost, t->lost));
	if (!t->jobs && r->choice.has_process && !r->choice.has_children)
		fprintf(stderr, "hint: the process itself submitted none; -c also records its children\n");
	if (grt_tally_uncounted(t))
		fprintf(stderr, "note: the session goes on: losses at the end are unknown\n");
	if (t->lost && !grt_output_is_over(&r->output))
		fprintf(stderr, "hint: %s\n", r->again);
	if (!r->is_live && !grt_outfile_is_stdout(r->output.path))
		say_report(&r->output);
}
