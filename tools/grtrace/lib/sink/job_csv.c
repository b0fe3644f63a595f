// SPDX-License-Identifier: LGPL-2.1
/* Jobs and summaries as CSV: a header line, then rows; unknown is empty. */
#include <inttypes.h>
#include <string.h>

#include "job_column.h"
#include "job_quote.h"
#include "job_sink.h"

static void put_cell(FILE *f, const struct grt_cell *cell)
{
	char digits[20];
	int i = sizeof(digits);
	uint64_t n;

	switch (cell->kind) {
	case GRT_CELL_UNKNOWN:
		break;
	case GRT_CELL_TEXT:
		grt_quote_csv(f, cell->text);
		break;
	case GRT_CELL_U64:
		/* A million jobs have 20 million numbers: printf() shows there. */
		n = cell->number;
		do {
			digits[--i] = '0' + n % 10;
			n /= 10;
		} while (n);
		fwrite(digits + i, 1, sizeof(digits) - i, f);
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
	for (size_t i = 0; i < grt_nr_job_columns; i++)
		fprintf(o->file, "%s%s", i ? "," : "", grt_job_columns[i].name);
	putc('\n', o->file);
}

static void job_row(struct grt_job_out *o, const struct grt_job *job)
{
	const struct grt_names *names = grt_model_names(o->summary->model);

	begin(o);
	for (size_t i = 0; i < grt_nr_job_columns; i++) {
		const struct grt_job_column *c = &grt_job_columns[i];
		struct grt_cell cell;

		cell.kind = GRT_CELL_UNKNOWN;
		if (i)
			putc(',', o->file);
		c->get(&cell, names, job, c->which);
		put_cell(o->file, &cell);
	}
	putc('\n', o->file);
}

static void put_u64(FILE *f, uint64_t value)
{
	fprintf(f, ",%" PRIu64, value);
}

static void put_hist(FILE *f, const struct grt_hist *h)
{
	put_u64(f, h->count);
	if (!h->count) {
		fputs(",,,,,,,", f);
		return;
	}
	put_u64(f, grt_hist_sum(h));
	put_u64(f, grt_hist_mean(h));
	put_u64(f, h->min);
	put_u64(f, grt_hist_quantile(h, 500));
	put_u64(f, grt_hist_quantile(h, 900));
	put_u64(f, grt_hist_quantile(h, 990));
	put_u64(f, h->max);
}

static void summary_header(FILE *f)
{
	fputs("scope,device,ring,engine,pid,comm,jobs,cut,lossy,failed,killed,start_inferred,"
	      "busy_ns,start_unknown", f);
	for (int i = 0; i < GRT_NR_STAGES; i++) {
		static const char *const columns[] = {
			"count", "sum_ns", "mean_ns", "min_ns",
			"p50_ns", "p90_ns", "p99_ns", "max_ns",
		};

		for (size_t j = 0; j < sizeof(columns) / sizeof(columns[0]); j++)
			fprintf(f, ",%s_%s", grt_stage_name(i), columns[j]);
	}
	putc('\n', f);
}

static void summary_row(struct grt_job_out *o, const struct grt_rollup_row *row, bool is_ring)
{
	const struct grt_names *names = grt_model_names(o->summary->model);
	FILE *f = o->file;

	/* The first columns of a job are those of its row. */
	fputs(is_ring ? "ring" : "process", f);
	for (size_t i = 0; i < grt_nr_job_columns; i++) {
		const struct grt_job_column *c = &grt_job_columns[i];
		const struct grt_job job = { .ring = row->ring, .process = row->process };
		struct grt_cell cell = { .kind = GRT_CELL_UNKNOWN };

		if (!strcmp(c->name, "ctx") || !strcmp(c->name, "seqno"))
			continue;
		putc(',', f);
		c->get(&cell, names, &job, c->which);
		put_cell(f, &cell);
		if (!strcmp(c->name, "comm"))
			break;
	}
	put_u64(f, row->jobs);
	put_u64(f, row->cut);
	put_u64(f, row->lossy);
	put_u64(f, row->failed);
	put_u64(f, row->killed);
	put_u64(f, row->inferred);
	if (is_ring && row->ring != GRT_NONE &&
	    grt_names_ring_at(names, row->ring)->order == GRTRACE_ORDER_FIFO) {
		put_u64(f, grt_model_ring_use(o->summary->model, row->ring)->busy_ns);
		put_u64(f, grt_model_ring_use(o->summary->model, row->ring)->unknown_jobs);
	} else {
		fputs(",,", f);
	}
	for (int i = 0; i < GRT_NR_STAGES; i++)
		put_hist(f, &row->stages[i]);
	putc('\n', f);
}

static void summary(struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;

	summary_header(o->file);
	for (size_t i = 0; i < grt_rollup_count(&s->by_ring); i++)
		summary_row(o, grt_rollup_at(&s->by_ring, i), true);
	for (size_t i = 0; i < grt_rollup_count(&s->by_process); i++)
		summary_row(o, grt_rollup_at(&s->by_process, i), false);
}

const struct grt_job_sink grt_job_csv = { "csv", job_row, begin, summary };
