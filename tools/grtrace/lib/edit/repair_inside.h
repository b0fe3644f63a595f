/* SPDX-License-Identifier: LGPL-2.1 */
/* Shared by the parts of repair; nobody else includes it. */
#ifndef GRT_REPAIR_INSIDE_H
#define GRT_REPAIR_INSIDE_H

#include <linux/grtrace.h>

#include "account.h"
#include "repair.h"
#include "vec.h"

/* One CPU, to tell how much of it is missing. */
struct repair_lane {
	uint32_t cpu;
	bool has_ended;
	struct grt_account account;
	uint64_t gone;		/* events of chunks that were left out since the last that was taken */
};

struct repair_job {
	struct grt_repair *result;
	struct grt_target *to;
	struct grtrace_stream_info info;	/* the first */
	bool has_info;
	bool is_cut;				/* a file of ours that was not closed */
	bool is_raw;
	struct grt_vec lanes;			/* struct repair_lane */
	int file;				/* in hand */
	int fd;
	const char *name;
	uint64_t size;
};

void repair_find(struct repair_job *j, enum grt_finding_kind kind, uint64_t offset,
		 uint64_t bytes, uint64_t events);

/* The lane of @cpu, made if it is new; NULL without memory. */
struct repair_lane *repair_lane(struct repair_job *j, uint32_t cpu);

/* Counts the records of a run of data that was taken.  0 or -errno with a cause. */
int repair_count(struct repair_job *j, uint32_t cpu, const void *data, size_t bytes);

/* The file in hand, of either format.  0 or -errno with a cause. */
int repair_grt(struct repair_job *j);
int repair_raw(struct repair_job *j);

#endif /* GRT_REPAIR_INSIDE_H */
