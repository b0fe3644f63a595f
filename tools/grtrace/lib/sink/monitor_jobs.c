// SPDX-License-Identifier: LGPL-2.1
/* Jobs per ring and process, and how long they waited and ran. */
#include <string.h>

#include "job_words.h"
#include "monitor_private.h"

/* The spans of jobs that each kind shows, in its table and as bars. */
static const uint32_t spans_of[GRT_NR_MONITOR_KINDS] = {
	[GRT_MONITOR_DRM] = 1u << GRT_SPAN_WAIT | 1u << GRT_SPAN_EXEC | 1u << GRT_SPAN_TOTAL,
	[GRT_MONITOR_I915] = 1u << GRT_SPAN_WAIT | 1u << GRT_SPAN_EXEC | 1u << GRT_SPAN_TOTAL,
	[GRT_MONITOR_AMDGPU] = 1u << GRT_SPAN_QUEUE | 1u << GRT_SPAN_RUN,
};

static bool is_shown(const struct grt_stats *s, enum grt_job_span span)
{
	return spans_of[s->m->kind] >> span & 1;
}

static const char *ring_word(char *buf, const struct grt_stats *s, uint32_t ring)
{
	return ring == GRT_OTHERS ? "other rings" : grt_word_ring(buf, grt_stats_names(s), ring);
}

static const char *process_word(char *buf, const struct grt_stats *s, uint32_t process)
{
	return process == GRT_OTHERS ? "other processes" : grt_word_process(buf, grt_stats_names(s), process);
}

/* Names of one row: device, ring, pid and comm for programs, a word for people. */
static void put_names(struct grt_report_table *t, const struct grt_stats *s, const struct grt_job_sum *row,
		      enum grt_job_sums_by by)
{
	const struct grt_names *names = grt_stats_names(s);
	bool has_ring = row->ring != GRT_NONE && row->ring != GRT_OTHERS;
	bool has_process = row->process != GRT_NONE && row->process != GRT_OTHERS;
	const struct grt_process *p = has_process ? grt_names_process_at(names, row->process) : NULL;
	char word[GRT_WORD_MAX];

	grt_report_text(t, by == GRT_SUMS_BY_RING ? ring_word(word, s, row->ring) :
			   process_word(word, s, row->process));
	if (by & GRT_SUMS_BY_RING) {
		grt_report_text(t, has_ring ? grt_names_ring_at(names, row->ring)->device : "");
		grt_report_text(t, has_ring ? grt_names_ring_at(names, row->ring)->name : "");
		grt_report_text(t, ring_word(word, s, row->ring));
	}
	if (by & GRT_SUMS_BY_PROCESS) {
		grt_report_known(t, p, p ? p->tgid : 0);
		grt_report_text(t, p ? p->comm : "");
	}
}

/*
 * Whether the waits for fences are counted.  Where a kernel has no event of them, or a source does not
 * take it, jobs waited for fences that they declared, but no event says so.
 */
static bool knows_waits(const struct grt_stats *s, const struct grt_job_sum *row)
{
	const struct grt_monitor_sums *sums = s->sums;

	return s->out->has_deps && !sums->lacks_waits &&
	       !(sums->has_declared && !sums->has_blocked && row->dep_waits);
}

static void put_job_sum(struct grt_report_table *t, const struct grt_stats *s, const struct grt_job_sum *row)
{
	grt_report_u64(t, row->jobs);
	grt_report_u64(t, row->cut);
	grt_report_known(t, !row->unjudged, row->failed);
	grt_report_known(t, s->out->has_deps && !s->sums->lacks_waits, row->deps);
	grt_report_known(t, knows_waits(s, row), row->waits);
	grt_report_u64(t, row->until_commit);
	for (int i = 0; i < GRT_NR_JOB_SPANS; i++)
		grt_stats_put_hist(t, &row->spans[i], row->spans_bound[i]);
	grt_report_u64(t, row->bounds);
}

