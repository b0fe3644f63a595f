// SPDX-License-Identifier: LGPL-2.1
#include "screen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "finding.h"
#include "job_quote.h"
#include "job_words.h"
#include "number.h"

#define BLAME_ROWS	5	/* of a screen, unless more are asked for */
#define STAGE_ROWS	20

void grt_screen_table(const struct grt_job_out *o, struct grt_table *t)
{
	putc('\n', o->file);
	grt_table_print(t, o->file, grt_bold(o), grt_plain(o));
	grt_table_free(t);
}

/* What a table does not show, and the command that does. */
static void say_more(const struct grt_job_out *o, size_t rows, const char *option)
{
	fprintf(o->file, " %zu more: grtrace report %s%s%s\n", rows, option,
		o->info->is_file ? " " : "", o->info->is_file ? o->info->name : "");
}

/* "71.2%"; an exact nothing is no rounded one. */
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

/* Rings of @device that have jobs here. */
static unsigned int count_rings(const struct grt_job_out *o, const char *device)
{
	const struct grt_rollup *rings = &o->summary->groups[GRT_BY_RING];
	const struct grt_names *names = grt_model_names(o->summary->model);
	unsigned int count = 0;

	for (size_t i = 0; i < grt_rollup_count(rings); i++) {
		uint32_t row = grt_rollup_at(rings, i)->key.ring;

		count += row != GRT_NONE &&
			 !strcmp(grt_names_ring_at(names, row)->device, device);
	}
	return count;
}

static bool device_rows(struct grt_table *t, const struct grt_job_out *o)
{
	const struct grt_ring_use *use;
	char name[GRT_WORD_MAX];
	bool has_one = false;
	const char *device;

	for (uint32_t i = 0; (use = grt_model_device_use(o->summary->model, i, &device)); i++) {
		if (count_rings(o, device) < 2)
			continue;
		has_one = true;
		grt_table_add(t, " %s, any ring", grt_quote_text(name, sizeof(name), device));
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
		uint32_t row = grt_rollup_at(rings, i)->key.ring;
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
		fputs(" * occupied: something was handed to the ring; whether it ran is not "
		      "known there\n", o->file);
	if (has_device)
		fputs(" any ring: busy while one of its FIFO rings is\n", o->file);
}

/* What of t_submit_host could not be told apart. */
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
	fputs(" shares of total: order, behind earlier jobs of its context; dep, for a fence; ring, "
	      "no room there;\n sched, nothing held it; queue, behind others on the ring; exec, it "
	      "ran; done, until waiters saw it", o->file);
	if (has_rest[0])
		fputs(";\n host, before it was handed over, why is not known", o->file);
	if (has_rest[1])
		fputs(";\n either, queue or exec, as START is not known", o->file);
	fprintf(o->file, "\n p50 p99 max of total, quantiles within %s\n", GRT_HIST_ERROR_TEXT);
}

