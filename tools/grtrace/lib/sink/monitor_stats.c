// SPDX-License-Identifier: LGPL-2.1
/* The statistics of grtrace monitor: tables, then distributions as bars. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "job_words.h"
#include "memory_sink.h"
#include "monitor_sink.h"
#include "number.h"
#include "quote.h"
#include "report_table.h"

#define MOST_ROWS	20	/* of a table in text, beside that of rings */
#define MOST_BARS	8	/* distributions of so many rings, processes or clients in text */

/* The statistics of one time. */
struct stats {
	const struct grt_monitor_out *out;
	const struct grt_monitor *m;
	const struct grt_monitor_sums *sums;
	struct grt_json *json;	/* NULL: text */
	bool is_lap;
	uint64_t ns;		/* how long the time was */
};

/* What is said of jobs of each kind: the spans of its table and its bars. */
static const uint32_t spans_of[GRT_NR_MONITOR_KINDS] = {
	[GRT_MONITOR_DRM] = 1u << GRT_SPAN_WAIT | 1u << GRT_SPAN_EXEC | 1u << GRT_SPAN_TOTAL,
	[GRT_MONITOR_I915] = 1u << GRT_SPAN_WAIT | 1u << GRT_SPAN_EXEC | 1u << GRT_SPAN_TOTAL,
	[GRT_MONITOR_AMDGPU] = 1u << GRT_SPAN_QUEUE | 1u << GRT_SPAN_RUN,
};

static bool is_shown(const struct stats *s, enum grt_job_span span)
{
	return spans_of[s->m->kind] >> span & 1;
}

static const struct grt_names *job_names(const struct stats *s)
{
	return grt_model_names(s->m->model);
}

static void put_known(struct grt_report_table *t, bool is_known, uint64_t value)
{
	if (is_known)
		grt_report_u64(t, value);
	else
		grt_report_unknown(t);
}

/* Prints a table with rows, and frees it. */
static void print(const struct stats *s, struct grt_report_table *t, unsigned int left_out)
{
	const struct grt_monitor_out *o = s->out;

	t->width = o->width;
	if (s->json) {
		grt_report_print_json(t, s->json);
	} else if (grt_report_rows(t)) {
		putc('\n', o->file);
		grt_report_print_text(t, o->file, NULL, o->has_colour ? "\033[1m" : "", o->has_colour ? "\033[0m" : "");
		if (left_out)
			fprintf(o->file, "and %u more: --json has all\n", left_out);
	}
	grt_report_free(t);
}

/* How many of @count rows are shown; *left_out: how many are not. */
static size_t shown_rows(const struct stats *s, size_t count, size_t most, unsigned int *left_out)
{
	*left_out = s->json || count <= most ? 0 : count - most;
	return count - *left_out;
}

static uint64_t rate(uint64_t n, uint64_t ns)
{
	unsigned __int128 per_second = (unsigned __int128)n * 1000000000 / ns;

	return per_second > UINT64_MAX ? UINT64_MAX : per_second;
}

/* --- distributions --- */

#define HIST_CELLS	7	/* cells of put_hist() */

/* Columns of a distribution, which text shows if @is_in_text. */
static unsigned int name_hist(struct grt_report_column *to, char (*words)[48], const char *name, const char *title,
			      bool is_in_text)
{
	static const struct {
		const char *name, *title;
		enum grt_report_kind kind;
	} parts[HIST_CELLS] = {
		{ "count", NULL, GRT_REPORT_COUNT }, { "sum_ns", NULL, GRT_REPORT_NS },
		{ "mean_ns", NULL, GRT_REPORT_NS }, { "p50_ns", "p50", GRT_REPORT_NS },
		{ "p90_ns", NULL, GRT_REPORT_NS }, { "p99_ns", "p99", GRT_REPORT_NS },
		{ "max_ns", NULL, GRT_REPORT_NS },
	};

	for (unsigned int i = 0; i < HIST_CELLS; i++) {
		snprintf(words[2 * i], sizeof(*words), "%s_%s", name, parts[i].name);
		snprintf(words[2 * i + 1], sizeof(*words), "%s %s", title, parts[i].title ? parts[i].title : "");
		to[i] = (struct grt_report_column){
			words[2 * i], is_in_text && parts[i].title ? words[2 * i + 1] : NULL, parts[i].kind,
		};
	}
	return HIST_CELLS;
}

