/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The output of an import: for each CPU a stream of records, in the order of time.  A record that comes too late
 * for its stream goes into another one (late.h); readers merge all streams.  Zeroed memory with a writer is an empty
 * output; without a writer it only counts.
 */
#ifndef GRT_OUT_H
#define GRT_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "late.h"
#include "vec.h"

struct grt_writer;

/* Where records go while events are recorded. */
struct grt_out_target {
	/* As grt_out_add(). */
	void *(*add)(void *arg, uint32_t cpu, uint64_t ts, unsigned int type, size_t bytes,
		     unsigned int flags);
	/* Called before the first event of a ring, and for each event that names a process. */
	void (*ring)(void *arg, const struct grtrace_ring *ring);
	void (*process)(void *arg, uint32_t tgid, uint64_t ts);
	void *arg;
};

struct grt_out {
	const struct grt_out_target *target;	/* not owned; NULL: a file */
	struct grt_writer *writer;	/* not owned; NULL: only counts */
	uint64_t session_id;
	struct grt_vec streams;		/* struct grt_out_stream, in the order of first use */
	struct grt_vec cpus;		/* uint32_t: the stream of each CPU + 1 */
	struct grt_late late;
	uint32_t late_streams;		/* that were written so far */
	struct grt_vec last;		/* the last record, if there is no writer */
	uint64_t events;
	uint32_t added_types;		/* of events; the caller clears it */
	uint32_t refused_types;		/* events of these are not added */
	int err;			/* sticky */
};

/* The space for a record if there is no writer. */
#define GRT_MAX_RECORD	8192

/*
 * Returns a record, zeroed except for its header, to be filled in before the next call.  NULL
 * for a type that is refused, and after an error, which grt_out_close() returns.
 */
void *grt_out_add(struct grt_out *out, uint32_t cpu, uint64_t ts, unsigned int type,
		  size_t bytes, unsigned int flags);

/* Writes the rest and frees the memory.  0 or -errno. */
int grt_out_close(struct grt_out *out);

#endif /* GRT_OUT_H */
