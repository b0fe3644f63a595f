/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a stream consists of, piece by piece, for one open file.
 */
#ifndef _GRTRACE_READER_H
#define _GRTRACE_READER_H

#include <linux/mutex.h>
#include <linux/types.h>

struct grt_channel;

struct grt_reader {
	struct grt_channel *ch;
	struct mutex lock;	/* threads that share the file take turns; never held over a wait */
	u64 session_id;		/* 0: waits for the next one to start */
	unsigned int first, end; /* CPUs, without @end */
	unsigned int cpu;	/* whose sub-buffer is in hand, if is_in_hand */
	unsigned int announced;	/* for whose records write_turn() came last */
	unsigned int next_end;	/* whose end comes next */
	bool is_in_hand;
	bool has_begun;
	bool has_ended;
	size_t subbuf_at;	/* bytes taken of the sub-buffer in hand */
	size_t def_at, def_bytes;
	void *def;		/* the definition in hand: def_bytes, taken up to def_at */
	void *cursor;		/* behind which definition it is */
};

/* Of CPUs @first to @end, without @end.  NULL: no memory.  For kfree(). */
struct grt_reader *grt_reader_create(struct grt_channel *ch, unsigned int first,
				     unsigned int end);

/*
 * Copies what there is, at most @room bytes: bytes copied; 0 = nothing now, and
 * at the end nothing ever; or -EFAULT, also when @to is not in memory: see
 * fault_in_writeable().  Under @r->lock.  May sleep, but waits for nobody.
 */
ssize_t grt_reader_take(struct grt_reader *r, char __user *to, size_t room);

/* Nothing comes any more: its stream has ended, or its session was followed or forgotten. */
bool grt_reader_is_over(const struct grt_reader *r);
/* grt_reader_take() would say something new.  For wait conditions: takes no lock. */
bool grt_reader_may_go_on(const struct grt_reader *r);

#endif
