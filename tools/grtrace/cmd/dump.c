// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "describe.h"
#include "early.h"
#include "error.h"
#include "event.h"
#include "event_query.h"
#include "list.h"
#include "number.h"
#include "open_trace.h"
#include "options.h"
#include "print.h"
#include "quote.h"
#include "select.h"
#include "stream.h"
#include "save.h"

#define FLUSH_MS	300	/* time between flushes while a running session is read */

struct dump {
	struct grt_event_sink *sink;
	struct grt_event_names names;
	struct grt_event_query query;
	struct grt_filter *filter;	/* owned */
	const char *format;
	bool has_definitions, has_diff, is_live;
	struct grt_save *save;		/* saves what is read of a session; NULL = none */
	uint64_t limit, printed;
	uint64_t since_ns, until_ns;	/* since the first event */
	uint64_t begin_ns;		/* time of the first event, if @has_begun */
	bool has_begun;
	struct grt_early snapshots;	/* they are printed at their time */
	uint64_t lost;			/* events of LOSS records that were not printed */

	/* The options as they were typed. */
	const char *types, *cpus, *job, *filter_text, *since, *until, *live_file;
};

/* Whether the options select only some of the events. */
static bool has_rings(const struct dump *d)
{
	const struct grt_event_query *q = &d->query;

	return q->types || q->has_cpus || q->ring || q->comm || q->pid || q->has_job || q->filter ||
	       d->since || d->until;
}

/* CLOCK and STATS, like RING, describe the trace; LOSS, POLICY and SNAPSHOT describe a time. */
static bool is_shown(const struct dump *d, const struct grt_event_view *view)
{
	uint16_t type = view->rec->type;

	return type < GRTRACE_STREAM_BASE || type == GRTRACE_LOSS || type == GRTRACE_POLICY ||
	       type == GRTRACE_SNAPSHOT || d->has_definitions || grt_event_query_names(&d->query, view->type);
}

/* A LOSS comes at the end of its time, and is in the span if any part of its time is. */
static bool is_in_span(const struct dump *d, const struct grtrace_hdr *rec)
{
	uint64_t ns = rec->ts - d->begin_ns;

	if (rec->type >= GRTRACE_STREAM_BASE && (!d->has_begun || rec->ts < d->begin_ns))
		return true;
	if (rec->type == GRTRACE_LOSS)
		return ns >= d->since_ns &&
		       ((const struct grtrace_loss *)rec)->from_ns <
		       grt_time_after(d->begin_ns, d->until_ns);
	return ns >= d->since_ns && ns < d->until_ns;
}

/* Tells the stream which part of the file is needed. */
static void begin(struct dump *d, struct grt_stream *stream, const struct grtrace_hdr *rec)
{
	d->has_begun = true;
	d->begin_ns = rec->ts;
	if (d->since || d->until)
		grt_stream_set_span(stream, grt_time_after(d->begin_ns, d->since_ns),
				    grt_time_after(d->begin_ns, d->until_ns));
}

static void print(struct dump *d, const struct grtrace_hdr *rec)
{
	struct grt_event_view view;

	if (!grt_event_view(&view, &d->names, rec) || !is_shown(d, &view) || !is_in_span(d, rec))
		return;
	if (!grt_event_query_wants(&d->query, &view)) {
		if (rec->type == GRTRACE_LOSS)
			d->lost += ((const struct grtrace_loss *)rec)->count;
		return;
	}
	grt_event_sink_print(d->sink, &view);
	d->printed++;
}

/* Prints the snapshots that were taken before @ns. */
static void print_snapshots(struct dump *d, uint64_t ns)
{
	const struct grtrace_hdr *rec;

	while (d->printed < d->limit && (rec = grt_early_take(&d->snapshots, ns)))
		print(d, rec);
}

static int print_all(struct dump *d, struct grt_stream *stream)
{
	const struct grtrace_hdr *rec;
	int got = 0;

	while (d->printed < d->limit && !ferror(stdout) && !grt_save_is_over()) {
		got = grt_stream_next(stream, &rec);
		if (got == -EAGAIN) {
			fflush(stdout);
			continue;
		}
		if (got != 1)
			break;
		if (!d->has_begun && rec->type < GRTRACE_STREAM_BASE)
			begin(d, stream, rec);
		got = grt_event_names_learn(&d->names, rec);
		if (got >= 0 && rec->type == GRTRACE_SNAPSHOT)
			got = grt_early_add(&d->snapshots, rec);
		if (got < 0)
			break;
		if (rec->type < GRTRACE_STREAM_BASE)
			print_snapshots(d, rec->ts);
		if (rec->type != GRTRACE_SNAPSHOT && d->printed < d->limit)
			print(d, rec);
	}
	if (!got)
		print_snapshots(d, UINT64_MAX);
	return got < 0 && got != -EAGAIN && got != -EINTR ? got : 0;
}

static void say_losses(const struct dump *d)
{
	char count[GRT_NUMBER_MAX];

	if (d->lost)
		grt_warn("LOSS among the types of --type shows where",
			 "%s %s missing in this trace", grt_format_count(count, d->lost),
			 grt_plural(d->lost, "event is", "events are"));
}

