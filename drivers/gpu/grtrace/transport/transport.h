/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bytes from a CPU to a reader: a relay channel in discard mode, and the events0..N files
 * that hand out its sub-buffers.  Knows no events: what heads, definitions and ends look
 * like, its user says.
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
	GRT_HEAD_FIRST,		/* of the session, on this CPU; maybe written from another one */
	GRT_HEAD_FOR_RECORD,	/* the one before is full, a record waits for this one */
	GRT_HEAD_AFTER_FLUSH,	/* the one before was handed out early */
};

/**
 * struct grt_transport_ops - what the user of the transport adds to the bytes
 * @head_bytes:	size of what each sub-buffer begins with
 * @write_head:	fills it.  On @cpu with interrupts off, or for one that does not write
 * @count_overrun: the buffer of @cpu became full.  As @write_head
 * @set_buf:	records of @cpu go to @buf from now on, NULL: nowhere
 * @definition_max: longest definition, in bytes
 * @cursor_bytes: size of a cursor; zeroed = nothing taken yet
 * @next_definition: writes the one behind @cursor, for the stream of @cpu, to @to.  Returns
 *		its size, 0 if there is none now.  The first one always is there.  May sleep
 * @write_turn:	writes what comes before records of another CPU; returns its size
 * @write_end:	writes what comes at the end of the records of @cpu; returns its size
 * @reader_left: a stream was closed.  May sleep
 *
 * Readers call the four that write definitions with the channel locked: they must not wait
 * for grt_transport_begin(), nor for the session lock.
 */
struct grt_transport_ops {
	size_t head_bytes;
	void (*write_head)(unsigned int cpu, void *head, enum grt_head why);
	void (*count_overrun)(unsigned int cpu);
	void (*set_buf)(unsigned int cpu, struct rchan_buf *buf);
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
 * The channel.  All calls but the last five: process context, under the session mutex;
 * open, free and close only while no session runs.
 */

/* The streams appear in @dir.  0, -ENOMEM, or -EEXIST: the name of one is taken. */
int grt_transport_open(struct dentry *dir, size_t buffer_bytes);
/* Gives the buffers back; the streams stay, and still have definitions and ends. */
void grt_transport_free(void);
/* Also ends all streams. */
void grt_transport_close(void);
/*
 * A session begins.  From lock to begin no reader is inside a stream: what their
 * definitions are made of can change.  Readers of the session before get their end of file.
 */
void grt_transport_lock(void);
void grt_transport_begin(u64 session_id);
/* No CPU writes any more.  Sleeps until the last writer has left. */
void grt_transport_forbid_writing(void);
/* What was written is handed to the readers, who find the end behind it. */
void grt_transport_end(void);
/* Hands out what is in the buffers now. */
void grt_transport_flush(void);
/* A sub-buffer that was handed out waits for its reader. */
bool grt_transport_has_unread(void);

/* Bytes per CPU of the open channel, 0 = closed. */
size_t grt_transport_bytes(void);
/* Bytes that all buffers take now. */
size_t grt_transport_memory(void);
size_t grt_transport_subbuf_bytes(void);
/* Sub-buffers that readers finished, over all CPUs. */
u64 grt_transport_consumed(void);
/*
 * Sub-buffers of @cpu in this session: those that hold what is written by now, and those that
 * its readers finished.  Sleep; under no lock.
 */
size_t grt_transport_written(unsigned int cpu);
size_t grt_transport_taken(unsigned int cpu);
/* A record of @size bytes has room in an empty sub-buffer. */
bool grt_transport_fits(size_t size);
/* The files of all CPUs in one. */
void grt_transport_create_pipes(struct dentry *dir);
/* A CPU comes up: it may write if a session runs.  Called on that CPU, by CPU hotplug. */
void grt_transport_cpu_online(unsigned int cpu);

/* Begins the next sub-buffer of this CPU for a record of @size bytes, if it may. */
bool grt_transport_next(struct rchan_buf *buf, size_t size);

/*
 * Room for @size bytes in @buf, or NULL.  On the buffer's own CPU, interrupts
 * off.  The caller fills it before it turns them on again.
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

/* Sub-buffers that wait for the reader of @buf. */
static inline size_t grt_transport_waiting(const struct rchan_buf *buf)
{
	const struct grt_channel *ch = buf->chan->private_data;

	return grt_queue_length(&grt_channel_side(ch, buf->cpu)->queue);
}

#endif
