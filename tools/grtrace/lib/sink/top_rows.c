// SPDX-License-Identifier: LGPL-2.1
/* The rows of grtrace top as CSV and JSON. */
#include "top_sink.h"

#include "key_names.h"
#include "report_table.h"
#include "report_tables.h"

/* Which rows have a column. */
enum { OF_RING = 1, OF_USER = 2, OF_BOTH = OF_RING | OF_USER };

/* A row: @ring or @user is NULL. */
struct place {
	const struct grt_top *top;
	const struct grt_top_ring *ring;
	const struct grt_top_user *user;
};

static uint32_t ring_of(const struct place *p)
{
	return p->ring ? p->ring->ring : p->user->ring;
}

static bool is_fifo(const struct place *p)
{
	return grt_names_ring_at(p->top->names, p->ring->ring)->order == GRTRACE_ORDER_FIFO;
}

static void put_now(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	grt_report_u64(s, arg ? p->top->from_ns : p->top->now_ns);
}

static void put_scope(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	(void)arg;
	grt_report_text(s, p->ring ? "ring" : p->top->wants.by_cgroup ? "cgroup" : "process");
}

/* @arg: the device. */
static void put_ring(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	uint32_t row = ring_of(p);
	const struct grt_ring *ring;
	char name[GRT_RING_NAME_MAX];

	if (row == GRT_NONE) {
		grt_report_nothing(s);
		return;
	}
	ring = grt_names_ring_at(p->top->names, row);
	grt_report_text(s, arg ? ring->device : grt_ring_name(ring, name));
}

static void put_order(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	(void)arg;
	grt_report_text(s, grt_order_name(grt_names_ring_at(p->top->names, p->ring->ring)->order));
}

/* @arg: its name. */
static void put_process(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	const struct grt_process *process;

	if (p->user->process == GRT_NONE) {
		grt_report_unknown(s);
		return;
	}
	process = grt_names_process_at(p->top->names, p->user->process);
	if (arg)
		grt_report_text(s, process->comm);
	else
		grt_report_u64(s, process->tgid);
}

static void put_cgroup(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	(void)arg;
	if (p->user->cgroup)
		grt_report_u64(s, p->user->cgroup);
	else
		grt_report_unknown(s);
}

/* @arg: enum grt_cgroup_text */
static void put_cgroup_text(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	const struct grt_cgroup_names *n = &p->top->names->cgroups;
	const struct grt_cgroup *c = grt_cgroup_names_find(n, p->user->cgroup);

	grt_report_text(s, c ? grt_cgroup_text(n, c, arg) : "");
}

static void put_known(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	(void)arg;
	grt_report_u64(s, grt_use_known_ns(&p->ring->sums.use));
}

/* @arg: the column of rings that are FIFO. */
static void put_busy(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	if (is_fifo(p) == (bool)arg)
		grt_report_u64(s, p->ring->sums.use.busy_ns);
	else if (arg)
		grt_report_unknown(s);
	else
		grt_report_nothing(s);
}

static void put_idle(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	grt_report_u64(s, p->ring->sums.use.idle_ns[arg]);
}

static void put_jobs(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	(void)arg;
	grt_report_u64(s, p->ring ? p->ring->sums.jobs : p->user->sums.jobs);
}

static void put_failed(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	(void)arg;
	if (p->ring ? p->ring->sums.unjudged : p->user->sums.unjudged)
		grt_report_unknown(s);
	else
		grt_report_u64(s, p->ring ? p->ring->sums.failed : p->user->sums.failed);
}

static void put_bounds(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	(void)arg;
	grt_report_u64(s, p->ring ? p->ring->sums.bounds : p->user->sums.bounds);
}

enum { WAIT = 0, EXEC = 1 };

/* @arg: the permille, times two, and which distribution. */
static void put_quantile(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	const struct grt_hist *h = arg & 1 ? &p->ring->exec : &p->ring->wait;

	if (h->count)
		grt_report_u64(s, grt_hist_quantile(h, arg / 2));
	else
		grt_report_unknown(s);
}

static void put_waiting(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	(void)arg;
	grt_report_u64(s, p->ring->sums.waiting_ns);
}

