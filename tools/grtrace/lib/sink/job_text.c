// SPDX-License-Identifier: LGPL-2.1
/* Jobs as lines and summaries as tables, for people. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "group_cell.h"
#include "quote.h"
#include "job_words.h"
#include "number.h"
#include "report_tables.h"
#include "screen.h"
#include "stacks.h"
#include "why_table.h"

/* The columns of a line: X(NAME, title, width, drop); narrow lines lose those with the greatest drop. */
#define JOB_COLUMNS(X)				\
	X(JOB,	     "JOB",	  -13, 0)	\
	X(PROCESS,   "PROCESS",	  -20, 0)	\
	X(RING,	     "RING",	  -12, 0)	\
	X(SUBMITTED, "SUBMITTED", 12,  2)	\
	X(ORDER,     "ORDER",	  9,   4)	\
	X(DEP,	     "DEP",	  9,   4)	\
	X(FULL,	     "RING",	  9,   4)	\
	X(SCHED,     "SCHED",	  9,   4)	\
	X(QUEUE,     "QUEUE",	  9,   3)	\
	X(EXEC,	     "EXEC",	  9,   3)	\
	X(HW,	     "HW",	  9,   6)	\
	X(DONE,	     "DONE",	  9,   5)	\
	X(TOTAL,     "TOTAL",	  9,   0)	\
	X(STATUS,    "STATUS",	  -9,  1)	\
	X(TAIL,	     "FLAGS AND LABELS", 0, 7)

enum job_column {
#define GRT_X(NAME, ...) COLUMN_##NAME,
	JOB_COLUMNS(GRT_X)
#undef GRT_X
	NR_JOB_COLUMNS
};

static const struct {
	const char *title;
	int width, drop;
} job_columns[] = {
#define GRT_X(NAME, title, width, drop) { title, width, drop },
	JOB_COLUMNS(GRT_X)
#undef GRT_X
};

static const enum grt_stage line_stages[] = {
	[COLUMN_ORDER] = GRT_STAGE_ORDER, [COLUMN_DEP] = GRT_STAGE_DEP,
	[COLUMN_FULL] = GRT_STAGE_RING, [COLUMN_SCHED] = GRT_STAGE_SCHED,
	[COLUMN_QUEUE] = GRT_STAGE_QUEUE, [COLUMN_EXEC] = GRT_STAGE_EXEC,
	[COLUMN_HW] = GRT_STAGE_HW, [COLUMN_DONE] = GRT_STAGE_COMPLETE,
	[COLUMN_TOTAL] = GRT_STAGE_TOTAL,
};

/* Columns that are dropped have at least this; 8: none is. */
static int least_drop(const struct grt_job_out *o)
{
	size_t cells;
	int least = 8;

	do {
		cells = 0;
		for (int i = 0; i < NR_JOB_COLUMNS; i++)
			if (job_columns[i].drop < least)
				cells += (i ? 2 : 0) + abs(job_columns[i].width);
	} while (o->width && (cells > o->width || least == 8) && --least > 1);
	return least;
}

/* Prints a line.  The last cell has no blanks behind it. */
static void put_line(const struct grt_job_out *o, const char *const cell[NR_JOB_COLUMNS])
{
	int least = least_drop(o), last = 0;

	for (int i = 0; i < NR_JOB_COLUMNS; i++)
		if (job_columns[i].drop < least && *cell[i])
			last = i;
	for (int i = 0; i <= last; i++)
		if (job_columns[i].drop < least)
			fprintf(o->file, "%s%*s", i ? "  " : "",
				i == last && job_columns[i].width < 0 ? 0 : job_columns[i].width, cell[i]);
	putc('\n', o->file);
}

static void begin(struct grt_job_out *o)
{
	const char *cell[NR_JOB_COLUMNS];

	if (o->has_begun)
		return;
	o->has_begun = true;
	for (int i = 0; i < NR_JOB_COLUMNS; i++)
		cell[i] = job_columns[i].title;
	fputs(grt_bold(o), o->file);
	put_line(o, cell);
	fputs(grt_plain(o), o->file);
}

#define TAIL_MAX	(GRT_WORD_MAX + GRT_JOB_FLAGS_LEN + GRT_CELL_MAX)

/* What few jobs have: a command, flags and labels. */
static void put_tail(char *to, const struct grt_names *names, const struct grt_job *job,
		     const struct grt_view *view)
{
	const char *command = grt_word_command(names, job);

	if (command)
		to += snprintf(to, GRT_WORD_MAX, "%s%s", command, job->flags || view->labels ? " " : "");
	grt_job_flags(job->flags, to);
	if (!view->labels)
		return;
	to += strlen(to);
	if (job->flags)
		*to++ = ' ';
	grt_rules_names(view->rules, view->labels, to);
}

