// SPDX-License-Identifier: LGPL-2.1
/* Rings' time, idle, blame, worst jobs and findings, as tables. */
#include "report_sheet.h"

#include "column.h"
#include "finding.h"

const struct grt_sheet_maker grt_sheet_makers[] = {
	{ 1u << GRT_TABLE_IDLE, true, grt_sheet_time },
	{ 1u << GRT_TABLE_IDLE, true, grt_sheet_idle },
	{ 1u << GRT_TABLE_BLAME, true, grt_sheet_blame },
	{ 0, true, grt_sheet_worst },
	{ 0, true, grt_sheet_findings },
	{ 1u << GRT_TABLE_LATENCY, false, grt_sheet_latency },
	{ 1u << GRT_TABLE_SIZE, false, grt_sheet_size },
	{ 1u << GRT_TABLE_RESULT, false, grt_sheet_result },
	{ 1u << GRT_TABLE_OVERHEAD, false, grt_sheet_overhead },
	{ 1u << GRT_TABLE_OVERHEAD | 1u << GRT_TABLE_RESULT, false, grt_sheet_drops },
	{ 1u << GRT_TABLE_OVERHEAD, true, grt_sheet_rules },
	{ 1u << GRT_TABLE_OVERHEAD, true, grt_sheet_labels },
};

const size_t grt_nr_sheet_makers = sizeof(grt_sheet_makers) / sizeof(grt_sheet_makers[0]);

const char *grt_through_name(enum grt_through through)
{
	static const char *const names[] = {
#define GRT_X(NAME, name, text) [GRT_THROUGH_##NAME] = #name,
		GRT_THROUGHS(GRT_X)
#undef GRT_X
	};

	return names[through];
}

const char *grt_order_name(uint32_t order)
{
	static const char *const names[] = {
#define GRT_X(NAME, nr, text) [nr] = #NAME,
		GRTRACE_ORDERS(GRT_X)
#undef GRT_X
	};

	return order < sizeof(names) / sizeof(names[0]) ? names[order] : names[0];
}

static const struct grt_names *names_of(const struct grt_job_out *o)
{
	return grt_model_names(o->summary->model);
}

static void put_device(struct grt_sheet *s, const struct grt_names *names, uint32_t ring)
{
	if (ring == GRT_NONE)
		grt_sheet_unknown(s);
	else
		grt_sheet_text(s, grt_names_ring_at(names, ring)->device);
}

static void put_ring(struct grt_sheet *s, const struct grt_names *names, uint32_t ring)
{
	char name[GRT_RING_NAME_MAX];

	if (ring == GRT_NONE)
		grt_sheet_unknown(s);
	else
		grt_sheet_text(s, grt_ring_name(grt_names_ring_at(names, ring), name));
}

static void put_process(struct grt_sheet *s, const struct grt_names *names, uint32_t process)
{
	if (process == GRT_NONE) {
		grt_sheet_unknown(s);
		grt_sheet_unknown(s);
		return;
	}
	grt_sheet_u64(s, grt_names_process_at(names, process)->tgid);
	grt_sheet_text(s, grt_names_process_at(names, process)->comm);
}

static void put_known(struct grt_sheet *s, uint64_t value)
{
	if (value)
		grt_sheet_u64(s, value);
	else
		grt_sheet_unknown(s);
}

static void put_key(struct grt_sheet *s, uint64_t ctx, uint64_t seqno)
{
	if (!ctx) {
		grt_sheet_unknown(s);
		grt_sheet_unknown(s);
		return;
	}
	grt_sheet_u64(s, ctx);
	grt_sheet_u64(s, seqno);
}

void grt_sheet_party(struct grt_sheet *s, const struct grt_job_out *o, uint32_t party)
{
	static const struct grt_party nobody = { GRT_NONE, GRT_NONE, 0 };
	const struct grt_party *p = party == GRT_NONE ? &nobody :
				    grt_model_party(o->summary->model, party);

	put_process(s, names_of(o), p->process);
	put_known(s, p->client_id);
	put_device(s, names_of(o), p->ring);
	put_ring(s, names_of(o), p->ring);
}

