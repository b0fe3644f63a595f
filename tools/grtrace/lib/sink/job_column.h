/* SPDX-License-Identifier: LGPL-2.1 */
/* The columns of a job: one table behind CSV and JSON.  Names and order are fixed. */
#ifndef GRT_JOB_COLUMN_H
#define GRT_JOB_COLUMN_H

#include <stddef.h>
#include <stdint.h>

#include "job.h"
#include "names.h"

enum grt_cell_kind { GRT_CELL_UNKNOWN, GRT_CELL_TEXT, GRT_CELL_U64, GRT_CELL_S64 };

struct grt_cell {
	enum grt_cell_kind kind;
	union {
		const char *text;
		uint64_t number;
		int64_t signed_number;
	};
	char flags[GRT_JOB_FLAGS_LEN];	/* where @text may point to */
};

struct grt_job_column {
	const char *name;
	void (*get)(struct grt_cell *cell, const struct grt_names *names,
		    const struct grt_job *job, int which);
	int which;		/* stamp or stage */
};

extern const struct grt_job_column grt_job_columns[];
extern const size_t grt_nr_job_columns;

const char *grt_engine_name(uint32_t engine);

/* The ring's name, "ring 7" into @buf (GRT_RING_NAME_MAX bytes) if it has none. */
#define GRT_RING_NAME_MAX	40
const char *grt_ring_name(const struct grt_ring *ring, char *buf);

#endif /* GRT_JOB_COLUMN_H */
