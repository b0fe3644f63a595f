/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a stream consists of, piece by piece, for one open file.
 */
#ifndef _GRTRACE_READER_H
#define _GRTRACE_READER_H

#include <linux/mutex.h>
#include <linux/types.h>

#include "../defs.h"

struct rchan_buf;

struct grt_reader {
	u64 session_id;		/* 0: waits for the next one to start */
	struct mutex lock;	/* held by a thread that reads: they may share the file */
	int first, end;		/* CPUs, without @end */
	int cpu;		/* whose sub-buffer is in hand, if is_in_hand */
	int announced;		/* whose STREAM_INFO came last */
	int next_end;		/* whose STREAM_END comes next */
	bool is_in_hand;
	bool has_ended;
	size_t subbuf_at;	/* bytes taken of the sub-buffer in hand */
	size_t def_at, def_bytes;
	u8 def[GRT_DEF_MAX];
	struct grt_defs_cursor defs;
};

void grt_reader_init(struct grt_reader *r, int first, int end);

/*
 * Copies what there is, at most @room bytes: bytes copied; 0 = nothing now, and
 * at the end nothing ever; or -EFAULT.  May sleep.
 */
ssize_t grt_reader_take(struct grt_reader *r, char __user *to, size_t room);

/* Its session was followed by another one, or forgotten: nothing comes any more. */
bool grt_reader_is_late(struct grt_reader *r);
/* grt_reader_take() would say something new.  For wait conditions. */
bool grt_reader_may_go_on(struct grt_reader *r);

/*
 * The buffers, by CPU; NULL = none.  The channel's owner sets them, and takes
 * them away before it frees them: returns when no reader looks at them.
 */
void grt_reader_set_buf(int cpu, struct rchan_buf *buf);
void grt_reader_drop_bufs(void);
struct rchan_buf *grt_reader_buf(int cpu);

/* No reader is inside a sub-buffer from lock to unlock. */
void grt_reader_lock_all(void);
void grt_reader_unlock_all(void);
/* Session @session_id runs: readers of others get their end of file. */
void grt_reader_begin(u64 session_id);
/* Everything was produced: readers find the end behind it. */
void grt_reader_end(void);
bool grt_reader_is_running(void);

int grt_reader_create(void);
void grt_reader_destroy(void);

#endif
