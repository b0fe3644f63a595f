// SPDX-License-Identifier: LGPL-2.1
/* The table of a job's chain, for CSV and JSON. */
#include "why_table.h"

#include "column.h"

/* The job or fence in the way, and whose it is. */
#define BY_COLUMNS	\
	{ "by_ctx", NULL, GRT_REPORT_ID },	\
	{ "by_seqno", NULL, GRT_REPORT_ID },	\
	{ "by_pid", NULL, GRT_REPORT_ID },	\
	{ "by_comm", NULL, GRT_REPORT_TEXT },	\
	{ "by_client_id", NULL, GRT_REPORT_ID },	\
	{ "by_device", NULL, GRT_REPORT_TEXT },	\
	{ "by_ring", NULL, GRT_REPORT_TEXT },

static const struct grt_report_column why_columns[] = {
	{ "depth", NULL, GRT_REPORT_COUNT },
	{ "ctx", NULL, GRT_REPORT_ID },
	{ "seqno", NULL, GRT_REPORT_ID },
	{ "at_ns", NULL, GRT_REPORT_SIGNED },
	{ "step", NULL, GRT_REPORT_TEXT },
	{ "stage", NULL, GRT_REPORT_TEXT },
	{ "through", NULL, GRT_REPORT_TEXT },
	{ "ns", NULL, GRT_REPORT_NS },
	{ "share", NULL, GRT_REPORT_SHARE },
	{ "by_jobs", NULL, GRT_REPORT_COUNT },
	BY_COLUMNS
};

static void put_wait(struct grt_report_table *s, const struct grt_job_out *o,
		     const struct grt_why_line *line)
{
	const struct grt_charge *c = &line->wait;

	if (line->step != GRT_WHY_WAIT) {
		for (int i = 0; i < 8; i++)
			grt_report_unknown(s);
		return;
	}
	if (c->ctx) {
		grt_report_u64(s, line->wait_jobs);
		grt_report_u64(s, c->ctx);
		grt_report_u64(s, c->seqno);
	} else {
		for (int i = 0; i < 3; i++)
			grt_report_unknown(s);
	}
	grt_report_client(s, o, c->client);
}

static void put_line(struct grt_report_table *s, const struct grt_job_out *o,
		     const struct grt_job *first, const struct grt_why_line *line)
{
	const struct grt_job *job = line->job;
	bool is_wait = line->step == GRT_WHY_WAIT;
	uint64_t life_ns;

	grt_report_u64(s, line->depth);
	grt_report_u64(s, job->ctx);
	grt_report_u64(s, job->seqno);
	if (line->has_at)
		grt_report_s64(s, line->at_ns);
	else
		grt_report_unknown(s);
	grt_report_text(s, grt_why_step_name(line->step));
	grt_report_text(s, is_wait ? grt_stage_name(line->wait.stage) : "");
	grt_report_text(s, is_wait ? grt_blame_reason_name(line->wait.reason) : "");
	if (line->has_ns)
		grt_report_u64(s, line->ns);
	else
		grt_report_unknown(s);
	if (line->has_ns && grt_job_life_ns(first, &life_ns))
		grt_report_part(s, line->ns, life_ns);
	else
		grt_report_unknown(s);
	put_wait(s, o, line);
}

static const struct grt_report_column root_columns[] = {
	{ "part", NULL, GRT_REPORT_TEXT },
	{ "root", NULL, GRT_REPORT_TEXT },
	{ "ns", NULL, GRT_REPORT_NS },
	{ "share", NULL, GRT_REPORT_SHARE },
	BY_COLUMNS
};

void grt_report_why_roots(struct grt_report_table *s, const struct grt_job_out *o,
			  const struct grt_why *w)
{
	const struct grt_job *job = grt_why_job(w);

	grt_report_init(s, "roots", root_columns);
	for (size_t i = 0; i < grt_why_root_count(w); i++) {
		const struct grt_why_root *r = grt_why_root(w, i);
		uint64_t life_ns;

		grt_report_text(s, r->is_own ? "own" : "wait");
		grt_report_text(s, grt_root_name(r->kind));
		grt_report_u64(s, r->ns);
		if (grt_job_life_ns(job, &life_ns))
			grt_report_part(s, r->ns, life_ns);
		else
			grt_report_unknown(s);
		for (int k = 0; k < 2; k++) {
			if (r->ctx)
				grt_report_u64(s, k ? r->seqno : r->ctx);
			else
				grt_report_unknown(s);
		}
		grt_report_client(s, o, r->client);
	}
}

void grt_report_why(struct grt_report_table *s, const struct grt_job_out *o,
		    const struct grt_why *w)
{
	grt_report_init(s, "why", why_columns);
	for (size_t i = 0; i < grt_why_count(w); i++)
		put_line(s, o, grt_why_job(w), grt_why_line(w, i));
}
