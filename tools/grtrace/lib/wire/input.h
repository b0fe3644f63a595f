/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The interface between sources, which know where bytes come from, and the stream, which knows
 * what they mean.  An input has lanes: one sequence of bytes per CPU.
 *
 * A source looks into records only to cut them apart; a stream never opens a file.
 */
#ifndef GRT_INPUT_H
#define GRT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct grt_vec;

/* What is known of the whole trace.  0 or "" = not known. */
struct grt_trace_info {
	char name[256];		/* for messages: a file, or "live session" */
	char host[64];
	char kernel[64];	/* release of the kernel */
	char command[512];	/* command that was recorded; "" = the whole machine */
	uint64_t session_id;
	uint64_t start_ns;	/* start of the recording, in the stream's clock */
	uint64_t start_real_ns;	/* the same moment, CLOCK_REALTIME */
	uint64_t events;	/* events in the files */
	uint32_t focus_pid;	/* record -p PID: reports show only this process by default */
	bool is_file;		/* a .grt file, which may have the values above */
	bool is_complete;	/* a .grt file that was closed (it has a trailer) */
	bool is_cut;		/* a repaired part of an incomplete file */
	bool goes_on;		/* earlier events are in another file */
	bool is_live;
};

struct grt_input;

struct grt_input_ops {
	/*
	 * Fills *data with the next bytes of @lane: 8-byte aligned, whole records unless the trace
	 * is cut or corrupt, valid until the next fill of the same lane.  Returns 1; 0 at the
	 * lane's end; -EAGAIN if a live lane has no bytes now; else -errno.  GRT_INPUT_SKIPPED:
	 * *data is a struct grt_input_skip, and more follows.
	 */
	int (*fill)(struct grt_input *in, unsigned int lane, const void **data,
		    size_t *bytes);
	/*
	 * Live only: waits for more bytes, at most @timeout_ms.  Afterwards fill() can return all
	 * events before *safe_ns.  0, -EINTR or -errno.
	 */
	int (*wait)(struct grt_input *in, int timeout_ms, uint64_t *safe_ns);
	/*
	 * Files only, may be NULL: the caller needs only events in [@from_ns, @to_ns).  The source
	 * may still return others, and returns all records that are no events.
	 */
	void (*set_span)(struct grt_input *in, uint64_t from_ns, uint64_t to_ns);
	/* Begins again with the first bytes, without a span; NULL: can be read only once. */
	void (*rewind)(struct grt_input *in);
	void (*close)(struct grt_input *in);
};

#define GRT_INPUT_SKIPPED	2

/* Describes bytes that were not read: their events, and accounts that report no loss. */
struct grt_input_skip {
	uint64_t last_cseq;	/* cseq of the last skipped event */
	uint64_t last_ns;	/* time of the last skipped record */
};

/* Each source embeds this as its first member. */
struct grt_input {
	const struct grt_input_ops *ops;
	struct grt_trace_info info;
	unsigned int lanes;	/* in the order of their CPUs, which breaks ties */
	const void *defs;	/* files: all definitions, back to back */
	size_t defs_bytes;
	uint64_t safe_ns;	/* files: all earlier events are here, wherever the streams end */
	bool has_warned;	/* files: warned that the file is damaged */
	uint64_t bad_sizes;	/* files: places where the size of a record is invalid */
};

static inline void grt_input_close(struct grt_input *in)
{
	if (in)
		in->ops->close(in);
}

#endif /* GRT_INPUT_H */
