// SPDX-License-Identifier: GPL-2.0
/* Two traces side by side: what got slower. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "diff_sink.h"
#include "error.h"
#include "number.h"
#include "options.h"
#include "print.h"
#include "report.h"

/* Options as they were typed. */
struct typed {
	const char *format, *stages, *quantiles, *threshold, *confidence, *na;
	bool per_process, per_engine, together, is_both, has_all_rows;
};

/* A part of a list with commas, and what follows it; false at the end. */
static bool next_word(const char **list, char *word, size_t bytes)
{
	size_t len = strcspn(*list, ",");

	if (!**list)
		return false;
	snprintf(word, bytes, "%.*s", (int)(len < bytes ? len : bytes - 1), *list);
	*list += len + ((*list)[len] == ',');
	return true;
}

/* "10%", "2.5%" -> 0.1, 0.025.  False: it is none. */
static bool parse_percent(const char *text, double *share)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	*share = strtod(text, &end) / 100;
	return *share < 1e6 && end[0] == '%' && !end[1];
}

static int find_stage(const char *name)
{
	for (int i = 0; i < GRT_NR_STAGES; i++)
		if (!strcmp(grt_stage_name(i), name))
			return i;
	return grt_fail(EINVAL, "t_order, t_dep, t_ring, t_sched, t_submit_host, t_queue, t_exec, t_hw, "
			"t_gpu_wait, t_complete, total, t_sched_cpu, t_wake", "no stage '%s'", name);
}

static int parse_stages(const char *list, uint32_t *stages)
{
	char word[32];

	*stages = 0;
	while (next_word(&list, word, sizeof(word))) {
		int stage = find_stage(word);

		if (stage < 0)
			return stage;
		*stages |= 1u << stage;
	}
	return 0;
}

/* "p50,p99.9" */
static int parse_quantiles(const char *list, struct grt_diff_wants *w)
{
	char word[32];

	w->nr_permilles = 0;
	while (next_word(&list, word, sizeof(word))) {
		char *end;
		unsigned long whole = strtoul(word + 1, &end, 10), tenth = 0;

		if (end[0] == '.' && isdigit((unsigned char)end[1])) {
			tenth = end[1] - '0';
			end += 2;
		}
		if (*word != 'p' || !isdigit((unsigned char)word[1]) || *end || whole > 99 ||
		    !(10 * whole + tenth))
			return grt_fail(EINVAL, "like p50, p99 or p99.9", "'%s' is no quantile", word);
		if (w->nr_permilles == GRT_DIFF_MAX_QUANTILES)
			return grt_fail(E2BIG, NULL, "there may be %d quantiles", GRT_DIFF_MAX_QUANTILES);
		w->permilles[w->nr_permilles++] = 10 * whole + tenth;
	}
	return 0;
}

/* "10%", or "5%,t_queue=10%": for all stages, and for one. */
static int parse_threshold(const char *list, double *threshold)
{
	char word[64];

	while (next_word(&list, word, sizeof(word))) {
		char *value = strchr(word, '=');
		double share;
		int stage = 0;

		if (value)
			*value++ = '\0';
		if (!parse_percent(value ? value : word, &share))
			return grt_fail(EINVAL, "like 5% or t_queue=10%,total=5%",
					"'%s' is no threshold", value ? value : word);
		if (value)
			stage = find_stage(word);
		if (stage < 0)
			return stage;
		for (int i = 0; i < GRT_NR_STAGES; i++)
			if (!value || i == stage)
				threshold[i] = share;
	}
	return 0;
}

static int apply(const struct typed *t, struct grt_diff_wants *w)
{
	int err = 0;

	if (t->per_process + t->per_engine + t->together > 1)
		return grt_fail(EINVAL, "leave the others away",
				"--per-process, --per-engine and --together exclude each other");
	if (t->per_process)
		w->group = GRT_BY_PROCESS;
	else if (t->per_engine)
		w->group = GRT_BY_ENGINE;
	else if (t->together)
		w->group = GRT_DIFF_ALL;
	for (int i = 0; i < GRT_NR_STAGES; i++)
		w->threshold[i] = 0.05;
	if (t->stages)
		err = parse_stages(t->stages, &w->stages);
	if (!err)
		err = parse_quantiles(t->quantiles, w);
	if (!err && t->threshold)
		err = parse_threshold(t->threshold, w->threshold);
	if (!err && (!parse_percent(t->confidence, &w->confidence) || w->confidence < 0.5 ||
		     w->confidence > 0.9999))
		err = grt_fail(EINVAL, "from 50% to 99.99%", "'%s' is no confidence", t->confidence);
	return err;
}

