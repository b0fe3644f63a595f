// SPDX-License-Identifier: LGPL-2.1
#include "fleet_tables.h"

#include "key_names.h"

/* The columns of struct grt_fleet_sums. */
#define SUM_COLUMNS						\
	{ "jobs",	 "jobs",	GRT_REPORT_COUNT },	\
	{ "cut",	 NULL,		GRT_REPORT_COUNT },	\
	{ "failed",	 "failed",	GRT_REPORT_COUNT },	\
	{ "exec_jobs",	 NULL,		GRT_REPORT_COUNT },	\
	{ "exec_ns",	 "ran",		GRT_REPORT_NS },	\
	{ "p50_ns",	 "p50",		GRT_REPORT_NS },	\
	{ "p99_ns",	 "p99",		GRT_REPORT_NS },	\
	{ "max_ns",	 "max",		GRT_REPORT_NS },	\
	{ "waited_ns",	 "waited",	GRT_REPORT_NS },	\
	{ "by_others_ns", "for others",	GRT_REPORT_NS },	\
	{ "upper_bounds", NULL,		GRT_REPORT_COUNT },

static const struct grt_report_column trace_columns[] = {
	{ "host",	"TRACES",	GRT_REPORT_TEXT },
	{ "trace",	"file",		GRT_REPORT_TEXT },
	{ "wall_ns",	"time",		GRT_REPORT_NS },
	{ "devices",	"GPUs",		GRT_REPORT_COUNT },
	{ "lost",	"lost",		GRT_REPORT_COUNT },
	{ "hung",	"hung",		GRT_REPORT_COUNT },
	SUM_COLUMNS
};

static const struct grt_report_column owner_columns[] = {
	{ "owner",	NULL,		GRT_REPORT_TEXT },
	{ "name",	"PODS",		GRT_REPORT_TEXT },
	{ "traces",	"traces",	GRT_REPORT_COUNT },
	SUM_COLUMNS
};

static const struct grt_report_column wait_columns[] = {
	{ "owner",	NULL,		GRT_REPORT_TEXT },
	{ "name",	"WHICH POD WAITED FOR WHICH", GRT_REPORT_TEXT },
	{ "waited_ns",	"waited",	GRT_REPORT_NS },
	{ "share",	"share",	GRT_REPORT_SHARE },
	{ "through",	"through",	GRT_REPORT_TEXT },
	{ "by_owner",	NULL,		GRT_REPORT_TEXT },
	{ "by_name",	"for",		GRT_REPORT_TEXT },
};

static void put_quantile(struct grt_report_table *t, const struct grt_fleet_sums *s, unsigned int permille)
{
	if (s->total.count)
		grt_report_at_most(t, s->total_bounds, grt_hist_quantile(&s->total, permille));
	else
		grt_report_unknown(t);
}

static void put_sums(struct grt_report_table *t, const struct grt_fleet_sums *s)
{
	grt_report_u64(t, s->jobs);
	grt_report_u64(t, s->cut);
	grt_report_known(t, !s->unjudged, s->failed);
	grt_report_u64(t, s->exec.count);
	if (s->exec.count || s->jobs == s->cut)
		grt_report_at_most(t, s->exec_bounds, grt_hist_sum(&s->exec));
	else
		grt_report_unknown(t);
	put_quantile(t, s, 500);
	put_quantile(t, s, 990);
	put_quantile(t, s, 1000);
	grt_report_u64(t, s->waited_ns);
	grt_report_known(t, !s->unsure_ns, s->others_ns);
	grt_report_u64(t, s->bounds);
}

static void put_all(struct grt_report_table *t, const struct grt_fleet *f)
{
	uint64_t hung = 0, lost = 0, devices = 0;
	bool is_lost_known = true;

	for (size_t i = 0; i < grt_fleet_traces(f); i++) {
		const struct grt_fleet_trace *trace = grt_vec_at(&f->traces, struct grt_fleet_trace, i);

		hung += trace->hung;
		lost += trace->lost;
		devices += trace->devices;
		is_lost_known &= trace->is_lost_known;
	}
	grt_report_text(t, "all of them");
	grt_report_nothing(t);
	grt_report_nothing(t);	/* a sum of the lengths of traces would mean nothing */
	grt_report_u64(t, devices);
	grt_report_known(t, is_lost_known, lost);
	grt_report_u64(t, hung);
	put_sums(t, &f->all);
}

static void put_traces(struct grt_report_table *t, const struct grt_fleet *f, bool with_all)
{
	grt_report_init(t, "traces", trace_columns);
	grt_report_set_drops(t, trace_columns, "00654002030140000");
	for (size_t i = 0; i < grt_fleet_traces(f); i++) {
		const struct grt_fleet_trace *trace = grt_vec_at(&f->traces, struct grt_fleet_trace, i);

		grt_report_text(t, trace->host);
		grt_report_text(t, trace->name);
		grt_report_u64(t, trace->wall_ns);
		grt_report_u64(t, trace->devices);
		grt_report_known(t, trace->is_lost_known, trace->lost);
		grt_report_u64(t, trace->hung);
		put_sums(t, &trace->sums);
	}
	if (with_all)
		put_all(t, f);
}

/* Two cells: the kind of an owner, and its name. */
static void put_owner(struct grt_report_table *t, const struct grt_fleet_owner *o)
{
	grt_report_text(t, o->name ? grt_owner_name(o->kind) : "");
	grt_report_text(t, o->name ? o->name : "");
}

static void put_owners(struct grt_report_table *t, const struct grt_fleet *f, size_t top)
{
	grt_report_init(t, "owners", owner_columns);
	grt_report_set_drops(t, owner_columns, "00402030150000");
	for (size_t i = 0; i < grt_fleet_owners(f) && (!top || i < top); i++) {
		const struct grt_fleet_owner *o = grt_fleet_owner_at(f, *grt_vec_at(&f->by_time, uint32_t, i));

		put_owner(t, o);
		grt_report_u64(t, o->traces);
		put_sums(t, &o->sums);
	}
}

static void put_waits(struct grt_report_table *t, const struct grt_fleet *f, size_t top)
{
	grt_report_init(t, "waits", wait_columns);
	grt_report_set_drops(t, wait_columns, "0001000");
	for (size_t i = 0; i < grt_owner_waits_count(&f->waits) && (!top || i < top); i++) {
		const struct grt_owner_wait *w = grt_owner_waits_at(&f->waits, i);

		put_owner(t, grt_fleet_owner_at(f, w->victim));
		grt_report_u64(t, w->ns);
		grt_report_part(t, w->ns, f->all.waited_ns);
		grt_report_text(t, grt_blame_reason_name(w->kind));
		if (w->has_culprit) {
			put_owner(t, grt_fleet_owner_at(f, w->culprit));
		} else {
			grt_report_nothing(t);
			grt_report_nothing(t);
		}
	}
}

void grt_fleet_table(struct grt_report_table *t, enum grt_fleet_table table, const struct grt_fleet *f, size_t top,
		     bool with_all)
{
	if (table == GRT_FLEET_TRACES)
		put_traces(t, f, with_all);
	else if (table == GRT_FLEET_OWNERS)
		put_owners(t, f, top);
	else
		put_waits(t, f, top);
}