static void print_jobs(const struct grt_stats *s, const struct grt_job_sums *rows, enum grt_job_sums_by by)
{
	static const struct grt_report_column counts[] = {
		{ "jobs", "jobs", GRT_REPORT_COUNT }, { "cut", NULL, GRT_REPORT_COUNT },
		{ "failed", "failed", GRT_REPORT_COUNT }, { "deps", NULL, GRT_REPORT_COUNT },
		{ "waits", "waits", GRT_REPORT_COUNT }, { "wait_until_commit", NULL, GRT_REPORT_COUNT },
	};
	static const char *const names[] = {
		[GRT_SUMS_BY_RING] = "rings", [GRT_SUMS_BY_PROCESS] = "processes", [GRT_SUMS_BY_BOTH] = "users",
	};
	static const char *const titles[] = {
		[GRT_SUMS_BY_RING] = "Jobs per ring", [GRT_SUMS_BY_PROCESS] = "Jobs per process",
		[GRT_SUMS_BY_BOTH] = "Jobs per process and ring",
	};
	static const char *const span_titles[] = { "wait", "exec", "total", "to run", "run" };
	struct grt_report_column columns[7 + sizeof(counts) / sizeof(counts[0]) + GRT_NR_JOB_SPANS * GRT_HIST_CELLS];
	static const struct grt_report_column bounds = { "upper_bounds", NULL, GRT_REPORT_COUNT };
	char words[GRT_NR_JOB_SPANS * GRT_HIST_CELLS * 2][GRT_HIST_WORD];
	char drops[sizeof(columns) / sizeof(columns[0]) + 1];
	struct grt_report_table t;
	unsigned int nr = 0, left_out;
	size_t shown = grt_stats_shown(s, grt_job_sums_count(rows), GRT_STATS_ROWS, &left_out);

	columns[nr++] = (struct grt_report_column){ NULL, titles[by], GRT_REPORT_TEXT };
	if (by & GRT_SUMS_BY_RING) {
		columns[nr++] = (struct grt_report_column){ "device", NULL, GRT_REPORT_TEXT };
		columns[nr++] = (struct grt_report_column){ "ring", NULL, GRT_REPORT_TEXT };
		columns[nr++] = (struct grt_report_column){
			NULL, by == GRT_SUMS_BY_BOTH ? "ring" : NULL, GRT_REPORT_TEXT,
		};
	}
	if (by & GRT_SUMS_BY_PROCESS) {
		columns[nr++] = (struct grt_report_column){ "pid", NULL, GRT_REPORT_ID };
		columns[nr++] = (struct grt_report_column){ "comm", NULL, GRT_REPORT_TEXT };
	}
	memcpy(&columns[nr], counts, sizeof(counts));
	nr += sizeof(counts) / sizeof(counts[0]);
	for (int i = 0; i < GRT_NR_JOB_SPANS; i++)
		nr += grt_stats_name_hist(&columns[nr], &words[i * GRT_HIST_CELLS * 2], grt_job_span_name(i),
					  span_titles[i], is_shown(s, i));
	columns[nr++] = bounds;
	grt_report_begin(&t, names[by], columns, nr);
	/* A line that is too narrow loses medians first: the bars show more. */
	for (unsigned int i = 0; i < nr; i++)
		drops[i] = columns[i].title && strstr(columns[i].title, "p50") ? '1' + i % 8 : '0';
	drops[nr] = '\0';
	t.drops = drops;
	for (size_t i = 0; i < shown; i++) {
		put_names(&t, s, grt_job_sums_at(rows, i), by);
		put_job_sum(&t, s, grt_job_sums_at(rows, i));
	}
	grt_stats_print(s, &t, left_out);
}

static const char *span_text(const struct grt_job_sum *row, enum grt_job_span span)
{
	if (row->spans_bound[span])
		return span == GRT_SPAN_EXEC ? "START to END, at most" :
		       span == GRT_SPAN_TOTAL ? "SUBMIT to COMPLETE, at most" : "COMMIT to COMPLETE, at most";
	if (span != GRT_SPAN_WAIT || !row->until_commit)
		return grt_job_span_text(span);
	return row->until_commit == row->spans[span].count ? "SUBMIT to COMMIT" : "SUBMIT to START, or to COMMIT";
}