/* @arg: on the ring, not in front of it. */
static void put_load(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	if (p->ring->has_load)
		grt_report_u64(s, arg ? p->ring->load.on_ring : p->ring->load.waiting);
	else
		grt_report_unknown(s);
}

static void put_exec(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	(void)arg;
	if (p->user->sums.unknown_exec)
		grt_report_unknown(s);
	else
		grt_report_u64(s, p->user->sums.exec_ns);
}

enum { WAITS, TAKEN, GIVEN };

static void put_blame(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	const struct grt_recent_sums *sums = &p->user->sums;

	grt_report_u64(s, arg == WAITS ? sums->wait_ns : arg == TAKEN ? sums->taken_ns : sums->given_ns);
}

static void put_frames(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	(void)arg;
	if (p->user->has_frames)
		grt_report_u64(s, p->user->frames);
	else
		grt_report_unknown(s);
}

#define IDLE_ROW(NAME, name, text)	{ { #name "_ns", NULL, GRT_REPORT_NS }, OF_RING, put_idle, GRT_IDLE_##NAME },

static const struct column {
	struct grt_report_column column;
	unsigned int of;
	void (*put)(struct grt_report_table *s, const struct place *p, unsigned int arg);
	unsigned int arg;
} columns[] = {
	{ { "now_ns", NULL, GRT_REPORT_NS }, OF_BOTH, put_now, 0 },
	{ { "from_ns", NULL, GRT_REPORT_NS }, OF_BOTH, put_now, 1 },
	{ { "scope", NULL, GRT_REPORT_TEXT }, OF_BOTH, put_scope, 0 },
	{ { "device", NULL, GRT_REPORT_TEXT }, OF_BOTH, put_ring, 1 },
	{ { "ring", NULL, GRT_REPORT_TEXT }, OF_BOTH, put_ring, 0 },
	{ { "order", NULL, GRT_REPORT_TEXT }, OF_RING, put_order, 0 },
	{ { "pid", NULL, GRT_REPORT_ID }, OF_USER, put_process, 0 },
	{ { "comm", NULL, GRT_REPORT_TEXT }, OF_USER, put_process, 1 },
	{ { "cgroup_id", NULL, GRT_REPORT_ID }, OF_USER, put_cgroup, 0 },
	{ { "known_ns", NULL, GRT_REPORT_NS }, OF_RING, put_known, 0 },
	{ { "busy_ns", NULL, GRT_REPORT_NS }, OF_RING, put_busy, 1 },
	{ { "occupied_ns", NULL, GRT_REPORT_NS }, OF_RING, put_busy, 0 },
	GRT_IDLES(IDLE_ROW)
	{ { "jobs", NULL, GRT_REPORT_COUNT }, OF_BOTH, put_jobs, 0 },
	{ { "failed", NULL, GRT_REPORT_COUNT }, OF_BOTH, put_failed, 0 },
	{ { "waiting_ns", NULL, GRT_REPORT_NS }, OF_RING, put_waiting, 0 },
	{ { "waiting_now", NULL, GRT_REPORT_COUNT }, OF_RING, put_load, 0 },
	{ { "on_ring_now", NULL, GRT_REPORT_COUNT }, OF_RING, put_load, 1 },
	{ { "wait_p50_ns", NULL, GRT_REPORT_NS }, OF_RING, put_quantile, 500 * 2 + WAIT },
	{ { "wait_p99_ns", NULL, GRT_REPORT_NS }, OF_RING, put_quantile, 990 * 2 + WAIT },
	{ { "exec_p50_ns", NULL, GRT_REPORT_NS }, OF_RING, put_quantile, 500 * 2 + EXEC },
	{ { "exec_p99_ns", NULL, GRT_REPORT_NS }, OF_RING, put_quantile, 990 * 2 + EXEC },
	{ { "exec_ns", NULL, GRT_REPORT_NS }, OF_USER, put_exec, 0 },
	{ { "wait_ns", NULL, GRT_REPORT_NS }, OF_USER, put_blame, WAITS },
	{ { "taken_ns", NULL, GRT_REPORT_NS }, OF_USER, put_blame, TAKEN },
	{ { "given_ns", NULL, GRT_REPORT_NS }, OF_USER, put_blame, GIVEN },
	{ { "frames", NULL, GRT_REPORT_COUNT }, OF_USER, put_frames, 0 },
#define GRT_X(NAME, name)	{ { #name, NULL, GRT_REPORT_TEXT }, OF_USER, put_cgroup_text, GRT_CGROUP_##NAME },
	GRT_CGROUP_TEXTS(GRT_X)
#undef GRT_X
	{ { "upper_bounds", NULL, GRT_REPORT_COUNT }, OF_BOTH, put_bounds, 0 },
};

