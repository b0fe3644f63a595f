// SPDX-License-Identifier: GPL-2.0
/* Jobs of a session that runs, each as soon as it is over. */
#include <errno.h>
#include <signal.h>
#include <time.h>

#include "error.h"
#include "moment.h"
#include "number.h"
#include "report.h"
#include "stream.h"

#define FLUSH_MS	300
#define LATE_NS		1000000000	/* nothing arrives so late */

static volatile sig_atomic_t is_over;

static void end_it(int signal)
{
	(void)signal;
	is_over = 1;
}

/* What was printed cannot be taken back, so it is said that it may be wrong. */
static void warn_of_late_loss(const struct report *r, const struct grtrace_loss *loss)
{
	char back[GRT_NUMBER_MAX];

	if (!r->shown || loss->from_ns > r->shown_ns)
		return;
	grt_warn(NULL, "events were lost while jobs ran that are printed above: of the last %s "
		 "before this line, START and what follows from it may be wrong",
		 grt_format_ns(back, r->shown_ns - loss->from_ns));
}

static int take_all(struct report *r, struct grt_stream *stream)
{
	const struct grtrace_hdr *rec;
	int got = 0, err = 0;

	while (!is_over && !err && !ferror(stdout) && r->shown < r->limit) {
		got = grt_stream_next(stream, &rec);
		if (got == -EAGAIN) {
			grt_model_pass(r->model, grt_moment_now(CLOCK_MONOTONIC) - LATE_NS);
			fflush(stdout);
			continue;
		}
		if (got != 1)
			break;
		err = report_take(r, rec);
		if (!err && rec->type == GRTRACE_LOSS)
			warn_of_late_loss(r, (const struct grtrace_loss *)rec);
	}
	return err ? err : got < 0 && got != -EAGAIN && got != -EINTR ? got : 0;
}

int report_follow(struct report *r)
{
	const struct sigaction end = { .sa_handler = end_it };	/* no SA_RESTART: reads wake up */
	struct grt_stream *stream;
	int err = report_open_stream(r, &stream);

	if (err)
		return err;
	sigaction(SIGINT, &end, NULL);
	sigaction(SIGTERM, &end, NULL);
	grt_stream_set_timeout(stream, FLUSH_MS);
	err = report_begin_model(r);
	if (!err)
		err = take_all(r, stream);
	return report_end(r, stream, err);
}