#define IDLE_COLUMN(NAME, name, text)	{ #name "_ns", #name, GRT_SHEET_NS_OF },
static const struct grt_sheet_column time_columns[] = {
	{ "scope", "WHERE THE TIME OF RINGS WENT", GRT_SHEET_TEXT },
	{ "device", "", GRT_SHEET_TEXT },
	{ "ring", "", GRT_SHEET_TEXT },
	{ "order", "order", GRT_SHEET_TEXT },
	{ "wall_ns", "wall", GRT_SHEET_NS },
	{ "busy_ns", "busy", GRT_SHEET_NS_OF },
	{ "occupied_ns", "occupied", GRT_SHEET_NS_OF },
	GRT_IDLES(IDLE_COLUMN)
	{ "jobs", "jobs", GRT_SHEET_COUNT },
	{ "start_unknown", NULL, GRT_SHEET_COUNT },
};

static void put_use(struct grt_sheet *s, const struct grt_ring_use *use, uint64_t wall_ns,
		    bool is_fifo)
{
	grt_sheet_u64(s, wall_ns);
	if (!is_fifo)
		grt_sheet_unknown(s);
	grt_sheet_part(s, use->busy_ns, wall_ns);
	if (is_fifo)
		grt_sheet_unknown(s);
	for (int i = 0; i < GRT_NR_IDLES; i++)
		grt_sheet_part(s, use->idle_ns[i], wall_ns);
}

void grt_sheet_time(struct grt_sheet *s, const struct grt_job_out *o)
{
	const struct grt_model *m = o->summary->model;
	const struct grt_rollup *rings = &o->summary->groups[GRT_BY_RING];
	uint64_t wall_ns = grt_model_wall_ns(m);
	const struct grt_ring_use *use;
	const char *name;

	grt_sheet_init(s, "time", time_columns);
	for (size_t i = 0; i < grt_rollup_count(rings); i++) {
		uint32_t row = grt_rollup_at(rings, i)->key.ring;
		const struct grt_ring *ring;

		if (row == GRT_NONE)
			continue;
		ring = grt_names_ring_at(names_of(o), row);
		grt_sheet_text(s, "ring");
		put_device(s, names_of(o), row);
		put_ring(s, names_of(o), row);
		grt_sheet_text(s, grt_order_name(ring->order));
		put_use(s, grt_model_ring_use(m, row), wall_ns, ring->order == GRTRACE_ORDER_FIFO);
		grt_sheet_u64(s, grt_model_ring_use(m, row)->jobs);
		grt_sheet_u64(s, grt_model_ring_use(m, row)->unknown_jobs);
	}
	for (uint32_t i = 0; (use = grt_model_device_use(m, i, &name)); i++) {
		grt_sheet_text(s, "device");
		grt_sheet_text(s, name);
		grt_sheet_unknown(s);
		grt_sheet_unknown(s);
		put_use(s, use, wall_ns, true);
		grt_sheet_unknown(s);
		grt_sheet_unknown(s);
	}
}

static const struct grt_sheet_column idle_columns[] = {
	{ "device", NULL, GRT_SHEET_TEXT },
	{ "ring", "WHO RINGS WERE IDLE FOR", GRT_SHEET_TEXT },
	{ "cause", "", GRT_SHEET_TEXT },
	{ "idle_ns", "idle", GRT_SHEET_NS },
	{ "share", "of wall", GRT_SHEET_SHARE },
	{ "stretches", "stretches", GRT_SHEET_COUNT },
	{ "longest_ns", "longest", GRT_SHEET_NS },
	{ "by_pid", "pid", GRT_SHEET_ID },
	{ "by_comm", "for jobs of", GRT_SHEET_TEXT },
	{ "by_client_id", "client", GRT_SHEET_ID },
	{ "by_device", NULL, GRT_SHEET_TEXT },
	{ "by_ring", "on", GRT_SHEET_TEXT },
	{ "ctx", "ctx", GRT_SHEET_ID },
	{ "seqno", "seqno", GRT_SHEET_ID },
};

