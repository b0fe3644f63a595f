// SPDX-License-Identifier: LGPL-2.1
/* Tables: time of rings, idle time, blame, worst jobs and findings. */
#include "report_tables.h"
#include "stacks.h"

#include "column.h"
#include "finding.h"
#include "key_names.h"
#include "wait_kinds.h"

const struct grt_report_maker grt_report_makers[] = {
	{ 1u << GRT_TABLE_IDLE, true, grt_report_time },
	{ 1u << GRT_TABLE_IDLE, true, grt_report_idle },
	{ 1u << GRT_TABLE_STEPS, false, grt_report_steps },
	{ 1u << GRT_TABLE_BLAME | 1u << GRT_TABLE_WORST, true, grt_report_blame },
	{ 1u << GRT_TABLE_ROOTS, false, grt_report_roots },
	{ 1u << GRT_TABLE_OWNER_BLAME, false, grt_report_owner_blame },
	{ 1u << GRT_TABLE_OWNER_ROOTS, false, grt_report_owner_roots },
	{ 1u << GRT_TABLE_WORST, true, grt_report_worst },
	{ 0, true, grt_report_findings },
	{ 1u << GRT_TABLE_LATENCY, false, grt_report_latency },
	{ 1u << GRT_TABLE_SIZE, false, grt_report_size },
	{ 1u << GRT_TABLE_RESULT, false, grt_report_result },
	{ 1u << GRT_TABLE_STACKS, false, grt_report_stacks },
	{ 1u << GRT_TABLE_OVERHEAD, false, grt_report_overhead },
	{ 1u << GRT_TABLE_OVERHEAD | 1u << GRT_TABLE_RESULT, false, grt_report_drops },
	{ 1u << GRT_TABLE_OVERHEAD, true, grt_report_rules },
	{ 1u << GRT_TABLE_OVERHEAD, true, grt_report_labels },
};

const size_t grt_nr_report_makers = sizeof(grt_report_makers) / sizeof(grt_report_makers[0]);

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

static void put_device(struct grt_report_table *s, const struct grt_names *names, uint32_t ring)
{
	if (ring == GRT_NONE)
		grt_report_unknown(s);
	else
		grt_report_text(s, grt_names_ring_at(names, ring)->device);
}

static void put_ring(struct grt_report_table *s, const struct grt_names *names, uint32_t ring)
{
	char name[GRT_RING_NAME_MAX];

	if (ring == GRT_NONE)
		grt_report_unknown(s);
	else
		grt_report_text(s, grt_ring_name(grt_names_ring_at(names, ring), name));
}

static void put_process(struct grt_report_table *s, const struct grt_names *names, uint32_t process)
{
	if (process == GRT_NONE) {
		grt_report_unknown(s);
		grt_report_unknown(s);
		return;
	}
	grt_report_u64(s, grt_names_process_at(names, process)->tgid);
	grt_report_text(s, grt_names_process_at(names, process)->comm);
}

static void put_known(struct grt_report_table *s, uint64_t value)
{
	if (value)
		grt_report_u64(s, value);
	else
		grt_report_unknown(s);
}

static void put_key(struct grt_report_table *s, uint64_t ctx, uint64_t seqno)
{
	if (!ctx) {
		grt_report_unknown(s);
		grt_report_unknown(s);
		return;
	}
	grt_report_u64(s, ctx);
	grt_report_u64(s, seqno);
}

#define CLIENT_COLUMNS	5

void grt_report_client(struct grt_report_table *s, const struct grt_job_out *o, uint32_t client)
{
	static const struct grt_client nobody = { GRT_NONE, GRT_NONE, 0 };
	const struct grt_client *p = client == GRT_NONE ? &nobody :
				    grt_model_client(o->summary->model, client);

	put_process(s, names_of(o), p->process);
	put_known(s, p->client_id);
	put_device(s, names_of(o), p->ring);
	put_ring(s, names_of(o), p->ring);
}

