// SPDX-License-Identifier: LGPL-2.1
/* Jobs and summaries as CSV: a header line, then rows; an unknown value is empty. */
#include <inttypes.h>
#include <string.h>

#include "group_cell.h"
#include "number.h"
#include "quote.h"
#include "why_table.h"

static void put_number(FILE *f, uint64_t n)
{
	char digits[GRT_DIGITS_MAX];
	const char *at = grt_digits(digits, n);

	fwrite(at, 1, digits + sizeof(digits) - at, f);
}

static void put_cell(const struct grt_job_out *o, const struct grt_cell *cell)
{
	FILE *f = o->file;

	switch (cell->kind) {
	case GRT_CELL_UNKNOWN:
		if (o->na)
			grt_quote_csv(f, o->na, strlen(o->na));
		break;
	case GRT_CELL_TEXT:
		grt_quote_csv(f, cell->text, strlen(cell->text));
		break;
	case GRT_CELL_U64:
		put_number(f, cell->number);
		break;
	case GRT_CELL_S64:
		fprintf(f, "%" PRId64, cell->signed_number);
		break;
	}
}

static void begin(struct grt_job_out *o)
{
	if (o->has_begun)
		return;
	o->has_begun = true;
	for (size_t i = 0; i < grt_nr_columns; i++)
		fprintf(o->file, "%s%s", i ? "," : "", grt_columns[i].name);
	putc('\n', o->file);
}

static void job_row(struct grt_job_out *o, const struct grt_job *job)
{
	struct grt_view view;
	struct grt_cell cell;

	grt_summary_view(o->summary, job, &view);
	begin(o);
	for (size_t i = 0; i < grt_nr_columns; i++) {
		if (i)
			putc(',', o->file);
		grt_column_get(&cell, &grt_columns[i], &view);
		put_cell(o, &cell);
	}
	putc('\n', o->file);
}

static void put_u64(FILE *f, uint64_t value)
{
	putc(',', f);
	put_number(f, value);
}

static void put_none(const struct grt_job_out *o, unsigned int cells)
{
	while (cells--)
		fprintf(o->file, ",%s", o->na ? o->na : "");
}

/* Columns for each stage of a group; share: of the time of jobs with a known total. */
static const char *const stage_columns[] = {
	"count", "sum_ns", "share", "mean_ns", "min_ns", "p50_ns", "p90_ns", "p99_ns",
	"p999_ns", "max_ns",
};

#define NR_STAGE_COLUMNS	(sizeof(stage_columns) / sizeof(stage_columns[0]))

static void put_stage(const struct grt_job_out *o, const struct grt_rollup_row *row, int stage)
{
	const struct grt_hist *h = &row->stages[stage];
	uint64_t total_ns = row->share_ns[GRT_STAGE_TOTAL];
	FILE *f = o->file;

	put_u64(f, h->count);
	if (!h->count) {
		put_none(o, NR_STAGE_COLUMNS - 1);
		return;
	}
	put_u64(f, grt_hist_sum(h));
	if (total_ns)
		fprintf(f, ",%.6f", (double)row->share_ns[stage] / total_ns);
	else
		put_none(o, 1);
	put_u64(f, grt_hist_mean(h));
	put_u64(f, h->min);
	put_u64(f, grt_hist_quantile(h, 500));
	put_u64(f, grt_hist_quantile(h, 900));
	put_u64(f, grt_hist_quantile(h, 990));
	put_u64(f, grt_hist_quantile(h, 999));
	put_u64(f, h->max);
}

static void group_header(FILE *f)
{
	fputs("scope", f);
	for (int i = 0; i < GRT_GROUP_HOST; i++)
		fprintf(f, ",%s", grt_group_cell_name(i));
	fputs(",jobs,cut,lossy,failed,killed,start_inferred,busy_ns,start_unknown", f);
	for (int i = 0; i < GRT_NR_STAGES; i++)
		for (size_t j = 0; j < NR_STAGE_COLUMNS; j++)
			fprintf(f, ",%s_%s", grt_stage_name(i), stage_columns[j]);
	for (int i = GRT_GROUP_HOST; i < GRT_NR_GROUP_CELLS; i++)
		fprintf(f, ",%s", grt_group_cell_name(i));
	fputs(",upper_bounds\n", f);
}

static void put_group_cells(const struct grt_job_out *o, enum grt_group group,
			    const struct grt_rollup_row *row, int from, int to)
{
	for (int i = from; i < to; i++) {
		struct grt_cell cell;

		grt_group_cell(&cell, o->summary, group, row, i);
		putc(',', o->file);
		put_cell(o, &cell);
	}
}

static void group_row(const struct grt_job_out *o, enum grt_group group,
		      const struct grt_rollup_row *row)
{
	const struct grt_ring_use *use = grt_group_use(o->summary, group, row);
	FILE *f = o->file;

	fputs(grt_group_name(group), f);
	put_group_cells(o, group, row, 0, GRT_GROUP_HOST);
	put_u64(f, row->jobs);
	put_u64(f, row->cut);
	put_u64(f, row->lossy);
	if (row->unjudged) {
		fputs(",,", f);
	} else {
		put_u64(f, row->failed);
		put_u64(f, row->killed);
	}
	put_u64(f, row->inferred);
	if (use) {
		put_u64(f, use->busy_ns);
		put_u64(f, use->unknown_jobs);
	} else {
		put_none(o, 2);
	}
	for (int i = 0; i < GRT_NR_STAGES; i++)
		put_stage(o, row, i);
	put_group_cells(o, group, row, GRT_GROUP_HOST, GRT_NR_GROUP_CELLS);
	put_u64(f, row->bounds);
	putc('\n', f);
}

static void groups(const struct grt_job_out *o, uint32_t mask)
{
	group_header(o->file);
	for (int group = 0; group < GRT_NR_GROUPS; group++) {
		const struct grt_rollup *rows = &o->summary->groups[group];

		for (size_t i = 0; mask >> group & 1 && i < grt_rollup_count(rows); i++)
			group_row(o, group, grt_rollup_at(rows, i));
	}
}

/* Prints several tables, separated by an empty line. */
static void summary(struct grt_job_out *o)
{
	bool has_one = false;

	if (grt_out_is_screen(o)) {
		groups(o, 1u << GRT_BY_RING | 1u << GRT_BY_RING_PROCESS);
		return;
	}
	if (o->groups) {
		groups(o, o->groups);
		has_one = true;
	}
	for (size_t i = 0; i < grt_nr_report_makers; i++) {
		struct grt_report_table table;

		if (!(grt_report_makers[i].tables & o->tables))
			continue;
		if (has_one)
			putc('\n', o->file);
		has_one = true;
		grt_report_makers[i].make(&table, o);
		grt_report_print_csv(&table, o->file, o->na);
		grt_report_free(&table);
	}
}

static void why(struct grt_job_out *o, const struct grt_why *w)
{
	struct grt_report_table table;

	grt_report_why(&table, o, w);
	grt_report_print_csv(&table, o->file, o->na);
	grt_report_free(&table);
}

const struct grt_job_sink grt_job_csv = { "csv", job_row, begin, summary, why };