static void put_hist(struct grt_report_table *t, const struct grt_hist *h)
{
	static const unsigned int permilles[] = { 500, 900, 990, 1000 };

	grt_report_u64(t, h->count);
	put_known(t, h->count, grt_hist_sum(h));
	put_known(t, h->count, grt_hist_mean(h));
	for (size_t i = 0; i < sizeof(permilles) / sizeof(permilles[0]); i++)
		put_known(t, h->count, h->count ? grt_hist_quantile(h, permilles[i]) : 0);
}

/* "wait of gfx (SUBMIT to START)", its numbers, and bars. */
static void print_bars(const struct stats *s, const char *what, const char *whose, const char *text,
		       const struct grt_hist *h)
{
	FILE *f = s->out->file;
	char n[GRT_NUMBER_MAX];

	if (!h->count)
		return;
	fprintf(f, "\n%s of %s (%s)\n", what, grt_shown(whose), text);
	fprintf(f, "  %s %s, ", grt_format_count(n, h->count), grt_plural(h->count, "time", "times"));
	fprintf(f, "mean %s, ", grt_format_ns(n, grt_hist_mean(h)));
	fprintf(f, "p50 %s, ", grt_format_ns(n, grt_hist_quantile(h, 500)));
	fprintf(f, "p99 %s, ", grt_format_ns(n, grt_hist_quantile(h, 990)));
	fprintf(f, "max %s\n", grt_format_ns(n, h->max));
	grt_hist_print_bars(h, f, s->out->width);
}

/* --- jobs --- */

static const char *ring_word(char *buf, const struct stats *s, uint32_t ring)
{
	return ring == GRT_OTHERS ? "other rings" : grt_word_ring(buf, job_names(s), ring);
}

static const char *process_word(char *buf, const struct stats *s, uint32_t process)
{
	return process == GRT_OTHERS ? "other processes" : grt_word_process(buf, job_names(s), process);
}

/* Names of one row: device, ring, pid and comm for programs, a word for people. */
static void put_names(struct grt_report_table *t, const struct stats *s, const struct grt_job_sum *row,
		      enum grt_job_sums_by by)
{
	const struct grt_names *names = job_names(s);
	bool has_ring = row->ring != GRT_NONE && row->ring != GRT_OTHERS;
	bool has_process = row->process != GRT_NONE && row->process != GRT_OTHERS;
	const struct grt_process *p = has_process ? grt_names_process_at(names, row->process) : NULL;
	char word[GRT_WORD_MAX];

	grt_report_text(t, by == GRT_SUMS_BY_RING ? ring_word(word, s, row->ring) : process_word(word, s, row->process));
	if (by & GRT_SUMS_BY_RING) {
		grt_report_text(t, has_ring ? grt_names_ring_at(names, row->ring)->device : "");
		grt_report_text(t, has_ring ? grt_names_ring_at(names, row->ring)->name : "");
		grt_report_text(t, ring_word(word, s, row->ring));
	}
	if (by & GRT_SUMS_BY_PROCESS) {
		put_known(t, p, p ? p->tgid : 0);
		grt_report_text(t, p ? p->comm : "");
	}
}

/*
 * Whether the waits for fences are counted.  Where a kernel has no event of them, or a source does not
 * take it, jobs waited for fences that they declared, but no event says so.
 */
static bool knows_waits(const struct stats *s, const struct grt_job_sum *row)
{
	const struct grt_monitor_sums *sums = s->sums;

	return s->out->has_deps && !sums->lacks_waits &&
	       !(sums->has_declared && !sums->has_blocked && row->dep_waits);
}

static void put_job_sum(struct grt_report_table *t, const struct stats *s, const struct grt_job_sum *row)
{
	grt_report_u64(t, row->jobs);
	grt_report_u64(t, row->cut);
	put_known(t, !row->unjudged, row->failed);
	put_known(t, s->out->has_deps && !s->sums->lacks_waits, row->deps);
	put_known(t, knows_waits(s, row), row->waits);
	grt_report_u64(t, row->until_commit);
	for (int i = 0; i < GRT_NR_JOB_SPANS; i++)
		put_hist(t, &row->spans[i]);
}