#define IDLE_COLUMN(NAME, name, text)	\
	{ #name "_ns", GRT_IDLE_##NAME == GRT_IDLE_UNKNOWN ? NULL : #name, GRT_REPORT_NS_OF },
static const struct grt_report_column time_columns[] = {
	{ "scope", "WHERE THE TIME OF RINGS WENT", GRT_REPORT_TEXT },
	{ "device", "", GRT_REPORT_TEXT },
	{ "ring", "", GRT_REPORT_TEXT },
	{ "order", "order", GRT_REPORT_TEXT },
	{ "wall_ns", "wall", GRT_REPORT_NS },
	{ "known_ns", "known", GRT_REPORT_NS },
	{ "busy_ns", "busy", GRT_REPORT_NS_OF },
	{ "occupied_ns", "occupied", GRT_REPORT_NS_OF },
	GRT_IDLES(IDLE_COLUMN)
	{ NULL, "cause unknown", GRT_REPORT_NS_OF },
	{ "unsure_ns", "not known", GRT_REPORT_NS_OF },
	{ "jobs", "jobs", GRT_REPORT_COUNT },
	{ "start_unknown", NULL, GRT_REPORT_COUNT },
};

static void put_use(struct grt_report_table *s, const struct grt_ring_use *use, uint64_t wall_ns,
		    bool is_fifo)
{
	uint64_t span_ns = grt_use_known_ns(use) ? grt_use_span_ns(use) : 0;

	grt_report_u64(s, wall_ns);
	grt_report_u64(s, grt_use_known_ns(use));
	if (!is_fifo)
		grt_report_unknown(s);
	grt_report_part(s, use->busy_ns, span_ns);
	if (is_fifo)
		grt_report_nothing(s);
	for (int i = 0; i < GRT_NR_IDLES; i++)
		grt_report_part(s, use->idle_ns[i], span_ns);
	grt_report_part(s, use->unexplained_ns, span_ns);
	grt_report_part(s, grt_use_unsure_ns(use), grt_use_span_ns(use));
}

static void put_ring_time(struct grt_report_table *s, const struct grt_job_out *o, uint32_t row, uint64_t jobs)
{
	const struct grt_ring *ring = grt_names_ring_at(names_of(o), row);
	const struct grt_ring_use *use = grt_model_ring_use(o->summary->model, row);

	grt_report_text(s, "ring");
	put_device(s, names_of(o), row);
	put_ring(s, names_of(o), row);
	grt_report_text(s, grt_order_name(ring->order));
	put_use(s, use, grt_model_wall_ns(o->summary->model), ring->order == GRTRACE_ORDER_FIFO);
	grt_report_u64(s, jobs);
	grt_report_u64(s, use->unknown_jobs);
}

/* Collects the rings with jobs. */
static int list_rings(struct grt_keymap *shown, const struct grt_job_out *o)
{
	const struct grt_rollup *rings = &o->summary->groups[GRT_BY_RING];
	int err = 0;

	for (size_t i = 0; i < grt_rollup_count(rings) && !err; i++)
		err = grt_keymap_put(shown, grt_rollup_key_at(rings, i)->ring, 0, i);
	return err;
}

void grt_report_time(struct grt_report_table *s, const struct grt_job_out *o)
{
	const struct grt_model *m = o->summary->model;
	const struct grt_rollup *rings = &o->summary->groups[GRT_BY_RING];
	uint64_t wall_ns = grt_model_wall_ns(m);
	const struct grt_ring_use *use;
	struct grt_keymap shown = { 0 };
	const char *name;

	grt_report_init(s, "time", time_columns);
	grt_report_set_drops(s, time_columns, "030552013124466650");
	for (size_t i = 0; i < grt_rollup_count(rings); i++) {
		uint32_t row = grt_rollup_key_at(rings, i)->ring;

		if (row != GRT_NONE)
			put_ring_time(s, o, row, grt_rollup_at(rings, i)->jobs);
	}
	if (o->has_all_rings)
		s->failed = list_rings(&shown, o);
	for (uint32_t row = 0; o->has_all_rings && row < grt_vec_count(&names_of(o)->rings, struct grt_ring); row++)
		if (grt_keymap_get(&shown, row, 0) == GRT_NONE)
			put_ring_time(s, o, row, 0);
	grt_keymap_free(&shown);
	for (uint32_t i = 0; (use = grt_model_device_use(m, i, &name)); i++) {
		grt_report_text(s, "device");
		grt_report_text(s, name);
		grt_report_nothing(s);
		grt_report_nothing(s);
		put_use(s, use, wall_ns, true);
		grt_report_nothing(s);
		grt_report_nothing(s);
	}
}

static const struct grt_report_column idle_columns[] = {
	{ "device", NULL, GRT_REPORT_TEXT },
	{ "ring", "WHO RINGS WERE IDLE FOR", GRT_REPORT_TEXT },
	{ "cause", "", GRT_REPORT_TEXT },
	{ "idle_ns", "idle", GRT_REPORT_NS },
	{ "share", "of time", GRT_REPORT_SHARE },
	{ "stretches", "stretches", GRT_REPORT_COUNT },
	{ "longest_ns", "longest", GRT_REPORT_NS },
	{ "by_pid", "pid", GRT_REPORT_ID },
	{ "by_comm", "for jobs of", GRT_REPORT_TEXT },
	{ "by_client_id", "client", GRT_REPORT_ID },
	{ "by_device", NULL, GRT_REPORT_TEXT },
	{ "by_ring", "on", GRT_REPORT_TEXT },
	{ "ctx", "ctx", GRT_REPORT_ID },
	{ "seqno", "seqno", GRT_REPORT_ID },
};

/* The share of idle time is that of the time since the ring's first event; the share of unknown time is that of all time. */
static uint64_t whole_of(const struct grt_job_out *o, const struct grt_idle_row *row)
{
	return row->cause == GRT_IDLE_UNKNOWN ? grt_model_wall_ns(o->summary->model) :
	       grt_use_span_ns(grt_model_ring_use(o->summary->model, row->ring));
}

void grt_report_idle(struct grt_report_table *s, const struct grt_job_out *o)
{
	const struct grt_idle_row *row;
	struct grt_keymap shown = { 0 };

	grt_report_init(s, "idle", idle_columns);
	grt_report_set_drops(s, idle_columns, "00001432050055");
	s->failed = list_rings(&shown, o);
	for (size_t i = 0; (row = grt_model_idle_row(o->summary->model, i)); i++) {
		if ((!o->has_all_rings && grt_keymap_get(&shown, row->ring, 0) == GRT_NONE) ||
		    (o->top && grt_report_rows(s) >= o->top))
			continue;
		put_device(s, names_of(o), row->ring);
		put_ring(s, names_of(o), row->ring);
		grt_report_text(s, grt_idle_name(row->cause));
		grt_report_u64(s, row->ns);
		grt_report_part(s, row->ns, whole_of(o, row));
		grt_report_u64(s, row->stretches);
		grt_report_u64(s, row->longest_ns);
		grt_report_client(s, o, row->client);
		put_key(s, row->ctx, row->seqno);
	}
	grt_keymap_free(&shown);
}

/* @title: of the one that waits; @kind: the name of the column that says what for. */
#define MATRIX_COLUMNS(title, kind)				\
	{ "pid", title, GRT_REPORT_ID },			\
	{ "comm", "", GRT_REPORT_TEXT },			\
	{ "client_id", "client", GRT_REPORT_ID },		\
	{ "device", NULL, GRT_REPORT_TEXT },			\
	{ "ring", "on", GRT_REPORT_TEXT },			\
	{ "waited_ns", "waited", GRT_REPORT_NS },		\
	{ "jobs", "jobs", GRT_REPORT_COUNT },			\
	{ "worst_ns", "worst", GRT_REPORT_NS },			\
	{ "worst_ctx", NULL, GRT_REPORT_ID },			\
	{ "worst_seqno", NULL, GRT_REPORT_ID },			\
	{ kind, kind, GRT_REPORT_TEXT },			\
	{ "by_pid", "for pid", GRT_REPORT_ID },			\
	{ "by_comm", "", GRT_REPORT_TEXT },			\
	{ "by_client_id", "client", GRT_REPORT_ID },		\
	{ "by_device", NULL, GRT_REPORT_TEXT },			\
	{ "by_ring", "on", GRT_REPORT_TEXT },

/* What narrow text leaves out first, see grt_table_fit(). */
#define MATRIX_DROPS	"0050002100030500"

static const struct grt_report_column blame_columns[] = {
	MATRIX_COLUMNS("WHO WAITED FOR WHOM", "through")
};

static const struct grt_report_column root_columns[] = {
	MATRIX_COLUMNS("WHO WAITED FOR WHOM", "root")
};

/* @is_nobody: the wait was for no job. */
static void put_culprit(struct grt_report_table *s, const struct grt_job_out *o, uint32_t culprit,
			bool is_nobody)
{
	if (culprit != GRT_NONE || !is_nobody) {
		grt_report_client(s, o, culprit);
		return;
	}
	for (int i = 0; i < CLIENT_COLUMNS; i++)
		grt_report_nothing(s);
}

/* The rows of a matrix, in the columns of blame or of roots. */
static void put_matrix(struct grt_report_table *s, const struct grt_job_out *o,
		       const struct grt_matrix *m, const struct grt_wait_kinds *kinds)
{
	for (size_t i = 0; i < grt_matrix_count(m) && (!o->top || i < o->top); i++) {
		const struct grt_matrix_row *row = grt_matrix_at(m, i);

		grt_report_client(s, o, row->victim);
		grt_report_u64(s, row->ns);
		grt_report_u64(s, row->jobs);
		grt_report_u64(s, row->worst_ns);
		grt_report_u64(s, row->worst_ctx);
		grt_report_u64(s, row->worst_seqno);
		grt_report_text(s, kinds->name(row->kind));
		put_culprit(s, o, row->culprit, kinds->is_nobody(row->kind));
	}
}

void grt_report_blame(struct grt_report_table *s, const struct grt_job_out *o)
{
	grt_report_init(s, "blame", blame_columns);
	grt_report_set_drops(s, blame_columns, MATRIX_DROPS);
	put_matrix(s, o, &o->summary->blame, &grt_blame_kinds);
}

void grt_report_roots(struct grt_report_table *s, const struct grt_job_out *o)
{
	grt_report_init(s, "roots", root_columns);
	grt_report_set_drops(s, root_columns, MATRIX_DROPS);
	put_matrix(s, o, &o->summary->root_sums, &grt_root_kinds);
}

void grt_report_job(struct grt_report_table *s, const struct grt_view *view)
{
	for (size_t i = 0; i < grt_nr_columns; i++) {
		struct grt_cell cell;

		grt_column_get(&cell, &grt_columns[i], view);
		if (cell.kind == GRT_CELL_TEXT)
			grt_report_text(s, cell.text);
		else if (cell.kind == GRT_CELL_U64)
			grt_report_u64(s, cell.number);
		else if (cell.kind == GRT_CELL_S64)
			grt_report_s64(s, cell.signed_number);
		else
			grt_report_unknown(s);
	}
}

#define WAIT_COLUMNS	8

void grt_report_worst(struct grt_report_table *s, const struct grt_job_out *o)
{
	static const struct grt_report_column wait[WAIT_COLUMNS] = {
		{ "wait_ns", NULL, GRT_REPORT_NS }, { "wait_through", NULL, GRT_REPORT_TEXT },
		{ "wait_ctx", NULL, GRT_REPORT_ID }, { "wait_seqno", NULL, GRT_REPORT_ID },
		{ "wait_pid", NULL, GRT_REPORT_ID }, { "wait_comm", NULL, GRT_REPORT_TEXT },
		{ "wait_client_id", NULL, GRT_REPORT_ID }, { "wait_device", NULL, GRT_REPORT_TEXT },
	};
	static struct grt_report_column columns[GRT_MAX_COLUMNS + WAIT_COLUMNS + 1];
	unsigned int count = 0;

	for (size_t i = 0; i < grt_nr_columns; i++)
		columns[count++] = (struct grt_report_column){ .name = grt_columns[i].name };
	for (int i = 0; i < WAIT_COLUMNS; i++)
		columns[count++] = wait[i];
	columns[count++] = (struct grt_report_column){ .name = "wait_ring" };
	grt_report_begin(s, "worst", columns, count);
	for (uint32_t i = 0; i < o->summary->nr_worst; i++) {
		const struct grt_worst *w = &o->summary->worst[i];
		struct grt_view view;

		grt_summary_view(o->summary, &w->job, &view);
		grt_report_job(s, &view);
		if (!w->charge.ns) {
			for (int j = 0; j <= WAIT_COLUMNS; j++)
				grt_report_unknown(s);
			continue;
		}
		grt_report_u64(s, w->charge.ns);
		grt_report_text(s, grt_blame_reason_name(w->charge.reason));
		put_key(s, w->charge.ctx, w->charge.seqno);
		grt_report_client(s, o, w->charge.client);
	}
}

static const struct grt_report_column finding_columns[] = {
	{ "device", NULL, GRT_REPORT_TEXT },
	{ "ring", NULL, GRT_REPORT_TEXT },
	{ "what", NULL, GRT_REPORT_TEXT },
	{ "ctx", NULL, GRT_REPORT_ID },
	{ "seqno", NULL, GRT_REPORT_ID },
	{ "status", NULL, GRT_REPORT_SIGNED },
	{ "jobs", NULL, GRT_REPORT_COUNT },
	{ "processes", NULL, GRT_REPORT_COUNT },
	{ "ns", NULL, GRT_REPORT_NS },
	{ "known_ns", NULL, GRT_REPORT_NS },
	{ "behind_ns", NULL, GRT_REPORT_NS },
	{ "jobs_ns", NULL, GRT_REPORT_NS },
	{ "by_ns", NULL, GRT_REPORT_NS },
	{ "by_pid", NULL, GRT_REPORT_ID },
	{ "by_comm", NULL, GRT_REPORT_TEXT },
	{ "by_client_id", "client", GRT_REPORT_ID },
	{ "by_device", NULL, GRT_REPORT_TEXT },
	{ "by_ring", NULL, GRT_REPORT_TEXT },
	{ "by_ctx", NULL, GRT_REPORT_ID },
	{ "by_seqno", NULL, GRT_REPORT_ID },
	{ "by_exec_ns", NULL, GRT_REPORT_NS },
	{ "run_ns", NULL, GRT_REPORT_NS },
	{ "jobs_behind", NULL, GRT_REPORT_COUNT },
};

/* Of a job that hung: how long it ran, so far if it is not over; then who waits behind it. */
static void put_hang(struct grt_report_table *s, const struct grt_hang *h)
{
	const struct grt_job *job = h && h->has_job ? &h->job : NULL;

	if (job && grt_job_knows(job, GRT_STAGE_EXEC))
		grt_report_u64(s, job->stage_ns[GRT_STAGE_EXEC]);
	else
		put_known(s, job && job->inflight.run_ns ? job->inflight.until_ns - job->inflight.run_ns : 0);
	if (job && job->inflight.until_ns)
		grt_report_u64(s, h->behind);
	else
		grt_report_unknown(s);
}

/* The job that hung or failed, and how many jobs and processes that is about. */
static void put_failure(struct grt_report_table *s, const struct grt_finding *f)
{
	const struct grt_job *job = f->outcome ? &f->outcome->first :
				    f->hang && f->hang->has_job ? &f->hang->job : NULL;

	if (f->hang)
		put_key(s, f->hang->ctx, f->hang->seqno);
	else if (f->kind == GRT_FINDING_LONG)
		put_key(s, f->long_job.ctx, f->long_job.seqno);
	else
		put_key(s, job ? job->ctx : 0, job ? job->seqno : 0);
	if (job && job->has_status)
		grt_report_s64(s, job->status);
	else
		grt_report_unknown(s);
	if (f->hang) {
		grt_report_u64(s, f->hang->jobs);
		grt_report_u64(s, f->hang->processes);
	} else {
		put_known(s, f->outcome ? f->outcome->jobs - f->outcome->hung : f->long_job.jobs);
		grt_report_unknown(s);
	}
}

void grt_report_findings(struct grt_report_table *s, const struct grt_job_out *o)
{
	struct grt_finding found[GRT_MAX_FINDINGS];
	unsigned int count = grt_findings(o->summary, found);

	grt_report_init(s, "findings", finding_columns);
	for (unsigned int i = 0; i < count; i++) {
		const struct grt_finding *f = &found[i];

		put_device(s, names_of(o), f->ring);
		put_ring(s, names_of(o), f->ring);
		grt_report_text(s, grt_finding_name(f));
		put_failure(s, f);
		put_known(s, f->ns);
		put_known(s, f->known_ns);
		put_known(s, f->behind_ns);
		put_known(s, f->total_ns);
		put_known(s, f->culprit_ns);
		grt_report_client(s, o, f->culprit_ns ? f->client :
				  f->kind == GRT_FINDING_LONG ? f->long_job.client : GRT_NONE);
		put_key(s, f->culprit_ns ? f->ctx : 0, f->seqno);
		put_known(s, f->kind == GRT_FINDING_LONG ? f->long_job.median_ns : f->exec_ns);
		put_hang(s, f->hang);
	}
}
