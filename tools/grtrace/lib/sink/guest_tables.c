// SPDX-License-Identifier: LGPL-2.1
#include "guest_tables.h"

static const struct grt_report_column part_columns[] = {
	{ "part",	"A JOB OF THE GUEST TOOK",	GRT_REPORT_TEXT },
	{ "jobs",	"jobs",	GRT_REPORT_COUNT },
	{ "p50_ns",	"p50",	GRT_REPORT_NS },
	{ "p99_ns",	"p99",	GRT_REPORT_NS },
	{ "max_ns",	"max",	GRT_REPORT_NS },
};

static const struct grt_report_column pair_columns[] = {
	{ "ctx",		NULL,	GRT_REPORT_ID },
	{ "seqno",		NULL,	GRT_REPORT_ID },
	{ "fence_ctx",		NULL,	GRT_REPORT_ID },
	{ "fence",		NULL,	GRT_REPORT_ID },
	{ "how",		NULL,	GRT_REPORT_TEXT },
	{ "queued_ns",		NULL,	GRT_REPORT_NS },
	{ "begun_ns",		NULL,	GRT_REPORT_NS },
	{ "handed_ns",		NULL,	GRT_REPORT_NS },
	{ "done_ns",		NULL,	GRT_REPORT_NS },
	{ "seen_ns",		NULL,	GRT_REPORT_NS },
	{ "host_jobs",		NULL,	GRT_REPORT_COUNT },
	{ "host_exec_ns",	NULL,	GRT_REPORT_NS },
};

void grt_guest_parts(struct grt_report_table *t, const struct grt_guest_jobs *g)
{
	static const char *const texts[] = {
#define GRT_X(NAME, name, text) text,
		GRT_GUEST_PARTS(GRT_X)
#undef GRT_X
	};

	grt_report_init(t, "parts", part_columns);
	for (int i = 0; i < GRT_NR_GUEST_PARTS; i++) {
		const struct grt_hist *h = &g->parts[i];

		grt_report_text(t, texts[i]);
		grt_report_u64(t, h->count);
		grt_report_known(t, h->count, grt_hist_quantile(h, 500));
		grt_report_known(t, h->count, grt_hist_quantile(h, 990));
		grt_report_known(t, h->count, h->max);
	}
}

void grt_guest_pairs(struct grt_report_table *t, const struct grt_guest_jobs *g)
{
	grt_report_init(t, "pairs", pair_columns);
	for (size_t i = 0; i < grt_vec_count(&g->pairs, struct grt_guest_pair); i++) {
		const struct grt_guest_pair *p = grt_vec_at(&g->pairs, struct grt_guest_pair, i);

		grt_report_u64(t, p->ctx);
		grt_report_u64(t, p->seqno);
		grt_report_u64(t, p->fence_ctx);
		grt_report_u64(t, p->fence);
		grt_report_text(t, p->is_inferred ? "order" : "number");
		grt_report_u64(t, p->queued_ns);
		grt_report_u64(t, p->begun_ns);
		grt_report_u64(t, p->handed_ns);
		grt_report_u64(t, p->done_ns);
		grt_report_u64(t, p->seen_ns);
		grt_report_u64(t, p->host_jobs);
		grt_report_known(t, p->is_exec_known, p->host_exec_ns);
	}
}