static void print_jobs(const struct stats *s, const struct grt_job_sums *rows, enum grt_job_sums_by by)
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
	struct grt_report_column columns[6 + sizeof(counts) / sizeof(counts[0]) + GRT_NR_JOB_SPANS * HIST_CELLS];
	char words[GRT_NR_JOB_SPANS * HIST_CELLS * 2][48], drops[sizeof(columns) / sizeof(columns[0]) + 1];
	struct grt_report_table t;
	unsigned int nr = 0, left_out;
	size_t shown = shown_rows(s, grt_job_sums_count(rows), MOST_ROWS, &left_out);

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
		nr += name_hist(&columns[nr], &words[i * HIST_CELLS * 2], grt_job_span_name(i), span_titles[i],
				is_shown(s, i));
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
	print(s, &t, left_out);
}

static const char *span_text(const struct grt_job_sum *row, enum grt_job_span span)
{
	if (span != GRT_SPAN_WAIT || !row->until_commit)
		return grt_job_span_text(span);
	return row->until_commit == row->spans[span].count ? "SUBMIT to COMMIT" : "SUBMIT to START, or to COMMIT";
}

static void print_job_bars(const struct stats *s, const struct grt_job_sums *rows, enum grt_job_sums_by by)
{
	unsigned int left_out;
	size_t shown = shown_rows(s, grt_job_sums_count(rows), MOST_BARS, &left_out);
	char word[GRT_WORD_MAX];

	for (size_t i = 0; i < shown; i++) {
		const struct grt_job_sum *row = grt_job_sums_at(rows, i);
		const char *whose = by == GRT_SUMS_BY_RING ? ring_word(word, s, row->ring) :
				    process_word(word, s, row->process);

		for (int k = 0; k < GRT_NR_JOB_SPANS; k++)
			if (is_shown(s, k))
				print_bars(s, grt_job_span_title(k), whose, span_text(row, k), &row->spans[k]);
	}
}

