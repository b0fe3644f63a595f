// SPDX-License-Identifier: LGPL-2.1
#include "report_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "quote.h"
#include "job_table.h"
#include "job_words.h"
#include "number.h"

enum cell_kind { CELL_UNKNOWN, CELL_NOTHING, CELL_TEXT, CELL_U64, CELL_S64, CELL_PART, CELL_REAL };

struct cell {
	enum cell_kind kind;
	bool is_bound;		/* NS: text marks it.  Here it takes no room; tables have millions of cells */
	union {
		char *text;		/* owned */
		uint64_t number;	/* the value, or its part of a whole */
		int64_t signed_number;
		double real;
	};
	uint64_t whole;
};

#define TEXT_MAX	256	/* bytes for a cell in an aligned table */

void grt_report_begin(struct grt_report_table *s, const char *name,
		      const struct grt_report_column *columns, unsigned int nr_columns)
{
	*s = (struct grt_report_table){
		.name = name, .columns = columns, .nr_columns = nr_columns,
	};
}

void grt_report_free(struct grt_report_table *s)
{
	for (size_t i = 0; i < grt_vec_count(&s->cells, struct cell); i++)
		if (grt_vec_at(&s->cells, struct cell, i)->kind == CELL_TEXT)
			free(grt_vec_at(&s->cells, struct cell, i)->text);
	grt_vec_free(&s->cells);
}

static void put(struct grt_report_table *s, const struct cell *cell)
{
	if (!s->failed)
		s->failed = grt_vec_append(&s->cells, cell, sizeof(*cell));
}

void grt_report_unknown(struct grt_report_table *s)
{
	put(s, &(struct cell){ .kind = CELL_UNKNOWN });
}

void grt_report_nothing(struct grt_report_table *s)
{
	put(s, &(struct cell){ .kind = CELL_NOTHING });
}

void grt_report_text(struct grt_report_table *s, const char *text)
{
	struct cell cell = { .kind = CELL_TEXT };

	if (!*text) {
		grt_report_unknown(s);
		return;
	}
	cell.text = strdup(text);
	if (cell.text)
		put(s, &cell);
	else
		s->failed = grt_fail_memory();
	if (s->failed)
		free(cell.text);
}

void grt_report_u64(struct grt_report_table *s, uint64_t value)
{
	put(s, &(struct cell){ .kind = CELL_U64, .number = value });
}

void grt_report_known(struct grt_report_table *s, bool is_known, uint64_t value)
{
	if (is_known)
		grt_report_u64(s, value);
	else
		grt_report_unknown(s);
}

void grt_report_at_most(struct grt_report_table *s, bool is_bound, uint64_t value)
{
	put(s, &(struct cell){ .kind = CELL_U64, .number = value, .is_bound = is_bound });
}

void grt_report_s64(struct grt_report_table *s, int64_t value)
{
	put(s, &(struct cell){ .kind = CELL_S64, .signed_number = value });
}

void grt_report_real(struct grt_report_table *s, double value)
{
	put(s, &(struct cell){ .kind = CELL_REAL, .real = value });
}

void grt_report_part(struct grt_report_table *s, uint64_t part, uint64_t whole)
{
	put(s, &(struct cell){ .kind = CELL_PART, .number = part, .whole = whole });
}

unsigned int grt_report_rows(const struct grt_report_table *s)
{
	return grt_vec_count(&s->cells, struct cell) / s->nr_columns;
}

static void add_rate(struct grt_table *t, uint64_t bytes, const char *blank)
{
	static const char *const units[] = { "B/s", "kB/s", "MB/s", "GB/s" };
	double rate = bytes;
	unsigned int unit = 0;

	for (; rate >= 999.95 && unit < 3; unit++)
		rate /= 1000;
	grt_table_add(t, unit ? "%s%.1f %s" : "%s%.0f %s", blank, rate, units[unit]);
}

/* Formats a cell for people. */
static void add_text(struct grt_table *t, const struct cell *c, enum grt_report_kind kind,
		     const char *na, const char *blank)
{
	char word[GRT_NUMBER_MAX], text[TEXT_MAX];

	if (c->kind == CELL_UNKNOWN || (c->kind == CELL_PART && !c->whole))
		grt_table_add(t, "%s%s", blank, na);
	else if (c->kind == CELL_NOTHING)
		grt_table_add(t, "%s", blank);
	else if (c->kind == CELL_TEXT)
		grt_table_add(t, "%s%s", blank, grt_quote_text(text, sizeof(text), c->text));
	else if (c->kind == CELL_PART && !c->number)
		grt_table_add(t, "%s0%%", blank);
	else if (c->kind == CELL_PART)
		grt_table_add(t, "%s%.1f%%", blank, 100.0 * c->number / c->whole);
	else if (c->kind == CELL_REAL)
		grt_table_add(t, kind == GRT_REPORT_CHANGE ? "%s%+.1f%%" : "%s%.1f%%", blank,
			      100 * c->real);
	else if (c->kind == CELL_S64)
		grt_table_add(t, "%s%" PRId64, blank, c->signed_number);
	else if (kind == GRT_REPORT_ID)
		grt_table_add(t, "%s%" PRIu64, blank, c->number);
	else if (kind == GRT_REPORT_NS)
		grt_table_add(t, "%s%s%s", blank, c->is_bound ? GRT_AT_MOST : "", grt_format_ns(word, c->number));
	else if (kind == GRT_REPORT_AT)
		grt_table_add(t, "%s%.6f s", blank, c->number / 1e9);
	else if (kind == GRT_REPORT_RATE)
		add_rate(t, c->number, blank);
	else if (kind == GRT_REPORT_BYTES)
		grt_table_add(t, "%s%s", blank, grt_format_bytes(word, c->number));
	else
		grt_table_add(t, "%s%s", blank, grt_format_count(word, c->number));
}

