// SPDX-License-Identifier: LGPL-2.1
#include "stacks.h"

#include <inttypes.h>

#include "quote.h"

static const struct grt_report_column columns[] = {
	{ "comm", NULL, GRT_REPORT_TEXT },
	{ "stack", NULL, GRT_REPORT_TEXT },
	{ "jobs", NULL, GRT_REPORT_COUNT },
	{ "gpu_jobs", NULL, GRT_REPORT_COUNT },
	{ "gpu_ns", NULL, GRT_REPORT_NS },
	{ "wait_jobs", NULL, GRT_REPORT_COUNT },
	{ "wait_ns", NULL, GRT_REPORT_NS },
};

static size_t count_lines(const struct grt_job_out *o)
{
	return grt_vec_count(&o->summary->stacks.lines, struct grt_stack_line);
}

static const struct grt_stack_line *line_at(const struct grt_job_out *o, size_t i)
{
	return grt_vec_at(&o->summary->stacks.lines, struct grt_stack_line, i);
}

static void put_weight(struct grt_report_table *s, const struct grt_stack_sum *sum,
		       enum grt_stack_weight weight)
{
	grt_report_u64(s, sum->known[weight]);
	if (sum->known[weight])
		grt_report_u64(s, sum->sum[weight]);
	else
		grt_report_unknown(s);
}

void grt_report_stacks(struct grt_report_table *s, const struct grt_job_out *o)
{
	grt_report_init(s, "stacks", columns);
	for (size_t i = 0; i < count_lines(o); i++) {
		const struct grt_stack_line *line = line_at(o, i);

		grt_report_text(s, line->comm);
		grt_report_text(s, line->stack);
		grt_report_u64(s, line->sum.jobs);
		put_weight(s, &line->sum, GRT_STACK_GPU);
		put_weight(s, &line->sum, GRT_STACK_WAIT);
	}
}

/* A semicolon would begin a function. */
static void put_comm(FILE *f, const char *comm)
{
	char text[sizeof(((struct grt_process *)0)->comm)];

	snprintf(text, sizeof(text), "%s", *comm ? comm : "[unknown]");
	for (char *at = text; *at; at++)
		if (*at == ';')
			*at = '_';
	grt_put_text(f, text);
}

void grt_stacks_folded(const struct grt_job_out *o)
{
	for (size_t i = 0; i < count_lines(o); i++) {
		const struct grt_stack_line *line = line_at(o, i);
		uint64_t weight = line->sum.sum[o->stack_weight];

		if (!weight)
			continue;
		put_comm(o->file, line->comm);
		putc(';', o->file);
		grt_put_text(o->file, line->stack);
		fprintf(o->file, " %" PRIu64 "\n", weight);
	}
}
