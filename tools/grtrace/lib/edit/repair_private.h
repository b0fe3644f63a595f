/* SPDX-License-Identifier: LGPL-2.1 */
/* Shared by the files of repair. */
#ifndef GRT_REPAIR_PRIVATE_H
#define GRT_REPAIR_PRIVATE_H

#include <linux/grtrace.h>

#include "account.h"
#include "repair.h"
#include "vec.h"

/* One CPU: how many of its events are missing. */
struct repair_cpu {
	uint32_t cpu;
	bool has_ended;
	struct grt_account account;
	uint64_t gone;		/* events in the chunks left out since the last good one */
	bool has_gap;		/* a chunk was left out */
};

struct repair_job {
	struct grt_repair *result;
	struct grt_target *to;
	struct grtrace_stream_info info;	/* the first STREAM_INFO */
	bool has_info;
	bool is_cut;				/* a .grt that was not closed, or may have been repaired and marked so */
	bool is_raw;
	bool has_gap;				/* a gap with unknown contents */
	bool is_from_start;			/* the file has the session from its start */
	struct grt_vec cpus;			/* struct repair_cpu */
	int file;				/* current file */
	int fd;
	const char *name;
	uint64_t size;
};

void repair_find(struct repair_job *j, enum grt_finding_kind kind, uint64_t offset,
		 uint64_t bytes, uint64_t events);

/* Returns the state of @cpu; adds one for a new CPU.  NULL without memory. */
struct repair_cpu *repair_cpu(struct repair_job *j, uint32_t cpu);

/* Counts the records of a run that was kept.  0 or -errno with a cause. */
int repair_count(struct repair_job *j, uint32_t cpu, const void *data, size_t bytes);

/* Repairs the current file, by its format.  0 or -errno with a cause. */
int repair_grt(struct repair_job *j);
int repair_raw(struct repair_job *j);

#endif /* GRT_REPAIR_PRIVATE_H */