static void print_job_bars(const struct grt_stats *s, const struct grt_job_sums *rows, enum grt_job_sums_by by)
{
	unsigned int left_out;
	size_t shown = grt_stats_shown(s, grt_job_sums_count(rows), GRT_STATS_BARS, &left_out);
	char word[GRT_WORD_MAX];

	for (size_t i = 0; i < shown; i++) {
		const struct grt_job_sum *row = grt_job_sums_at(rows, i);
		const char *whose = by == GRT_SUMS_BY_RING ? ring_word(word, s, row->ring) :
				    process_word(word, s, row->process);

		for (int k = 0; k < GRT_NR_JOB_SPANS; k++)
			if (is_shown(s, k))
				grt_stats_bars(s, grt_job_span_title(k), whose, span_text(row, k), &row->spans[k]);
	}
}

/* Programs get them as members of objects with the names of the row. */
static void put_job_bars(const struct grt_stats *s, const struct grt_job_sums *rows, enum grt_job_sums_by by)
{
	const struct grt_names *names = grt_stats_names(s);
	struct grt_json *j = s->json;

	for (size_t i = 0; i < grt_job_sums_count(rows); i++) {
		const struct grt_job_sum *row = grt_job_sums_at(rows, i);
		const struct grt_ring *ring;

		grt_json_open(j, NULL, '{');
		if (by == GRT_SUMS_BY_RING) {
			ring = row->ring >= GRT_OTHERS ? NULL : grt_names_ring_at(names, row->ring);
			grt_json_text(j, "device", ring ? ring->device : "");
			grt_json_text(j, "ring", ring ? ring->name : "");
		} else if (row->process >= GRT_OTHERS) {
			grt_json_null(j, "pid");
		} else {
			grt_json_u64(j, "pid", grt_names_process_at(names, row->process)->tgid);
		}
		for (int k = 0; k < GRT_NR_JOB_SPANS; k++)
			grt_hist_print_buckets(&row->spans[k], j, grt_job_span_name(k));
		grt_json_close(j, '}');
	}
}

static int group(struct grt_job_sums *to, const struct grt_stats *s, enum grt_job_sums_by by)
{
	return grt_job_sums_group(to, &s->sums->jobs, by, grt_stats_names(s));
}

/* Explains the sign of an upper bound, where there is one. */
static void say_bounds(const struct grt_stats *s, const struct grt_job_sums *rows)
{
	bool has_bounds = false;

	for (size_t i = 0; i < grt_job_sums_count(rows); i++)
		for (int k = 0; k < GRT_NR_JOB_SPANS; k++)
			has_bounds |= is_shown(s, k) && grt_job_sums_at(rows, i)->spans_bound[k];
	if (has_bounds)
		fputs(GRT_AT_MOST_TEXT, s->out->file);
}

void grt_stats_jobs(const struct grt_stats *s)
{
	static const enum grt_job_sums_by orders[] = { GRT_SUMS_BY_RING, GRT_SUMS_BY_PROCESS, GRT_SUMS_BY_BOTH };
	struct grt_job_sums groups[3] = { { .rows = { 0 } } };
	int err = 0;

	for (int i = 0; i < 3 && !err; i++) {
		err = group(&groups[i], s, orders[i]);
		/* Where each process used one ring, these rows are those per process. */
		if (!err && (s->json || i != 2 || grt_job_sums_count(&groups[2]) > grt_job_sums_count(&groups[1])))
			print_jobs(s, &groups[i], orders[i]);
	}
	if (s->json)
		grt_json_open(s->json, "histograms", '[');
	else
		say_bounds(s, &groups[0]);
	for (int i = 0; i < 2 && !err; i++) {
		/* The bars of the only process are those of the only ring. */
		if (!s->json && i && grt_job_sums_count(&groups[2]) == 1)
			break;
		if (s->json)
			put_job_bars(s, &groups[i], orders[i]);
		else
			print_job_bars(s, &groups[i], orders[i]);
	}
	if (s->json)
		grt_json_close(s->json, ']');
	for (int i = 0; i < 3; i++)
		grt_job_sums_free(&groups[i]);
}
