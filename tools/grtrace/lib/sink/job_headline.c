// SPDX-License-Identifier: LGPL-2.1
/* Prints which trace this is, and what is missing in it. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "error.h"
#include "text_cells.h"
#include "job_words.h"
#include "number.h"
#include "origin.h"
#include "policies.h"
#include "quote.h"
#include "snapshots.h"

#define MAX_OTHERS	12	/* rings, and processes, that are listed */

/* Prints a part of a line; parts are separated by dots. */
static void part(const struct grt_job_out *o, bool *is_first, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void part(const struct grt_job_out *o, bool *is_first, const char *fmt, ...)
{
	va_list args;

	if (!*is_first)
		fputs(o->is_ascii ? " | " : " · ", o->file);
	*is_first = false;
	va_start(args, fmt);
	vfprintf(o->file, fmt, args);
	va_end(args);
}

static void plural(const struct grt_job_out *o, uint64_t n, const char *one, const char *many)
{
	char count[GRT_NUMBER_MAX];

	fprintf(o->file, "%s %s", grt_format_count(count, n), grt_plural(n, one, many));
}

static void first_line(const struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;
	const struct grt_model_totals *t = grt_model_totals(s->model);
	char name[300], host[80], kernel[80], span[GRT_NUMBER_MAX];
	uint64_t rings = 0;
	bool is_first = true;

	grt_quote_text(name, sizeof(name), o->info->name);
	grt_quote_text(host, sizeof(host), o->info->host);
	grt_quote_text(kernel, sizeof(kernel), o->info->kernel);
	part(o, &is_first, "%s%s%s", grt_bold(o), name, grt_plain(o));
	if (*host && *kernel)
		part(o, &is_first, "host %s, Linux %s", host, kernel);
	else if (*kernel)
		part(o, &is_first, "Linux %s", kernel);
	part(o, &is_first, "%s", grt_format_ns(span, t->last_ns - t->first_ns));
	for (size_t i = 0; i < grt_rollup_count(&s->groups[GRT_BY_RING]); i++)
		rings += grt_rollup_key_at(&s->groups[GRT_BY_RING], i)->ring != GRT_NONE;
	part(o, &is_first, "%s", "");
	plural(o, s->devices, "GPU, ", "GPUs, ");
	plural(o, rings, "ring, ", "rings, ");
	plural(o, s->all.jobs, "job, ", "jobs, ");
	plural(o, s->processes, "process\n", "processes\n");
}

/* The time that the tables below are about. */
static void window_line(const struct grt_job_out *o)
{
	const struct grt_window *w = o->summary->wants.query.window;
	char from[GRT_SECONDS_MAX], to[GRT_SECONDS_MAX], number[GRT_NUMBER_MAX], text[256];
	uint64_t to_ns;

	if (!w || !w->is_narrow || w->is_known_part)
		return;
	to_ns = w->to_ns < w->last_ns ? w->to_ns : w->last_ns;
	grt_format_seconds(from, w->from_ns - w->first_ns);
	grt_format_seconds(to, to_ns - w->first_ns);
	snprintf(text, sizeof(text), "only %ss to %ss of it", from, to);
	grt_format_seconds(from, w->from_ns);
	grt_format_seconds(to, to_ns);
	snprintf(text + strlen(text), sizeof(text) - strlen(text),
		 " (@%s to @%s), %s: the time of rings in it, and jobs if %s\n", from, to,
		 grt_format_ns(number, to_ns - w->from_ns), grt_window_rule_text(w->rule));
	fputs(text, o->file);
}

const char *grt_word_late(char *to, const struct grt_job_out *o)
{
	uint32_t cpus = grt_model_totals(o->summary->model)->late_cpus;

	if (o->info->goes_on)
		return "the file before this one has the other events";
	snprintf(to, GRT_LATE_MAX, "%" PRIu32 " CPU %s overwritten", cpus, grt_plural(cpus, "buffer was", "buffers were"));
	return to;
}

/* Whether the beginning is incomplete, and whether it is left out. */
static void late_line(const struct grt_job_out *o)
{
	const struct grt_model_totals *t = grt_model_totals(o->summary->model);
	const struct grt_window *w = o->summary->wants.query.window;
	char late[GRT_NUMBER_MAX], rest[GRT_NUMBER_MAX], since[GRT_SECONDS_MAX], cause[GRT_LATE_MAX];

	if (!t->late_cpus || (w && w->is_narrow && !w->is_known_part && w->from_ns >= t->late_ns))
		return;
	fprintf(o->file, "the first %s are incomplete (%s)",
		grt_format_ns(late, t->late_ns - t->first_ns), grt_word_late(cause, o));
	if (w && w->is_known_part)
		fprintf(o->file, "; below: the other %s. Everything: %s%s\n",
			grt_format_ns(rest, t->last_ns - t->late_ns),
			o->again ? "grtrace report --all-time" : "--all-time",
			o->again ? o->again : "");
	else
		fprintf(o->file, "; --since %ss leaves them out\n",
			grt_format_seconds(since, t->late_ns - t->first_ns));
}

/* What recorded the trace, if it says so and was not merged from several. */
static void source_line(const struct grt_job_out *o)
{
	char value[80], quoted[160];

	if (grt_origin_source(grt_model_names(o->summary->model)->metadata, value, sizeof(value)))
		fprintf(o->file, "source: %s\n", grt_quote_text(quoted, sizeof(quoted), value));
}

/* Says if the trace is a slice or was merged. */
static void origin_lines(const struct grt_job_out *o)
{
	const char *text = grt_model_names(o->summary->model)->metadata, *words;
	char value[600], quoted[600];

	if (*o->info->command)
		fprintf(o->file, "recorded while this ran: %s\n",
			grt_quote_text(quoted, sizeof(quoted), o->info->command));
	while (grt_origin_next(&text, &words, value, sizeof(value)))
		fprintf(o->file, "%s %s\n", words, grt_quote_text(quoted, sizeof(quoted), value));
}

#define LEFT_OUT_FATES	(~GRT_LOST_REASONS)

static uint64_t sum_fates(const struct grt_model_totals *t, uint32_t mask)
{
	uint64_t sum = 0;

	for (int i = 0; i < GRTRACE_NR_FATES; i++)
		sum += mask >> i & 1 ? t->lost[i] : 0;
	return sum;
}

uint64_t grt_lost_events(const struct grt_model_totals *t)
{
	return sum_fates(t, GRT_LOST_REASONS);
}

uint64_t grt_left_out_events(const struct grt_model_totals *t)
{
	return sum_fates(t, LEFT_OUT_FATES);
}

static void fates(const struct grt_job_out *o, bool *is_first, uint32_t mask, const char *what)
{
	static const char *const names[] = {
#define GRT_X(NAME, member, nr, CLASS, text) \
		[nr] = nr == GRTRACE_FATE_WRITTEN ? "missing in the file" : #member,
		GRTRACE_FATES(GRT_X)
#undef GRT_X
	};
	const uint64_t *lost = grt_model_totals(o->summary->model)->lost;
	uint64_t sum = sum_fates(grt_model_totals(o->summary->model), mask);
	char count[GRT_NUMBER_MAX];
	/* Without the losses at the beginning of buffers: another line tells of these. */
	uint64_t uncounted = mask == LEFT_OUT_FATES ? 0 :
			     grt_losses_uncounted(grt_model_totals(o->summary->model));
	bool is_cut = grt_model_totals(o->summary->model)->is_cut;
	const char *before = " (";

	if (!sum && mask == LEFT_OUT_FATES)
		return;
	if (!sum && (uncounted || (mask != LEFT_OUT_FATES && is_cut))) {
		part(o, is_first, uncounted ? "an unknown number of events %s" :
		     "number of events %s unknown", what);
		return;
	}
	part(o, is_first, "%s%s %s %s", uncounted ? "more than " :
	     mask != LEFT_OUT_FATES && is_cut ? "at least " : "",
	     grt_format_count(count, sum),
	     grt_plural(sum, "event", "events"), what);
	for (int i = 0; i < GRTRACE_NR_FATES; i++) {
		if (!(mask >> i & 1) || !lost[i])
			continue;
		fprintf(o->file, "%s%s %s", before, names[i], grt_format_count(count, lost[i]));
		before = ", ";
	}
	if (sum)
		putc(')', o->file);
}

static void outcomes(const struct grt_job_out *o)
{
	static const char *const errors[] = {
#define GRT_X(NAME, nr, text) [nr] = #NAME,
		GRTRACE_ERRORS(GRT_X)
#undef GRT_X
	};
	const struct grt_summary *s = o->summary;
	const uint64_t *seen = grt_model_totals(s->model)->errors;
	char count[GRT_NUMBER_MAX];
	bool is_first = true;

	if (s->all.failed) {
		part(o, &is_first, "%s", "");
		plural(o, s->all.failed, "job failed", "jobs failed");
		if (s->all.killed)
			fprintf(o->file, " (%s killed with %s process)",
				grt_format_count(count, s->all.killed),
				grt_plural(s->all.killed, "its", "their"));
	}
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (seen[i])
			part(o, &is_first, "%s %s", grt_format_count(count, seen[i]),
			     i ? errors[i] : "ERROR");
	if (!is_first)
		putc('\n', o->file);
}

/* What an import inferred because no event had it. */
static void inferred(const struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;
	const struct {
		uint64_t jobs;
		const char *what, *from_one, *from_many;
	} parts[] = {
		{ s->inferred_keys, "keys", "addresses", "addresses" },
		{ s->inferred_ends - s->ordered_ends - s->coalesced_ends, "END", "its COMPLETE", "their COMPLETE" },
		{ s->ordered_ends, "END", "the order of answers", "the order of answers" },
		{ s->coalesced_ends, "END", "a later job of its context", "later jobs of their contexts" },
		{ s->inferred_completes, "COMPLETE", "its END", "their END" },
	};
	char count[GRT_NUMBER_MAX];
	bool is_first = true;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].jobs)
			part(o, &is_first, "%s of %s %s inferred from %s", parts[i].what,
			     grt_format_count(count, parts[i].jobs),
			     grt_plural(parts[i].jobs, "job", "jobs"),
			     grt_plural(parts[i].jobs, parts[i].from_one, parts[i].from_many));
	if (!is_first)
		putc('\n', o->file);
}

