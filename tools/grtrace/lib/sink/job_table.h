/* SPDX-License-Identifier: LGPL-2.1 */
/* A small text table whose columns are as wide as their cells. */
#ifndef GRT_JOB_TABLE_H
#define GRT_JOB_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "text_cells.h"
#include "vec.h"

struct grt_table {
	struct grt_vec text;	/* the cells, each with a NUL */
	struct grt_vec cells;	/* size_t: offset of each cell, row by row */
	size_t *widths;		/* of each column, from the rows that were measured; owned */
	size_t title_width;
	bool has_title;		/* the titles were printed */
	unsigned int columns;
	/* A letter per column: l (left) or r (right). */
	const char *align;
	int failed;		/* -ENOMEM, sticky */
	size_t room;		/* cells of a line; 0: any number */
	const char *drops;	/* see grt_table_fit() */
	bool *is_dropped;	/* of each column; owned */
};

void grt_table_init(struct grt_table *t, const char *align);
void grt_table_free(struct grt_table *t);

/*
 * Lines take at most @width cells; 0: any number.  @drops has a digit per column: the columns
 * with the greatest digit are left out first, all of them at once, those with 0 never.  If that
 * is not enough, texts are cut: first those of the widest column on the left.  Call it before the
 * table is measured or printed.
 */
void grt_table_fit(struct grt_table *t, size_t width, const char *drops);

/* Adds a cell; when a row is full, the next one begins. */
void grt_table_add(struct grt_table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Whether there are rows besides the titles. */
bool grt_table_has_rows(const struct grt_table *t);

/*
 * Prints the rows so far and forgets them.  The first row has the titles, printed between @bold
 * and @plain.  The first title may extend over columns without a title.
 */
void grt_table_print(struct grt_table *t, FILE *f, const char *bold, const char *plain);

/*
 * Measures the rows so far and forgets them.  A long table is made twice: first to measure all
 * rows, then to print them in batches.
 */
void grt_table_measure(struct grt_table *t);

#endif /* GRT_JOB_TABLE_H */
