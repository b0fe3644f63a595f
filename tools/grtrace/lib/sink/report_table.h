/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * A table of a report as data, printed in three forms: aligned text, CSV with one header, a JSON
 * array of objects.  Each form shows which values are unknown.
 */
#ifndef GRT_REPORT_TABLE_H
#define GRT_REPORT_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "json.h"
#include "vec.h"

enum grt_report_kind {
	GRT_REPORT_TEXT,
	GRT_REPORT_ID,		/* a number that is not a count */
	GRT_REPORT_COUNT,
	GRT_REPORT_SIGNED,
	GRT_REPORT_NS,
	GRT_REPORT_NS_OF,		/* ns; text shows the share of a whole */
	GRT_REPORT_AT,			/* ns, an instant; text shows s */
	GRT_REPORT_SHARE,		/* share of a whole: 0.118 */
	GRT_REPORT_BYTES,
	GRT_REPORT_RATE,		/* bytes per second; text shows GB/s, or MB/s and so on */
	GRT_REPORT_CHANGE,		/* relative change: -0.118, +11.8% */
};

struct grt_report_column {
	const char *name;	/* in CSV and JSON, NULL: only in text */
	const char *title;	/* in text, NULL: not in text */
	enum grt_report_kind kind;
};

struct grt_report_table {
	const char *name;	/* name in JSON */
	const struct grt_report_column *columns;
	unsigned int nr_columns;
	struct grt_vec cells;
	size_t width;		/* of a line of text, in cells; 0: any number */
	const char *drops;	/* a digit per column, see grt_table_fit(); NULL: all 0 */
	int failed;		/* -ENOMEM, sticky */
};

#define grt_report_init(s, name, columns) \
	grt_report_begin(s, name, columns, sizeof(columns) / sizeof((columns)[0]))
void grt_report_begin(struct grt_report_table *s, const char *name,
		      const struct grt_report_column *columns, unsigned int nr_columns);
/* Sets what a narrow line leaves out first: a digit per column, also of those that text does not show. */
#define grt_report_set_drops(s, columns, digits) do {						\
	_Static_assert(sizeof(digits) - 1 == sizeof(columns) / sizeof((columns)[0]),		\
		       "a digit per column");							\
	(s)->drops = (digits);									\
} while (0)

void grt_report_free(struct grt_report_table *s);

/* Adds a cell; when a row is full, the next one begins. */
void grt_report_unknown(struct grt_report_table *s);
void grt_report_nothing(struct grt_report_table *s);	/* there is none; that is not unknown */
void grt_report_text(struct grt_report_table *s, const char *text);	/* "": unknown */
void grt_report_u64(struct grt_report_table *s, uint64_t value);
void grt_report_known(struct grt_report_table *s, bool is_known, uint64_t value);	/* the value, or unknown */
void grt_report_at_most(struct grt_report_table *s, bool is_bound, uint64_t value);	/* text marks an upper bound */
void grt_report_s64(struct grt_report_table *s, int64_t value);
void grt_report_real(struct grt_report_table *s, double value);	/* SHARE, CHANGE */
void grt_report_part(struct grt_report_table *s, uint64_t part, uint64_t whole); /* NS_OF, SHARE */

unsigned int grt_report_rows(const struct grt_report_table *s);

/* @na replaces unknown values; NULL: "-" in text, nothing in CSV. */
void grt_report_print_text(const struct grt_report_table *s, FILE *f, const char *na,
			   const char *bold, const char *plain);
void grt_report_print_csv(const struct grt_report_table *s, FILE *f, const char *na);
void grt_report_print_csv_rows(const struct grt_report_table *s, FILE *f, const char *na);
void grt_report_print_json(const struct grt_report_table *s, struct grt_json *j);
void grt_report_json_row(const struct grt_report_table *s, struct grt_json *j, unsigned int row);	/* into an open object */

#endif /* GRT_REPORT_TABLE_H */
