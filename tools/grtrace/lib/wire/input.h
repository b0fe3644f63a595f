/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The seam between sources, which know where bytes come from, and the stream,
 * which knows what they mean: lanes of bytes, one lane per CPU.
 *
 * A source never looks inside records more than it must to cut them; a stream
 * never opens a file.
 */
#ifndef GRT_INPUT_H
#define GRT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct grt_vec;

/* What is known of a trace as a whole.  0 or "" = not known. */
struct grt_trace_info {
	char name[256];		/* for messages: a file, or "live session" */
	char host[64];
	char kernel[64];	/* release */
	char command[512];	/* what was recorded; "" = the whole machine */
	uint64_t session_id;
	uint64_t start_ns;	/* first moment recorded, the stream's clock */
	uint64_t start_real_ns;	/* the same instant, CLOCK_REALTIME */
	uint64_t events;	/* files: in them */
	uint32_t focus_pid;	/* record -p PID: shown by default */
	bool is_file;		/* a .grt, which may carry the above */
	bool is_complete;	/* closed properly (its trailer exists) */
	bool is_cut;		/* what was saved of one that was not */
	bool is_imported;	/* made of a file of another tracer for this reading */
	bool is_live;
};

struct grt_input;

struct grt_input_ops {
	/*
	 * The next bytes of @lane: *data, 8-byte aligned, valid until the next
	 * fill of the same lane, begins where a record begins and holds whole
	 * records unless the trace is cut or corrupt.  Returns 1; 0 at the
	 * lane's end; -EAGAIN when a live lane has none now; else -errno.
	 * GRT_INPUT_SKIPPED: *data is a struct grt_input_skip, and more follows.
	 */
	int (*fill)(struct grt_input *in, unsigned int lane, const void **data,
		    size_t *bytes);
	/*
	 * Live only: waits a moment, at most @timeout_ms, for more.  From then on
	 * everything before *safe_ns can be had by fill().  0, -EINTR or -errno.
	 */
	int (*wait)(struct grt_input *in, int timeout_ms, uint64_t *safe_ns);
	/*
	 * Files only, may be NULL: events before @from_ns and from @to_ns on are not
	 * asked for any more.  Some may come all the same; everything else does.
	 */
	void (*set_span)(struct grt_input *in, uint64_t from_ns, uint64_t to_ns);
	void (*close)(struct grt_input *in);
};

#define GRT_INPUT_SKIPPED	2

/* What stood in bytes that were not read: events, and accounts that told of no loss. */
struct grt_input_skip {
	uint64_t last_cseq;	/* of the last event in them */
	uint64_t last_ns;	/* time of the last record in them */
};

/* Each source embeds this as its first member. */
struct grt_input {
	const struct grt_input_ops *ops;
	struct grt_trace_info info;
	unsigned int lanes;	/* in the order of their CPUs: it breaks ties */
	const void *defs;	/* files: all definitions, records back to back */
	size_t defs_bytes;
	uint64_t safe_ns;	/* files: every event before it is there, wherever they end */
	bool has_warned;	/* files: that one is damaged */
};

static inline void grt_input_close(struct grt_input *in)
{
	if (in)
		in->ops->close(in);
}

#endif /* GRT_INPUT_H */
