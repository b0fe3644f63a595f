// SPDX-License-Identifier: LGPL-2.1
/* What trace this is, and what is missing in it. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "job_quote.h"
#include "job_words.h"
#include "number.h"
#include "origin.h"
#include "policies.h"

/* Parts of a line, with dots between them. */
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

	fprintf(o->file, "%s %s", grt_format_count(count, n), n == 1 ? one : many);
}

/* Different devices among the rings that had jobs. */
static unsigned int count_devices(const struct grt_summary *s)
{
	const struct grt_names *names = grt_model_names(s->model);
	unsigned int devices = 0;

	for (size_t i = 0; i < grt_rollup_count(&s->groups[GRT_BY_RING]); i++) {
		uint32_t row = grt_rollup_at(&s->groups[GRT_BY_RING], i)->key.ring;
		size_t j = 0;

		if (row == GRT_NONE || !*grt_names_ring_at(names, row)->device)
			continue;
		for (j = 0; j < i; j++) {
			uint32_t other = grt_rollup_at(&s->groups[GRT_BY_RING], j)->key.ring;

			if (!strcmp(grt_names_ring_at(names, row)->device,
				    grt_names_ring_at(names, other)->device))
				break;
		}
		devices += j == i;
	}
	return devices;
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
		rings += grt_rollup_at(&s->groups[GRT_BY_RING], i)->key.ring != GRT_NONE;
	part(o, &is_first, "%s", "");
	plural(o, count_devices(s), "GPU, ", "GPUs, ");
	plural(o, rings, "ring, ", "rings, ");
	plural(o, s->all.jobs, "job, ", "jobs, ");
	plural(o, s->processes, "process\n", "processes\n");
}

/* How it came about. */
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

/* Fates that somebody asked for; the others are losses. */
#define POLICY_FATES							\
	(1u << GRTRACE_FATE_FILTERED_LEVEL | 1u << GRTRACE_FATE_FILTERED_TYPE |	\
	 1u << GRTRACE_FATE_FILTERED_ENGINE | 1u << GRTRACE_FATE_FILTERED_RING | \
	 1u << GRTRACE_FATE_FILTERED_WATCH | 1u << GRTRACE_FATE_FILTERED_EXT |	\
	 1u << GRTRACE_FATE_SAMPLED | 1u << GRTRACE_FATE_AGGREGATED |		\
	 1u << GRTRACE_FATE_RATE_LIMITED | 1u << GRTRACE_FATE_DUPLICATE |	\
	 1u << GRTRACE_FATE_DISABLED)

static uint64_t sum_fates(const struct grt_model_totals *t, uint32_t mask)
{
	uint64_t sum = 0;

	for (int i = 0; i < GRTRACE_NR_FATES; i++)
		sum += mask >> i & 1 ? t->lost[i] : 0;
	return sum;
}

uint64_t grt_lost_events(const struct grt_model_totals *t)
{
	return sum_fates(t, ~POLICY_FATES);
}

uint64_t grt_left_out_events(const struct grt_model_totals *t)
{
	return sum_fates(t, POLICY_FATES);
}

static void fates(const struct grt_job_out *o, bool *is_first, uint32_t mask, const char *what)
{
	static const char *const names[] = {
#define GRT_X(NAME, member, nr, text) \
		[nr] = nr == GRTRACE_FATE_WRITTEN ? "missing in the file" : #member,
		GRTRACE_FATES(GRT_X)
#undef GRT_X
	};
	const uint64_t *lost = grt_model_totals(o->summary->model)->lost;
	uint64_t sum = sum_fates(grt_model_totals(o->summary->model), mask);
	char count[GRT_NUMBER_MAX];
	uint64_t uncounted = mask == POLICY_FATES ? 0 :
			     grt_model_totals(o->summary->model)->uncounted;
	const char *before = " (";

	if (!sum && mask == POLICY_FATES)
		return;
	if (!sum && uncounted) {
		part(o, is_first, "events %s, how many is not known", what);
		return;
	}
	part(o, is_first, "%s%s %s %s", uncounted ? "more than " : "", grt_format_count(count, sum),
	     sum == 1 ? "event" : "events", what);
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
			fprintf(o->file, " (%s killed with their process)",
				grt_format_count(count, s->all.killed));
	}
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (seen[i])
			part(o, &is_first, "%s %s", grt_format_count(count, seen[i]),
			     i ? errors[i] : "ERROR");
	if (!is_first)
		putc('\n', o->file);
}

