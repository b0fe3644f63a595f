/* SPDX-License-Identifier: LGPL-2.1 */
/* Which jobs a user wants to see. */
#ifndef GRT_QUERY_H
#define GRT_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "job.h"
#include "names.h"

/* Zeroed: all jobs but those written by hand. */
struct grt_query {
	uint64_t pid;		/* 0 = any */
	const char *ring;	/* name or number, NULL = any */
	bool with_synthetic;
};

bool grt_query_wants(const struct grt_query *q, const struct grt_names *names,
		     const struct grt_job *job);

#endif /* GRT_QUERY_H */
