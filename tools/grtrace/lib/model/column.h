/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The columns of a job: one table behind CSV, JSON and filters.  Names and order are
 * fixed.
 */
#ifndef GRT_COLUMN_H
#define GRT_COLUMN_H

#include <stddef.h>
#include <stdint.h>

#include "job.h"
#include "names.h"

struct grt_rules;

/* A job, with what it takes to say its names. */
struct grt_view {
	const struct grt_job *job;
	const struct grt_names *names;
	const struct grt_rules *rules;	/* NULL: none */
	uint64_t labels;		/* bit per rule that hit */
};

enum grt_cell_kind { GRT_CELL_UNKNOWN, GRT_CELL_TEXT, GRT_CELL_U64, GRT_CELL_S64 };

#define GRT_CELL_MAX	1024

struct grt_cell {
	enum grt_cell_kind kind;
	union {
		const char *text;
		uint64_t number;
		int64_t signed_number;
	};
	char buf[GRT_CELL_MAX];	/* where @text may point to */
};

/* What a column holds, and so how it is compared. */
enum grt_column_kind {
	GRT_COLUMN_NAME, GRT_COLUMN_ENGINE, GRT_COLUMN_NUMBER, GRT_COLUMN_STAMP,
	GRT_COLUMN_STAGE, GRT_COLUMN_STATUS, GRT_COLUMN_FLAGS, GRT_COLUMN_LABELS,
};

struct grt_column {
	const char *name;
	void (*get)(struct grt_cell *cell, const struct grt_view *view, int which);
	int which;			/* stamp or stage */
	enum grt_column_kind kind;
};

extern const struct grt_column grt_columns[];
extern const size_t grt_nr_columns;

/* @cell's kind is all of it that was set before; unknown stays unknown. */
static inline void grt_column_get(struct grt_cell *cell, const struct grt_column *c,
				  const struct grt_view *view)
{
	cell->kind = GRT_CELL_UNKNOWN;
	c->get(cell, view, c->which);
}

const char *grt_engine_name(uint32_t engine);

/* An engine by its name or a usual other one, in any case; -1: none is called so. */
int grt_engine_find(const char *name);

/* The ring's name, "ring 7" into @buf (GRT_RING_NAME_MAX bytes) if it has none. */
#define GRT_RING_NAME_MAX	40
const char *grt_ring_name(const struct grt_ring *ring, char *buf);

/* ETIME is -ETIME, ok is 0; false: no status is called so. */
bool grt_status_find(const char *name, int32_t *status);

/* "ok", "EIO" or "-1234" into @buf, 32 bytes.  Returns @buf or a constant. */
const char *grt_status_name(int32_t status, char *buf);

#endif /* GRT_COLUMN_H */
