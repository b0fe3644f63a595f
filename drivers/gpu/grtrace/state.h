/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of the session, for every file to read.  Only session.c changes it.
 */
#ifndef _GRTRACE_STATE_H
#define _GRTRACE_STATE_H

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

/* Lock order: session lock, then the tracepoints' lock, then the kernel's. */
struct grt_session {
	struct mutex lock;	/* to be held to write a member */
	enum grt_state state;
	/* Streams contain these four: to write them, hold grt_transport_lock(), too. */
	u64 id;			/* counts sessions since the module was loaded */
	u64 features;		/* bits of enum grtrace_feature */
	u64 start_ns;
	u64 start_real_ns;
	bool is_held;		/* started by grt_session_hold() */
	/*
	 * The folder of the streams.  NULL before the module's init and during its exit:
	 * parameters can be written then, but are only stored.
	 */
	struct dentry *dir;
	u64 buffer_bytes;	/* per CPU, for the next start */
	u64 buffer_bytes_asked;	/* the same, at the last start; 0: there was none */
	u64 global_seq;		/* 0 off, 1 on, 2 exact */
};

extern struct grt_session grt_session;

const char *grt_session_state_name(void);

#endif
