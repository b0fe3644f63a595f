// SPDX-License-Identifier: GPL-2.0
/* grtrace diff: compares traces before and after, and tells what got worse. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "diff_sink.h"
#include "error.h"
#include "number.h"
#include "options.h"
#include "print.h"
#include "quote.h"
#include "shell.h"
#include "stream.h"
#include "trace.h"

#define QUANTILES	"p50,p90,p99"
#define CONFIDENCE	"99%"
#define EASY_QUANTILES	"p50"	/* the quantile that needs the fewest jobs */
#define EASY_CONFIDENCE	"90%"
#define THROUGHPUT	"throughput"	/* in a list of stages: jobs per second */
#define MIN_JOBS	1
#define MIN_CHANGE_NS	1000

/* Options as they were typed; NULL: the default. */
struct typed {
	const char *format, *stages, *quantiles, *threshold, *confidence, *na;
	bool per_ring, per_process, per_engine, together, is_both, has_all_rows;
	uint64_t min_jobs, min_change_ns;

	const char **bad;		/* the option above that is wrong; NULL = none */
	const struct grt_option *options;
	char **files[GRT_NR_SIDES];
	int nr_files[GRT_NR_SIDES];
};

/* Takes the next word off a list with commas; false at the end. */
static bool next_word(const char **list, char *word, size_t bytes)
{
	size_t len = strcspn(*list, ",");

	if (!**list)
		return false;
	snprintf(word, bytes, "%.*s", (int)(len < bytes ? len : bytes - 1), *list);
	*list += len + ((*list)[len] == ',');
	return true;
}

/* "10%", "2.5%" -> 0.1, 0.025.  False: no percentage. */
static bool parse_percent(const char *text, double *share)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	*share = strtod(text, &end) / 100;
	return *share < 1e6 && end[0] == '%' && !end[1];
}

/* The number of a stage; GRT_NR_STAGES: jobs per second. */
static int find_stage(const char *name)
{
	if (!strcmp(name, THROUGHPUT))
		return GRT_NR_STAGES;
	for (int i = 0; i < GRT_NR_STAGES; i++)
		if (!strcmp(grt_stage_name(i), name))
			return i;
	return grt_fail(EINVAL, "t_order, t_dep, t_ring, t_sched, t_submit_host, t_queue, t_exec, t_hw, "
			"t_gpu_wait, t_complete, total, t_sched_cpu, t_wake, t_ioctl, " THROUGHPUT,
			"no stage '%s'", name);
}

static int parse_stages(const char *list, struct grt_diff_wants *w)
{
	char word[32];

	w->stages = 0;
	w->has_rates = false;
	while (next_word(&list, word, sizeof(word))) {
		int stage = find_stage(word);

		if (stage < 0)
			return stage;
		if (stage == GRT_NR_STAGES)
			w->has_rates = true;
		else
			w->stages |= 1u << stage;
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

/* "10%", or "5%,t_queue=10%": a threshold for all stages, or for one. */
static int parse_threshold(const char *list, struct grt_diff_wants *w)
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
		for (int i = 0; i <= GRT_NR_STAGES; i++)
			if (!value || i == stage)
				*(i < GRT_NR_STAGES ? &w->threshold[i] : &w->rate_threshold) = share;
	}
	return 0;
}

static int parse_confidence(const char *text, double *confidence)
{
	if (!parse_percent(text, confidence) || *confidence < 0.5 || *confidence > 0.9999)
		return grt_fail(EINVAL, "from 50% to 99.99%", "'%s' is no confidence", text);
	return 0;
}

static void set_scopes(const struct typed *t, struct grt_diff_wants *w)
{
	w->scopes = 1u << GRT_DIFF_RING;
	if (t->per_process)
		w->scopes = 1u << GRT_DIFF_PROCESS;
	else if (t->per_engine)
		w->scopes = 1u << GRT_DIFF_ENGINE;
	else if (t->together)
		w->scopes = 1u << GRT_DIFF_ALL;
	else if (!t->per_ring)
		w->scopes |= 1u << GRT_DIFF_PLACE;
}