/* Programs get them as members of objects with the names of the row. */
static void put_job_bars(const struct stats *s, const struct grt_job_sums *rows, enum grt_job_sums_by by)
{
	const struct grt_names *names = job_names(s);
	struct grt_json *j = s->json;

	for (size_t i = 0; i < grt_job_sums_count(rows); i++) {
		const struct grt_job_sum *row = grt_job_sums_at(rows, i);

		grt_json_open(j, NULL, '{');
		if (by == GRT_SUMS_BY_RING) {
			grt_json_text(j, "device", row->ring >= GRT_OTHERS ? "" : grt_names_ring_at(names, row->ring)->device);
			grt_json_text(j, "ring", row->ring >= GRT_OTHERS ? "" : grt_names_ring_at(names, row->ring)->name);
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

static int group(struct grt_job_sums *to, const struct stats *s, enum grt_job_sums_by by)
{
	return grt_job_sums_group(to, &s->sums->jobs, by, job_names(s));
}

static void print_all_jobs(const struct stats *s)
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

/* --- memory --- */

static const char *const ops[GRT_MONITOR_NR_OPS] = {
	[GRTRACE_MEMORY_CREATE] = "create", [GRTRACE_MEMORY_DESTROY] = "destroy",
	[GRTRACE_MEMORY_MOVE] = "move", [GRTRACE_MEMORY_BIND] = "bind", [GRTRACE_MEMORY_UNBIND] = "unbind",
	[GRTRACE_MEMORY_FAULT] = "fault", [GRTRACE_MEMORY_EVICT] = "evict", [GRTRACE_MEMORY_SHRINK] = "shrink",
	[GRTRACE_MEMORY_PWRITE] = "pwrite", [GRTRACE_MEMORY_PREAD] = "pread", [GRT_MONITOR_PLACE] = "place",
};

static void put_memory(struct grt_report_table *t, const struct stats *s, uint32_t process)
{
	const struct grt_memory *m = &s->m->memory;
	const struct grt_memory_process *p = process == GRT_NONE ? &m->all : grt_memory_process_at(m, process);
	struct grt_monitor_ops own = grt_monitor_ops(s->m, process, s->is_lap);
	bool is_one = p != &m->all && p->tgid != GRT_MEMORY_OTHERS;
	uint32_t row = is_one ? grt_names_process_find(job_names(s), p->tgid, UINT64_MAX) : GRT_NONE;
	char word[GRT_WORD_MAX];

	for (int op = 0; op < GRT_MONITOR_NR_OPS; op++) {
		bool knows_bytes = own.ops[op].bytes;	/* no driver's event is of 0 bytes */

		if (!own.ops[op].events)
			continue;
		grt_report_text(t, p == &m->all ? "all" : is_one ? "process" : "others");
		put_known(t, is_one, p->tgid);
		grt_report_text(t, row == GRT_NONE ? "" : grt_names_process_at(job_names(s), row)->comm);
		grt_report_text(t, grt_word_memory_process(word, m, p));
		grt_report_text(t, ops[op]);
		grt_report_u64(t, own.ops[op].events);
		put_known(t, s->ns, s->ns ? rate(own.ops[op].events, s->ns) : 0);
		put_known(t, knows_bytes, own.ops[op].bytes);
		put_known(t, knows_bytes && s->ns, s->ns ? rate(own.ops[op].bytes, s->ns) : 0);
	}
}

static void print_memory(const struct stats *s)
{
	static const struct grt_report_column columns[] = {
		{ "scope", NULL, GRT_REPORT_TEXT }, { "pid", NULL, GRT_REPORT_ID },
		{ "comm", NULL, GRT_REPORT_TEXT }, { NULL, "Memory", GRT_REPORT_TEXT },
		{ "op", "what", GRT_REPORT_TEXT }, { "events", "events", GRT_REPORT_COUNT },
		{ "events_per_s", "per s", GRT_REPORT_COUNT }, { "bytes", "bytes", GRT_REPORT_BYTES },
		{ "bytes_per_s", "rate", GRT_REPORT_RATE },
	};
	unsigned int left_out;
	size_t shown = shown_rows(s, grt_memory_processes(&s->m->memory), MOST_ROWS, &left_out);
	struct grt_report_table t;

	grt_report_init(&t, "memory", columns);
	put_memory(&t, s, GRT_NONE);
	for (size_t i = 0; i < shown; i++)
		put_memory(&t, s, i);
	print(s, &t, left_out);
}

/* --- interrupts --- */

static void print_irqs(const struct stats *s)
{
	static const struct grt_report_column columns[] = {
		{ "scope", NULL, GRT_REPORT_TEXT }, { NULL, "Interrupts", GRT_REPORT_TEXT },
		{ "device", NULL, GRT_REPORT_TEXT }, { "irq", NULL, GRT_REPORT_ID }, { "ih", NULL, GRT_REPORT_ID },
		{ "client", "client", GRT_REPORT_ID }, { "source", "source", GRT_REPORT_ID },
		{ "irq_ring", "ring", GRT_REPORT_ID }, { "interrupts", "interrupts", GRT_REPORT_COUNT },
		{ "interrupts_per_s", "per s", GRT_REPORT_COUNT },
	};
	const struct grt_irq_sums *irqs = &s->sums->irqs;
	unsigned int left_out;
	size_t shown = shown_rows(s, grt_irq_sums_count(irqs), MOST_ROWS, &left_out);
	char device[GRT_PCI_NAME_MAX], word[GRT_WORD_MAX];
	struct grt_report_table t;

	grt_report_init(&t, "interrupts", columns);
	for (size_t i = 0; i < shown; i++) {
		const struct grt_irq_sum *row = grt_irq_sums_at(irqs, i);
		bool is_gpu = !row->is_handler && !row->is_others;

		snprintf(word, sizeof(word), "irq %" PRIu32, row->irq);
		grt_report_text(&t, row->is_others ? "others" : is_gpu ? "gpu" : "handler");
		grt_report_text(&t, row->is_others ? "other sources" : is_gpu ? "of the GPU" : word);
		grt_report_text(&t, grt_pci_name(device, row->pci_address));
		put_known(&t, row->is_handler, row->irq);
		put_known(&t, is_gpu, row->ih);
		put_known(&t, is_gpu, row->client);
		put_known(&t, is_gpu, row->source);
		put_known(&t, is_gpu, row->ring);
		grt_report_u64(&t, row->count);
		put_known(&t, s->ns, s->ns ? rate(row->count, s->ns) : 0);
	}
	print(s, &t, left_out);
}

/* --- displays --- */

/* A source without questions, or answers, does not know what became of them. */
static void put_clients(struct grt_report_table *t, const struct grt_crtc_sums *s, bool has_asked, bool has_told,
			bool is_mixed)
{
	put_known(t, has_asked, s->asked);
	put_known(t, has_asked && !is_mixed, s->in_time);
	put_known(t, has_asked && !is_mixed, s->missed);
	put_known(t, has_asked && !is_mixed, s->passed);
	put_known(t, has_asked, s->asked_unknown);
	put_known(t, has_told, s->told);
	put_known(t, has_told && !is_mixed, s->prompt);
	put_known(t, has_told && !is_mixed, s->late);
	put_known(t, has_told, s->told_unknown);
	put_hist(t, &s->latency);
	put_hist(t, &s->delivery);
}

#define NR_CLIENT_CELLS	(9 + 2 * HIST_CELLS)

static void name_clients(struct grt_report_column *to, char (*words)[48])
{
	static const struct grt_report_column counts[] = {
		{ "asked", "asked", GRT_REPORT_COUNT }, { "in_time", "in time", GRT_REPORT_COUNT },
		{ "missed", "missed", GRT_REPORT_COUNT }, { "passed", NULL, GRT_REPORT_COUNT },
		{ "asked_unknown", NULL, GRT_REPORT_COUNT }, { "told", "told", GRT_REPORT_COUNT },
		{ "prompt", NULL, GRT_REPORT_COUNT }, { "late", "late", GRT_REPORT_COUNT },
		{ "told_unknown", NULL, GRT_REPORT_COUNT },
	};

	memcpy(to, counts, sizeof(counts));
	name_hist(to + 9, words, "latency", "latency", true);
	name_hist(to + 9 + HIST_CELLS, words + 2 * HIST_CELLS, "since_blank", "since blank", true);
}

static void print_crtcs(const struct stats *s, const struct grt_crtcs *all)
{
	static const struct grt_report_column columns[] = {
		{ "gpu", NULL, GRT_REPORT_TEXT }, { "crtc", NULL, GRT_REPORT_ID },
		{ NULL, "Displays", GRT_REPORT_TEXT }, { "refresh_ns", NULL, GRT_REPORT_NS },
		{ NULL, "refresh", GRT_REPORT_TEXT }, { "seen", "seen", GRT_REPORT_COUNT },
		{ "missing", "missing", GRT_REPORT_COUNT }, { "missing_lost", "lost", GRT_REPORT_COUNT },
		{ "restarts", "restarts", GRT_REPORT_COUNT }, { "clients", "clients", GRT_REPORT_COUNT },
	};
	char gpu[GRT_PCI_NAME_MAX], word[GRT_WORD_MAX], hz[32];
	struct grt_report_table t;

	grt_report_init(&t, "crtcs", columns);
	for (unsigned int i = 0; i < all->count; i++) {
		const struct grt_crtc *c = &all->at[i];

		grt_report_text(&t, grt_pci_name(gpu, c->gpu));
		grt_report_u64(&t, c->crtc);
		grt_report_text(&t, grt_word_crtc(word, c->crtc, grt_crtcs_have_gpus(all) ? c->gpu : 0));
		put_known(&t, c->refresh_ns, c->refresh_ns);
		snprintf(hz, sizeof(hz), "%.2f Hz", c->refresh_ns ? 1e9 / c->refresh_ns : 0);
		grt_report_text(&t, c->refresh_ns ? hz : "");
		put_known(&t, !c->is_mixed, c->seen);
		put_known(&t, !c->is_mixed, c->missing);
		put_known(&t, !c->is_mixed, c->missing_lost);
		put_known(&t, !c->is_mixed, c->restarts);
		grt_report_u64(&t, grt_crtc_clients(c));
	}
	print(s, &t, 0);
}

static const char *client_word(char *buf, const struct stats *s, const struct grt_crtc_client *client)
{
	uint32_t row = client->tgid ? grt_names_process_find(job_names(s), client->tgid, UINT64_MAX) : GRT_NONE;
	char process[GRT_WORD_MAX];
	const char *word = process;

	if (client->is_others)
		return "other clients";
	if (row != GRT_NONE)
		word = grt_word_process(process, job_names(s), row);
	else if (client->tgid)
		snprintf(process, sizeof(process), "[%" PRIu32 "]", client->tgid);
	if (client->tgid && client->client_id)
		snprintf(buf, GRT_CLIENT_MAX, "%s %" PRIu64, word, client->client_id);
	else if (client->tgid)
		snprintf(buf, GRT_CLIENT_MAX, "%s", word);
	else if (client->client_id)
		snprintf(buf, GRT_CLIENT_MAX, "client %" PRIu64, client->client_id);
	else
		return "not known";
	return buf;
}

static bool is_idle(const struct grt_crtc_client *client)
{
	return !client->sums.asked && !client->sums.told;
}

static void print_clients(const struct stats *s, const struct grt_crtcs *all, bool has_asked, bool has_told)
{
	struct grt_report_column columns[6 + NR_CLIENT_CELLS] = {
		{ "gpu", NULL, GRT_REPORT_TEXT }, { "crtc", "CRTC", GRT_REPORT_ID },
		{ NULL, "Clients", GRT_REPORT_TEXT }, { "client_id", NULL, GRT_REPORT_ID },
		{ "pid", NULL, GRT_REPORT_ID }, { "comm", NULL, GRT_REPORT_TEXT },
	};
	static const char drops[] = "000000" "040000000" "0002010" "0006050";
	char words[4 * HIST_CELLS][48], gpu[GRT_PCI_NAME_MAX], word[GRT_CLIENT_MAX];
	struct grt_report_table t;
	unsigned int rows = 0, left_out = 0;

	_Static_assert(sizeof(drops) - 1 == 6 + NR_CLIENT_CELLS, "a digit per column");
	name_clients(&columns[6], words);
	grt_report_begin(&t, "clients", columns, 6 + NR_CLIENT_CELLS);
	t.drops = drops;
	for (unsigned int i = 0; i < all->count; i++) {
		const struct grt_crtc *c = &all->at[i];

		for (size_t k = 0; k < grt_crtc_clients(c); k++) {
			const struct grt_crtc_client *client = grt_crtc_client_at(c, k);
			uint32_t row = client->tgid ? grt_names_process_find(job_names(s), client->tgid, UINT64_MAX) :
				       GRT_NONE;

			if (is_idle(client))
				continue;
			if (rows >= MOST_ROWS && !s->json) {
				left_out++;
				continue;
			}
			rows++;
			grt_report_text(&t, grt_pci_name(gpu, c->gpu));
			grt_report_u64(&t, c->crtc);
			grt_report_text(&t, client_word(word, s, client));
			put_known(&t, client->client_id, client->client_id);
			put_known(&t, client->tgid, client->tgid);
			grt_report_text(&t, row == GRT_NONE ? "" : grt_names_process_at(job_names(s), row)->comm);
			put_clients(&t, &client->sums, has_asked, has_told, c->is_mixed);
		}
	}
	print(s, &t, left_out);
}

static void print_client_bars(const struct stats *s, const struct grt_crtcs *all)
{
	char word[GRT_CLIENT_MAX], whose[GRT_CLIENT_MAX + 32];

	for (unsigned int i = 0; i < all->count; i++) {
		for (size_t k = 0; k < grt_crtc_clients(&all->at[i]) && k < MOST_BARS; k++) {
			const struct grt_crtc_client *client = grt_crtc_client_at(&all->at[i], k);

			snprintf(whose, sizeof(whose), "%s, crtc %" PRIu32, client_word(word, s, client), all->at[i].crtc);
			print_bars(s, "latency", whose, "queue to delivery", &client->sums.latency);
			print_bars(s, "since blank", whose, "vblank to delivery", &client->sums.delivery);
		}
	}
}

static void put_client_bars(struct grt_json *j, const struct grt_crtcs *all)
{
	grt_json_open(j, "histograms", '[');
	for (unsigned int i = 0; i < all->count; i++) {
		for (size_t k = 0; k < grt_crtc_clients(&all->at[i]); k++) {
			const struct grt_crtc_client *client = grt_crtc_client_at(&all->at[i], k);

			if (is_idle(client))
				continue;
			grt_json_open(j, NULL, '{');
			grt_json_u64(j, "crtc", all->at[i].crtc);
			if (client->client_id)
				grt_json_u64(j, "client_id", client->client_id);
			else
				grt_json_null(j, "client_id");
			grt_hist_print_buckets(&client->sums.latency, j, "latency");
			grt_hist_print_buckets(&client->sums.delivery, j, "since_blank");
			grt_json_close(j, '}');
		}
	}
	grt_json_close(j, ']');
}

static void print_blanks(const struct stats *s)
{
	const struct grt_crtcs *all = &s->sums->crtcs, *ever = &s->m->all.crtcs;
	bool has_asked = false, has_told = false;

	for (unsigned int i = 0; i < ever->count; i++) {
		has_asked |= ever->at[i].asked;
		has_told |= ever->at[i].told;
	}
	print_crtcs(s, all);
	print_clients(s, all, has_asked, has_told);
	if (s->json)
		put_client_bars(s->json, all);
	else
		print_client_bars(s, all);
}

/* --- the whole --- */

static const struct {
	unsigned int part;
	void (*print)(const struct stats *s);
} parts[] = {
	{ GRT_MONITOR_OF_JOBS, print_all_jobs },
	{ GRT_MONITOR_OF_MEMORY, print_memory },
	{ GRT_MONITOR_OF_IRQS, print_irqs },
	{ GRT_MONITOR_OF_BLANKS, print_blanks },
};

static void say_missing(const struct stats *s)
{
	const struct grt_monitor_out *o = s->out;
	FILE *f = o->file;
	char n[GRT_NUMBER_MAX];

	if (o->lost)
		fprintf(f, "! %s %s so far: these numbers are too small.\n", grt_format_count(n, o->lost),
			grt_plural(o->lost, "event was lost", "events were lost"));
	if (o->uncounted)
		fputs("! An unknown number of events was lost: these numbers may be too small.\n", f);
	if (o->left_out)
		fprintf(f, "! %s %s left out by filters, sampling or limits.\n", grt_format_count(n, o->left_out),
			grt_plural(o->left_out, "event was", "events were"));
	if (s->m->unplaced)
		fprintf(f, "! %s %s left out, because their driver is not known.\n", grt_format_count(n, s->m->unplaced),
			grt_plural(s->m->unplaced, "event was", "events were"));
	if (s->m->synthetic)
		fprintf(f, "%s %s written by hand, and do not count.\n", grt_format_count(n, s->m->synthetic),
			grt_plural(s->m->synthetic, "event was", "events were"));
}

static void print_text(const struct stats *s)
{
	const struct grt_monitor_about *about = &grt_monitor_abouts[s->m->kind];
	FILE *f = s->out->file;
	char n[GRT_NUMBER_MAX];

	fprintf(f, "\n=== %s Statistics ===\n", about->title);
	fprintf(f, "%s: %s ", s->is_lap ? "the last interval" : "in all", grt_format_count(n, s->sums->rows));
	fprintf(f, "%s in %s", grt_plural(s->sums->rows, "event", "events"), grt_format_ns(n, s->ns));
	if (s->sums->errors)
		fprintf(f, ", %s %s", grt_format_count(n, s->sums->errors), grt_plural(s->sums->errors, "error", "errors"));
	fputs("\n", f);
	say_missing(s);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (about->parts & parts[i].part)
			parts[i].print(s);
	if (s->is_lap)
		putc('\n', f);
}

static void print_json(struct stats *s)
{
	const struct grt_monitor_about *about = &grt_monitor_abouts[s->m->kind];
	struct grt_json j = { .file = s->out->file };

	s->json = &j;
	grt_json_open(&j, NULL, '{');
	grt_json_text(&j, "statistics", about->name);
	grt_json_text(&j, "scope", s->is_lap ? "interval" : "all");
	grt_json_u64(&j, "ns", s->ns);
	grt_json_u64(&j, "events", s->sums->rows);
	grt_json_u64(&j, "errors", s->sums->errors);
	grt_json_u64(&j, "lost", s->out->lost);
	grt_json_u64(&j, "left_out", s->out->left_out);
	grt_json_u64(&j, "uncounted_losses", s->out->uncounted);
	grt_json_u64(&j, "unknown_driver", s->m->unplaced);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (about->parts & parts[i].part)
			parts[i].print(s);
	grt_json_close(&j, '}');
	putc('\n', s->out->file);
}

void grt_monitor_print_stats(const struct grt_monitor_out *o, const struct grt_monitor *m, uint64_t lap_ns)
{
	struct stats s = { .out = o, .m = m, .sums = lap_ns ? &m->lap : &m->all, .is_lap = lap_ns, .ns = lap_ns };

	if (!lap_ns)
		s.ns = m->all.to_ns - m->all.from_ns;
	if (o->is_json)
		print_json(&s);
	else
		print_text(&s);
}