/* Whether all that is missing is missing at the beginning, where buffers were overwritten. */
static bool has_only_late(const struct grt_model_totals *t)
{
	return t->late_cpus && !grt_losses_uncounted(t) && !t->is_cut && !grt_lost_events(t) && !grt_left_out_events(t);
}

/* Rings in whose order jobs began. */
static unsigned int count_inferred_rings(const struct grt_job_out *o)
{
	const struct grt_rollup *rings = &o->summary->groups[GRT_BY_RING];
	unsigned int count = 0;

	for (size_t i = 0; i < grt_rollup_count(rings); i++) {
		uint32_t ring = grt_rollup_key_at(rings, i)->ring;

		count += ring != GRT_NONE && grt_rollup_at(rings, i)->inferred &&
			 grt_names_ring_at(grt_model_names(o->summary->model), ring)->order == GRTRACE_ORDER_FIFO;
	}
	return count;
}

static void second_line(const struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;
	unsigned int inferred_rings = count_inferred_rings(o);
	bool is_first = true;

	fates(o, &is_first, GRT_LOST_REASONS, "lost");
	if (grt_model_totals(s->model)->is_cut)
		part(o, &is_first, "events missing at the end are not counted");
	if (o->unknown_events) {
		part(o, &is_first, "%s", "");
		plural(o, o->unknown_events, "record of a type that is not known",
		       "records of types that are not known");
	}
	fates(o, &is_first, LEFT_OUT_FATES, "left out on request");
	if (s->all.lossy) {
		part(o, &is_first, "%s", "");
		plural(o, s->all.lossy, "job partly unknown because ", "jobs partly unknown because ");
		fputs(has_only_late(grt_model_totals(s->model)) ? "the beginning is incomplete" : "of that",
		      o->file);
	}
	part(o, &is_first, "%s", "");
	plural(o, s->all.cut, "job cut by the ends of the trace",
	       "jobs cut by the ends of the trace");
	if (inferred_rings)
		part(o, &is_first, "start times inferred on %u FIFO %s", inferred_rings,
		     grt_plural(inferred_rings, "ring", "rings"));
	if (grt_model_totals(s->model)->unordered) {
		part(o, &is_first, "jobs overtook others on ");
		plural(o, grt_model_totals(s->model)->unordered, "ring, ", "rings, ");
		fputs("where START is unknown", o->file);
	}
	putc('\n', o->file);
}