static int apply(struct typed *t, struct grt_diff_wants *w)
{
	int err;

	*w = (struct grt_diff_wants){
		.stages = UINT32_MAX, .has_rates = true,
		.rate_threshold = 0.05, .min_jobs = t->min_jobs, .min_change_ns = t->min_change_ns,
	};
	set_scopes(t, w);
	for (int i = 0; i < GRT_NR_STAGES; i++)
		w->threshold[i] = 0.05;
	t->bad = &t->format;
	err = t->format && !grt_diff_sink_find(t->format) ? -EINVAL : 0;
	if (!err && t->stages) {
		t->bad = &t->stages;
		err = parse_stages(t->stages, w);
	}
	if (!err) {
		t->bad = &t->quantiles;
		err = parse_quantiles(t->quantiles ? t->quantiles : QUANTILES, w);
	}
	if (!err && t->threshold) {
		t->bad = &t->threshold;
		err = parse_threshold(t->threshold, w);
	}
	if (!err) {
		t->bad = &t->confidence;
		err = parse_confidence(t->confidence ? t->confidence : CONFIDENCE, &w->confidence);
	}
	return err;
}

/* False: the user cannot name these files again. */
static bool add_files(struct grt_shell *line, char **files, int count)
{
	struct stat st;

	for (int i = 0; i < count; i++) {
		if (!strcmp(files[i], "-") || stat(files[i], &st) || !S_ISREG(st.st_mode))
			return false;
		grt_shell_file(line, files[i]);
	}
	return true;
}

/* The command line with the changes in @t, then @what.  NULL: the user cannot repeat it. */
static const char *again(struct grt_shell *line, struct typed *t, const char *what)
{
	/* Leave out defaults. */
	if (t->min_jobs == MIN_JOBS)
		t->min_jobs = 0;
	if (t->min_change_ns == MIN_CHANGE_NS)
		t->min_change_ns = 0;
	grt_shell_plain(line, "grtrace diff");
	grt_options_given(line, t->options);
	for (int side = 0; side < GRT_NR_SIDES; side++) {
		if (side && t->nr_files[GRT_BEFORE] + t->nr_files[GRT_AFTER] > GRT_NR_SIDES)
			grt_shell_plain(line, " --");
		if (!add_files(line, t->files[side], t->nr_files[side]))
			return NULL;
	}
	if (*what) {
		grt_shell_plain(line, "    # ");
		grt_shell_plain(line, what);
	}
	return grt_shell_text(line);
}

/* Says what the wrong option accepts, and hints at the command without the option. */
static int say_bad(struct typed *t)
{
	struct grt_shell line = { .at = 0 };
	char text[512];

	snprintf(text, sizeof(text), "%s; %s", grt_cause(), grt_hint());
	*t->bad = NULL;
	grt_print_error(again(&line, t, ""), text);
	return GRT_EXIT_USAGE;
}

/* Both sides, as they are read. */
struct sides {
	struct trace *traces[GRT_NR_SIDES];	/* owned; a trace per run */
	const struct grt_summary **summaries[GRT_NR_SIDES];
	const struct grt_job_out **outs[GRT_NR_SIDES];
	int nr_runs[GRT_NR_SIDES];		/* that are read */
};

static int begin_sides(struct sides *s, const struct typed *t)
{
	for (int side = 0; side < GRT_NR_SIDES; side++) {
		s->traces[side] = calloc(t->nr_files[side], sizeof(**s->traces));
		s->summaries[side] = calloc(t->nr_files[side], sizeof(**s->summaries));
		s->outs[side] = calloc(t->nr_files[side], sizeof(**s->outs));
		if (!s->traces[side] || !s->summaries[side] || !s->outs[side])
			return grt_fail_memory();
	}
	return 0;
}

