/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Reads a trace through the model, as often as needed.
 *
 * Losses, and jobs that were there when the trace began, may show up in the trace only after the
 * jobs that they affect.  Where that matters, the trace is read again, and the second model
 * learns from the first.  Each reading is a pass.
 *
 * To read a whole trace: grt_replay_run().  To take jobs one by one, or to follow a live
 * session: grt_replay_begin(), then grt_replay_next() or grt_replay_feed(), then
 * grt_replay_end().
 */
#ifndef GRT_REPLAY_H
#define GRT_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

struct grt_job;
struct grt_model;
struct grt_stream;
struct grt_window;

/* A pass calls these functions.  Functions that may be NULL say so. */
struct grt_replay_ops {
	/* A pass begins with @model: forget earlier passes.  0 or -errno. */
	int (*begin)(void *arg, struct grt_model *model);
	/*
	 * A record, before the model has it: a definition, or an event where
	 * grt_replay.watches_events.  May be NULL.  0 or -errno.
	 */
	int (*record)(void *arg, const struct grtrace_hdr *rec);
	/* A finished job; see grt_job_fn.  0, 1 when no more jobs are needed, or -errno. */
	int (*job)(void *arg, const struct grt_job *job);
	/*
	 * A job that is over and will be given to job() later, where grt_replay.keeps_pieces; see
	 * grt_model_keep_pieces().  May be NULL.  0 or -errno.
	 */
	int (*early)(void *arg, const struct grt_job *job);
	/* The pass has given all jobs.  May be NULL.  0 or -errno. */
	int (*end)(void *arg);
	/* Whether another pass would find more.  May be NULL: it would not. */
	bool (*wants_more)(void *arg);
};

struct grt_replay {
	/* Filled in by the caller; the rest is 0. */
	const struct grt_replay_ops *ops;
	void *arg;
	struct grt_window *window;	/* not owned; the time that a report is about, NULL: all */
	bool is_final;			/* job() cannot be undone: a pass without ops comes first */
	bool keeps_pieces;		/* see grt_model_keep_pieces() */
	bool skips_sums;		/* see grt_model_skip_sums() */
	bool watches_events;
	bool with_synthetic;		/* jobs written by hand count; becomes true if there are no others */

	struct grt_model *model;	/* owned; of the current pass, or of the last one */

	/* Private. */
	struct grt_stream *stream;	/* not owned */
	struct grt_model *earlier;	/* of the first pass; NULL: this is the first */
	bool is_scouting;		/* this pass calls no ops */
	bool has_real_job, has_synthetic_job;
	int err;			/* what job() returned, if not 0 */
};

/*
 * Reads all of @stream, and reads it again where needed.  Only the first pass gives warnings.
 * 0 or -errno with a cause; call grt_replay_free() in any case.
 */
int grt_replay_run(struct grt_replay *r, struct grt_stream *stream);

/*
 * Begins the pass whose jobs count.  With is_final, a pass that only learns goes first, unless
 * the stream is live.  0 or -errno with a cause; call grt_replay_free() in any case.
 */
int grt_replay_begin(struct grt_replay *r, struct grt_stream *stream);

/* Feeds one record.  0 or -errno. */
int grt_replay_feed(struct grt_replay *r, const struct grtrace_hdr *rec);

/* Reads one record and feeds it.  Returns as grt_stream_next(); 0 also once job() returned 1. */
int grt_replay_next(struct grt_replay *r);

/* Ends the pass: gives the jobs still in flight, then calls end().  0 or -errno. */
int grt_replay_end(struct grt_replay *r);

void grt_replay_free(struct grt_replay *r);

#endif /* GRT_REPLAY_H */