/* What an import made of events that did not tell it. */
static void inferred(const struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;
	const struct {
		uint64_t jobs;
		const char *text;
	} parts[] = {
		{ s->inferred_keys, "keys of %s jobs inferred from addresses" },
		{ s->inferred_ends, "END of %s jobs inferred from their COMPLETE" },
		{ s->inferred_completes, "COMPLETE of %s jobs inferred from their END" },
	};
	char count[GRT_NUMBER_MAX];
	bool is_first = true;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].jobs)
			part(o, &is_first, parts[i].text, grt_format_count(count, parts[i].jobs));
	if (!is_first)
		putc('\n', o->file);
}

static void second_line(const struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;
	unsigned int inferred_rings = 0;
	bool is_first = true;

	fates(o, &is_first, ~POLICY_FATES, "lost");
	if (grt_model_totals(s->model)->is_cut)
		part(o, &is_first, "what is missing at the end is not counted");
	fates(o, &is_first, POLICY_FATES, "left out on request");
	if (s->all.lossy) {
		part(o, &is_first, "%s", "");
		plural(o, s->all.lossy, "job partly unknown because of that",
		       "jobs partly unknown because of that");
	}
	part(o, &is_first, "%s", "");
	plural(o, s->all.cut, "job cut by the ends of the trace",
	       "jobs cut by the ends of the trace");
	for (size_t i = 0; i < grt_rollup_count(&s->groups[GRT_BY_RING]); i++)
		inferred_rings += !!grt_rollup_at(&s->groups[GRT_BY_RING], i)->inferred;
	if (inferred_rings)
		part(o, &is_first, "start times inferred on %u FIFO ring%s", inferred_rings,
		     inferred_rings == 1 ? "" : "s");
	putc('\n', o->file);
}

/* Sums that were made when it was recorded: of jobs that need not be in the trace. */
static void windows(const struct grt_job_out *o)
{
	const struct grt_window_totals *t = &grt_model_totals(o->summary->model)->windows;
	char avg[GRT_NUMBER_MAX], min[GRT_NUMBER_MAX], max[GRT_NUMBER_MAX];

	if (!t->windows)
		return;
	fputs("summed up while it was recorded: ", o->file);
	plural(o, t->windows, "window, ", "windows, ");
	plural(o, t->jobs, "job", "jobs");
	if (t->jobs)
		fprintf(o->file, ", SUBMIT to COMPLETE %s on average, %s to %s",
			grt_format_ns(avg, t->latency_sum_ns / t->jobs),
			grt_format_ns(min, t->latency_min_ns),
			grt_format_ns(max, t->latency_max_ns));
	fprintf(o->file, ", at most %" PRIu32 " at once on a ring\n", t->depth_peak);
}

void grt_headline(const struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;

	first_line(o);
	origin_lines(o);
	grt_policy_line(o);
	second_line(o);
	if (s->all.lossy)
		fputs("where events are missing, START, the stages of waits, the time of rings and blame "
		      "are unknown\n", o->file);
	inferred(o);
	windows(o);
	outcomes(o);
	if (s->synthetic_jobs) {
		plural(o, s->synthetic_jobs, "job", "jobs");
		fprintf(o->file, " written by hand %s\n", s->wants.query.with_synthetic ?
			"among them" : "left out: --synthetic shows them");
	}
	if (s->wants.query.pid)
		fprintf(o->file, "only process %" PRIu64 "%s: ", s->wants.query.pid,
			o->is_focus ? ", which was recorded" : "");
	if (s->other_jobs || s->wants.query.pid) {
		plural(o, s->other_jobs, "other job left out", "other jobs left out");
		fputs(o->is_focus ? ", --all shows them\n" : "\n", o->file);
	}
}

void grt_say_no_jobs(const struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;

	if (s->other_jobs)
		fprintf(o->file, "\nno jobs among those asked for\nhint: grtrace report --all\n");
	else if (s->synthetic_jobs)
		fprintf(o->file, "\nno jobs but those written by hand\n"
			"hint: grtrace report --synthetic\n");
	else if (grt_left_out_events(grt_model_totals(s->model)))
		fprintf(o->file, "\nno jobs in this trace: events were left out on request\n"
			"hint: grtrace dump %s\n", grt_model_totals(s->model)->windows.windows ?
			"shows the windows that sum them up" : "shows what was asked for");
	else
		fprintf(o->file, "\nno jobs in this trace: nothing used a GPU through the "
			"kernel's scheduler meanwhile\n"
			"hint: sudo grtrace record -- COMMAND, with a COMMAND that uses the GPU\n");
}