static void free_sides(struct sides *s)
{
	for (int side = 0; side < GRT_NR_SIDES; side++) {
		for (int run = 0; run < s->nr_runs[side]; run++)
			trace_close(&s->traces[side][run]);
		free(s->traces[side]);
		free(s->summaries[side]);
		free(s->outs[side]);
	}
}

static int read_run(struct trace *t, struct select *select, char **file)
{
	t->select = select;
	t->nr_files = 1;
	t->files = file;
	t->wants = (struct grt_summary_wants){
		.query = select->query, .rules = &select->rules, .has_quantiles = true,
		.has_blocks = true, .skips_bounds = true,
		.has_labels = select->filter && grt_filter_uses_labels(select->filter),
	};
	trace_begin_out(t);
	return trace_read(t);
}

/* Parts of one session look alike, however much sessions differ. */
static int check_session(const struct sides *s, int side, int run)
{
	const struct trace *own = &s->traces[side][run];
	const struct grtrace_stream_info *session = grt_stream_session(own->stream);

	for (int i = 0; i < run; i++) {
		const struct trace *other = &s->traces[side][i];

		if (session->session_id && grt_is_one_session(session, grt_stream_session(other->stream)))
			return grt_fail(EINVAL, "each file is a run of its own; streams of several CPUs "
					"make one run together: cat events0 events1 > run",
					"'%s' and '%s' are of one session, so they are not two runs",
					other->files[0], own->files[0]);
	}
	return 0;
}

static int read_sides(struct sides *s, struct select *select, const struct typed *t)
{
	int err = begin_sides(s, t);

	for (int side = 0; side < GRT_NR_SIDES; side++)
		for (int run = 0; run < t->nr_files[side] && !err; run++) {
			struct trace *trace = &s->traces[side][run];

			trace->out.na = t->na;
			s->nr_runs[side]++;
			err = read_run(trace, select, &t->files[side][run]);
			s->summaries[side][run] = &trace->summary;
			s->outs[side][run] = &trace->out;
		}
	return err;
}

static int check_sessions(const struct sides *s)
{
	int err = 0;

	for (int side = 0; side < GRT_NR_SIDES; side++)
		for (int run = 0; run < s->nr_runs[side] && !err; run++)
			err = check_session(s, side, run);
	return err;
}

static int make_diff(struct grt_diff *diff, const struct sides *s, const struct grt_diff_wants *w)
{
	const struct grt_diff_side side[] = {
		{ s->summaries[GRT_BEFORE], s->nr_runs[GRT_BEFORE] },
		{ s->summaries[GRT_AFTER], s->nr_runs[GRT_AFTER] },
	};

	return grt_diff_make(diff, w, side);
}

/* Whether @w allows a verdict. */
static bool is_sure(const struct sides *s, const struct grt_diff_wants *w)
{
	struct grt_diff diff;
	bool is_sure = false;

	if (!make_diff(&diff, s, w)) {
		const struct grt_diff_out out = { .diff = &diff };

		is_sure = grt_diff_verdict(&out) != GRT_CHANGE_UNSURE;
	}
	grt_diff_free(&diff);
	return is_sure;
}

/* No job matches: hints at the command that lists the processes of the trace. */
static const char *say_jobs(struct grt_shell *line, const char *file)
{
	grt_shell_plain(line, "grtrace report --per-process");
	grt_shell_file(line, file);
	grt_shell_plain(line, "    # whose jobs there are");
	line->is_cut |= !strcmp(file, "-");
	return grt_shell_text(line);
}

/* A file of a side without jobs; NULL: both have some. */
static const char *file_without_jobs(const struct sides *s, const struct typed *t)
{
	for (int side = 0; side < GRT_NR_SIDES; side++) {
		uint64_t jobs = 0;

		for (int run = 0; run < s->nr_runs[side]; run++)
			jobs += s->summaries[side][run]->all.jobs;
		if (!jobs)
			return t->files[side][0];
	}
	return NULL;
}

