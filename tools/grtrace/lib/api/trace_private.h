/* SPDX-License-Identifier: LGPL-2.1 */
/* The state of an open trace, for reading records as well as jobs. */
#ifndef GRT_API_TRACE_PRIVATE_H
#define GRT_API_TRACE_PRIVATE_H

#include <stdbool.h>

#include "grtrace.h"
#include "map.h"

struct grt_stream;
struct job_reader;

struct grtrace {
	struct grt_stream *stream;	/* owned */
	struct grt_map rings, processes; /* id -> definition, owned */
	bool has_records;		/* grtrace_next() was called */
	uint32_t groups;		/* bit per enum grtrace_group asked for */
	struct job_reader *reader;	/* owned; from the first grtrace_next_job() on */
};

/* Keeps @rec if it defines a ring or a process.  0 or -errno. */
int grt_api_keep(struct grtrace *t, const struct grtrace_hdr *rec);
void grt_api_free_definitions(struct grtrace *t);

void grt_api_free_reader(struct job_reader *r);	/* NULL is fine */

#endif /* GRT_API_TRACE_PRIVATE_H */