/* Sums from the time of the recording; their jobs need not be in the trace. */
static void windows(const struct grt_job_out *o)
{
	const struct grt_window_totals *t = &grt_model_totals(o->summary->model)->windows;
	char avg[GRT_NUMBER_MAX], min[GRT_NUMBER_MAX], max[GRT_NUMBER_MAX];

	if (!t->windows)
		return;
	fputs("summed up while recording: ", o->file);
	plural(o, t->windows, "window, ", "windows, ");
	plural(o, t->jobs, "job", "jobs");
	if (t->jobs)
		fprintf(o->file, ", SUBMIT to COMPLETE %s on average, %s to %s",
			grt_format_ns(avg, t->latency_sum_ns / t->jobs),
			grt_format_ns(min, t->latency_min_ns),
			grt_format_ns(max, t->latency_max_ns));
	fprintf(o->file, ", at most %" PRIu32 " at once on a ring\n", t->depth_peak);
}

/* Jobs whose SUBMIT is no event of the trace, though the events of their time are all there. */
static void untold(const struct grt_job_out *o)
{
	uint64_t jobs = o->summary->untold_submits;

	if (!jobs)
		return;
	plural(o, jobs, "job has", "jobs have");
	fprintf(o->file, " no SUBMIT: %s\n", jobs == o->summary->all.jobs ? "this trace has none" :
		"of the kernel, whose jobs the driver does not report, or from before the trace");
}

