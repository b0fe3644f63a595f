// SPDX-License-Identifier: LGPL-2.1
/* Table: what rings and jobs did in each step of time. */
#include "report_tables.h"

#include <string.h>

#include "job_words.h"
#include "key_names.h"
#include "number.h"

/* A row, and what it belongs to. */
struct place {
	const struct grt_job_out *o;
	const struct grt_step *row;
	uint64_t wall_ns, known_ns;	/* of the ring's row; 0: the ring had no event */
	bool is_fifo, is_process;
};

static const struct grt_names *names_of(const struct place *p)
{
	return grt_model_names(p->o->summary->model);
}

static void put_scope(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	(void)arg;
	grt_report_text(s, p->is_process ? "ring_process" : "ring");
}

/* @arg: of the trace's clock, or since the first event. */
static void put_begin(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	uint64_t first_ns = grt_model_totals(p->o->summary->model)->first_ns;

	grt_report_u64(s, grt_step_ns(&p->o->summary->steps, p->row->nr) - (arg ? first_ns : 0));
}

static void put_wall(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	(void)arg;
	if (p->wall_ns)
		grt_report_u64(s, p->wall_ns);
	else
		grt_report_unknown(s);
}

static void put_known(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	(void)arg;
	if (p->wall_ns)
		grt_report_u64(s, p->known_ns);
	else
		grt_report_unknown(s);
}

/* @arg: the device. */
static void put_ring(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	const struct grt_ring *ring;
	char name[GRT_RING_NAME_MAX];

	if (p->row->ring == GRT_NONE) {
		grt_report_unknown(s);
		return;
	}
	ring = grt_names_ring_at(names_of(p), p->row->ring);
	grt_report_text(s, arg ? ring->device : grt_ring_name(ring, name));
}

enum { PID, COMM, BOTH };

static void put_process(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	const struct grt_process *process;
	char word[GRT_WORD_MAX];

	if (arg == BOTH) {
		grt_report_text(s, p->is_process ? grt_word_process(word, names_of(p), p->row->process) : "all");
		return;
	}
	if (!p->is_process || p->row->process == GRT_NONE) {
		grt_report_unknown(s);
		return;
	}
	process = grt_names_process_at(names_of(p), p->row->process);
	if (arg == PID)
		grt_report_u64(s, process->tgid);
	else
		grt_report_text(s, process->comm);
}

/* A share of all time of the step. */
static void put_part(struct grt_report_table *s, const struct place *p, uint64_t ns, bool is_known)
{
	if (p->wall_ns && is_known)
		grt_report_part(s, ns, p->wall_ns);
	else
		grt_report_unknown(s);
}

/* @arg: of a ring that may run several jobs at a time. */
static void put_busy(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	put_part(s, p, p->row->busy_ns, arg ? !p->is_fifo && !p->is_process :
		 p->is_fifo && !p->row->lacks_start);
}

static void put_idle(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	put_part(s, p, p->row->idle_ns[arg], true);
}

static void put_jobs(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	(void)arg;
	grt_report_u64(s, p->row->jobs);
}

static void put_bounds(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	(void)arg;
	grt_report_u64(s, p->row->bounds);
}

static void put_quantile(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	if (p->row->total.count)
		grt_report_at_most(s, p->row->total_bounds, grt_hist_quantile(&p->row->total, arg));
	else
		grt_report_unknown(s);
}

static void put_wait(struct grt_report_table *s, const struct place *p, unsigned int arg)
{
	grt_report_u64(s, p->row->wait_ns[arg]);
}