static void job_line(struct grt_job_out *o, const struct grt_job *job)
{
	const struct grt_names *names = grt_model_names(o->summary->model);
	uint64_t first_ns = grt_model_totals(o->summary->model)->first_ns;
	char key[48], process[GRT_WORD_MAX], ring[GRT_WORD_MAX], at[GRT_WORD_MAX];
	char stage[NR_JOB_COLUMNS][GRT_WORD_MAX], status[GRT_WORD_MAX];
	char tail[TAIL_MAX];
	const char *cell[NR_JOB_COLUMNS];
	struct grt_view view;

	begin(o);
	grt_summary_view(o->summary, job, &view);
	snprintf(key, sizeof(key), "%" PRIu64 ":%" PRIu64, job->ctx, job->seqno);
	snprintf(at, sizeof(at), "%s", grt_na(o));
	if (grt_job_has(job, GRT_AT_SUBMIT))
		snprintf(at, sizeof(at), "%.6f s",
			 (int64_t)(job->at_ns[GRT_AT_SUBMIT] - first_ns) / 1e9);
	put_tail(tail, names, job, &view);
	cell[COLUMN_JOB] = key;
	cell[COLUMN_PROCESS] = grt_word_process(process, names, job->process);
	cell[COLUMN_RING] = grt_word_ring(ring, names, job->ring);
	cell[COLUMN_SUBMITTED] = at;
	for (int i = COLUMN_ORDER; i <= COLUMN_TOTAL; i++)
		cell[i] = grt_word_stage(stage[i], o, job, line_stages[i]);
	cell[COLUMN_STATUS] = grt_word_status(status, job);
	cell[COLUMN_TAIL] = tail;
	put_line(o, cell);
}

static void end(struct grt_job_out *o)
{
	if (o->has_begun)
		putc('\n', o->file);
	grt_headline(o);
	if (!o->summary->all.jobs)
		grt_say_no_jobs(o);
}

/* "/system.slice/x.service", "cgroup 77"; with the machine in front if there are several. */
static const char *word_path(char word[GRT_OWNER_MAX], const struct grt_names *names, uint32_t row)
{
	const struct grt_cgroup *c = grt_cgroup_names_at(&names->cgroups, row);
	const char *host = grt_machine_names_of_cgroup(&names->machines, c->id)->host;
	bool has_hosts = *host && names->machines.boots > 1;
	char text[GRT_OWNER_MAX];

	if (c->text)
		snprintf(text, sizeof(text), "%s%s%s", has_hosts ? host : "", has_hosts ? ":" : "", c->path);
	else
		snprintf(text, sizeof(text), "cgroup %" PRIu64, c->id);
	return grt_quote_text(word, GRT_OWNER_MAX, text);
}

/* "gfx game[7]": the key of the row, in one cell. */
static void add_group_name(struct grt_table *t, const struct grt_job_out *o, enum grt_group group,
			   const struct grt_rollup_row *row)
{
	const struct grt_names *names = grt_model_names(o->summary->model);
	char all[4 * GRT_WORD_MAX + GRT_OWNER_MAX] = "", word[GRT_OWNER_MAX];
	size_t at = 0;

#define ADD(fmt, ...) at += snprintf(all + at, sizeof(all) - at, " " fmt, __VA_ARGS__)
	if (grt_group_has(group, GRT_GROUP_CTX))
		ADD("%" PRIu64, row->key.ctx);
	if (grt_group_has(group, GRT_GROUP_RING))
		ADD("%s", grt_word_ring(word, names, row->key.ring));
	if (group == GRT_BY_DEVICE || group == GRT_BY_ENGINE) {
		struct grt_cell cell;

		grt_group_cell(&cell, o->summary, group, row, group == GRT_BY_DEVICE ?
			       GRT_GROUP_DEVICE : GRT_GROUP_ENGINE);
		ADD("%s", cell.kind == GRT_CELL_UNKNOWN ? grt_na(o) :
		    grt_quote_text(word, sizeof(word), cell.text));
	}
	if (grt_group_has(group, GRT_GROUP_PID))
		ADD("%s", grt_word_process(word, names, row->key.process));
	if (group == GRT_BY_CLIENT && row->key.client_id)
		ADD("client %" PRIu64, row->key.client_id);
	if (group == GRT_BY_CGROUP)
		ADD("%s", row->key.cgroup ? word_path(word, names, row->key.cgroup - 1) : grt_na(o));
	if (group == GRT_BY_POD)
		ADD("%s", row->key.cgroup ? grt_word_owner(word, sizeof(word), names,
							   grt_cgroup_names_at(&names->cgroups, row->key.cgroup - 1)) :
					    grt_na(o));
#undef ADD
	grt_table_add(t, "%s", all);
}