/* Hints at options that need fewer jobs, or else at a longer recording. */
static void say_unsure(const struct sides *s, struct typed *t)
{
	const char *hint = "sudo grtrace record --duration 60 --output longer.grt";
	const char *without = file_without_jobs(s, t);
	struct grt_shell line = { .at = 0 };
	struct grt_diff_wants w;

	t->quantiles = EASY_QUANTILES;
	t->confidence = EASY_CONFIDENCE;
	t->min_jobs = MIN_JOBS;
	if (!apply(t, &w) && !is_sure(s, &w)) {
		t->per_ring = t->per_process = t->per_engine = false;
		t->together = true;
		set_scopes(t, &w);
	}
	if (is_sure(s, &w))
		hint = again(&line, t, "or record longer");
	else if (without)
		hint = say_jobs(&line, without);
	grt_print_error(hint, "nothing could be compared: too few jobs have a stage and a place in common");
}

static void say_no_ring(struct typed *t, struct select *select)
{
	struct grt_shell line = { .at = 0 };

	select->query.ring = NULL;
	grt_print_error(again(&line, t, grt_hint() ? grt_hint() : ""), grt_cause());
}

/* Whether some trace has the ring that was asked for. */
static bool has_ring(const struct sides *s)
{
	for (int side = 0; side < GRT_NR_SIDES; side++)
		for (int run = 0; run < s->nr_runs[side]; run++)
			if (!trace_check_ring(&s->traces[side][run]))
				return true;
	return false;
}

static int compare(struct sides *s, struct typed *t, const struct grt_diff_wants *w)
{
	const struct grt_diff_sink *sink = grt_diff_sink_find(t->format ? t->format : "text");
	static const int codes[] = {
		[GRT_CHANGE_SAME] = GRT_EXIT_OK, [GRT_CHANGE_WORSE] = GRT_EXIT_FOUND,
		[GRT_CHANGE_BETTER] = GRT_EXIT_FOUND, [GRT_CHANGE_UNSURE] = GRT_EXIT_TRACE,
	};
	struct grt_diff diff;
	const struct grt_diff_out out = {
		.diff = &diff, .how = s->outs[GRT_BEFORE][0],
		.side = { s->outs[GRT_BEFORE], s->outs[GRT_AFTER] },
		.is_both_ways = t->is_both, .has_all_rows = t->has_all_rows,
	};
	int err = make_diff(&diff, s, w), code;

	if (!err)
		sink->print(&out);
	if (!err && grt_was_out_of_memory())
		err = -ENOMEM;
	code = err ? grt_print_failure(err) : codes[grt_diff_verdict(&out)];
	grt_diff_free(&diff);
	if (!err && code == GRT_EXIT_TRACE)
		say_unsure(s, t);
	return code;
}

static int diff(struct select *select, struct typed *t, const struct grt_diff_wants *w)
{
	struct sides sides = { .nr_runs = { 0 } };
	int code = GRT_EXIT_USAGE, err = read_sides(&sides, select, t);

	if (err)
		code = trace_failure(err);
	else if (check_sessions(&sides))
		grt_print_error(grt_hint(), grt_cause());
	else if (!has_ring(&sides))
		say_no_ring(t, select);
	else
		code = compare(&sides, t, w);
	free_sides(&sides);
	return code;
}

/* Where the side before ends: at "--", or at the end of the command line. */
static int find_end(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			return i;
	return argc;
}