/* No event matched: lists rings and processes.  Returns the exit code. */
static int say_nothing(struct dump *d)
{
	char list[LIST_MAX];
	const char *ring = d->query.ring;

	if (ring && !list_has_ring(&d->names.names, ring)) {
		grt_fail(EINVAL, list_rings(list, &d->names.names), "no ring '%s' in this trace", ring);
		grt_print_failure(-EINVAL);
		return GRT_EXIT_USAGE;
	}
	grt_print_warning(list_names(list, &d->names.names), "no event among those asked for");
	return GRT_EXIT_OK;
}

static int dump(struct dump *d, struct grt_stream *stream)
{
	int err = grt_event_sink_open(&d->sink, d->format, d->has_diff, stdout), end;
	int code = GRT_EXIT_OK;
	uint64_t unknown;

	if (!err) {
		err = print_all(d, stream);
		grt_event_sink_close(d->sink);
	}
	unknown = grt_stream_stats(stream)->unknown_events;
	grt_stream_close(stream);
	if (d->save) {
		end = grt_save_close(d->save, !err);
		err = err ? err : end;
	}
	if (err)
		return grt_print_failure(err);
	say_losses(d);
	grt_print_unknown(unknown);
	if (!d->printed && d->limit && has_rings(d))
		code = say_nothing(d);
	return code;
}

static int apply(struct dump *d)
{
	struct grt_event_query *q = &d->query;
	int err = d->types ? grt_event_query_types(q, d->types) : 0;

	d->until_ns = UINT64_MAX;
	if (!err && d->cpus)
		err = grt_event_query_cpus(q, d->cpus);
	if (!err && d->job)
		err = select_parse_job(d->job, &q->ctx, &q->seqno);
	q->has_job = d->job;
	if (!err && d->since)
		err = grt_parse_ns(d->since, &d->since_ns);
	if (!err && d->until)
		err = grt_parse_ns(d->until, &d->until_ns);
	if (!err && d->filter_text)
		err = grt_filter_create_for_events(&d->filter, d->filter_text,
						   strlen(d->filter_text));
	q->filter = d->filter;
	return err;
}

static int open_stream(struct dump *d, struct grt_stream **stream, int count, char **files,
		       uint64_t session)
{
	static char *default_file[] = { "trace.grt" };
	int err;

	if (d->is_live) {
		err = grt_save_along(&d->save, d->live_file, stream);
		if (!err)
			grt_stream_set_timeout(*stream, FLUSH_MS);
		return err;
	}
	return grt_open_trace(stream, count ? count : 1, count ? files : default_file, session);
}

int cmd_dump(int argc, char **argv)
{
	struct dump d = { .limit = UINT64_MAX, .format = "text" };
	uint64_t session = 0;
	struct grt_stream *stream;
	const struct grt_option options[] = {
		OPT_STRING('f', "format", &d.format, "NAME", "text, csv or json; text by default"),
		OPT_BOOL(0, "csv-safe", &grt_csv_is_safe,
			 "CSV for a spreadsheet: ' before texts that begin with = + - or @"),
		OPT_U64('n', "limit", &d.limit, "N", "stop after N lines"),
		OPT_STRING(0, "type", &d.types, "TYPES",
			   "only these types: names or patterns, with commas"),
		OPT_STRING('r', "ring", &d.query.ring, "RING",
			   "only events of this ring: name or number"),
		OPT_U64('p', "pid", &d.query.pid, "PID", "only events of this process"),
		OPT_STRING('c', "comm", &d.query.comm, "NAME", "only events of processes of this name"),
		OPT_STRING(0, "cpu", &d.cpus, "CPUS", "only events of these CPUs, like 0,2-5"),
		OPT_STRING(0, "job", &d.job, "CTX:SEQNO",
			   "only events about this job, or about jobs that wait for it"),
		OPT_STRING(0, "since", &d.since, "TIME", "only events from TIME on, counted from the first event"),
		OPT_STRING(0, "until", &d.until, "TIME", "only events before TIME"),
		OPT_STRING('F', "filter", &d.filter_text, "EXPR",
			   "only events that match EXPR, like 'status != ok and ring == gfx'"),
		OPT_BOOL(0, "ts-diff", &d.has_diff, "also print the time since the previous line"),
		OPT_BOOL('d', "definitions", &d.has_definitions,
			 "also print rings, processes and other definitions"),
		OPT_U64(0, "session", &session, "ID", "only this session, if raw streams have several"),
		OPT_BOOL('l', "live", &d.is_live,
			 "read the current session: move its events from the buffers to a file"),
		OPT_STRING('o', "output", &d.live_file, "FILE",
			   "the file for --live; by default live.grt, live-2.grt and so on"),
		OPT_END()
	};
	int err, code;

	argc = grt_parse_options(argc, argv, options, "dump [options] [FILE...]");
	if (!grt_event_has_format(d.format))
		return grt_usage(options, "no format '%s': text, csv or json", d.format);
	if (d.is_live && argc)
		return grt_usage(options, "--live takes no files");
	if (d.live_file && !d.is_live)
		return grt_usage(options, "--output needs --live");
	if (apply(&d))
		return grt_print_usage("dump");
	err = open_stream(&d, &stream, argc, argv, session);
	code = err ? grt_print_failure(err) : dump(&d, stream);
	grt_event_names_free(&d.names);
	grt_early_free(&d.snapshots);
	grt_filter_destroy(d.filter);
	return code;
}