static bool is_shown(const struct grt_job_out *o, uint32_t ring)
{
	const struct grt_rollup *rings = &o->summary->groups[GRT_BY_RING];

	for (size_t i = 0; i < grt_rollup_count(rings); i++)
		if (grt_rollup_at(rings, i)->key.ring == ring)
			return true;
	return false;
}

void grt_sheet_idle(struct grt_sheet *s, const struct grt_job_out *o)
{
	const struct grt_idle_row *row;

	grt_sheet_init(s, "idle", idle_columns);
	for (size_t i = 0; (row = grt_model_idle_row(o->summary->model, i)); i++) {
		if (!is_shown(o, row->ring) || (o->top && grt_sheet_rows(s) >= o->top))
			continue;
		put_device(s, names_of(o), row->ring);
		put_ring(s, names_of(o), row->ring);
		grt_sheet_text(s, grt_idle_name(row->cause));
		grt_sheet_u64(s, row->ns);
		grt_sheet_part(s, row->ns, grt_model_wall_ns(o->summary->model));
		grt_sheet_u64(s, row->stretches);
		grt_sheet_u64(s, row->longest_ns);
		grt_sheet_party(s, o, row->party);
		put_key(s, row->ctx, row->seqno);
	}
}

static const struct grt_sheet_column blame_columns[] = {
	{ "pid", "WHO HELD UP WHOM", GRT_SHEET_ID },
	{ "comm", "", GRT_SHEET_TEXT },
	{ "client_id", "client", GRT_SHEET_ID },
	{ "device", NULL, GRT_SHEET_TEXT },
	{ "ring", "on", GRT_SHEET_TEXT },
	{ "waited_ns", "waited", GRT_SHEET_NS },
	{ "jobs", "jobs", GRT_SHEET_COUNT },
	{ "worst_ns", "worst", GRT_SHEET_NS },
	{ "worst_ctx", NULL, GRT_SHEET_ID },
	{ "worst_seqno", NULL, GRT_SHEET_ID },
	{ "through", "through", GRT_SHEET_TEXT },
	{ "by_pid", "by pid", GRT_SHEET_ID },
	{ "by_comm", "", GRT_SHEET_TEXT },
	{ "by_client_id", "client", GRT_SHEET_ID },
	{ "by_device", NULL, GRT_SHEET_TEXT },
	{ "by_ring", "on", GRT_SHEET_TEXT },
};

void grt_sheet_blame(struct grt_sheet *s, const struct grt_job_out *o)
{
	const struct grt_blame *b = &o->summary->blame;

	grt_sheet_init(s, "blame", blame_columns);
	for (size_t i = 0; i < grt_blame_count(b) && (!o->top || i < o->top); i++) {
		const struct grt_blame_row *row = grt_blame_at(b, i);

		grt_sheet_party(s, o, row->victim);
		grt_sheet_u64(s, row->ns);
		grt_sheet_u64(s, row->jobs);
		grt_sheet_u64(s, row->worst_ns);
		grt_sheet_u64(s, row->worst_ctx);
		grt_sheet_u64(s, row->worst_seqno);
		grt_sheet_text(s, grt_through_name(row->through));
		grt_sheet_party(s, o, row->culprit);
	}
}

void grt_sheet_job(struct grt_sheet *s, const struct grt_view *view)
{
	for (size_t i = 0; i < grt_nr_columns; i++) {
		struct grt_cell cell;

		grt_column_get(&cell, &grt_columns[i], view);
		if (cell.kind == GRT_CELL_TEXT)
			grt_sheet_text(s, cell.text);
		else if (cell.kind == GRT_CELL_U64)
			grt_sheet_u64(s, cell.number);
		else if (cell.kind == GRT_CELL_S64)
			grt_sheet_s64(s, cell.signed_number);
		else
			grt_sheet_unknown(s);
	}
}

#define WAIT_COLUMNS	8