static void group_row(struct grt_table *t, const struct grt_job_out *o, enum grt_group group,
		      const struct grt_rollup_row *row)
{
	static const unsigned int permilles[] = { 500, 900, 990, 999, 1000 };
	uint64_t total_ns = row->share_ns[GRT_STAGE_TOTAL];
	char word[GRT_WORD_MAX];

	for (int i = 0; i < GRT_NR_STAGES; i++) {
		const struct grt_hist *h = &row->stages[i];
		bool is_bound = grt_rollup_is_bound(row, i);

		if (i > GRT_STAGE_TOTAL && !h->count)
			continue;	/* skip: few traces have events of CPUs */
		if (i)
			grt_table_add(t, " ");
		else
			add_group_name(t, o, group, row);
		grt_table_add(t, "%s", grt_stage_name(i));
		grt_table_add(t, "%s", grt_format_count(word, h->count));
		if (!h->count) {
			for (int j = 0; j < 9; j++)
				grt_table_add(t, "%s", grt_na(o));
			continue;
		}
		grt_table_add(t, "%s", grt_word_ns(word, grt_hist_sum(h), is_bound));
		grt_table_add(t, "%s", grt_word_share(word, o, row->share_ns[i], total_ns));
		grt_table_add(t, "%s", grt_word_ns(word, h->min, is_bound));
		grt_table_add(t, "%s", grt_word_ns(word, grt_hist_mean(h), is_bound));
		for (size_t j = 0; j < sizeof(permilles) / sizeof(permilles[0]); j++)
			grt_table_add(t, "%s",
				      grt_word_ns(word, grt_hist_quantile(h, permilles[j]), is_bound));
	}
}

static void group_titles(struct grt_table *t, enum grt_group group)
{
	static const char *const titles[] = {
		"stage", "jobs", "sum", "share", "min", "mean", "p50", "p90", "p99", "p99.9", "max",
	};

	grt_table_add(t, "BY %s", grt_group_name(group));
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		grt_table_add(t, "%s", titles[i]);
}

/* There may be a million rows: make their texts twice rather than keep them. */
static void group_table(const struct grt_job_out *o, enum grt_group group)
{
	const struct grt_rollup *rows = &o->summary->groups[group];
	struct grt_table t;

	grt_table_init(&t, "llrrrrrrrrrr");
	grt_table_fit(&t, o->width, "002506403051");
	group_titles(&t, group);
	for (size_t i = 0; i < grt_rollup_count(rows); i++) {
		grt_table_measure(&t);
		group_row(&t, o, group, grt_rollup_at(rows, i));
	}
	grt_table_measure(&t);
	putc('\n', o->file);
	group_titles(&t, group);
	grt_table_print(&t, o->file, grt_bold(o), grt_plain(o));
	for (size_t i = 0; i < grt_rollup_count(rows); i++) {
		group_row(&t, o, group, grt_rollup_at(rows, i));
		grt_table_print(&t, o->file, "", "");
	}
	grt_table_free(&t);
}

/* The recorder could find no path of any cgroup. */
static void say_no_paths(const struct grt_job_out *o)
{
	const struct grt_names *names = grt_model_names(o->summary->model);
	const char *why = grt_machine_names_of(&names->machines, 0)->no_cgroup_paths;
	char word[GRT_WORD_MAX];

	if (*why)
		fprintf(o->file, " paths of cgroups are not known: %s\n", grt_quote_text(word, sizeof(word), why));
}

/* Times of some tables may be upper bounds. */
static bool has_marks(const struct grt_job_out *o)
{
	return (o->groups || o->tables >> GRT_TABLE_STEPS & 1) &&
	       grt_rollup_is_bound(&o->summary->all, GRT_STAGE_TOTAL);
}

static void tables(const struct grt_job_out *o)
{
	uint32_t tables = o->tables & ~(1u << GRT_TABLE_WORST | 1u << GRT_TABLE_STACKS);

	if (o->tables >> GRT_TABLE_WORST & 1)
		grt_screen_top(o);
	for (int i = 0; i < GRT_NR_GROUPS; i++)
		if (o->groups >> i & 1)
			group_table(o, i);
	if (o->groups)
		fprintf(o->file, " share: of the jobs' total; quantiles within %s\n",
			GRT_HIST_ERROR_TEXT);
	if (o->groups & (1u << GRT_BY_CGROUP | 1u << GRT_BY_POD))
		say_no_paths(o);
	for (size_t i = 0; i < grt_nr_report_makers; i++) {
		struct grt_report_table table;

		if (!(grt_report_makers[i].tables & tables))
			continue;
		grt_report_makers[i].make(&table, o);
		table.width = o->width;
		putc('\n', o->file);
		grt_report_print_text(&table, o->file, o->na, grt_bold(o), grt_plain(o));
		grt_report_free(&table);
	}
	if (has_marks(o))
		fputs(GRT_AT_MOST_TEXT, o->file);
	if (tables & (1u << GRT_TABLE_BLAME | 1u << GRT_TABLE_ROOTS))
		grt_text_fold(o->file, " Jobs wait side by side: sums over jobs can be longer than the trace.\n",
			      o->width, 1);
}

static void summary(struct grt_job_out *o)
{
	if (o->tables == 1u << GRT_TABLE_STACKS && !o->groups) {
		grt_stacks_folded(o);
		return;
	}
	grt_headline(o);
	if (!o->summary->all.jobs)
		grt_say_no_jobs(o);
	else if (grt_out_is_screen(o))
		grt_screen(o);
	else
		tables(o);
}

static void why(struct grt_job_out *o, const struct grt_why *w)
{
	grt_why_text(o, w);
}

const struct grt_job_sink grt_job_text = { "text", job_line, end, summary, why };
