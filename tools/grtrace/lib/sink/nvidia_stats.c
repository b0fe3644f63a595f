// SPDX-License-Identifier: LGPL-2.1
/* The statistics of "grtrace monitor nvidia": a table per section, then distributions as bars. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "monitor_sink.h"
#include "number.h"
#include "nvidia_sink.h"
#include "quote.h"
#include "report_table.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define MOST_ROWS	20	/* of a table in text */
#define ALL		UINT32_MAX	/* the row of all processes */
#define BIT(event)	(1u << GRT_NVIDIA_##event)

/* The statistics of one time. */
struct stats {
	const struct grt_nvidia_out *out;
	const struct grt_nvidia *n;
	const struct grt_nvidia_sums *sums;
	struct grt_json *json;	/* NULL: text */
	uint64_t ns;		/* how long the time was */
	bool is_lap;
	int err;
};

static bool is_there(const struct stats *s, enum grt_nvidia_event event)
{
	return s->out->there >> event & 1;
}

static void begin_section(const struct stats *s, const char *title)
{
	if (!s->json)
		fprintf(s->out->file, "\n--- %s ---\n", title);
}

/* Prints a table, and frees it. */
static void print(struct stats *s, struct grt_report_table *t, size_t left_out)
{
	const struct grt_nvidia_out *o = s->out;

	t->width = o->width;
	if (t->failed)
		s->err = grt_fail_memory();
	else if (s->json)
		grt_report_print_json(t, s->json);
	else if (grt_report_rows(t))
		grt_report_print_text(t, o->file, NULL, o->has_colour ? "\033[1m" : "", o->has_colour ? "\033[0m" : "");
	if (!s->json && left_out)
		fprintf(o->file, "and %zu more: --json has all\n", left_out);
	grt_report_free(t);
}

/* --- what processes did --- */

#define MOST_CELLS	6

/* Of a section with a row per process: what it counts. */
enum section_number { DEVICES, MEMORY, P2P, ASYNC };

static const struct section {
	const char *title, *name;
	struct {
		enum grt_nvidia_event event;
		size_t number;		/* offset in struct grt_nvidia_counts */
		struct grt_report_column column;
	} cells[MOST_CELLS];		/* those that are used come first */
} sections[] = {
#define CALLS(NAME, name, title)							\
	{ GRT_NVIDIA_##NAME, offsetof(struct grt_nvidia_counts, calls[GRT_NVIDIA_##NAME]),	\
	  { name, title, GRT_REPORT_COUNT } }
#define NUMBER(NAME, member, name, title, kind)						\
	{ GRT_NVIDIA_##NAME, offsetof(struct grt_nvidia_counts, member), { name, title, kind } }
	[DEVICES] = { "Device Operations", "devices", {
		CALLS(OPEN, "opens", "opens"), NUMBER(OPEN, failed_opens, "failed_opens", "failed", GRT_REPORT_COUNT),
		CALLS(CLOSE, "closes", "closes"), CALLS(IOCTL, "ioctls", "ioctls") } },
	[MEMORY] = { "Memory Management", "memory", {
		CALLS(MMAP, "mmaps", "mmaps"), NUMBER(MMAP, mmap_bytes, "mmap_bytes", "mapped", GRT_REPORT_BYTES),
		CALLS(FAULT, "faults", "faults"), CALLS(VMA_OPEN, "vma_opens", "VMA opens"),
		CALLS(VMA_CLOSE, "vma_closes", "closes"), CALLS(VMA_ACCESS, "vma_accesses", "accesses") } },
	[P2P] = { "P2P GPU-GPU Communication", "p2p", {
		CALLS(P2P_GET, "get_pages", "get pages"),
		NUMBER(P2P_GET, p2p_bytes, "bytes", "bytes", GRT_REPORT_BYTES),
		CALLS(P2P_PUT, "put_pages", "put pages"), CALLS(P2P_MAP, "dma_maps", "DMA maps"),
		CALLS(P2P_UNMAP, "dma_unmaps", "DMA unmaps") } },
	[ASYNC] = { "Async Operations", "async", { CALLS(POLL, "polls", "polls") } },
};

static bool is_used(const struct section *section, unsigned int cell)
{
	return cell < MOST_CELLS && section->cells[cell].column.title;
}

static const struct grt_nvidia_counts *counts_of(const struct stats *s, uint32_t process)
{
	static const struct grt_nvidia_counts none;

	if (process == ALL)
		return &s->sums->all;
	return process < grt_vec_count(&s->sums->processes, struct grt_nvidia_counts) ?
	       grt_vec_at(&s->sums->processes, struct grt_nvidia_counts, process) : &none;
}

static uint64_t number_of(const struct stats *s, const struct section *section, unsigned int cell, uint32_t process)
{
	uint64_t number;

	memcpy(&number, (const char *)counts_of(s, process) + section->cells[cell].number, sizeof(number));
	return number;
}

/* Calls, but not bytes. */
static uint64_t sum_of(const struct stats *s, const struct section *section, uint32_t process)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; is_used(section, i); i++)
		if (section->cells[i].column.kind == GRT_REPORT_COUNT)
			sum += number_of(s, section, i, process);
	return sum;
}

