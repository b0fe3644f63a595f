/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bytes from a CPU to a reader: one relay channel in discard mode, and the
 * events0..N files that hand out its sub-buffers.  Knows no events.
 */
#ifndef _GRTRACE_TRANSPORT_H
#define _GRTRACE_TRANSPORT_H

#include <linux/relay.h>
#include <linux/types.h>
#include <uapi/linux/grtrace.h>

struct dentry;

#define GRT_SUBBUFS	16	/* per CPU */
#define GRT_STREAM_BASE	"events"	/* the CPU follows */

/*
 * The channel.  All calls: process context, under the session mutex; open and
 * close only while no session runs.
 */
int grt_transport_open(struct dentry *dir, size_t buffer_bytes);
void grt_transport_close(void);
/* Empties the buffers for session @session_id and lets CPUs write. */
void grt_transport_begin(u64 session_id);
/*
 * No CPU writes any more; what they wrote is handed to the readers, who find
 * the end behind it.  Sleeps until the last writer has left.
 */
void grt_transport_end(void);
/* Hands out what is in the buffers now. */
void grt_transport_flush(void);
/* Bytes per CPU of the open channel, 0 = closed. */
size_t grt_transport_bytes(void);
size_t grt_transport_subbuf_bytes(void);
/* Sub-buffers that readers finished, over all CPUs. */
u64 grt_transport_consumed(void);
/* A CPU comes up: it may write if a session runs.  Called on that CPU. */
void grt_transport_cpu_online(unsigned int cpu);

/* stream.c: the files, made by relay through these. */
struct dentry *grt_stream_create(const char *name, struct dentry *dir,
				 struct rchan_buf *buf);
int grt_stream_init(void);
void grt_stream_exit(void);
/* Opens the stream of session @session_id; under grt_reader_lock_all(), which it undoes. */
void grt_stream_begin_and_unlock(u64 session_id);
/* Readers find the end behind what was produced. */
void grt_stream_end(void);
/* A sub-buffer was produced.  Any context. */
void grt_stream_wake(void);
/* The files of all CPUs in one. */
void grt_stream_create_pipes(struct dentry *dir);
/* The channel is about to go: no reader and no timer looks at it after this. */
void grt_stream_quiesce(void);

/* relay.c, for stream.c: hands out @cpu's sub-buffer if it holds events. */
void grt_transport_flush_cpu(int cpu);

/* Where the events of a sub-buffer begin. */
#define GRT_SUBBUF_HEAD	sizeof(struct grtrace_subbuf)

/* Begins the next sub-buffer of this CPU for an event of @size bytes, if it may. */
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
	return buf->subbufs_produced - READ_ONCE(buf->subbufs_consumed);
}

/* Why grt_transport_reserve() of @size bytes said no. */
enum grtrace_fate grt_transport_why(size_t size);

#endif
