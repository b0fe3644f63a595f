/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The session: create -> start -> stop -> destroy.
 */
#ifndef _GRTRACE_SESSION_H
#define _GRTRACE_SESSION_H

#include "state.h"

struct grt_transport_ops;

/* The callbacks by which the transport gets records of its streams; for the module's init. */
extern const struct grt_transport_ops grt_session_transport_ops;

/**
 * struct grt_session_control - callbacks of the control files
 * @note_keys:	writes a POLICY record for every key that is not at its default, with the
 *		time of the session's start.  Under the session lock
 */
struct grt_session_control {
	void (*note_keys)(void);
};

/* Call it before the first session. */
void grt_session_set_control(const struct grt_session_control *control);

/* Applies the module's parameters; streams will appear in @dir.  Sleeps.  0 or -ENOMEM. */
int grt_session_create(struct dentry *dir);
/* Stops the session and removes its streams, in the module's exit.  Sleeps. */
void grt_session_destroy(void);

/*
 * The words of the file control.  All sleep and return 0 or a negative errno.
 * start: -EBUSY while one runs; -ENOMEM; -EEXIST if the name of a stream is taken; -ENODEV
 * during module exit.  stop, flush: -EINVAL if none runs.  reset: drops the recording; while
 * a session runs it resets the statistics only.  reset_stats: resets the statistics only.
 * Those of a flight recorder (flight.h): snapshot: -EINVAL if no session runs, -EOPNOTSUPP if it
 * does not overwrite, -EBUSY.  release: -ENODATA, -EBUSY.  flush: -EOPNOTSUPP if it overwrites.
 */
int grt_session_start(void);
/*
 * As start, but the buffers are freed once the session was stopped and all its events were
 * read.
 */
int grt_session_hold(void);
int grt_session_stop(void);
/* Stops session @id, for a rule; does nothing if that runs no more. */
void grt_session_stop_this(u64 id);
int grt_session_reset(void);
int grt_session_flush(void);
int grt_session_snapshot(void);
int grt_session_release(void);
int grt_session_reset_stats(void);

/* Bytes per CPU that a start would use now: the configured size, limited by the RAM. */
size_t grt_session_buffer_bytes(void);

#endif
