// SPDX-License-Identifier: LGPL-2.1
#include "screen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "error.h"
#include "finding.h"
#include "quote.h"
#include "job_words.h"
#include "number.h"

#define BLAME_ROWS	5	/* rows on the first screen; --top shows more */
#define STAGE_ROWS	20

void grt_screen_table(const struct grt_job_out *o, struct grt_table *t)
{
	putc('\n', o->file);
	grt_table_print(t, o->file, grt_bold(o), grt_plain(o));
	grt_table_free(t);
}

/* Says how many rows are missing, and which option shows them. */
static void say_more(const struct grt_job_out *o, size_t rows, const char *option)
{
	fprintf(o->file, " %zu more: grtrace report %s%s\n", rows, option, o->again ? o->again : "");
}

/* "71.2%"; prints exactly 0 differently from a small share. */
static void add_percent(struct grt_table *t, const char *before, uint64_t part, uint64_t whole,
			const char *behind)
{
	if (!part)
		grt_table_add(t, "%s0%%%s", before, behind);
	else
		grt_table_add(t, "%s%.1f%%%s", before, 100.0 * part / whole, behind);
}

static void use_row(struct grt_table *t, const struct grt_job_out *o,
		    const struct grt_ring_use *use, bool is_fifo)
{
	uint64_t wall_ns = grt_model_wall_ns(o->summary->model);
	char bar[GRT_BAR_MAX];

	if (!o->is_ascii)
		grt_table_add(t, "%s", grt_bar(bar, o, use->busy_ns, wall_ns));
	if (!wall_ns) {
		for (int i = 0; i <= GRT_NR_IDLES; i++)
			grt_table_add(t, "%s", grt_na(o));
		return;
	}
	add_percent(t, "", use->busy_ns, wall_ns, is_fifo ? "" : "*");
	for (int i = 0; i < GRT_NR_IDLES; i++)
		add_percent(t, "", use->idle_ns[i], wall_ns, "");
}

static bool device_rows(struct grt_table *t, const struct grt_job_out *o)
{
	const struct grt_ring_use *use;
	char name[GRT_WORD_MAX];
	bool has_one = false;
	const char *device;
	uint32_t rings;

	for (uint32_t i = 0; (use = grt_model_device_use(o->summary->model, i, &device)); i++) {
		rings = grt_namemap_get(&o->summary->rings_of_device, device);
		if (rings == GRT_NONE || rings < 2)
			continue;
		has_one = true;
		grt_table_add(t, " %s, any ring", grt_word_device(name, device));
		use_row(t, o, use, true);
	}
	return has_one;
}

static void time_titles(struct grt_table *t, const struct grt_job_out *o)
{
#define GRT_X(NAME, name, text)	"r"
	grt_table_init(t, o->is_ascii ? "lr" GRT_IDLES(GRT_X) : "llr" GRT_IDLES(GRT_X));
#undef GRT_X
	grt_table_add(t, "WHERE THE GPU'S TIME WENT");
	if (!o->is_ascii)
		grt_table_add(t, "%s", "");
	grt_table_add(t, "busy");
	for (int i = 0; i < GRT_NR_IDLES; i++)
		grt_table_add(t, "%s", grt_idle_name(i));
}

static void time_table(const struct grt_job_out *o)
{
	const struct grt_rollup *rings = &o->summary->groups[GRT_BY_RING];
	const struct grt_model *m = o->summary->model;
	bool has_other = false, has_device;
	char word[GRT_WORD_MAX];
	struct grt_table t;

	time_titles(&t, o);
	for (size_t i = 0; i < grt_rollup_count(rings); i++) {
		uint32_t row = grt_rollup_key_at(rings, i)->ring;
		bool is_fifo;

		if (row == GRT_NONE)
			continue;
		is_fifo = grt_names_ring_at(grt_model_names(m), row)->order == GRTRACE_ORDER_FIFO;
		has_other |= !is_fifo;
		grt_table_add(&t, " %s", grt_word_ring(word, grt_model_names(m), row));
		use_row(&t, o, grt_model_ring_use(m, row), is_fifo);
	}
	has_device = device_rows(&t, o);
	grt_screen_table(o, &t);
	if (has_other)
		fputs(" * occupied: the ring had work, but whether it ran is not known\n", o->file);
	if (has_device)
		fputs(" any ring: busy while one of its FIFO rings is\n", o->file);
}