void grt_report_print_text(const struct grt_report_table *s, FILE *f, const char *na,
			   const char *bold, const char *plain)
{
	char *align = calloc(2, s->nr_columns + 1), *drops;
	unsigned int shown = 0;
	struct grt_table t;

	if (!align) {
		grt_fail_memory();
		return;
	}
	drops = align + s->nr_columns + 1;
	for (unsigned int i = 0; i < s->nr_columns; i++) {
		if (!s->columns[i].title)
			continue;
		drops[shown] = s->drops ? s->drops[i] : '0';
		align[shown++] = s->columns[i].kind == GRT_REPORT_TEXT ? 'l' : 'r';
	}
	align[0] = 'l';		/* the title of the whole table is in this column */
	grt_table_init(&t, align);
	grt_table_fit(&t, s->width, drops);
	for (unsigned int i = 0; i < s->nr_columns; i++)
		if (s->columns[i].title)
			grt_table_add(&t, "%s", s->columns[i].title);
	for (unsigned int row = 0; row < grt_report_rows(s); row++) {
		const char *blank = " ";

		for (unsigned int i = 0; i < s->nr_columns; i++) {
			const struct cell *c = grt_vec_at(&s->cells, struct cell,
							  row * s->nr_columns + i);

			if (!s->columns[i].title)
				continue;
			add_text(&t, c, s->columns[i].kind, na ? na : "-", blank);
			blank = "";
		}
	}
	grt_table_print(&t, f, bold, plain);
	grt_table_free(&t);
	free(align);
}

static void put_csv(FILE *f, const struct cell *c, enum grt_report_kind kind, const char *na)
{
	bool is_share = c->kind == CELL_PART && kind == GRT_REPORT_SHARE;

	if (c->kind == CELL_UNKNOWN || (is_share && !c->whole))
		grt_quote_csv(f, na, strlen(na));
	else if (c->kind == CELL_NOTHING)
		return;
	else if (c->kind == CELL_TEXT)
		grt_quote_csv(f, c->text, strlen(c->text));
	else if (is_share)
		fprintf(f, "%.6f", (double)c->number / c->whole);
	else if (c->kind == CELL_REAL)
		fprintf(f, "%.6f", c->real);
	else if (c->kind == CELL_S64)
		fprintf(f, "%" PRId64, c->signed_number);
	else
		fprintf(f, "%" PRIu64, c->number);
}

void grt_report_print_csv(const struct grt_report_table *s, FILE *f, const char *na)
{
	for (unsigned int i = 0; i < s->nr_columns; i++)
		if (s->columns[i].name)
			fprintf(f, "%s%s", i ? "," : "", s->columns[i].name);
	putc('\n', f);
	grt_report_print_csv_rows(s, f, na);
}

void grt_report_print_csv_rows(const struct grt_report_table *s, FILE *f, const char *na)
{
	for (unsigned int row = 0; row < grt_report_rows(s); row++) {
		for (unsigned int i = 0; i < s->nr_columns; i++) {
			if (!s->columns[i].name)
				continue;
			if (i)
				putc(',', f);
			put_csv(f, grt_vec_at(&s->cells, struct cell, row * s->nr_columns + i),
				s->columns[i].kind, na ? na : "");
		}
		putc('\n', f);
	}
}

static void put_json(struct grt_json *j, const struct cell *c,
		     const struct grt_report_column *column)
{
	if (c->kind == CELL_UNKNOWN || c->kind == CELL_NOTHING)
		grt_json_null(j, column->name);
	else if (c->kind == CELL_TEXT)
		grt_json_text(j, column->name, c->text);
	else if (c->kind == CELL_PART && column->kind == GRT_REPORT_SHARE)
		grt_json_share(j, column->name, c->number, c->whole);
	else if (c->kind == CELL_REAL)
		grt_json_real(j, column->name, c->real);
	else if (c->kind == CELL_S64)
		grt_json_s64(j, column->name, c->signed_number);
	else
		grt_json_u64(j, column->name, c->number);
}

void grt_report_json_row(const struct grt_report_table *s, struct grt_json *j, unsigned int row)
{
	for (unsigned int i = 0; i < s->nr_columns; i++)
		if (s->columns[i].name)
			put_json(j, grt_vec_at(&s->cells, struct cell, row * s->nr_columns + i), &s->columns[i]);
}

void grt_report_print_json(const struct grt_report_table *s, struct grt_json *j)
{
	grt_json_open(j, s->name, '[');
	for (unsigned int row = 0; row < grt_report_rows(s); row++) {
		grt_json_open(j, NULL, '{');
		grt_report_json_row(s, j, row);
		grt_json_close(j, '}');
	}
	grt_json_close(j, ']');
}