/* scope, pid and comm for programs, a word for people. */
static void put_process(struct grt_report_table *t, const struct stats *s, uint32_t process)
{
	const struct grt_nvidia_process *p = process == ALL ? NULL : grt_nvidia_process_at(s->n, process);
	char word[48];

	grt_report_text(t, !p ? "all" : p->tgid ? "process" : "others");
	grt_report_known(t, p && p->tgid, p ? p->tgid : 0);
	grt_report_text(t, p ? p->comm : "");
	snprintf(word, sizeof(word), "%s[%" PRIu32 "]", p && *p->comm ? p->comm : "-", p ? p->tgid : 0);
	grt_report_text(t, !p ? "all" : p->tgid ? word : "other processes");
}

static void put_counts(struct grt_report_table *t, const struct stats *s, const struct section *section,
		       uint32_t process)
{
	put_process(t, s, process);
	for (unsigned int i = 0; is_used(section, i); i++)
		grt_report_known(t, is_there(s, section->cells[i].event), number_of(s, section, i, process));
}

/* A process, and what decides its place. */
struct place {
	uint32_t process;
	uint64_t sum;
};

static int compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	return (x->process > y->process) - (x->process < y->process);
}

/* Processes that did any of it, those that did most first.  Returns how many. */
static size_t order_processes(const struct stats *s, const struct section *section,
			      struct place places[GRT_NVIDIA_PROCESSES + 1])
{
	size_t count = 0;

	for (uint32_t i = 0; i < grt_nvidia_nr_processes(s->n); i++) {
		places[count] = (struct place){ i, sum_of(s, section, i) };
		count += places[count].sum > 0;
	}
	qsort(places, count, sizeof(*places), compare);
	return count;
}

static void print_processes(struct stats *s, enum section_number number)
{
	const struct section *section = &sections[number];
	struct grt_report_column columns[4 + MOST_CELLS] = {
		{ "scope", NULL, GRT_REPORT_TEXT }, { "pid", NULL, GRT_REPORT_ID },
		{ "comm", NULL, GRT_REPORT_TEXT }, { NULL, "Process", GRT_REPORT_TEXT },
	};
	struct place places[GRT_NVIDIA_PROCESSES + 1];
	size_t count = order_processes(s, section, places), shown;
	struct grt_report_table t;
	unsigned int nr = 4;

	for (unsigned int i = 0; is_used(section, i); i++)
		columns[nr++] = section->cells[i].column;
	begin_section(s, section->title);
	grt_report_begin(&t, section->name, columns, nr);
	shown = s->json || count <= MOST_ROWS ? count : MOST_ROWS;
	put_counts(&t, s, section, ALL);
	for (size_t i = 0; i < shown; i++)
		put_counts(&t, s, section, places[i].process);
	print(s, &t, count - shown);
}

/* --- times --- */

static const struct grt_report_column time_columns[] = {
	{ "name", "Function", GRT_REPORT_TEXT }, { "calls", "calls", GRT_REPORT_COUNT },
	{ "timed", NULL, GRT_REPORT_COUNT }, { "sum_ns", NULL, GRT_REPORT_NS }, { "min_ns", NULL, GRT_REPORT_NS },
	{ "mean_ns", "mean", GRT_REPORT_NS }, { "p50_ns", "p50", GRT_REPORT_NS }, { "p99_ns", "p99", GRT_REPORT_NS },
	{ "max_ns", "max", GRT_REPORT_NS },
};

static void put_times(struct grt_report_table *t, const struct grt_hist *h)
{
	grt_report_u64(t, h->count);
	grt_report_known(t, h->count, grt_hist_sum(h));
	grt_report_known(t, h->count, h->min);
	grt_report_known(t, h->count, grt_hist_mean(h));
	grt_report_known(t, h->count, grt_hist_quantile(h, 500));
	grt_report_known(t, h->count, grt_hist_quantile(h, 990));
	grt_report_known(t, h->count, h->max);
}

static void put_event_times(struct grt_report_table *t, const struct stats *s, enum grt_nvidia_event event)
{
	if (!is_there(s, event))
		return;
	grt_report_text(t, grt_nvidia_abouts[event].name);
	grt_report_u64(t, s->sums->all.calls[event]);
	put_times(t, &s->sums->times[event]);
}

