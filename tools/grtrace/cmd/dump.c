// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>

#include "commands.h"
#include "error.h"
#include "event.h"
#include "options.h"
#include "print.h"
#include "source.h"
#include "stream.h"

struct dump {
	struct grt_event_sink *sink;
	bool has_definitions;
	uint64_t limit;
};

/* CLOCK and STATS are about the trace, as RING is; LOSS and POLICY are about now. */
static bool is_wanted(const struct dump *d, const struct grtrace_hdr *rec)
{
	return rec->type < GRTRACE_STREAM_BASE || rec->type == GRTRACE_LOSS ||
	       rec->type == GRTRACE_POLICY || d->has_definitions;
}

static int print_all(const struct dump *d, struct grt_stream *stream)
{
	const struct grtrace_hdr *rec;
	uint64_t count = 0;
	int got = 0;

	while (count < d->limit && !ferror(stdout)) {
		got = grt_stream_next(stream, &rec);
		if (got != 1)
			break;
		got = grt_event_sink_learn(d->sink, rec);
		if (got < 0)
			break;
		if (is_wanted(d, rec)) {
			grt_event_sink_print(d->sink, rec);
			count++;
		}
	}
	return got < 0 ? got : 0;
}

static int dump(struct dump *d, const char *format, struct grt_input *in)
{
	struct grt_stream *stream;
	int err = grt_stream_open(&stream, in);

	if (err)
		return grt_print_failure(err);
	err = grt_event_sink_open(&d->sink, format, stdout);
	if (!err) {
		err = print_all(d, stream);
		grt_event_sink_close(d->sink);
	}
	grt_stream_close(stream);
	return err ? grt_print_failure(err) : GRT_EXIT_OK;
}

int cmd_dump(int argc, char **argv)
{
	static char *default_file[] = { "trace.grt" };
	struct dump d = { .limit = UINT64_MAX };
	const char *format = "text";
	uint64_t session = 0;
	bool is_live = false;
	struct grt_input *in;
	const struct grt_option options[] = {
		OPT_STRING('f', "format", &format, "NAME", "text, csv or json; text by default"),
		OPT_U64('n', "limit", &d.limit, "N", "stop after N lines"),
		OPT_BOOL('d', "definitions", &d.has_definitions,
			 "also the rings, processes and what else explains the trace"),
		OPT_U64(0, "session", &session, "ID", "of raw streams of several sessions only this one"),
		OPT_BOOL('l', "live", &is_live, "the session that runs now, instead of files"),
		OPT_END()
	};
	int err;

	argc = grt_parse_options(argc, argv, options, "dump [options] [FILE...]");
	if (!grt_event_has_format(format))
		return grt_usage(options, "no format '%s': text, csv or json", format);
	if (is_live && argc)
		return grt_usage(options, "--live takes no files");
	if (is_live)
		err = grt_source_open_live(&in);
	else if (argc)
		err = grt_source_open(&in, argc, argv, session);
	else
		err = grt_source_open(&in, 1, default_file, session);
	return err ? grt_print_failure(err) : dump(&d, format, in);
}