/* Shares out the files: A B, or A... -- B....  False: there are not enough, or too many. */
static bool share_out(struct typed *t, int before, char **files, bool has_end, int after, char **more)
{
	t->files[GRT_BEFORE] = before ? files : more;
	t->nr_files[GRT_BEFORE] = before;
	t->files[GRT_AFTER] = more;
	t->nr_files[GRT_AFTER] = after;
	if (before == 2 && !has_end)
		t->files[GRT_AFTER] = files + 1;
	else if (!before && after == 2)
		t->files[GRT_AFTER] = more + 1;
	else
		return before && after && before <= GRT_DIFF_MAX_RUNS && after <= GRT_DIFF_MAX_RUNS;
	t->nr_files[GRT_BEFORE] = t->nr_files[GRT_AFTER] = 1;
	return true;
}

static int count_standard_inputs(const struct typed *t)
{
	int count = 0;

	for (int side = 0; side < GRT_NR_SIDES; side++)
		for (int i = 0; i < t->nr_files[side]; i++)
			count += !strcmp(t->files[side][i], "-");
	return count;
}

int cmd_diff(int argc, char **argv)
{
	struct select select = { .query = { .pid = 0 } };
	struct typed t = { .min_jobs = MIN_JOBS, .min_change_ns = MIN_CHANGE_NS };
	struct grt_diff_wants w;
	const struct grt_option options[] = {
		OPT_STRING('f', "format", &t.format, "NAME", "text, csv or json; text by default"),
		OPT_BOOL(0, "all-rows", &t.has_all_rows, "in text also print what did not change"),
		OPT_BOOL(0, "both", &t.is_both, "also report improvements"),
		OPT_STRING(0, "threshold", &t.threshold, "LIST",
			   "tolerated change, like 5%,t_queue=10%; 5% by default"),
		OPT_STRING(0, "confidence", &t.confidence, "PERCENT",
			   "how sure all verdicts together are; " CONFIDENCE " by default"),
		OPT_U64(0, "min-jobs", &t.min_jobs, "N", "judge only with N jobs on each side"),
		OPT_NS(0, "min-change", &t.min_change_ns, "ignore smaller changes; 1us by default"),
		OPT_STRING(0, "quantile", &t.quantiles, "LIST", QUANTILES " by default"),
		OPT_STRING(0, "stage", &t.stages, "LIST", "only these stages, like t_queue,total," THROUGHPUT),
		OPT_BOOL(0, "per-ring", &t.per_ring, "a row per ring, not also per process on it"),
		OPT_BOOL(0, "per-process", &t.per_process, "a row per name of a process"),
		OPT_BOOL(0, "per-engine", &t.per_engine, "a row per kind of engine"),
		OPT_BOOL(0, "together", &t.together, "all jobs in one row"),
		SELECT_OPTIONS(&select),
		OPT_BOOL(0, "csv-safe", &grt_csv_is_safe,
			 "CSV for a spreadsheet: ' before texts that begin with = + - or @"),
		OPT_STRING(0, "na", &t.na, "TEXT", "the text for unknown values in CSV"),
		OPT_END()
	};
	int end = find_end(argc, argv), after = argc > end ? argc - end - 1 : 0, err, code;
	bool has_end = argc > end;

	argc = grt_parse_options(end, argv, options, "diff [options] BEFORE... -- AFTER...");
	if (!share_out(&t, argc, argv, has_end, after, argv + end + 1))
		return grt_usage(options, "diff needs two traces, before and after, or several of each: "
				 "BEFORE... -- AFTER...");
	if (count_standard_inputs(&t) > 1)
		return grt_usage(options, "only one of the traces can be standard input");
	t.options = options;
	if (t.per_ring + t.per_process + t.per_engine + t.together > 1)
		return grt_usage(options, "--per-ring, --per-process, --per-engine and --together "
				 "exclude each other");
	err = select_apply(&select);
	if (err && grt_was_out_of_memory())
		code = grt_print_failure(err);
	else if (err)
		code = grt_usage(options, "%s%s%s", grt_cause(), grt_hint() ? "; " : "",
				 grt_hint() ? grt_hint() : "");
	else if (apply(&t, &w))
		code = say_bad(&t);
	else
		code = diff(&select, &t, &w);
	select_free(&select);
	return code;
}
