/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Moves bytes from CPUs to readers, with relay channels and the files events0..N that hand out
 * their sub-buffers.  It does not know events: its user's callbacks
 * write heads, definitions and ends.
 */
#ifndef _GRTRACE_TRANSPORT_H
#define _GRTRACE_TRANSPORT_H

#include <linux/relay.h>
#include <linux/types.h>

#include "channel.h"

struct dentry;

#define GRT_STREAM_BASE	"events"	/* the CPU follows */

/* Why a sub-buffer begins. */
enum grt_head {
	GRT_HEAD_FIRST,		/* the CPU's first in the session; another CPU may write it */
	GRT_HEAD_FOR_RECORD,	/* the previous one is full, a record needs this one */
	GRT_HEAD_AFTER_FLUSH,	/* the previous one was handed out early */
	GRT_HEAD_AGAIN,		/* it has no records yet: this head replaces its head */
	GRT_HEAD_AFTER_SWAP,	/* overwrite mode: the CPU's first in its set, for a record */
};

/**
 * struct grt_transport_ops - callbacks of the transport's user
 * @head_bytes:	size of the head that begins each sub-buffer
 * @write_head:	writes the head of a sub-buffer; @begun tells since when CPUs write to the set of
 *		buffers that it is in.  On @cpu with interrupts off, or while @cpu does not write
 * @has_pending_account: would a head written now contain more than the heads that were handed
 *		out?  Called on any CPU
 * @count_overrun: the buffer of @cpu became full.  Context as @write_head
 * @set_buf:	@cpu writes to @buf from now on; NULL = it does not write
 * @swap_buf:	@cpu writes to @to instead of @from; if it does not write to @from, nothing changes.
 *		Any context
 * @definition_max: longest definition, in bytes
 * @cursor_bytes: size of a cursor; zeroed = before the first definition
 * @next_definition: writes the definition after @cursor, for the stream of @cpu, to @to, and
 *		moves @cursor.  Returns its size, 0 if there is none now.  The first call of
 *		a reader always finds one.  May sleep
 * @write_turn:	writes the record that precedes records of another CPU; returns its size
 * @write_end:	writes the record that ends the records of @cpu; returns its size
 * @reader_left: a stream was closed.  May sleep
 *
 * Readers call @next_definition, @write_turn and @write_end with the channel locked, so these
 * must not wait for grt_transport_begin() or for the session lock.
 */
struct grt_transport_ops {
	size_t head_bytes;
	void (*write_head)(unsigned int cpu, void *head, enum grt_head why,
			   const struct grt_swap *begun);
	bool (*has_pending_account)(unsigned int cpu);
	void (*count_overrun)(unsigned int cpu);
	void (*set_buf)(unsigned int cpu, struct rchan_buf *buf);
	void (*swap_buf)(unsigned int cpu, struct rchan_buf *from, struct rchan_buf *to);
	size_t definition_max;
	size_t cursor_bytes;
	size_t (*next_definition)(void *cursor, unsigned int cpu, void *to);
	size_t (*write_turn)(void *to, unsigned int cpu);
	size_t (*write_end)(void *to, unsigned int cpu);
	void (*reader_left)(void);
};

/* At the module's init and exit.  0, or -ENOMEM. */
int grt_transport_create(const struct grt_transport_ops *ops);
void grt_transport_destroy(void);

/*
 * The channel.  Call these in process context, under the session mutex, unless the comment
 * says otherwise; open, free and close only while no session runs.
 */

/*
 * Opens the channel; its streams appear in @dir.  In overwrite mode each CPU gets two buffers of
 * that size.  0, -ENOMEM, or -EEXIST: a name is taken.
 */
int grt_transport_open(struct dentry *dir, size_t buffer_bytes, bool is_overwrite);
/* Frees the buffers; the streams stay, with definitions and ends. */
void grt_transport_free(void);
/* Frees the buffers and removes the streams. */
void grt_transport_close(void);
/*
 * Begins a session.  Between lock and begin no reader is inside a stream, so the data of their
 * definitions can change.  Readers of the previous session get their end of file.
 */
void grt_transport_lock(void);
void grt_transport_begin(u64 session_id, u64 start_ns);
/* Stops all CPUs from writing; sleeps until the last writer is done. */
void grt_transport_forbid_writing(void);
/* Hands out all records; readers find the end after them. */
void grt_transport_end(void);
/* Hands out all records written until now, and accounts of all events until now. */
void grt_transport_flush(void);
/* Does a finished sub-buffer wait for its reader? */
bool grt_transport_has_unread(void);
/* Bytes of all sub-buffers that wait for their readers. */
size_t grt_transport_unread(void);

/* Bytes per CPU of the open channel, 0 = closed. */
size_t grt_transport_bytes(void);
/* Bytes that all buffers take now. */
size_t grt_transport_memory(void);
size_t grt_transport_subbuf_bytes(void);
/* Number of sub-buffers that readers finished, over all CPUs. */
u64 grt_transport_consumed(void);
/*
 * Sub-buffers of @cpu in this session: written returns how many contain the records written so
 * far, taken how many its readers finished.  In overwrite mode: how many were overwritten since the
 * last swap.  Sleep; call them without locks.
 */
size_t grt_transport_written(unsigned int cpu);
size_t grt_transport_taken(unsigned int cpu);
/* Does a record of @size bytes fit into an empty sub-buffer?  Any context. */
bool grt_transport_fits(size_t size);
/* Creates the files that have all CPUs. */
void grt_transport_create_pipes(struct dentry *dir);
/* A CPU comes up: lets it write if a session runs.  CPU hotplug calls it on that CPU. */
void grt_transport_cpu_online(unsigned int cpu);

/*
 * Overwrite mode: the oldest records are overwritten, and readers get snapshots.
 *
 * swap: CPUs go on in the other buffers.  Any context, but not again before release.  settle:
 * sleeps until no CPU writes to the old buffers.  show: readers get the old buffers, or with
 * @is_last those that were written until the session stopped, as snapshot number @number.
 * release: empties them; with @has_last the caller shows the last ones next, and readers wait for
 * them.  0, or -EBUSY: a reader is in the middle of them.
 */
void grt_transport_swap(struct grt_swap swap);
void grt_transport_settle(void);
void grt_transport_show(u64 number, bool is_last);
int grt_transport_release(bool has_last);
bool grt_transport_is_overwrite(void);
/* Is a snapshot held or being taken? */
bool grt_transport_has_snapshot(void);

/* Begins this CPU's next sub-buffer for a record of @size bytes.  False: there is no room. */
bool grt_transport_next(struct rchan_buf *buf, size_t size);

/*
 * Reserves @size bytes in @buf; NULL: no room.  On the buffer's own CPU, with interrupts
 * off.  The caller fills the bytes before it turns interrupts on.
 */
static __always_inline void *grt_transport_reserve(struct rchan_buf *buf, size_t size)
{
	size_t at = buf->offset;

	if (unlikely(at + size > buf->chan->subbuf_size)) {
		if (!grt_transport_next(buf, size))
			return NULL;
		at = buf->offset;
	}
	buf->offset = at + size;
	return buf->data + at;
}

/* Number of sub-buffers that wait for the reader of @buf. */
static inline size_t grt_transport_waiting(const struct rchan_buf *buf)
{
	const struct grt_set *set = buf->chan->private_data;

	return grt_queue_length(&grt_set_side(set, buf->cpu)->queue);
}

#endif
