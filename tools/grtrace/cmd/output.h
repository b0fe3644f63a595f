/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The output of record: one file, or several in sequence.  Each file can be read alone: it begins
 * with the definitions that its events may need and, for each CPU, with the last account of the previous file, so
 * that no loss between two files is missed.
 */
#ifndef GRT_OUTPUT_H
#define GRT_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "kept.h"
#include "outfile.h"
#include "run.h"
#include "writer.h"

struct grt_output {
	/* The user's limits; 0: no limit. */
	const char *path;
	uint64_t rotate_bytes, rotate_ns, keep, max_bytes;

	bool is_new, goes_on;		/* as in struct grt_outfile; one that goes on has its header and first run */
	int (*wait)(void *arg, int fd);	/* likewise */
	void *arg;

	struct grt_file_header header;
	uint32_t uid, gid;
	char name[4096];		/* name of the current or last file */
	struct grt_outfile file;	/* the current file */
	bool is_open;			/* it is open */
	uint64_t number;		/* number of the file, from 1; 0 = not numbered */
	uint64_t begun_ns, past_bytes;	/* past_bytes: size of earlier files */
	struct grt_writer *writer;	/* NULL: no file is open */
	struct grt_kept kept;		/* definitions for the next files */
	struct grt_output_lane {
		struct grtrace_subbuf account;
		bool has_account, has_ended;
	} *lanes;			/* owned */
	unsigned int nr_lanes;
	bool has_stream;		/* the current file has its first run */
	int full;			/* -errno: a run did not fit */
	char *full_cause, *full_hint;	/* owned: cause and hint of that error */
	uint64_t left_out;		/* events that did not fit */
	uint64_t margin_bytes;		/* below max_bytes, for what comes after a stop */
	bool has_max;			/* max_bytes is reached: runs were left out */
	bool is_near;			/* the margin is reached: stop recording */
};

/* Whether -errno says that the disk has no room, or the user may not have it. */
bool grt_output_is_no_room(int err);

/* Creates the first file for user @uid:@gid.  0 or -errno with a cause. */
int grt_output_open(struct grt_output *o, uint32_t uid, uint32_t gid);

/*
 * Reserves room for @bytes of records before they are read.  0, or -ENOSPC or -EFBIG with a cause.
 */
int grt_output_reserve(struct grt_output *o, uint64_t bytes);

/* Begins the file.  @header: as for grt_writer_create().  0 or -errno with a cause. */
int grt_output_begin(struct grt_output *o, const struct grt_file_header *header,
		     unsigned int lanes);

/* trace.grt and 7 -> trace-0007.grt; 0: @path itself.  0 or -errno with a cause. */
int grt_output_name(char *to, size_t room, const char *path, uint64_t number);

/*
 * Writes @run, or the part that still fits; *run becomes the part that was written.  When the disk
 * or --max-size is full, only the end of a stream is still written, so that a reader knows how
 * much is missing.  A full disk is not an error here, but ends the recording: see ->full.  0 or
 * -errno with a cause.
 */
int grt_output_run(struct grt_output *o, unsigned int lane, uint32_t cpu, struct grt_run *run);

/* Writes a definition that we made.  0 or -errno with a cause. */
int grt_output_definition(struct grt_output *o, const struct grtrace_hdr *def);

int grt_output_watermark(struct grt_output *o, uint64_t ts);

static inline bool grt_output_is_over(const struct grt_output *o)
{
	return o->full || o->has_max;
}

/* Whether the recording must stop, so that the events in the buffers still fit. */
bool grt_output_is_near_max(struct grt_output *o);

/* Whether the current file has reached its size or time. */
bool grt_output_is_due(const struct grt_output *o, uint64_t now_ns);

/* Closes the file and begins the next one.  0 or -errno with a cause. */
int grt_output_rotate(struct grt_output *o);

/*
 * After ->full: closes the file as it is, and begins the next one, which says how much is missing.  Without room
 * for that, ->full is set again.  0 or -errno with a cause.
 */
int grt_output_resume(struct grt_output *o);

uint64_t grt_output_bytes(const struct grt_output *o);	/* of all files together */

/*
 * Closes the file.  An incomplete one (or @is_whole false) replaces no other file: see
 * grt_outfile_keep().  If ->has_stream is false, the file is removed.  0 or -errno with a cause,
 * which is ->full if that is set.
 */
int grt_output_close(struct grt_output *o, bool is_whole);

/* Frees the memory and removes a file that is still open. */
void grt_output_destroy(struct grt_output *o);

#endif /* GRT_OUTPUT_H */
