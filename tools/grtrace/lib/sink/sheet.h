/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * A table of a report as data, and its three forms: aligned text, CSV with one header,
 * a JSON array of objects.  What is not known stays so in each.
 */
#ifndef GRT_SHEET_H
#define GRT_SHEET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "json.h"
#include "vec.h"

enum grt_sheet_kind {
	GRT_SHEET_TEXT,
	GRT_SHEET_ID,		/* a number that is not counted in */
	GRT_SHEET_COUNT,
	GRT_SHEET_SIGNED,
	GRT_SHEET_NS,
	GRT_SHEET_NS_OF,		/* ns; text shows the share of a whole instead */
	GRT_SHEET_SHARE,		/* of a whole: 0.118 */
	GRT_SHEET_BYTES,
	GRT_SHEET_CHANGE,		/* relative to what it was: -0.118, +11.8% */
};

struct grt_sheet_column {
	const char *name;	/* of CSV and JSON, NULL: in text only, and last */
	const char *title;	/* of text, NULL: not there */
	enum grt_sheet_kind kind;
};

struct grt_sheet {
	const char *name;	/* of JSON */
	const struct grt_sheet_column *columns;
	unsigned int nr_columns;
	struct grt_vec cells;
	int failed;		/* -ENOMEM, sticky */
};

#define grt_sheet_init(s, name, columns) \
	grt_sheet_begin(s, name, columns, sizeof(columns) / sizeof((columns)[0]))
void grt_sheet_begin(struct grt_sheet *s, const char *name,
		     const struct grt_sheet_column *columns, unsigned int nr_columns);
void grt_sheet_free(struct grt_sheet *s);

/* The next cell; a row is full after as many as there are columns. */
void grt_sheet_unknown(struct grt_sheet *s);
void grt_sheet_text(struct grt_sheet *s, const char *text);	/* "": not known */
void grt_sheet_u64(struct grt_sheet *s, uint64_t value);
void grt_sheet_s64(struct grt_sheet *s, int64_t value);
void grt_sheet_real(struct grt_sheet *s, double value);	/* SHARE, CHANGE */
void grt_sheet_part(struct grt_sheet *s, uint64_t part, uint64_t whole);	/* NS_OF, SHARE */

unsigned int grt_sheet_rows(const struct grt_sheet *s);

/* @na stands where nothing is known; NULL: "-" in text, nothing in CSV. */
void grt_sheet_print_text(const struct grt_sheet *s, FILE *f, const char *na, const char *bold,
			  const char *plain);
void grt_sheet_print_csv(const struct grt_sheet *s, FILE *f, const char *na);
void grt_sheet_print_json(const struct grt_sheet *s, struct grt_json *j);

#endif /* GRT_SHEET_H */