static int compare_sums(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

/* The least total that a row among the greatest has; 0: all rows fit. */
static uint64_t least_shown(const struct grt_rollup *rows, size_t top)
{
	size_t count = grt_rollup_count(rows);
	uint64_t *sums = count > top ? calloc(count, sizeof(*sums)) : NULL, least;

	if (!sums)
		return 0;
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

/* Whether a party is not the only client of its process on its ring. */
static bool is_one_of_many(const struct grt_job_out *o, uint32_t party)
{
	const struct grt_blame *b = &o->summary->blame;
	const struct grt_party *own = grt_model_party(o->summary->model, party), *other;

	for (size_t i = 0; i < 2 * grt_blame_count(b); i++) {
		const struct grt_blame_row *row = grt_blame_at(b, i / 2);
		uint32_t number = i & 1 ? row->culprit : row->victim;

		if (number == GRT_NONE)
			continue;
		other = grt_model_party(o->summary->model, number);
		if (other->ring == own->ring && other->process == own->process &&
		    other->client_id != own->client_id)
			return true;
	}
	return false;
}

#define BLAMED_MAX	(GRT_PARTY_MAX + 32)

static const char *blamed(char *buf, const struct grt_job_out *o, uint32_t party)
{
	char who[GRT_PARTY_MAX];

	if (party == GRT_NONE || !is_one_of_many(o, party))
		return grt_word_party(buf, o->summary->model, party);
	snprintf(buf, BLAMED_MAX, "%s client %" PRIu64,
		 grt_word_party(who, o->summary->model, party),
		 grt_model_party(o->summary->model, party)->client_id);
	return buf;
}

static const char *culprit_party(char *buf, const struct grt_job_out *o,
				 const struct grt_blame_row *row)
{
	if (row->culprit != GRT_NONE)
		return blamed(buf, o, row->culprit);
	if (row->through == GRT_THROUGH_SCHEDULER)
		return "the scheduler";
	return row->through == GRT_THROUGH_FENCE ? "fences of no job" : "not known";
}

static void blame_table(const struct grt_job_out *o)
{
	static const char *const words[] = {
#define GRT_X(NAME, name, text) [GRT_THROUGH_##NAME] = #name,
		GRT_THROUGHS(GRT_X)
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
		grt_table_add(&t, "<- %s", culprit_party(who, o, row));
		grt_table_add(&t, "%s", grt_format_ns(word, row->ns));
		grt_table_add(&t, "%s", grt_format_count(word, row->jobs));
		grt_table_add(&t, "%s", grt_format_ns(word, row->worst_ns));
		grt_table_add(&t, "%s", words[row->through]);
	}
	grt_screen_table(o, &t);
	if (grt_blame_count(b) > top)
		say_more(o, grt_blame_count(b) - top, "--blame");
}

/* The one thing that took most of its time. */
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
			      w->charge.through == GRT_THROUGH_RING ? "behind" : "for",
			      grt_word_culprits(culprit, o->summary->model, &w->charge));
	else
		grt_table_add(t, "%s", "");
}

static void worst_table(const struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;
	const struct grt_names *names = grt_model_names(s->model);
	char word[GRT_WORD_MAX], count[GRT_NUMBER_MAX], labels[GRT_CELL_MAX];
	struct grt_view view;
	struct grt_table t;

	if (!s->nr_worst)
		return;
	grt_table_init(&t, "lllrll");
	grt_table_add(&t, "WORST JOBS (%u of %s)", s->nr_worst,
		      grt_format_count(count, s->all.jobs));
	for (int i = 1; i < 6; i++)
		grt_table_add(&t, "%s", "");
	for (uint32_t i = 0; i < s->nr_worst; i++) {
		const struct grt_worst *w = &s->worst[i];

		grt_table_add(&t, " %" PRIu64 ":%" PRIu64, w->job.ctx, w->job.seqno);
		grt_table_add(&t, "%s", grt_word_process(word, names, w->job.process));
		grt_table_add(&t, "%s", grt_word_ring(word, names, w->job.ring));
		grt_table_add(&t, "%s", grt_word_stage(word, o, &w->job, GRT_STAGE_TOTAL));
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
	if (f->party == GRT_NONE) {
		if (f->cause == GRT_IDLE_DEPENDENCY)
			fprintf(o->file, "on fences of context %" PRIu64 ", which are no jobs.\n",
				f->ctx);
		else
			fprintf(o->file, "with jobs of context %" PRIu64 ".\n", f->ctx);
		return;
	}
	fprintf(o->file, "%s jobs of %s", f->cause == GRT_IDLE_DEPENDENCY ? "on" : "with",
		grt_word_process(word, grt_model_names(m), grt_model_party(m, f->party)->process));
	fprintf(o->file, " on %s", grt_word_ring(word, grt_model_names(m),
						 grt_model_party(m, f->party)->ring));
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
	const char *name = o->info->is_file ? o->info->name : "";
	char key[48];

	if (lost[GRTRACE_FATE_BUFFER_FULL])
		fputs("! the buffer was full at times, and what was lost makes jobs unknown\n"
		      "hint: sudo grtrace record -b 16M\n", o->file);
	if (!*name)
		return;
	if (s->nr_worst) {
		snprintf(key, sizeof(key), "%" PRIu64 ":%" PRIu64, s->worst[0].job.ctx,
			 s->worst[0].job.seqno);
		fprintf(o->file, "hint: grtrace report --why %s %s    # the chain behind the worst "
			"job\n", key, name);
	}
	fprintf(o->file, "hint: grtrace report --jobs %s\n", name);
}

void grt_screen(const struct grt_job_out *o)
{
	time_table(o);
	stage_table(o);
	blame_table(o);
	worst_table(o);
	putc('\n', o->file);
	findings(o);
	hints(o);
}