static int read_side(struct report *r, struct select *select, char **file)
{
	r->select = select;
	r->limit = UINT64_MAX;
	r->nr_files = 1;
	r->files = file;
	r->wants = (struct grt_summary_wants){
		.query = select->query, .rules = &select->rules, .has_quantiles = true,
		.groups = 1u << GRT_BY_PROCESS | 1u << GRT_BY_ENGINE,
		.has_labels = select->filter && grt_filter_uses_labels(select->filter),
	};
	report_begin_out(r);
	return report_read(r);
}

static int compare(struct report *side, const struct typed *t, const struct grt_diff_wants *w,
		   const struct grt_diff_sink *sink)
{
	static const int codes[] = {
		[GRT_CHANGE_SAME] = GRT_EXIT_OK, [GRT_CHANGE_WORSE] = GRT_EXIT_FOUND,
		[GRT_CHANGE_BETTER] = GRT_EXIT_FOUND, [GRT_CHANGE_UNSURE] = GRT_EXIT_TRACE,
	};
	struct grt_diff diff;
	const struct grt_diff_out out = {
		.diff = &diff, .side = { &side[GRT_BEFORE].out, &side[GRT_AFTER].out },
		.is_both_ways = t->is_both, .has_all_rows = t->has_all_rows,
	};
	int err = grt_diff_make(&diff, w, &side[GRT_BEFORE].summary, &side[GRT_AFTER].summary), code;

	if (!err)
		sink->print(&out);
	code = err ? grt_print_failure(err) : codes[grt_diff_verdict(&out)];
	if (code == GRT_EXIT_TRACE)
		grt_print_error("record longer, or ask for less: --quantile p50 --min-jobs 10 --confidence 90%",
				"nothing could be compared: too few jobs have a stage and a place in common");
	grt_diff_free(&diff);
	return code;
}

static int diff(struct select *select, const struct typed *t, const struct grt_diff_wants *w,
		char **files)
{
	const struct grt_diff_sink *sink = grt_diff_sink_find(t->format);
	struct report side[GRT_NR_SIDES] = { 0 };
	int code = GRT_EXIT_USAGE, err = 0;

	if (!sink)
		return grt_print_usage("diff");
	for (int i = 0; i < GRT_NR_SIDES && !err; i++) {
		side[i].out.na = t->na;
		err = read_side(&side[i], select, files + i);
	}
	if (err)
		code = grt_print_failure(err);
	else if (report_check_ring(&side[GRT_BEFORE]) && report_check_ring(&side[GRT_AFTER]))
		grt_print_error(grt_hint(), grt_cause());
	else
		code = compare(side, t, w, sink);
	for (int i = 0; i < GRT_NR_SIDES; i++)
		report_close(&side[i]);
	return code;
}

int cmd_diff(int argc, char **argv)
{
	struct select select = { .query = { .pid = 0 } };
	struct grt_diff_wants w = {
		.group = GRT_BY_RING, .stages = UINT32_MAX, .min_jobs = 1, .min_change_ns = 1000,
	};
	struct typed t = { .format = "text", .quantiles = "p50,p90,p99", .confidence = "95%" };
	const struct grt_option options[] = {
		OPT_STRING('f', "format", &t.format, "NAME", "text, csv or json; text by default"),
		OPT_BOOL(0, "all-rows", &t.has_all_rows, "in text also what did not change"),
		OPT_BOOL(0, "both", &t.is_both, "what got better is a change, too"),
		OPT_STRING(0, "threshold", &t.threshold, "LIST",
			   "what is tolerated, like 5%,t_queue=10%; 5% by default"),
		OPT_STRING(0, "confidence", &t.confidence, "PERCENT", "of the intervals; 95% by default"),
		OPT_U64(0, "min-jobs", &w.min_jobs, "N", "fewer than that on a side are not judged"),
		OPT_NS(0, "min-change", &w.min_change_ns, "less is no change; 1us by default"),
		OPT_STRING(0, "quantile", &t.quantiles, "LIST", "p50,p90,p99 by default"),
		OPT_STRING(0, "stage", &t.stages, "LIST", "these only, like t_queue,total"),
		OPT_BOOL(0, "per-process", &t.per_process, "by names of processes, not by rings"),
		OPT_BOOL(0, "per-engine", &t.per_engine, "by kinds of engines"),
		OPT_BOOL(0, "together", &t.together, "all jobs in one row"),
		SELECT_OPTIONS(&select),
		OPT_STRING(0, "na", &t.na, "TEXT", "what stands in CSV where nothing is known"),
		OPT_END()
	};
	int code;

	argc = grt_parse_options(argc, argv, options, "diff [options] BEFORE AFTER");
	if (argc != 2)
		return grt_usage(options, "diff needs two traces, before and after");
	if (!strcmp(argv[0], "-") && !strcmp(argv[1], "-"))
		return grt_usage(options, "only one of the traces can be standard input");
	if (select_apply(&select) || apply(&t, &w))
		code = grt_print_usage("diff");
	else
		code = diff(&select, &t, &w, argv);
	select_free(&select);
	return code;
}
