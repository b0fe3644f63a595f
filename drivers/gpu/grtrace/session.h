/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The session: create -> start -> stop -> destroy.  The only state machine.
 *
 * Lock order: session lock, then the tracepoints' lock, then the kernel's.
 */
#ifndef _GRTRACE_SESSION_H
#define _GRTRACE_SESSION_H

#include <linux/mutex.h>
#include <linux/types.h>

struct dentry;

enum grt_state {
	GRT_IDLE,	/* nothing was recorded yet, or it was reset */
	GRT_RUNNING,
	GRT_STOPPED,	/* what was recorded can still be read */
};

#define GRT_BUFFER_MIN		(64 * 1024ULL)
#define GRT_BUFFER_MAX		(1024 * 1024 * 1024ULL)
#define GRT_BUFFER_DEFAULT	(4 * 1024 * 1024ULL)

struct grt_session {
	struct mutex lock;	/* whoever writes a member holds it */
	enum grt_state state;
	u64 id;			/* counts sessions since the module was loaded */
	u64 features;		/* bits of enum grtrace_feature */
	u64 start_ns;
	u64 start_real_ns;
	/*
	 * Where the streams appear; NULL before the module's init and from its exit on,
	 * while its parameters can be written: a change is then merely kept.
	 */
	struct dentry *dir;
	u64 buffer_bytes;	/* per CPU, for the next start */
	u64 global_seq;		/* 0 off, 1 on, 2 exact */
};

extern struct grt_session grt_session;

/* 0, or -ENOMEM. */
int grt_session_create(struct dentry *dir);
void grt_session_destroy(void);

/*
 * What the control file's words do.  All sleep.  0, or a negative errno:
 * start -EBUSY while running, -ENOMEM, -ENODEV while the module goes; stop -EINVAL when
 * none runs; reset forgets what was recorded, or, while running, what was counted; flush
 * -EINVAL when none runs; reset_stats lets the statistics begin anew, and nothing else.
 */
int grt_session_start(void);
int grt_session_stop(void);
int grt_session_reset(void);
int grt_session_flush(void);
int grt_session_reset_stats(void);

const char *grt_session_state_name(void);
/* Bytes per CPU that a start would take now: what is set, at most RAM/64 in all. */
size_t grt_session_buffer_bytes(void);

#endif
