// SPDX-License-Identifier: GPL-2.0
/* grtrace top reads on, for a moment at a time. */
#include <errno.h>

#include "job.h"
#include "stream.h"
#include "top.h"

#define MANY		512	/* records, until keys are looked at */

static int begin_pass(void *arg, struct grt_model *model)
{
	struct top *t = arg;

	t->recent.seconds = t->window_ns / 1000000000;
	t->recent.with_synthetic = t->follow.replay.with_synthetic;
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

int top_open(struct top *t)
{
	int err;

	t->follow.ops = &ops;
	t->follow.arg = t;
	err = follow_open(&t->follow);
	t->state.source = t->follow.name;
	if (err || (t->follow.is_file && !t->interval_ns))
		return err;	/* see top_read_all() */
	return grt_replay_begin(&t->follow.replay, t->follow.stream);
}

int top_read_all(struct top *t)
{
	t->follow.replay.is_final = false;
	return grt_replay_run(&t->follow.replay, t->follow.stream);
}

int top_read(struct top *t)
{
	int got = follow_look(&t->follow);

	if (got)
		return got;
	got = 1;
	for (int i = 0; i < MANY && got == 1 && !t->wants_frame; i++) {
		got = follow_next(&t->follow);
		/* In a file, a frame is due by its own time. */
		if (t->follow.is_file && got == 1 && t->recent.now_ns >= t->next_ns)
			t->wants_frame = true;
	}
	if (!t->follow.is_file)
		grt_recent_calm(&t->recent);
	if (got == -EAGAIN)
		grt_recent_pass(&t->recent, grt_stream_safe_ns(t->follow.stream));
	return got == -EAGAIN || got == -EINTR ? 1 : got;
}

void top_close(struct top *t)
{
	follow_close(&t->follow);
	grt_recent_free(&t->recent);
}
