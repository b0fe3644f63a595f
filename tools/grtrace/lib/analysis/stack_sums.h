/* SPDX-License-Identifier: LGPL-2.1 */
/* Jobs by the call stack from which they were submitted. */
#ifndef GRT_STACK_SUMS_H
#define GRT_STACK_SUMS_H

#include <stdint.h>

#include "job.h"
#include "keymap.h"
#include "names.h"
#include "vec.h"

/* What is summed up, X(NAME, name, text). */
#define GRT_STACK_WEIGHTS(X)					\
	X(JOBS, jobs, "jobs")					\
	X(GPU,	gpu,  "ns on the GPU, START to END")		\
	X(WAIT, wait, "ns of waiting, SUBMIT to START, or to COMMIT where START is not known")

enum grt_stack_weight {
#define GRT_X(NAME, name, text) GRT_STACK_##NAME,
	GRT_STACK_WEIGHTS(GRT_X)
#undef GRT_X
	GRT_NR_STACK_WEIGHTS
};

/* -1: there is no weight of that name. */
int grt_stack_weight_find(const char *name);

struct grt_stack_sum {
	uint64_t jobs;
	uint64_t known[GRT_NR_STACK_WEIGHTS];	/* jobs whose weight is known */
	uint64_t sum[GRT_NR_STACK_WEIGHTS];	/* of these */
};

/* Jobs of processes with one name, from one stack. */
struct grt_stack_line {
	char *stack;		/* owned; the outermost function first, ';' between; "[unknown]": not known */
	const char *comm;	/* in the names */
	struct grt_stack_sum sum;
};

/* Zeroed memory is empty. */
struct grt_stack_sums {
	struct grt_vec rows;	/* private */
	struct grt_keymap index;
	struct grt_vec lines;	/* struct grt_stack_line, after grt_stack_sums_close() */
};

/* 0 or -errno with a cause. */
int grt_stack_sums_add(struct grt_stack_sums *s, const struct grt_job *job);

/* Makes the lines, in the order of their texts.  The lines' sums are those of all jobs added. */
int grt_stack_sums_close(struct grt_stack_sums *s, const struct grt_names *names);
void grt_stack_sums_free(struct grt_stack_sums *s);

/* The sum of all lines. */
struct grt_stack_sum grt_stack_sums_all(const struct grt_stack_sums *s);

/* Writes the stack of a job as lines have it.  0 or -ENOMEM. */
int grt_stack_text(struct grt_vec *to, const struct grt_names *names, uint32_t kernel_stack,
		   uint32_t user_stack);

#endif /* GRT_STACK_SUMS_H */
