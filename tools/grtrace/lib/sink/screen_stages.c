// SPDX-License-Identifier: LGPL-2.1
/* The first screen: where the time of jobs went. */
#include "screen_private.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "job_words.h"
#include "number.h"

#define STAGE_ROWS	20

/* The part of t_submit_host with an unknown cause. */
static uint64_t unsplit_host(const struct grt_rollup_row *row)
{
	const uint64_t *ns = row->share_ns;

	return ns[GRT_STAGE_SUBMIT_HOST] - ns[GRT_STAGE_ORDER] - ns[GRT_STAGE_DEP] -
	       ns[GRT_STAGE_RING] - ns[GRT_STAGE_SCHED];
}

/* The parts of the total.  @drop: see grt_table_fit(). */
static const struct {
	enum grt_stage stage;
	const char *title, *text;
	char drop;
} shares[] = {
	{ GRT_STAGE_ORDER, "order", "behind earlier jobs of its context", '4' },
	{ GRT_STAGE_DEP, "dep", "waiting for a fence", '2' },
	{ GRT_STAGE_RING, "ring", "the ring is full", '4' },
	{ GRT_STAGE_SCHED, "sched", "ready, but not handed over", '3' },
	{ GRT_STAGE_QUEUE, "queue", "behind others on the ring", '2' },
	{ GRT_STAGE_EXEC, "exec", "running", '2' },
	{ GRT_STAGE_COMPLETE, "done", "until waiters see it", '5' },
};

#define NR_SHARES	(sizeof(shares) / sizeof(shares[0]))
#define MOST_COLUMNS	(NR_SHARES + 8)	/* that lay_out() adds */

/* What the columns are.  A stage that is known of no job has none. */
struct layout {
	bool has_share[NR_SHARES];
	bool has_host, has_either;	/* parts that cannot be told apart */
	char align[MOST_COLUMNS + 1], drops[MOST_COLUMNS + 1];
};

static void add_column(struct layout *l, char align, char drop)
{
	size_t at = strlen(l->align);

	l->align[at] = align;
	l->drops[at] = drop;
}

static void lay_out(struct layout *l, const struct grt_rollup_row *all)
{
	*l = (struct layout){
		.has_host = unsplit_host(all), .has_either = all->unsplit_ns,
	};
	add_column(l, 'l', '0');
	add_column(l, 'l', '0');
	add_column(l, 'r', '1');
	for (size_t i = 0; i < NR_SHARES; i++) {
		l->has_share[i] = all->stages[shares[i].stage].count;
		if (l->has_share[i])
			add_column(l, 'r', shares[i].drop);
	}
	if (l->has_host)
		add_column(l, 'r', '3');
	if (l->has_either)
		add_column(l, 'r', '3');
	add_column(l, 'r', '1');
	add_column(l, 'r', '0');
	add_column(l, 'r', '0');
}

static void stage_row(struct grt_table *t, const struct grt_job_out *o,
		      const struct grt_rollup_row *row, const struct layout *l)
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

		if (l->has_share[i])
			grt_table_add(t, "%s", grt_word_share(word, o, row->share_ns[shares[i].stage],
							      is_known ? total_ns : 0));
	}
	if (l->has_host)
		grt_table_add(t, "%s", grt_word_share(word, o, unsplit_host(row), total_ns));
	if (l->has_either)
		grt_table_add(t, "%s", grt_word_share(word, o, row->unsplit_ns, total_ns));
	for (size_t i = 0; i < sizeof(permilles) / sizeof(permilles[0]); i++)
		grt_table_add(t, "%s", total->count ?
			      grt_word_ns(word, grt_hist_quantile(total, permilles[i]),
					  grt_rollup_is_bound(row, GRT_STAGE_TOTAL)) :
			      grt_na(o));
}

#define LEGEND_CELLS	100	/* of a line, where any width would do */

static void say(const struct grt_job_out *o, const char *text)
{
	grt_text_fold(o->file, text, o->width ? o->width : LEGEND_CELLS, 1);
}