/* The part of t_submit_host with an unknown cause. */
static uint64_t unsplit_host(const struct grt_rollup_row *row)
{
	const uint64_t *ns = row->share_ns;

	return ns[GRT_STAGE_SUBMIT_HOST] - ns[GRT_STAGE_ORDER] - ns[GRT_STAGE_DEP] -
	       ns[GRT_STAGE_RING] - ns[GRT_STAGE_SCHED];
}

static const struct {
	enum grt_stage stage;
	const char *title;
} shares[] = {
	{ GRT_STAGE_ORDER, "order" }, { GRT_STAGE_DEP, "dep" }, { GRT_STAGE_RING, "ring" },
	{ GRT_STAGE_SCHED, "sched" }, { GRT_STAGE_QUEUE, "queue" }, { GRT_STAGE_EXEC, "exec" },
	{ GRT_STAGE_COMPLETE, "done" },
};

#define NR_SHARES	(sizeof(shares) / sizeof(shares[0]))

static void stage_row(struct grt_table *t, const struct grt_job_out *o,
		      const struct grt_rollup_row *row, const bool has_rest[2])
{
	const struct grt_names *names = grt_model_names(o->summary->model);
	const struct grt_hist *total = &row->stages[GRT_STAGE_TOTAL];
	uint64_t total_ns = row->share_ns[GRT_STAGE_TOTAL];
	char word[GRT_WORD_MAX], count[GRT_NUMBER_MAX];
	static const unsigned int permilles[] = { 500, 990, 1000 };

	grt_table_add(t, " %s", grt_word_ring(word, names, row->key.ring));
	grt_table_add(t, "%s", grt_word_process(word, names, row->key.process));
	grt_table_add(t, "%s", grt_format_count(count, row->jobs));
	for (size_t i = 0; i < NR_SHARES; i++) {
		bool is_known = row->stages[shares[i].stage].count;

		grt_table_add(t, "%s", grt_word_share(word, o, row->share_ns[shares[i].stage],
						      is_known ? total_ns : 0));
	}
	if (has_rest[0])
		grt_table_add(t, "%s", grt_word_share(word, o, unsplit_host(row), total_ns));
	if (has_rest[1])
		grt_table_add(t, "%s", grt_word_share(word, o, row->unsplit_ns, total_ns));
	for (size_t i = 0; i < sizeof(permilles) / sizeof(permilles[0]); i++)
		grt_table_add(t, "%s", total->count ?
			      grt_format_ns(word, grt_hist_quantile(total, permilles[i])) :
			      grt_na(o));
}

static void stage_legend(const struct grt_job_out *o, const bool has_rest[2])
{
	fputs(" shares of total: order = behind earlier jobs of its context; dep = waiting for a fence;\n"
	      " ring = the ring is full; sched = ready, but not handed over; queue = behind others on the "
	      "ring;\n exec = running; done = until waiters see it", o->file);
	if (has_rest[0])
		fputs(";\n host = before it was handed over, cause unknown", o->file);
	if (has_rest[1])
		fputs(";\n either = queue or exec, because START is unknown", o->file);
	fprintf(o->file, "\n p50 p99 max of total, quantiles within %s\n", GRT_HIST_ERROR_TEXT);
}