void grt_sheet_worst(struct grt_sheet *s, const struct grt_job_out *o)
{
	static const struct grt_sheet_column wait[WAIT_COLUMNS] = {
		{ "wait_ns", NULL, GRT_SHEET_NS }, { "wait_through", NULL, GRT_SHEET_TEXT },
		{ "wait_ctx", NULL, GRT_SHEET_ID }, { "wait_seqno", NULL, GRT_SHEET_ID },
		{ "wait_pid", NULL, GRT_SHEET_ID }, { "wait_comm", NULL, GRT_SHEET_TEXT },
		{ "wait_client_id", NULL, GRT_SHEET_ID }, { "wait_device", NULL, GRT_SHEET_TEXT },
	};
	static struct grt_sheet_column columns[64];
	unsigned int count = 0;

	for (size_t i = 0; i < grt_nr_columns; i++)
		columns[count++] = (struct grt_sheet_column){ .name = grt_columns[i].name };
	for (int i = 0; i < WAIT_COLUMNS; i++)
		columns[count++] = wait[i];
	columns[count++] = (struct grt_sheet_column){ .name = "wait_ring" };
	grt_sheet_begin(s, "worst", columns, count);
	for (uint32_t i = 0; i < o->summary->nr_worst; i++) {
		const struct grt_worst *w = &o->summary->worst[i];
		struct grt_view view;

		grt_summary_view(o->summary, &w->job, &view);
		grt_sheet_job(s, &view);
		if (!w->charge.ns) {
			for (int j = 0; j <= WAIT_COLUMNS; j++)
				grt_sheet_unknown(s);
			continue;
		}
		grt_sheet_u64(s, w->charge.ns);
		grt_sheet_text(s, grt_through_name(w->charge.through));
		put_key(s, w->charge.ctx, w->charge.seqno);
		grt_sheet_party(s, o, w->charge.party);
	}
}

static const struct grt_sheet_column finding_columns[] = {
	{ "device", NULL, GRT_SHEET_TEXT },
	{ "ring", NULL, GRT_SHEET_TEXT },
	{ "what", NULL, GRT_SHEET_TEXT },
	{ "ns", NULL, GRT_SHEET_NS },
	{ "wall_ns", NULL, GRT_SHEET_NS },
	{ "behind_ns", NULL, GRT_SHEET_NS },
	{ "jobs_ns", NULL, GRT_SHEET_NS },
	{ "by_ns", NULL, GRT_SHEET_NS },
	{ "by_pid", NULL, GRT_SHEET_ID },
	{ "by_comm", NULL, GRT_SHEET_TEXT },
	{ "by_client_id", "client", GRT_SHEET_ID },
	{ "by_device", NULL, GRT_SHEET_TEXT },
	{ "by_ring", NULL, GRT_SHEET_TEXT },
	{ "by_ctx", NULL, GRT_SHEET_ID },
	{ "by_seqno", NULL, GRT_SHEET_ID },
	{ "by_exec_ns", NULL, GRT_SHEET_NS },
};

void grt_sheet_findings(struct grt_sheet *s, const struct grt_job_out *o)
{
	struct grt_finding found[GRT_MAX_FINDINGS];
	unsigned int count = grt_findings(o->summary, found);

	grt_sheet_init(s, "findings", finding_columns);
	for (unsigned int i = 0; i < count; i++) {
		const struct grt_finding *f = &found[i];

		put_device(s, names_of(o), f->ring);
		put_ring(s, names_of(o), f->ring);
		grt_sheet_text(s, f->is_full ? "full" : grt_idle_name(f->cause));
		grt_sheet_u64(s, f->ns);
		grt_sheet_u64(s, f->wall_ns);
		put_known(s, f->behind_ns);
		put_known(s, f->total_ns);
		put_known(s, f->culprit_ns);
		grt_sheet_party(s, o, f->culprit_ns ? f->party : GRT_NONE);
		put_key(s, f->culprit_ns ? f->ctx : 0, f->seqno);
		put_known(s, f->exec_ns);
	}
}