static void stage_legend(const struct grt_job_out *o, const struct layout *l)
{
	char text[1024] = " shares of total: ";
	const char *before = "";

#define ADD(...) snprintf(text + strlen(text), sizeof(text) - strlen(text), __VA_ARGS__)
	for (size_t i = 0; i < NR_SHARES; i++) {
		if (!l->has_share[i])
			continue;
		ADD("%s%s = %s", before, shares[i].title, shares[i].text);
		before = "; ";
	}
	if (l->has_host)
		ADD("%shost = before it was handed over, cause unknown", before);
	if (l->has_either)
		ADD("; either = queue or exec, because START is unknown");
#undef ADD
	snprintf(text + strlen(text), sizeof(text) - strlen(text), "\n");
	if (*before || l->has_host)
		say(o, text);
	snprintf(text, sizeof(text), " p50 p99 max of total, quantiles within %s\n", GRT_HIST_ERROR_TEXT);
	say(o, text);
	if (grt_rollup_is_bound(&o->summary->all, GRT_STAGE_TOTAL))
		say(o, GRT_AT_MOST_TEXT);
	else if (o->summary->all.bounds)
		say(o, " without jobs of which it is only known when they were over at the latest\n");
}

static bool has_capacity(const struct grt_job_out *o)
{
	const struct grt_rollup *rings = &o->summary->groups[GRT_BY_RING];

	for (size_t i = 0; i < grt_rollup_count(rings); i++) {
		uint32_t row = grt_rollup_key_at(rings, i)->ring;

		if (row != GRT_NONE && grt_names_ring_at(grt_model_names(o->summary->model), row)->credit_limit)
			return true;
	}
	return false;
}

/* What this trace cannot know of any job, once and in words. */
static void say_unknown(const struct grt_job_out *o)
{
	const struct grt_hist *h = o->summary->all.stages;
	bool has_deps = grt_model_has_deps(o->summary->model), has_limit = has_capacity(o);
	char text[256];

	if (h[GRT_STAGE_SUBMIT_HOST].count && !h[GRT_STAGE_DEP].count && !h[GRT_STAGE_RING].count &&
	    !h[GRT_STAGE_SCHED].count) {
		snprintf(text, sizeof(text), "Why jobs waited before hand-over is not known%s%s%s%s.\n",
			 has_deps && has_limit ? "" : ": this capture has ",
			 has_deps ? "" : "no dependencies", has_deps || has_limit ? "" : " and ",
			 has_limit ? "" : "no ring capacity");
		say(o, text);
	}
	if (h[GRT_STAGE_HW].count && !h[GRT_STAGE_EXEC].count)
		say(o, "When jobs began to run is not known.\n");
	if (h[GRT_STAGE_SUBMIT_HOST].count && !h[GRT_STAGE_COMPLETE].count)
		say(o, "How long after their end waiters saw it is not known.\n");
}

static int compare_sums(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

/* The smallest total among the rows that are shown; 0 if all rows fit. */
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

static void stage_rows(struct grt_table *t, const struct grt_job_out *o, const struct layout *l,
		       size_t top)
{
	const struct grt_rollup *rows = &o->summary->groups[GRT_BY_RING_PROCESS];
	uint64_t least_ns = least_shown(rows, top);
	size_t shown = 0;

	for (size_t i = 0; i < grt_rollup_count(rows) && shown < top; i++) {
		const struct grt_rollup_row *row = grt_rollup_at(rows, i);

		if (grt_hist_sum(&row->stages[GRT_STAGE_TOTAL]) < least_ns)
			continue;
		stage_row(t, o, row, l);
		shown++;
	}
}

void grt_screen_stages(const struct grt_job_out *o)
{
	size_t top = o->top > STAGE_ROWS ? o->top : STAGE_ROWS;
	const struct grt_rollup *rows = &o->summary->groups[GRT_BY_RING_PROCESS];
	const struct grt_rollup_row *all = &o->summary->all;
	struct layout layout;
	struct grt_table t;

	lay_out(&layout, all);
	grt_table_init(&t, layout.align);
	grt_table_fit(&t, o->width, layout.drops);
	grt_table_add(&t, "WHERE JOBS SPENT THEIR TIME");
	grt_table_add(&t, "%s", "");
	grt_table_add(&t, "jobs");
	for (size_t i = 0; i < NR_SHARES; i++)
		if (layout.has_share[i])
			grt_table_add(&t, "%s", shares[i].title);
	if (layout.has_host)
		grt_table_add(&t, "host");
	if (layout.has_either)
		grt_table_add(&t, "either");
	grt_table_add(&t, "p50");
	grt_table_add(&t, "p99");
	grt_table_add(&t, "max");
	stage_rows(&t, o, &layout, top);
	grt_screen_table(o, &t);
	if (grt_rollup_count(rows) > top)
		grt_screen_more(o, grt_rollup_count(rows) - top, "--per-process");
	stage_legend(o, &layout);
	if (!grt_screen_has_latencies_only(o))
		say_unknown(o);
}
