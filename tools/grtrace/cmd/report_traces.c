// SPDX-License-Identifier: GPL-2.0
/* grtrace report of several traces: each for itself, and all together. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "fleet_tables.h"
#include "job_words.h"
#include "report.h"
#include "source.h"

#define TOP	20	/* rows of a table as text */

/* A file that cannot be opened counts as a whole trace: reading it fails later, with the cause. */
static bool may_be_whole(const char *file)
{
	return grt_source_is_whole(file) || (strcmp(file, "-") != 0 && access(file, R_OK));
}

bool report_has_traces(const struct report *r)
{
	bool is_plain = !r->has_jobs && !r->has_events && !r->has_frames && !r->has_memory && !r->is_live &&
			!r->trace.why && grt_out_is_screen(&r->trace.out);

	if (r->trace.nr_files < 2)
		return false;
	for (int i = 0; i < r->trace.nr_files && is_plain; i++)
		is_plain = may_be_whole(r->trace.files[i]);
	return is_plain;
}

/* Reads the file as if it was the only one. */
static int add_trace(const struct report *r, struct grt_fleet *f, int i)
{
	struct trace t = {
		.wants = r->trace.wants, .select = r->trace.select, .nr_files = 1, .files = &r->trace.files[i],
	};
	int err;

	t.wants.groups = GRT_FLEET_GROUPS;
	t.wants.has_blame = true;
	t.wants.has_last_events = t.wants.has_roots = false;
	t.out.groups = GRT_FLEET_GROUPS;
	err = trace_read(&t);
	if (!err)
		err = trace_check_ring(&t);
	if (!err)
		err = grt_fleet_add(f, r->trace.files[i], &t.summary);
	trace_close(&t);
	return err;
}

static void print_text(const struct report *r, const struct grt_fleet *f)
{
	const struct grt_job_out *o = &r->trace.out;
	size_t top = o->top ? o->top : TOP, owners = grt_fleet_owners(f), waits = grt_owner_waits_count(&f->waits);

	for (int i = 0; i < GRT_NR_FLEET_TABLES; i++) {
		struct grt_report_table table;

		grt_fleet_table(&table, i, f, top, true);
		table.width = o->width;
		if (i)
			putc('\n', o->file);
		grt_report_print_text(&table, o->file, o->na, grt_bold(o), grt_plain(o));
		grt_report_free(&table);
	}
	if (f->all.total_bounds)
		fputs(GRT_AT_MOST_TEXT, o->file);
	if (owners > top || waits > top)
		fprintf(o->file, "%zu rows of a table at most; all: --topn %zu\n", top, owners > waits ? owners : waits);
}

static void print_csv(const struct report *r, const struct grt_fleet *f)
{
	const struct grt_job_out *o = &r->trace.out;

	for (int i = 0; i < GRT_NR_FLEET_TABLES; i++) {
		struct grt_report_table table;

		grt_fleet_table(&table, i, f, o->top, false);
		if (i)
			putc('\n', o->file);
		grt_report_print_csv(&table, o->file, o->na);
		grt_report_free(&table);
	}
}

static void print_json(const struct report *r, const struct grt_fleet *f)
{
	const struct grt_job_out *o = &r->trace.out;
	struct grt_json j = { .file = o->file };

	grt_json_open(&j, NULL, '{');
	for (int i = 0; i < GRT_NR_FLEET_TABLES; i++) {
		struct grt_report_table table;

		grt_fleet_table(&table, i, f, o->top, false);
		grt_report_print_json(&table, &j);
		grt_report_free(&table);
	}
	grt_json_close(&j, '}');
	putc('\n', o->file);
}

int report_traces(struct report *r)
{
	static const struct {
		const struct grt_job_sink *sink;
		void (*print)(const struct report *r, const struct grt_fleet *f);
	} prints[] = {
		{ &grt_job_text, print_text }, { &grt_job_csv, print_csv }, { &grt_job_json, print_json },
	};
	struct grt_fleet fleet = { .traces = { 0 } };
	int err = 0;

	trace_begin_out(&r->trace);
	for (int i = 0; i < r->trace.nr_files && !err; i++)
		err = add_trace(r, &fleet, i);
	if (!err)
		err = grt_fleet_sort(&fleet);
	for (size_t i = 0; i < sizeof(prints) / sizeof(prints[0]) && !err; i++)
		if (prints[i].sink == r->sink)
			prints[i].print(r, &fleet);
	grt_fleet_free(&fleet);
	return err;
}
