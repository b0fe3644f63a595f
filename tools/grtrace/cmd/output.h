/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What record writes: one file, or one after the other.  Each file explains
 * itself: it begins with all definitions so far and, per CPU, with the account
 * that the file before ended with, so that a loss at the seam is told.
 */
#ifndef GRT_OUTPUT_H
#define GRT_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "defs.h"
#include "run.h"
#include "vec.h"
#include "writer.h"

struct grt_output {
	/* What is asked for; 0: nothing. */
	const char *path;
	uint64_t rotate_bytes, rotate_ns, keep, max_bytes;

	struct grt_file_header header;
	uint32_t uid, gid;
	char name[4096];		/* of the file in hand */
	uint64_t number;		/* of it, from 1; 0 = files are not numbered */
	uint64_t begun_ns, past_bytes;	/* past: of the files before it */
	struct grt_writer *writer;	/* NULL: none is open */
	struct grt_defs defs;
	struct grt_vec kept;		/* definitions for the files to come */
	struct grt_output_lane {
		struct grtrace_subbuf account;
		bool has_account, has_ended;
	} *lanes;			/* owned */
	unsigned int nr_lanes;
	int full;			/* -errno: there was no room for a run */
	uint64_t margin_bytes;		/* below max_bytes: what may come when it is stopped */
	bool has_max;			/* max_bytes are reached: runs were left out */
	bool is_near;			/* nearly so: the recording is stopped */
};

/* The first file.  @header: as for grt_writer_create().  0 or -errno with a cause. */
int grt_output_open(struct grt_output *o, const struct grt_file_header *header,
		    unsigned int lanes, uint32_t uid, uint32_t gid);

/*
 * Writes @run, or what of it still fits, and leaves in *run what was written: when
 * room or --max-size is used up, only the end of a stream, so that a reader knows
 * how much is missing.  0 or -errno with a cause; having no room is no error here
 * but ends the recording: see ->full.
 */
int grt_output_run(struct grt_output *o, unsigned int lane, uint32_t cpu, struct grt_run *run);

/* A definition of our own.  0 or -errno with a cause. */
int grt_output_definition(struct grt_output *o, const struct grtrace_hdr *def);

int grt_output_watermark(struct grt_output *o, uint64_t ts);

static inline bool grt_output_is_over(const struct grt_output *o)
{
	return o->full || o->has_max;
}

/* Whether it is time to stop, so that what is in the buffers still fits. */
bool grt_output_is_near_max(struct grt_output *o);

/* Whether the file in hand has its size or its time. */
bool grt_output_is_due(const struct grt_output *o, uint64_t now_ns);

/* Closes it and goes on with the next.  0 or -errno with a cause. */
int grt_output_rotate(struct grt_output *o);

uint64_t grt_output_bytes(const struct grt_output *o);	/* of all files */

/* Closes the file and frees all.  0 or -errno with a cause. */
int grt_output_close(struct grt_output *o);

#endif /* GRT_OUTPUT_H */
