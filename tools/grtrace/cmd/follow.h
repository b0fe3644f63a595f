/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What top and monitor read from: a source that they start themselves, a pipe, or a file.
 * A source of their own takes no events of a session that runs already.
 */
#ifndef GRT_CMD_FOLLOW_H
#define GRT_CMD_FOLLOW_H

#include <stdbool.h>

#include "record.h"
#include "replay.h"

struct grt_stream;

struct follow {
	/* Filled in by the command; the rest is 0. */
	const char *file;		/* "-": standard input; NULL: a source of its own */
	const char *source;		/* the name of a source; NULL: the first that works */
	const struct grt_replay_ops *ops;
	void *arg;

	struct grt_replay replay;
	struct grt_stream *stream;	/* owned */
	const char *name;		/* "bpf", or that of the file; from follow_open() on */
	bool is_file;			/* all of it is there, and can be read again */

	/* Private. */
	struct record rec;		/* of a source of its own */
	bool has_source, has_stopped;
};

/* An exit code, after it printed why no source works; or 0.  Call it if there is no file. */
int follow_choose(struct follow *f);

/*
 * Starts the source, or opens the file, and sets f->replay: the caller begins or runs it.  0 or -errno
 * with a cause; call follow_close() in any case.
 */
int follow_open(struct follow *f);
void follow_close(struct follow *f);

/* Now and then: looks whether the source still works.  0 or -errno with a cause. */
int follow_look(struct follow *f);

/*
 * Reads one record and gives it to the replay.  Returns 1 if there was one, and 0 at the end, after the replay
 * has handed out all jobs.  -EAGAIN: no record came for a moment; -EINTR: a signal came; another -errno with a
 * cause.
 */
int follow_next(struct follow *f);

/* The source records no more; what it has can still be read.  0 or -errno with a cause. */
int follow_stop(struct follow *f);

#endif /* GRT_CMD_FOLLOW_H */
