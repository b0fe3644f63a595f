/* SPDX-License-Identifier: LGPL-2.1 */
/* A small table of texts: columns as wide as they must be. */
#ifndef GRT_JOB_TABLE_H
#define GRT_JOB_TABLE_H

#include <stdio.h>

#define GRT_TABLE_MAX_COLUMNS	16

struct grt_table {
	char **cells;		/* owned; row by row */
	size_t nr_cells, max_cells;
	unsigned int columns;
	/* A letter per column: l or r. */
	const char *align;
	int failed;		/* -ENOMEM, sticky */
};

void grt_table_init(struct grt_table *t, const char *align);
void grt_table_free(struct grt_table *t);

/* The next cell; a row is full after as many as there are columns. */
void grt_table_add(struct grt_table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * The first row is the titles, @bold before and @plain behind it.  The first title
 * may reach over columns without one.
 */
void grt_table_print(const struct grt_table *t, FILE *f, const char *bold, const char *plain);

/* How many cells of a terminal @text takes. */
size_t grt_text_cells(const char *text);

#endif /* GRT_JOB_TABLE_H */
