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

struct grt_event_view;
struct grt_rules;

/* A job with the tables of its names and rules; or an event. */
struct grt_view {
	const struct grt_job *job;
	const struct grt_event_view *event;	/* NULL: a job */
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

/* What a column holds.  Filters compare it accordingly. */
enum grt_column_kind {
	GRT_COLUMN_NAME, GRT_COLUMN_ENGINE, GRT_COLUMN_NUMBER, GRT_COLUMN_STAMP,
	GRT_COLUMN_STAGE, GRT_COLUMN_STATUS, GRT_COLUMN_FLAGS, GRT_COLUMN_LABELS,
	GRT_COLUMN_RING, GRT_COLUMN_CGROUP, GRT_COLUMN_POD,
	/* Columns of events only. */
	GRT_COLUMN_ENUM, GRT_COLUMN_NS, GRT_COLUMN_SIGNED, GRT_COLUMN_EVENT_FLAGS,
};

struct grt_column {
	const char *name;
	void (*get)(struct grt_cell *cell, const struct grt_view *view, int which);
	int which;			/* stamp, stage or the like */
	enum grt_column_kind kind;
};

#define GRT_MAX_COLUMNS	64	/* for tables of a column each */
extern const struct grt_column grt_columns[];
extern const size_t grt_nr_columns;

/* Fills in @cell; an unknown value leaves it GRT_CELL_UNKNOWN. */
static inline void grt_column_get(struct grt_cell *cell, const struct grt_column *c,
				  const struct grt_view *view)
{
	cell->kind = GRT_CELL_UNKNOWN;
	c->get(cell, view, c->which);
}

#endif /* GRT_COLUMN_H */
