// SPDX-License-Identifier: GPL-2.0
/* Where grtrace top reads from: a source of its own, a pipe, or a file. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "error.h"
#include "job.h"
#include "live.h"
#include "source.h"
#include "stream.h"
#include "top.h"

#define WAIT_MS		50	/* for events, until keys are looked at */
#define MANY		512	/* records, the same */
#define LOOK_NS		1000000000ull

static int begin_pass(void *arg, struct grt_model *model)
{
	struct top *t = arg;

	t->recent.with_synthetic = t->replay.with_synthetic;
	return grt_recent_begin(&t->recent, model);
}

static int add_record(void *arg, const struct grtrace_hdr *rec)
{
	return grt_recent_record(&((struct top *)arg)->recent, rec);
}

static int add_job(void *arg, const struct grt_job *job)
{
	return grt_recent_job(&((struct top *)arg)->recent, job);
}

static const struct grt_replay_ops ops = { .begin = begin_pass, .record = add_record, .job = add_job };

int top_choose_source(struct top *t)
{
	t->rec = (struct record)GRT_RECORD_INIT("-");
	t->rec.is_alone = true;
	t->has_source = true;
	if (grt_record_choose(&t->rec))
		return -1;
	return grt_source_choose(&t->rec, t->source);
}

static int start_source(struct top *t)
{
	int err = t->rec.source->start(&t->rec);

	if (!err)
		err = t->rec.source->streams(&t->rec, &t->rec.live);
	if (err)
		return err;
	t->rec.start_ns = grt_snapshot_now(CLOCK_MONOTONIC);
	t->state.source = t->rec.source->name;
	return grt_stream_open(&t->stream, grt_live_input(t->rec.live, "live session"));
}

/* A file on standard input can be read as often as needed. */
static bool is_pipe(const char *file)
{
	struct stat st;

	return !strcmp(file, "-") && !fstat(STDIN_FILENO, &st) && !S_ISREG(st.st_mode);
}

static int open_file(struct top *t)
{
	char *files[] = { (char *)t->file };
	struct grt_input *in;
	bool is_live = is_pipe(t->file);
	int err = is_live ? grt_source_open_pipe(&in, "standard input") : grt_source_open(&in, 1, files, 0);

	if (err)
		return err;
	t->is_replay = !is_live;
	t->state.source = is_live ? "standard input" : t->file;
	return grt_stream_open(&t->stream, in);
}

int top_open(struct top *t)
{
	int err = t->has_source ? start_source(t) : open_file(t);

	if (err)
		return err;
	t->replay = (struct grt_replay){ .ops = &ops, .arg = t, .watches_events = true, .is_final = true };
	if (t->is_replay && !t->interval_ns)
		return 0;	/* see top_read_all() */
	grt_stream_set_timeout(t->stream, WAIT_MS);
	return grt_replay_begin(&t->replay, t->stream);
}

int top_read_all(struct top *t)
{
	t->replay.is_final = false;
	return grt_replay_run(&t->replay, t->stream);
}

static int look_at_source(struct top *t)
{
	uint64_t ns = grt_snapshot_now(CLOCK_MONOTONIC);

	if (!t->has_source || !t->rec.source->look || ns - t->rec.looked_ns < LOOK_NS)
		return 0;
	t->rec.looked_ns = ns;
	return t->rec.source->look(&t->rec, ns);
}

int top_read(struct top *t)
{
	int got = 1, err = look_at_source(t);

	for (int i = 0; !err && i < MANY && got == 1 && !t->wants_frame; i++) {
		got = grt_replay_next(&t->replay);
		/* In a file, a frame is due by its own time. */
		if (t->is_replay && got == 1 && t->recent.now_ns >= t->next_ns)
			t->wants_frame = true;
	}
	if (!t->is_replay)
		grt_recent_calm(&t->recent);
	if (err || got == 1)
		return err ? err : 1;
	if (got == -EAGAIN)
		grt_recent_pass(&t->recent, grt_stream_safe_ns(t->stream));
	if (got == -EAGAIN || got == -EINTR)
		return 1;
	if (got)
		return got;
	return grt_replay_end(&t->replay);
}

void top_close(struct top *t)
{
	if (t->has_source && t->stream) {
		/* Its stream closes what the source made. */
		t->rec.source->stop(&t->rec);
		t->rec.source->release(&t->rec);
		t->rec.live = NULL;
	}
	grt_replay_free(&t->replay);
	grt_recent_free(&t->recent);
	grt_stream_close(t->stream);
	if (t->has_source && t->rec.source)
		grt_record_close(&t->rec);
}
