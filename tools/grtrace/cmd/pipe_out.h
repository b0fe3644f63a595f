/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The recording that record --live writes to standard output, and record --to to a socket.  The CPUs take turns in it, as in the
 * module's trace_pipe, and a CLOCK follows each round: all events before its time are in front of it.
 *
 * Nothing here waits for the reader while events come.  Events for which there is no room are dropped,
 * and the accounts of the stream tell of them: their fate is BUFFER_FULL.  Events behind them are
 * numbered as if those had never been written, so the stream keeps all rules of the format.
 */
#ifndef GRT_PIPE_OUT_H
#define GRT_PIPE_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "run.h"

struct grt_pipe_out;

/* Fails if standard output is a terminal.  0 or -errno with a cause. */
int grt_pipe_out_open(struct grt_pipe_out **o);

/* The same to @socket, which becomes owned, even after a failure; messages call it @name, the caller's. */
int grt_pipe_out_open_socket(struct grt_pipe_out **o, int socket, const char *name);
void grt_pipe_out_close(struct grt_pipe_out *o);	/* NULL is allowed */

/* Before the first run: how many lanes there are, and the session's STREAM_INFO.  0 or -errno. */
int grt_pipe_out_begin(struct grt_pipe_out *o, unsigned int lanes,
		       const struct grtrace_stream_info *info);

/* Adds a run of @lane, which has the events of @cpu, or drops events of it.  0 or -errno. */
int grt_pipe_out_run(struct grt_pipe_out *o, unsigned int lane, uint32_t cpu,
		     const struct grt_run *run);

/* Adds a definition, for all CPUs, if there is room.  0 or -errno. */
int grt_pipe_out_definition(struct grt_pipe_out *o, const struct grtrace_hdr *def);

/* All events before @safe_ns were added: says so.  0 or -errno. */
int grt_pipe_out_round(struct grt_pipe_out *o, uint64_t safe_ns);

/* The file to wait for: always for its end, and for room if @wants_room. */
int grt_pipe_out_fd(const struct grt_pipe_out *o, bool *wants_room);

/* Writes what the reader takes now.  0 or -errno; a reader that is gone is no error. */
int grt_pipe_out_write(struct grt_pipe_out *o);

/*
 * No more events come: from here on it waits for the reader, as long as that reads; a run waits for
 * room, and this one until all is read.  0 or -errno.  A listener must also say that its file has all of it: -EPIPE
 * with a cause if it does not, or is gone.
 */
void grt_pipe_out_end(struct grt_pipe_out *o);
int grt_pipe_out_finish(struct grt_pipe_out *o);

const char *grt_pipe_out_name(const struct grt_pipe_out *o);

/* The caller saw that the reader closed its end. */
void grt_pipe_out_reader_left(struct grt_pipe_out *o);

/* The reader closed its end. */
bool grt_pipe_out_is_gone(const struct grt_pipe_out *o);

struct grt_pipe_out_counts {
	uint64_t bytes;		/* written */
	uint64_t events;	/* put into the stream; if its reader is gone, some may not have been written */
	bool is_kept;		/* a listener says that its file has all of them */
	uint64_t dropped;	/* events for which there was no room */
	uint64_t definitions;	/* likewise: names may be missing */
	uint64_t unread_bytes;	/* that nobody read before the end */
};

const struct grt_pipe_out_counts *grt_pipe_out_counts(const struct grt_pipe_out *o);

#endif /* GRT_PIPE_OUT_H */