#define IDLE(NAME, name, text) \
	{ { #name "_ns", #name, GRT_REPORT_NS_OF }, '0', put_idle, GRT_IDLE_##NAME },
#define WAIT(NAME, name, text) \
	{ { "wait_" #name "_ns", "wait " #name, GRT_REPORT_NS }, '7', put_wait, GRT_ROOT_##NAME },

/* The columns, and how to fill in each. */
static const struct {
	struct grt_report_column column;
	char drop;		/* see grt_table_fit() */
	void (*put)(struct grt_report_table *s, const struct place *p, unsigned int arg);
	unsigned int arg;
} step_columns[] = {
	{ { "scope", NULL, GRT_REPORT_TEXT }, '0', put_scope, 0 },
	{ { "from_ns", NULL, GRT_REPORT_ID }, '0', put_begin, false },
	{ { "since_first_ns", "", GRT_REPORT_AT }, '0', put_begin, true },
	{ { "wall_ns", NULL, GRT_REPORT_NS }, '0', put_wall, 0 },
	{ { "device", NULL, GRT_REPORT_TEXT }, '0', put_ring, true },
	{ { "ring", "ring", GRT_REPORT_TEXT }, '0', put_ring, false },
	{ { "pid", NULL, GRT_REPORT_ID }, '0', put_process, PID },
	{ { "comm", NULL, GRT_REPORT_TEXT }, '0', put_process, COMM },
	{ { NULL, "process", GRT_REPORT_TEXT }, '0', put_process, BOTH },
	{ { "known_ns", "known", GRT_REPORT_NS }, '0', put_known, 0 },
	{ { "busy_ns", "busy", GRT_REPORT_NS_OF }, '0', put_busy, false },
	{ { "occupied_ns", "occupied", GRT_REPORT_NS_OF }, '0', put_busy, true },
	GRT_IDLES(IDLE)
	{ { "jobs", "jobs", GRT_REPORT_COUNT }, '1', put_jobs, 0 },
	{ { "total_p50_ns", "p50", GRT_REPORT_NS }, '2', put_quantile, 500 },
	{ { "total_p99_ns", "p99", GRT_REPORT_NS }, '1', put_quantile, 990 },
	GRT_ROOTS(WAIT)
	{ { "upper_bounds", NULL, GRT_REPORT_COUNT }, '0', put_bounds, 0 },
};

#define NR_STEP_COLUMNS	(sizeof(step_columns) / sizeof(step_columns[0]))

static bool is_fifo(const struct grt_job_out *o, uint32_t ring)
{
	return ring != GRT_NONE &&
	       grt_names_ring_at(grt_model_names(o->summary->model), ring)->order == GRTRACE_ORDER_FIFO;
}

/* Of the causes, the rare ones are left out first in narrow text. */
static const char idle_drops[] = {
	[GRT_IDLE_STARVED] = '4', [GRT_IDLE_DEPENDENCY] = '3', [GRT_IDLE_SCHEDULER] = '3',
	[GRT_IDLE_HARDWARE] = '4', [GRT_IDLE_RECOVERY] = '6', [GRT_IDLE_UNKNOWN] = '0',
};

/* Text leaves out what no row has. */
static void begin(struct grt_report_table *s, const struct grt_job_out *o)
{
	static struct grt_report_column columns[NR_STEP_COLUMNS];
	static char drops[NR_STEP_COLUMNS], title[GRT_NUMBER_MAX + 16];
	const struct grt_steps *steps = &o->summary->steps;
	bool has_fifo = false, has_other = false, has_wait[GRT_NR_ROOTS] = { false };
	char step[GRT_NUMBER_MAX];

	for (size_t i = 0; i < grt_steps_count(steps); i++) {
		has_fifo |= is_fifo(o, grt_step_at(steps, i)->ring);
		has_other |= !is_fifo(o, grt_step_at(steps, i)->ring);
		for (int root = 0; root < GRT_NR_ROOTS; root++)
			has_wait[root] |= grt_step_at(steps, i)->wait_ns[root];
	}
	snprintf(title, sizeof(title), "EVERY %s", steps->step_ns == 1000000000 ? "SECOND" :
		 grt_format_ns(step, steps->step_ns));
	for (size_t i = 0; i < NR_STEP_COLUMNS; i++) {
		columns[i] = step_columns[i].column;
		drops[i] = step_columns[i].put == put_idle ? idle_drops[step_columns[i].arg] :
			   step_columns[i].drop;
		if (step_columns[i].put == put_begin && step_columns[i].arg)
			columns[i].title = title;
		/* Shares are of the known time. */
		if (step_columns[i].put == put_idle && step_columns[i].arg == GRT_IDLE_UNKNOWN)
			columns[i].title = NULL;
		if ((step_columns[i].put == put_process && !steps->by_process) ||
		    (step_columns[i].put == put_busy && !(step_columns[i].arg ? has_other : has_fifo)) ||
		    (step_columns[i].put == put_wait && !has_wait[step_columns[i].arg]))
			columns[i].title = NULL;
	}
	grt_report_begin(s, "steps", columns, NR_STEP_COLUMNS);
	s->drops = drops;
}

void grt_report_steps(struct grt_report_table *s, const struct grt_job_out *o)
{
	const struct grt_steps *steps = &o->summary->steps;
	struct place p = { .o = o };

	begin(s, o);
	for (size_t i = 0; i < grt_steps_count(steps); i++) {
		p.row = grt_step_at(steps, i);
		p.is_process = p.row->process != GRT_ALL_PROCESSES;
		p.is_fifo = is_fifo(o, p.row->ring);
		if (!p.is_process)
			p.wall_ns = grt_step_wall_ns(p.row);
		if (!p.is_process)
			p.known_ns = grt_step_known_ns(p.row);
		for (size_t j = 0; j < NR_STEP_COLUMNS; j++)
			step_columns[j].put(s, &p, step_columns[j].arg);
	}
}
