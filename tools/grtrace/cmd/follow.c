// SPDX-License-Identifier: GPL-2.0
#include "follow.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "live.h"
#include "source.h"
#include "stream.h"

#define WAIT_MS		50	/* for events */
#define LOOK_NS		1000000000ull
#define REST_NS		2000000000ull	/* to drop what a session has when it was stopped */

int follow_choose(struct follow *f)
{
	f->rec = (struct record)GRT_RECORD_INIT("-");
	f->rec.is_alone = true;
	f->has_source = true;
	if (grt_record_choose(&f->rec))
		return -1;
	return grt_source_choose(&f->rec, f->source);
}

static int start_source(struct follow *f)
{
	int err = f->rec.source->start(&f->rec);

	if (!err)
		err = grt_record_streams(&f->rec);
	if (err)
		return err;
	f->rec.start_ns = grt_snapshot_now(CLOCK_MONOTONIC);
	f->name = f->rec.source->name;
	return grt_stream_open(&f->stream, grt_live_input(f->rec.live, "live session"));
}

/* A file on standard input can be read as often as needed. */
static bool is_pipe(const char *file)
{
	struct stat st;

	return !strcmp(file, "-") && !fstat(STDIN_FILENO, &st) && !S_ISREG(st.st_mode);
}

static int open_file(struct follow *f)
{
	char *files[] = { (char *)f->file };
	struct grt_input *in;
	bool is_live = is_pipe(f->file);
	int err = is_live ? grt_source_open_pipe(&in, "standard input") : grt_source_open(&in, 1, files, 0);

	if (err)
		return err;
	f->is_file = !is_live;
	f->name = is_live ? "standard input" : f->file;
	return grt_stream_open(&f->stream, in);
}

int follow_open(struct follow *f)
{
	int err = f->has_source ? start_source(f) : open_file(f);

	if (err)
		return err;
	f->replay = (struct grt_replay){
		.ops = f->ops, .arg = f->arg, .skips_sums = true, .watches_events = true, .is_final = true,
	};
	if (!f->is_file)
		grt_stream_set_timeout(f->stream, WAIT_MS);
	return 0;
}

int follow_look(struct follow *f)
{
	uint64_t ns = grt_snapshot_now(CLOCK_MONOTONIC);

	if (!f->has_source || f->has_stopped || !f->rec.source->look || ns - f->rec.looked_ns < LOOK_NS)
		return 0;
	f->rec.looked_ns = ns;
	return f->rec.source->look(&f->rec, ns);
}

int follow_next(struct follow *f)
{
	int got = grt_replay_next(&f->replay);

	return got ? got : grt_replay_end(&f->replay);
}

int follow_stop(struct follow *f)
{
	if (!f->has_source || f->has_stopped)
		return 0;
	f->has_stopped = true;
	return f->rec.source->stop(&f->rec);
}

/* Drops what is left.  If our stopped session kept it, the next command that starts a session would be refused. */
static void drop_rest(struct follow *f)
{
	uint64_t until_ns = grt_snapshot_now(CLOCK_MONOTONIC) + REST_NS;
	const struct grtrace_hdr *rec;
	int got;

	do
		got = grt_stream_next(f->stream, &rec);
	while ((got == 1 || got == -EAGAIN) && grt_snapshot_now(CLOCK_MONOTONIC) < until_ns);
}

void follow_close(struct follow *f)
{
	if (f->has_source && f->stream) {
		bool is_ours = f->rec.session.is_ours;

		/* Its stream closes what the source made. */
		follow_stop(f);
		if (is_ours)
			drop_rest(f);
		f->rec.source->release(&f->rec);
		f->rec.live = NULL;
	}
	grt_replay_free(&f->replay);
	grt_stream_close(f->stream);
	if (f->has_source && f->rec.source)
		grt_record_close(&f->rec);
}