static void print_lines(const struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;

	first_line(o);
	grt_snapshot_lines(o);
	window_line(o);
	late_line(o);
	source_line(o);
	origin_lines(o);
	grt_policy_line(o);
	second_line(o);
	if (s->all.lossy)
		fputs("where events are missing, START, the stages of waits, the time of rings and blame "
		      "are unknown\n", o->file);
	inferred(o);
	untold(o);
	windows(o);
	outcomes(o);
	if (s->synthetic_jobs) {
		plural(o, s->synthetic_jobs, "job", "jobs");
		fprintf(o->file, " written by hand%s\n", !s->wants.query.with_synthetic ?
			" left out: --synthetic shows them" :
			s->synthetic_jobs == s->all.jobs + s->other_jobs ? ", and no others" :
			" among them");
	}
	if (s->wants.query.pid)
		fprintf(o->file, "only process %" PRIu64 "%s: ", s->wants.query.pid,
			o->is_focus ? ", which was recorded" : "");
	if (s->other_jobs || s->wants.query.pid) {
		plural(o, s->other_jobs, "other job left out", "other jobs left out");
		fputs(o->is_focus ? ", --all shows them\n" : "\n", o->file);
	}
}

void grt_headline(const struct grt_job_out *o)
{
	struct grt_job_out lines = *o;
	char *text = NULL;
	size_t bytes;

	if (o->width)
		lines.file = open_memstream(&text, &bytes);
	if (!lines.file) {
		grt_fail_memory();
		return;
	}
	print_lines(&lines);
	if (lines.file == o->file)
		return;
	if (fclose(lines.file))
		grt_fail_memory();
	else
		grt_text_fold(o->file, text, o->width, 1);
	free(text);
}

/* A command to paste; only if the input can be read again. */
static void hint(const struct grt_job_out *o, const char *command, const char *rest,
		 const char *what)
{
	if (rest)
		fprintf(o->file, "hint: grtrace %s%s    # %s\n", command, rest, what);
}

/* " rings gfx (2 jobs), copy (1 job)" */
static void list_others(const struct grt_job_out *o, const char *title, const struct grt_vec *jobs,
			const char *(*word)(char *buf, const struct grt_names *names, uint32_t row))
{
	char name[GRT_WORD_MAX];
	size_t count = grt_vec_count(jobs, uint64_t), shown = 0, more = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t n = *grt_vec_at(jobs, uint64_t, i);

		if (n && shown == MAX_OTHERS)
			more++;
		if (!n || shown == MAX_OTHERS)
			continue;
		fprintf(o->file, "%s%s (", shown++ ? ", " : title,
			word(name, grt_model_names(o->summary->model), i));
		plural(o, n, "job)", "jobs)");
	}
	if (more)
		fprintf(o->file, " and %zu more", more);
	if (shown)
		putc('\n', o->file);
}

static void say_others(const struct grt_job_out *o)
{
	fputs("\nno jobs match; the trace has\n", o->file);
	list_others(o, " rings      ", &o->summary->other_rings, grt_word_ring);
	list_others(o, " processes  ", &o->summary->other_processes, grt_word_process);
}

void grt_say_no_jobs(const struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;
	const struct grt_model_totals *t = grt_model_totals(s->model);

	if (s->other_jobs) {
		say_others(o);
		hint(o, o->is_focus ? "report --all" : "report", o->is_focus ? o->again : o->files,
		     o->is_focus ? "jobs of all processes" : "all of it");
	} else if (o->has_span) {
		fprintf(o->file, "\nno jobs in the selected time\n");
		hint(o, "report", o->files, "all of it");
	} else if (s->synthetic_jobs) {
		fprintf(o->file, "\nall jobs were written by hand\n");
		hint(o, "report --synthetic", o->again, "these");
	} else if (grt_left_out_events(t)) {
		fprintf(o->file, "\nno jobs in this trace: events were left out on request\n");
		hint(o, "dump", o->files, t->windows.windows ? "the windows that sum them up" :
		     "the events that were kept");
	} else if (grt_lost_events(t) || grt_losses_uncounted(t) || t->is_cut) {
		fprintf(o->file, "\nno jobs in this trace: events are missing in it\n"
			"hint: sudo grtrace record -b 16M\n");
	} else {
		fprintf(o->file, "\nno jobs in this trace: nothing used a GPU through the "
			"kernel's scheduler\n"
			"hint: sudo grtrace record -- COMMAND, with a COMMAND that uses the GPU\n");
	}
}
