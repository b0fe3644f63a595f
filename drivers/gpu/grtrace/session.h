/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The session: create -> start -> stop -> destroy.  The only state machine.
 */
#ifndef _GRTRACE_SESSION_H
#define _GRTRACE_SESSION_H

#include "state.h"

struct grt_transport_ops;

/* What the session's events are to the transport; for the module's init. */
extern const struct grt_transport_ops grt_session_transport_ops;

/**
 * struct grt_session_control - what the session asks of the one who controls it
 * @note_keys:	notes every key that is not at its default, as of the session's start.
 *		Under the session lock
 */
struct grt_session_control {
	void (*note_keys)(void);
};

/* Before a session can run. */
void grt_session_set_control(const struct grt_session_control *control);

/* 0, or -ENOMEM. */
int grt_session_create(struct dentry *dir);
void grt_session_destroy(void);

/*
 * What the control file's words do.  All sleep.  0, or a negative errno:
 * start -EBUSY while running, -ENOMEM, -EEXIST if the name of a stream is taken, -ENODEV
 * while the module goes; stop -EINVAL when none runs; reset forgets what was recorded, or,
 * while running, what was counted; flush -EINVAL when none runs; reset_stats lets the
 * statistics begin anew, and nothing else.
 */
int grt_session_start(void);
/*
 * As start, for somebody who reads the session and needs nothing of it afterwards: once it
 * was stopped and no event is left unread, the buffers are freed.
 */
int grt_session_hold(void);
int grt_session_stop(void);
int grt_session_reset(void);
int grt_session_flush(void);
int grt_session_reset_stats(void);

/* Bytes per CPU that a start would take now: what is set, or the most that it may be. */
size_t grt_session_buffer_bytes(void);

#endif