static int compare_sums(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

/* The least total of the rows that are shown; 0: all rows fit. */
static uint64_t least_shown(const struct grt_rollup *rows, size_t top)
{
	size_t count = grt_rollup_count(rows);
	uint64_t *sums, least;

	if (count <= top)
		return 0;
	sums = calloc(count, sizeof(*sums));
	if (!sums) {
		grt_fail_memory();
		return 0;
	}
	for (size_t i = 0; i < count; i++)
		sums[i] = grt_hist_sum(&grt_rollup_at(rows, i)->stages[GRT_STAGE_TOTAL]);
	qsort(sums, count, sizeof(*sums), compare_sums);
	least = sums[top - 1];
	free(sums);
	return least;
}

static void stage_rows(struct grt_table *t, const struct grt_job_out *o, const bool has_rest[2],
		       size_t top)
{
	const struct grt_rollup *rows = &o->summary->groups[GRT_BY_RING_PROCESS];
	uint64_t least_ns = least_shown(rows, top);
	size_t shown = 0;

	for (size_t i = 0; i < grt_rollup_count(rows) && shown < top; i++) {
		const struct grt_rollup_row *row = grt_rollup_at(rows, i);

		if (grt_hist_sum(&row->stages[GRT_STAGE_TOTAL]) < least_ns)
			continue;
		stage_row(t, o, row, has_rest);
		shown++;
	}
}

static void stage_table(const struct grt_job_out *o)
{
	size_t top = o->top > STAGE_ROWS ? o->top : STAGE_ROWS;
	const struct grt_rollup *rows = &o->summary->groups[GRT_BY_RING_PROCESS];
	const struct grt_rollup_row *all = &o->summary->all;
	const bool has_rest[2] = { unsplit_host(all), all->unsplit_ns };
	char align[GRT_TABLE_MAX_COLUMNS + 1] = "llrrrrrrrrrrrrr";
	struct grt_table t;

	align[3 + NR_SHARES + has_rest[0] + has_rest[1] + 3] = '\0';
	grt_table_init(&t, align);
	grt_table_add(&t, "WHERE JOBS SPENT THEIR TIME");
	grt_table_add(&t, "%s", "");
	grt_table_add(&t, "jobs");
	for (size_t i = 0; i < NR_SHARES; i++)
		grt_table_add(&t, "%s", shares[i].title);
	if (has_rest[0])
		grt_table_add(&t, "host");
	if (has_rest[1])
		grt_table_add(&t, "either");
	grt_table_add(&t, "p50");
	grt_table_add(&t, "p99");
	grt_table_add(&t, "max");
	stage_rows(&t, o, has_rest, top);
	grt_screen_table(o, &t);
	if (grt_rollup_count(rows) > top)
		say_more(o, grt_rollup_count(rows) - top, "--per-process");
	stage_legend(o, has_rest);
}

/* Whether the process has other clients on this ring. */
static bool is_one_of_many(const struct grt_job_out *o, uint32_t client)
{
	const struct grt_blame *b = &o->summary->blame;
	const struct grt_client *own = grt_model_client(o->summary->model, client), *other;

	for (size_t i = 0; i < 2 * grt_blame_count(b); i++) {
		const struct grt_blame_row *row = grt_blame_at(b, i / 2);
		uint32_t number = i & 1 ? row->culprit : row->victim;

		if (number == GRT_NONE)
			continue;
		other = grt_model_client(o->summary->model, number);
		if (other->ring == own->ring && other->process == own->process &&
		    other->client_id != own->client_id)
			return true;
	}
	return false;
}

#define BLAMED_MAX	(GRT_CLIENT_MAX + 32)

static const char *blamed(char *buf, const struct grt_job_out *o, uint32_t client)
{
	char who[GRT_CLIENT_MAX];

	if (client == GRT_NONE || !is_one_of_many(o, client))
		return grt_word_client(buf, o->summary->model, client);
	snprintf(buf, BLAMED_MAX, "%s client %" PRIu64,
		 grt_word_client(who, o->summary->model, client),
		 grt_model_client(o->summary->model, client)->client_id);
	return buf;
}

static const char *blocking_client(char *buf, const struct grt_job_out *o,
				   const struct grt_blame_row *row)
{
	if (row->culprit != GRT_NONE)
		return blamed(buf, o, row->culprit);
	if (row->reason == GRT_BLAME_SCHEDULER)
		return "the scheduler";
	return row->reason == GRT_BLAME_FENCE ? "fences of no job" : "not known";
}

static void blame_table(const struct grt_job_out *o)
{
	static const char *const words[] = {
#define GRT_X(NAME, name, text) [GRT_BLAME_##NAME] = #name,
		GRT_BLAME_REASONS(GRT_X)
#undef GRT_X
	};
	const struct grt_blame *b = &o->summary->blame;
	size_t top = o->top ? o->top : BLAME_ROWS;
	char who[BLAMED_MAX], word[GRT_NUMBER_MAX];
	struct grt_table t;

	if (!grt_blame_count(b))
		return;
	grt_table_init(&t, "llrrrl");
	grt_table_add(&t, "WHO HELD UP WHOM");
	grt_table_add(&t, "%s", "");
	grt_table_add(&t, "waited");
	grt_table_add(&t, "jobs");
	grt_table_add(&t, "worst");
	grt_table_add(&t, "through");
	for (size_t i = 0; i < grt_blame_count(b) && i < top; i++) {
		const struct grt_blame_row *row = grt_blame_at(b, i);

		grt_table_add(&t, " %s", blamed(who, o, row->victim));
		grt_table_add(&t, "<- %s", blocking_client(who, o, row));
		grt_table_add(&t, "%s", grt_format_ns(word, row->ns));
		grt_table_add(&t, "%s", grt_format_count(word, row->jobs));
		grt_table_add(&t, "%s", grt_format_ns(word, row->worst_ns));
		grt_table_add(&t, "%s", words[row->reason]);
	}
	grt_screen_table(o, &t);
	if (grt_blame_count(b) > top)
		say_more(o, grt_blame_count(b) - top, "--blame");
}

/* The stage that took most of its time. */
static void add_reason(struct grt_table *t, const struct grt_job_out *o, const struct grt_worst *w)
{
	const struct grt_job *job = &w->job;
	char culprit[GRT_CULPRIT_MAX], ns[GRT_NUMBER_MAX];

	if (job->flags & GRT_JOB_KILLED)
		grt_table_add(t, "killed with its process");
	else if (grt_job_knows(job, GRT_STAGE_EXEC) && job->stage_ns[GRT_STAGE_EXEC] >= w->charge.ns)
		grt_table_add(t, "ran %s", grt_format_ns(ns, job->stage_ns[GRT_STAGE_EXEC]));
	else if (!grt_job_knows(job, GRT_STAGE_EXEC) && grt_job_knows(job, GRT_STAGE_HW) &&
		 job->stage_ns[GRT_STAGE_HW] >= w->charge.ns)
		grt_table_add(t, "on the ring %s", grt_format_ns(ns, job->stage_ns[GRT_STAGE_HW]));
	else if (w->charge.ns)
		grt_table_add(t, "waited %s %s %s", grt_format_ns(ns, w->charge.ns),
			      w->charge.reason == GRT_BLAME_RING ? "behind" : "for",
			      grt_word_culprits(culprit, o->summary->model, &w->charge));
	else
		grt_table_add(t, "%s", "");
}

static const enum grt_stage worst_stages[] = {
	GRT_STAGE_QUEUE, GRT_STAGE_EXEC, GRT_STAGE_GPU_WAIT, GRT_STAGE_COMPLETE, GRT_STAGE_TOTAL,
};

#define NR_WORST_STAGES	(sizeof(worst_stages) / sizeof(worst_stages[0]))

/* Titles for all stages, or for the total only. */
static void worst_titles(struct grt_table *t, const struct grt_job_out *o, size_t first_stage)
{
	char count[GRT_NUMBER_MAX];

	grt_table_init(t, first_stage ? "lllrll" : "lllrrrrrll");
	grt_table_add(t, "WORST JOBS (%u of %s)", o->summary->nr_worst,
		      grt_format_count(count, o->summary->all.jobs));
	grt_table_add(t, "%s", "");
	grt_table_add(t, "%s", "");
	for (size_t i = first_stage; i < NR_WORST_STAGES; i++)
		grt_table_add(t, "%s", first_stage ? "" : grt_stage_name(worst_stages[i]));
	grt_table_add(t, "%s", "");
	grt_table_add(t, "%s", "");
}

static void worst_table(const struct grt_job_out *o, bool has_stages)
{
	size_t first_stage = has_stages ? 0 : NR_WORST_STAGES - 1;
	const struct grt_summary *s = o->summary;
	const struct grt_names *names = grt_model_names(s->model);
	char word[GRT_WORD_MAX], labels[GRT_CELL_MAX];
	struct grt_view view;
	struct grt_table t;

	if (!s->nr_worst)
		return;
	worst_titles(&t, o, first_stage);
	for (uint32_t i = 0; i < s->nr_worst; i++) {
		const struct grt_worst *w = &s->worst[i];

		grt_table_add(&t, " %" PRIu64 ":%" PRIu64, w->job.ctx, w->job.seqno);
		grt_table_add(&t, "%s", grt_word_process(word, names, w->job.process));
		grt_table_add(&t, "%s", grt_word_ring(word, names, w->job.ring));
		for (size_t j = first_stage; j < NR_WORST_STAGES; j++)
			grt_table_add(&t, "%s", grt_word_stage(word, o, &w->job, worst_stages[j]));
		add_reason(&t, o, w);
		grt_summary_view(s, &w->job, &view);
		grt_table_add(&t, "%s%s%s", w->job.status ? grt_word_status(word, &w->job) : "",
			      w->job.status && view.labels ? " " : "", s->wants.rules ?
			      grt_rules_names(s->wants.rules, view.labels, labels) : "");
	}
	grt_screen_table(o, &t);
}

static void say_idle(const struct grt_job_out *o, const struct grt_finding *f)
{
	static const char *const why[] = {
		[GRT_IDLE_STARVED] = "without work", [GRT_IDLE_DEPENDENCY] = "for dependencies",
		[GRT_IDLE_SCHEDULER] = "though a job could have been handed over",
		[GRT_IDLE_HARDWARE] = "though a job was handed over",
		[GRT_IDLE_RECOVERY] = "while it was reset", [GRT_IDLE_UNKNOWN] = "for unknown reasons",
	};
	const struct grt_model *m = o->summary->model;
	char word[GRT_WORD_MAX], ns[GRT_NUMBER_MAX];

	fprintf(o->file, " was idle %.1f %% %s", 100.0 * f->ns / f->wall_ns, why[f->cause]);
	if (!f->culprit_ns) {
		fputs(".\n", o->file);
		return;
	}
	fprintf(o->file, ", %.0f %% of that ", 100.0 * f->culprit_ns / f->ns);
	if (f->client == GRT_NONE) {
		if (f->cause == GRT_IDLE_DEPENDENCY)
			fprintf(o->file, "on fences of context %" PRIu64 ", which belong to no job.\n",
				f->ctx);
		else
			fprintf(o->file, "with jobs of context %" PRIu64 ".\n", f->ctx);
		return;
	}
	fprintf(o->file, "%s jobs of %s", f->cause == GRT_IDLE_DEPENDENCY ? "on" : "with",
		grt_word_process(word, grt_model_names(m), grt_model_client(m, f->client)->process));
	fprintf(o->file, " on %s", grt_word_ring(word, grt_model_names(m),
						 grt_model_client(m, f->client)->ring));
	if (f->exec_ns && f->cause == GRT_IDLE_DEPENDENCY)
		fprintf(o->file, ", which run %s at a time", grt_format_ns(ns, f->exec_ns));
	fputs(".\n", o->file);
}

static void findings(const struct grt_job_out *o)
{
	struct grt_finding found[GRT_MAX_FINDINGS];
	unsigned int count = grt_findings(o->summary, found);
	char word[GRT_WORD_MAX];

	for (unsigned int i = 0; i < count; i++) {
		const struct grt_finding *f = &found[i];

		fprintf(o->file, "! %s", grt_word_ring(word, grt_model_names(o->summary->model),
						       f->ring));
		if (f->is_full)
			fprintf(o->file, " was busy %.1f %%: its jobs spent %.0f %% of their time "
				"behind others.\n", 100.0 * f->ns / f->wall_ns,
				100.0 * f->behind_ns / f->total_ns);
		else
			say_idle(o, f);
	}
}

static void hints(const struct grt_job_out *o)
{
	const uint64_t *lost = grt_model_totals(o->summary->model)->lost;
	const struct grt_summary *s = o->summary;

	if (lost[GRTRACE_FATE_BUFFER_FULL])
		fputs("! the buffer was full at times: lost events make values of jobs unknown\n"
		      "hint: sudo grtrace record -b 16M\n", o->file);
	if (!o->again)
		return;
	if (s->nr_worst)
		fprintf(o->file, "hint: grtrace report --why %" PRIu64 ":%" PRIu64 "%s    # the chain "
			"behind the worst job\n", s->worst[0].job.ctx, s->worst[0].job.seqno, o->again);
	fprintf(o->file, "hint: grtrace report --jobs%s\n", o->again);
}

void grt_screen_top(const struct grt_job_out *o)
{
	worst_table(o, true);
	/* If --blame was given, too, the whole table follows. */
	if (!(o->tables >> GRT_TABLE_BLAME & 1))
		blame_table(o);
}

void grt_screen(const struct grt_job_out *o)
{
	time_table(o);
	stage_table(o);
	blame_table(o);
	worst_table(o, false);
	putc('\n', o->file);
	findings(o);
	hints(o);
}
