// SPDX-License-Identifier: LGPL-2.1
/* The chain of a job as a table, for CSV and JSON. */
#include "why_sheet.h"

#include "column.h"

static const struct grt_sheet_column why_columns[] = {
	{ "depth", NULL, GRT_SHEET_COUNT },
	{ "ctx", NULL, GRT_SHEET_ID },
	{ "seqno", NULL, GRT_SHEET_ID },
	{ "at_ns", NULL, GRT_SHEET_SIGNED },
	{ "step", NULL, GRT_SHEET_TEXT },
	{ "stage", NULL, GRT_SHEET_TEXT },
	{ "through", NULL, GRT_SHEET_TEXT },
	{ "ns", NULL, GRT_SHEET_NS },
	{ "share", NULL, GRT_SHEET_SHARE },
	{ "by_jobs", NULL, GRT_SHEET_COUNT },
	{ "by_ctx", NULL, GRT_SHEET_ID },
	{ "by_seqno", NULL, GRT_SHEET_ID },
	{ "by_pid", NULL, GRT_SHEET_ID },
	{ "by_comm", NULL, GRT_SHEET_TEXT },
	{ "by_client_id", NULL, GRT_SHEET_ID },
	{ "by_device", NULL, GRT_SHEET_TEXT },
	{ "by_ring", NULL, GRT_SHEET_TEXT },
};

static void put_wait(struct grt_sheet *s, const struct grt_job_out *o,
		     const struct grt_why_line *line)
{
	const struct grt_charge *c = &line->wait;

	if (line->step != GRT_WHY_WAIT) {
		for (int i = 0; i < 8; i++)
			grt_sheet_unknown(s);
		return;
	}
	if (c->ctx) {
		grt_sheet_u64(s, line->wait_jobs);
		grt_sheet_u64(s, c->ctx);
		grt_sheet_u64(s, c->seqno);
	} else {
		for (int i = 0; i < 3; i++)
			grt_sheet_unknown(s);
	}
	grt_sheet_party(s, o, c->party);
}

static void put_line(struct grt_sheet *s, const struct grt_job_out *o,
		     const struct grt_job *first, const struct grt_why_line *line)
{
	const struct grt_job *job = line->job;
	bool is_wait = line->step == GRT_WHY_WAIT;

	grt_sheet_u64(s, line->depth);
	grt_sheet_u64(s, job->ctx);
	grt_sheet_u64(s, job->seqno);
	if (line->has_at)
		grt_sheet_s64(s, line->at_ns);
	else
		grt_sheet_unknown(s);
	grt_sheet_text(s, grt_why_step_name(line->step));
	grt_sheet_text(s, is_wait ? grt_stage_name(line->wait.stage) : "");
	grt_sheet_text(s, is_wait ? grt_through_name(line->wait.through) : "");
	if (line->has_ns)
		grt_sheet_u64(s, line->ns);
	else
		grt_sheet_unknown(s);
	if (line->has_ns && grt_job_knows(first, GRT_STAGE_TOTAL))
		grt_sheet_part(s, line->ns, first->stage_ns[GRT_STAGE_TOTAL]);
	else
		grt_sheet_unknown(s);
	put_wait(s, o, line);
}

void grt_sheet_why(struct grt_sheet *s, const struct grt_job_out *o, const struct grt_why *w)
{
	grt_sheet_init(s, "why", why_columns);
	for (size_t i = 0; i < grt_why_count(w); i++)
		put_line(s, o, grt_why_job(w), grt_why_line(w, i));
}
