/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Produces a stream, piece by piece, for one open file.
 */
#ifndef _GRTRACE_READER_H
#define _GRTRACE_READER_H

#include <linux/mutex.h>
#include <linux/types.h>

struct grt_channel;

struct grt_reader {
	struct grt_channel *ch;
	struct mutex lock;	/* for threads that share the file; never held over a wait */
	u64 session_id;		/* 0: waits for the next session */
	bool has_cpu_file;	/* the file of one CPU, which goes when the channel is closed */
	u64 snapshot;		/* overwrite mode: the one that it reads; 0: waits for one */
	unsigned int first, end; /* CPUs @first to @end - 1 */
	unsigned int cpu;	/* CPU of the current sub-buffer, or of the last one */
	unsigned int announced;	/* CPU of the last write_turn() */
	unsigned int next_end;	/* CPU whose end comes next */
	bool is_in_hand;	/* there is a current sub-buffer */
	bool has_begun;
	bool has_ended;
	bool has_left;		/* no longer counted in ch->nr_reading */
	size_t subbuf_at;	/* bytes taken of the current sub-buffer */
	size_t def_at, def_bytes;
	void *def;		/* the current definition: def_bytes, taken up to def_at */
	void *cursor;		/* position in the definitions, for ops->next_definition() */
};

/* A reader of CPUs @first to @end - 1.  NULL: no memory.  The caller frees it with kfree(). */
struct grt_reader *grt_reader_create(struct grt_channel *ch, unsigned int first,
				     unsigned int end);
/* The reader takes no more; for the release of its file, when no thread is inside. */
void grt_reader_leave(struct grt_reader *r);

/*
 * Copies what is available, at most @room bytes, to @to.  Returns the bytes copied; 0 if nothing
 * is available, now or at the end; or -EFAULT, also if a page of @to is not in memory: the caller
 * then calls fault_in_writeable().  Under @r->lock.  May sleep, but does not wait for data.
 */
ssize_t grt_reader_take(struct grt_reader *r, char __user *to, size_t room);

/* True: no data follows: the stream ended, its session was replaced or reset, or its file goes. */
bool grt_reader_is_over(const struct grt_reader *r);
/* True: grt_reader_take() should be called again.  For wait conditions: takes no lock. */
bool grt_reader_has_data(const struct grt_reader *r);

#endif