static void print_times(struct stats *s, const char *name, uint32_t events)
{
	struct grt_report_table t;

	grt_report_init(&t, name, time_columns);
	for (int i = 0; i < GRT_NR_NVIDIA_EVENTS; i++)
		if (events >> i & 1)
			put_event_times(&t, s, i);
	print(s, &t, 0);
}

/* A distribution: bars, or an array of buckets. */
static void print_hist(struct stats *s, const char *name, const char *title, const struct grt_hist *h)
{
	FILE *f = s->out->file;
	char n[GRT_NUMBER_MAX];

	if (s->json) {
		grt_hist_print_buckets(h, s->json, name);
		return;
	}
	if (!h->count)
		return;
	fprintf(f, "\n%s\n", title);
	fprintf(f, "  %s %s, ", grt_format_count(n, h->count), grt_plural(h->count, "time", "times"));
	fprintf(f, "mean %s, ", grt_format_ns(n, grt_hist_mean(h)));
	fprintf(f, "max %s\n", grt_format_ns(n, h->max));
	grt_hist_print_bars(h, f, s->out->width);
}

static void print_irqs(struct stats *s)
{
	static const struct {
		enum grt_nvidia_event event;
		const char *title;
	} halves[] = {
		{ GRT_NVIDIA_ISR, "top half (nvidia_isr)" }, { GRT_NVIDIA_ISR_MSIX, "top half (nvidia_isr_msix)" },
		{ GRT_NVIDIA_BH, "bottom half (nvidia_isr_kthread_bh)" },
		{ GRT_NVIDIA_BH_MSIX, "bottom half (nvidia_isr_msix_kthread_bh)" },
		{ GRT_NVIDIA_BH_UNLOCKED, "bottom half (nvidia_isr_bh_unlocked)" },
	};

	begin_section(s, "Interrupt Handling");
	print_times(s, "interrupts", BIT(ISR) | BIT(ISR_MSIX) | BIT(BH) | BIT(BH_MSIX) | BIT(BH_UNLOCKED));
	for (size_t i = 0; i < NR(halves); i++)
		if (is_there(s, halves[i].event))
			print_hist(s, grt_nvidia_abouts[halves[i].event].name, halves[i].title,
				   &s->sums->times[halves[i].event]);
	print_hist(s, "until_bottom_half", "from the end of a top half to its bottom half", &s->sums->until_bh);
}

static void print_power(struct stats *s)
{
	begin_section(s, "Power Management");
	print_times(s, "power", BIT(SUSPEND) | BIT(RESUME));
	print_hist(s, "asleep", "asleep, from suspend to resume", &s->sums->asleep);
}

/* --- errors --- */

static void print_xids(struct stats *s)
{
	static const struct grt_report_column columns[] = {
		{ "gpu", "GPU", GRT_REPORT_TEXT }, { "xid", "Xid", GRT_REPORT_ID },
		{ "count", "count", GRT_REPORT_COUNT }, { "text", "the last one", GRT_REPORT_TEXT },
	};
	struct grt_report_table t;
	char n[GRT_NUMBER_MAX];
	uint64_t sum = s->sums->all.calls[GRT_NVIDIA_XID];

	begin_section(s, "Errors");
	if (s->json)
		grt_json_bool(s->json, "lacks_xids", s->sums->lacks_xids);
	else if (!is_there(s, GRT_NVIDIA_XID))
		fputs("Xid errors: not known\n", s->out->file);
	else
		fprintf(s->out->file, "Xid errors: %s%s\n", grt_format_count(n, sum),
			s->sums->lacks_xids ? " or more: lines of the kernel's log were lost" : "");
	grt_report_init(&t, "xids", columns);
	for (size_t i = 0; i < grt_vec_count(&s->sums->xids, struct grt_nvidia_xid); i++) {
		const struct grt_nvidia_xid *row = grt_vec_at(&s->sums->xids, struct grt_nvidia_xid, i);

		grt_report_text(&t, row->is_others ? "others" : row->device);
		grt_report_known(&t, !row->is_others, row->code);
		grt_report_u64(&t, row->count);
		grt_report_text(&t, row->text);
	}
	print(s, &t, 0);
}

/* --- open files --- */

