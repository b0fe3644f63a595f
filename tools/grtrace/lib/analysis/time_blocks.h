/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The jobs of each ring and process, counted by block of time.  Neighbouring jobs are alike, since
 * they wait in the same queue; whole blocks of time hardly depend on each other.  So the
 * differences between blocks show how much a trace's numbers are due to chance.
 *
 * There are GRT_TIME_BLOCKS / 2 to GRT_TIME_BLOCKS blocks of equal length, from the first
 * completed job to the last one.  When a trace grows too long for them, two become one.
 *
 * Memory is bounded: times are counted in buckets 4 to 6 % wide, and only for a number of
 * rings and processes with enough jobs.
 */
#ifndef GRT_TIME_BLOCKS_H
#define GRT_TIME_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "job.h"
#include "keymap.h"
#include "vec.h"

#define GRT_TIME_BLOCKS		64
#define GRT_TIME_BLOCK_JOBS	32	/* rows with fewer jobs are not counted by block */
#define GRT_TIME_BLOCK_RINGS	128	/* at most so many rows of each kind are */
#define GRT_TIME_BLOCK_PROCESSES 384
#define GRT_TIME_BLOCK_REST	(GRT_NONE - 1)	/* in place of a process: what is left of a ring */

struct grt_block_counts;

/* A ring and a process; or, with process GRT_TIME_BLOCK_REST, the jobs of a ring that
 * no other row counts. */
struct grt_block_row {
	uint32_t ring, process;	/* rows of the names */
	uint64_t jobs;
	struct grt_block_counts *counts;	/* owned; NULL: not counted by block */
};

/* Zeroed memory is empty. */
struct grt_time_blocks {
	uint64_t begin_ns, end_ns;	/* the first and the last COMPLETE; both 0: none */
	unsigned int shift;		/* a block is 1 << shift ns long */
	struct grt_vec rows;		/* of struct grt_block_row */
	struct grt_keymap index;	/* by ring and process */
	uint32_t rings, processes;	/* rows with counts */
	uint32_t recent;		/* the row of the latest job */
};

/* 0 or -ENOMEM. */
int grt_time_blocks_add(struct grt_time_blocks *b, const struct grt_job *job);
void grt_time_blocks_free(struct grt_time_blocks *b);

/* How many blocks there are; how long block @i is, the last one less than the others. */
unsigned int grt_time_blocks_count(const struct grt_time_blocks *b);
uint64_t grt_time_block_ns(const struct grt_time_blocks *b, unsigned int i);

static inline size_t grt_time_blocks_rows(const struct grt_time_blocks *b)
{
	return grt_vec_count(&b->rows, struct grt_block_row);
}

static inline const struct grt_block_row *grt_time_blocks_row(const struct grt_time_blocks *b,
							      size_t i)
{
	return grt_vec_at(&b->rows, struct grt_block_row, i);
}

/* Adds to @all and @below, of each block: the jobs that know @stage; those of @ns at most. */
void grt_block_row_below(const struct grt_block_row *row, enum grt_stage stage, uint64_t ns,
			 double *all, double *below);

/* Adds to @jobs, of each block: the jobs that were complete. */
void grt_block_row_jobs(const struct grt_block_row *row, double *jobs);

#endif /* GRT_TIME_BLOCKS_H */