#define NR_COLUMNS	(sizeof(columns) / sizeof(columns[0]))

/* The columns that @kinds of rows have. */
struct table {
	struct grt_report_table rows;
	struct grt_report_column names[NR_COLUMNS];
	unsigned int kinds;
};

static void put_row(struct table *t, const struct place *p)
{
	unsigned int own = p->ring ? OF_RING : OF_USER;

	for (size_t i = 0; i < NR_COLUMNS; i++) {
		if (columns[i].of & own)
			columns[i].put(&t->rows, p, columns[i].arg);
		else if (columns[i].of & t->kinds)
			grt_report_nothing(&t->rows);
	}
}

static void fill(struct table *t, const struct grt_top *top, const char *name, unsigned int kinds)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < NR_COLUMNS; i++)
		if (columns[i].of & kinds)
			t->names[nr++] = columns[i].column;
	t->kinds = kinds;
	grt_report_begin(&t->rows, name, t->names, nr);
	for (size_t i = 0; i < grt_top_rings(top) && kinds & OF_RING; i++)
		put_row(t, &(struct place){ .top = top, .ring = grt_top_ring_at(top, i) });
	for (size_t i = 0; i < grt_top_users(top) && kinds & OF_USER; i++)
		put_row(t, &(struct place){ .top = top, .user = grt_top_user_at(top, i) });
}

void grt_top_csv(const struct grt_top *top, FILE *f, bool has_header)
{
	struct table t;

	fill(&t, top, "rows", OF_BOTH);
	if (has_header)
		grt_report_print_csv(&t.rows, f, NULL);
	else
		grt_report_print_csv_rows(&t.rows, f, NULL);
	grt_report_free(&t.rows);
}

static void put_json(struct grt_json *j, const struct grt_top *top, const char *name, unsigned int kinds)
{
	struct table t;

	fill(&t, top, name, kinds);
	grt_report_print_json(&t.rows, j);
	grt_report_free(&t.rows);
}

void grt_top_json(const struct grt_top *top, const struct grt_top_state *state, FILE *f)
{
	struct grt_json j = { .file = f };

	grt_json_open(&j, NULL, '{');
	grt_json_text(&j, "source", state->source);
	grt_json_u64(&j, "now_ns", top->now_ns);
	grt_json_u64(&j, "from_ns", top->from_ns);
	grt_json_u64(&j, "lost", state->lost);
	grt_json_u64(&j, "uncounted_losses", state->uncounted);
	if (state->has_cpu)
		grt_json_real(&j, "own_cpu_pct", state->cpu_pct);
	else
		grt_json_null(&j, "own_cpu_pct");
	put_json(&j, top, "rings", OF_RING);
	put_json(&j, top, top->wants.by_cgroup ? "cgroups" : "processes", OF_USER);
	grt_json_close(&j, '}');
	putc('\n', f);
}

const char *grt_top_lack(const struct grt_recent *r, enum grt_recent_lack lack)
{
#define TEXT(most)	#most
#define MORE(most)	"more than " TEXT(most)
	static const char *const texts[GRT_NR_RECENT_LACKS] = {
		[GRT_RECENT_LACKS_RINGS] = MORE(GRT_RECENT_MAX_RINGS) " rings had jobs within a minute: some are missing",
		[GRT_RECENT_LACKS_USERS] = MORE(GRT_RECENT_MAX_USERS)
			" pairs of ring and process had jobs within a minute: some are missing",
		[GRT_RECENT_LACKS_FRAMES] = MORE(GRT_RECENT_MAX_FRAMES)
			" processes had frames within a minute: those of some are not known",
	};
#undef MORE
#undef TEXT

	return r->lacks[lack] ? texts[lack] : NULL;
}
