// SPDX-License-Identifier: GPL-2.0
/*
 * report --live.  Reading takes events out of the session's buffers, so they are kept in a file.
 * While the session runs, jobs are printed as soon as they are over.
 */
#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "clock_snapshot.h"
#include "error.h"
#include "number.h"
#include "report.h"
#include "stream.h"
#include "save.h"

#define FLUSH_MS	300
#define LATE_NS		1000000000	/* no event arrives so late */

/* Jobs are printed already when a loss shows up: warn that their lines may be wrong. */
static void warn_of_late_loss(const struct report *r, const struct grtrace_loss *loss)
{
	char back[GRT_NUMBER_MAX];

	if (!r->shown || loss->from_ns > r->shown_ns)
		return;
	grt_warn(NULL, "events were lost while jobs ran that are printed above: for the last %s "
		 "before this line, START and the times that depend on it may be wrong",
		 grt_format_ns(back, r->shown_ns - loss->from_ns));
}

static int print_all(struct report *r, struct grt_stream *stream)
{
	const struct grtrace_hdr *rec;
	int got = 0, err = 0;

	while (!grt_save_is_over() && !err && !ferror(stdout) && r->shown < r->limit) {
		got = grt_stream_next(stream, &rec);
		if (got == -EAGAIN) {
			grt_model_pass(r->trace.replay.model, grt_snapshot_now(CLOCK_MONOTONIC) - LATE_NS);
			fflush(stdout);
			continue;
		}
		if (got != 1)
			break;
		err = grt_replay_feed(&r->trace.replay, rec);
		if (!err && rec->type == GRTRACE_LOSS)
			warn_of_late_loss(r, (const struct grtrace_loss *)rec);
	}
	return err ? err : got < 0 && got != -EAGAIN && got != -EINTR ? got : 0;
}

int report_fetch(struct report *r)
{
	static char name[4096], *files[] = { name };
	struct grt_save *save;
	int err = grt_save_open(&save, r->live_file), end;

	if (err)
		return err;
	snprintf(name, sizeof(name), "%s", grt_save_path(save));
	r->trace.files = files;
	r->trace.nr_files = 1;
	err = grt_save_now(save);
	end = grt_save_close(save, !err);
	return err ? err : end;
}

int report_follow(struct report *r)
{
	struct grt_stream *stream;
	struct grt_save *save;
	int err = grt_save_along(&save, r->live_file, &stream), end;

	if (err)
		return err;
	grt_stream_set_timeout(stream, FLUSH_MS);
	err = trace_follow(&r->trace, stream);
	if (!err)
		err = print_all(r, stream);
	if (!err)
		err = grt_replay_end(&r->trace.replay);
	grt_stream_close(r->trace.stream);	/* it reads through @save */
	r->trace.stream = NULL;
	end = grt_save_close(save, !err);
	return err ? err : end;
}