static void print_open(struct stats *s)
{
	static const struct grt_report_column columns[] = {
		{ "scope", NULL, GRT_REPORT_TEXT }, { "pid", NULL, GRT_REPORT_ID },
		{ "comm", NULL, GRT_REPORT_TEXT }, { NULL, "Process", GRT_REPORT_TEXT },
		{ "files", "open files", GRT_REPORT_COUNT },
	};
	struct grt_report_table t;
	size_t shown = 0, left_out = 0;

	begin_section(s, "Currently Open");
	if (s->json) {
		grt_json_bool(s->json, "knows_open", !s->n->lacks_files && is_there(s, GRT_NVIDIA_OPEN));
	} else if (s->n->lacks_files) {
		fputs("not known: calls were lost\n", s->out->file);
		return;
	}
	grt_report_init(&t, "open", columns);
	for (size_t i = 0; i < grt_nvidia_nr_processes(s->n); i++) {
		const struct grt_nvidia_process *p = grt_nvidia_process_at(s->n, i);

		if (!p->files)
			continue;
		if (!s->json && shown++ >= MOST_ROWS) {
			left_out++;
			continue;
		}
		put_process(&t, s, i);
		grt_report_known(&t, !s->n->lacks_files, p->files);
	}
	if (!s->json && !grt_report_rows(&t))
		fputs("no file that was opened since monitor began\n", s->out->file);
	print(s, &t, left_out);
}

/* --- all of it --- */

/* Prints words, as many in a line as fit. */
static void print_words(const struct stats *s, const char *title, const char *words)
{
	size_t at = strlen(title), len;

	fputs(title, s->out->file);
	for (; *words; words += len + strspn(words + len, " ")) {
		len = strcspn(words, " ");
		if (s->out->width && at + 1 + len > s->out->width) {
			fputs("\n ", s->out->file);
			at = 1;
		}
		fprintf(s->out->file, " %.*s", (int)len, words);
		at += 1 + len;
	}
	putc('\n', s->out->file);
}

static void say_missing(const struct stats *s)
{
	const struct grt_nvidia_sums *sums = s->sums;
	const struct {
		uint64_t count;
		const char *one, *many;
	} rows[] = {
		{ sums->lost, "event was lost", "events were lost" },
		{ sums->cut, "call has no time, because its end was not seen",
		  "calls have no time, because their ends were not seen" },
		{ s->out->missed, "call or return was missed by the kernel's probes",
		  "calls and returns were missed by the kernel's probes" },
		{ sums->unsized, "mapping is of unknown size", "mappings are of unknown size" },
	};
	char n[GRT_NUMBER_MAX];

	for (size_t i = 0; i < NR(rows); i++)
		if (rows[i].count)
			fprintf(s->out->file, "%s %s\n", grt_format_count(n, rows[i].count),
				grt_plural(rows[i].count, rows[i].one, rows[i].many));
	if (*s->out->missing)
		print_words(s, "functions that this driver lacks, so that their calls are not known:", s->out->missing);
}

static void print_sections(struct stats *s)
{
	print_processes(s, DEVICES);
	print_processes(s, MEMORY);
	print_irqs(s);
	print_processes(s, P2P);
	print_power(s);
	print_xids(s);
	print_processes(s, ASYNC);
	print_open(s);
}

static void print_text(struct stats *s)
{
	FILE *f = s->out->file;
	char n[GRT_NUMBER_MAX];

	fputs("\n=== NVIDIA GPU Driver Statistics ===\n", f);
	fprintf(f, "%s: %s ", s->is_lap ? "the last interval" : "in all", grt_format_count(n, s->sums->events));
	fprintf(f, "%s in %s\n", grt_plural(s->sums->events, "call", "calls"), grt_format_ns(n, s->ns));
	say_missing(s);
	print_sections(s);
	if (s->is_lap)
		putc('\n', f);
}

static void print_json(struct stats *s)
{
	struct grt_json j = { .file = s->out->file };

	s->json = &j;
	grt_json_open(&j, NULL, '{');
	grt_json_text(&j, "statistics", "nvidia");
	grt_json_text(&j, "scope", s->is_lap ? "interval" : "all");
	grt_json_text(&j, "module", s->out->module);
	grt_json_text(&j, "missing", s->out->missing);
	grt_json_u64(&j, "ns", s->ns);
	grt_json_u64(&j, "events", s->sums->events);
	grt_json_u64(&j, "lost", s->sums->lost);
	grt_json_u64(&j, "missed", s->out->missed);
	grt_json_u64(&j, "cut", s->sums->cut);
	grt_json_u64(&j, "unsized", s->sums->unsized);
	print_sections(s);
	grt_json_close(&j, '}');
	putc('\n', s->out->file);
}

int grt_nvidia_print_stats(const struct grt_nvidia_out *o, const struct grt_nvidia *n, uint64_t lap_ns)
{
	struct stats s = {
		.out = o, .n = n, .sums = lap_ns ? &n->lap : &n->all, .is_lap = lap_ns, .ns = lap_ns,
	};

	if (!lap_ns)
		s.ns = n->all.to_ns - n->all.from_ns;
	if (o->is_json)
		print_json(&s);
	else
		print_text(&s);
	return s.err;
}
