// SPDX-License-Identifier: GPL-2.0
/* report --events: the types of events in the trace. */
#include "event_types.h"
#include "job_words.h"
#include "json.h"
#include "report.h"
#include "stream.h"

static void print(const struct report *r, const struct grt_event_types *types)
{
	const struct grt_job_out *o = &r->trace.out;
	struct grt_report_table table;
	struct grt_json j = { .file = o->file };

	grt_report_event_types(&table, types);
	if (r->sink == &grt_job_csv) {
		grt_report_print_csv(&table, o->file, o->na);
	} else if (r->sink == &grt_job_json) {
		grt_json_open(&j, NULL, '{');
		grt_report_print_json(&table, &j);
		grt_json_close(&j, '}');
		putc('\n', o->file);
	} else {
		grt_report_print_text(&table, o->file, o->na, grt_bold(o), grt_plain(o));
	}
	grt_report_free(&table);
}

int report_events(struct report *r)
{
	struct grt_event_types types = { .begin_ns = 0 };
	const struct grtrace_hdr *rec;
	int err = trace_open(&r->trace), got;

	if (err)
		return err;
	while ((got = grt_stream_next(r->trace.stream, &rec)) == 1)
		grt_event_types_add(&types, rec);
	if (!got)
		print(r, &types);
	return got;
}
