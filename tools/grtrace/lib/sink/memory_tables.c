// SPDX-License-Identifier: LGPL-2.1
/* Memory of GPUs as tables: processes, domains, moves, events, and live bytes over time. */
#include <inttypes.h>
#include <string.h>

#include "glyphs.h"
#include "job_words.h"
#include "memory_sink.h"

#define SPARK_CELLS	20
#define SPARK_MAX	(4 * SPARK_CELLS + 1)
#define COLUMNS_OF_CELL	(GRT_LIVE_COLUMNS / SPARK_CELLS)

static const struct grt_names *names_of(const struct grt_memory *m)
{
	return grt_model_names(m->model);
}

/* Under its latest name.  GRT_NONE: no definition names it. */
static uint32_t name_row(const struct grt_memory *m, uint32_t tgid)
{
	return grt_names_process_find(names_of(m), tgid, m->window.to_ns);
}

const char *grt_word_memory_process(char *buf, const struct grt_memory *m, const struct grt_memory_process *p)
{
	uint32_t row = name_row(m, p->tgid);

	if (p == &m->all)
		return "all";
	if (p->tgid == GRT_MEMORY_OTHERS)
		return "other processes";
	if (row != GRT_NONE)
		return grt_word_process(buf, names_of(m), row);
	snprintf(buf, GRT_WORD_MAX, "process %" PRIu32, p->tgid);
	return buf;
}

/* Four cells: scope, pid, comm, and both in a word for text. */
static void put_process(struct grt_report_table *t, const struct grt_memory *m,
			const struct grt_memory_process *p)
{
	bool is_one = p != &m->all && p->tgid != GRT_MEMORY_OTHERS;
	uint32_t row = is_one ? name_row(m, p->tgid) : GRT_NONE;
	char word[GRT_WORD_MAX];

	grt_report_text(t, p == &m->all ? "all" : is_one ? "process" : "others");
	grt_report_known(t, is_one, p->tgid);
	grt_report_text(t, row == GRT_NONE ? "" : grt_names_process_at(names_of(m), row)->comm);
	grt_report_text(t, grt_word_memory_process(word, m, p));
}

#define PROCESS_COLUMNS(title)				\
	{ "scope", NULL, GRT_REPORT_TEXT },		\
	{ "pid", NULL, GRT_REPORT_ID },			\
	{ "comm", NULL, GRT_REPORT_TEXT },		\
	{ NULL, title, GRT_REPORT_TEXT }

static void put_device(struct grt_report_table *t, uint32_t pci_address)
{
	char device[GRT_PCI_NAME_MAX];

	grt_report_text(t, grt_pci_name(device, pci_address));
}

/* Two cells: number and name. */
static void put_domain(struct grt_report_table *t, const struct grt_memory *m, uint32_t pci_address,
		       uint32_t domain)
{
	char device[GRT_PCI_NAME_MAX], number[16];
	const char *name = NULL;

	if (domain == GRT_DOMAIN_UNSAID) {
		grt_report_unknown(t);
		grt_report_unknown(t);
		return;
	}
	name = grt_domain_name(grt_names_driver(names_of(m), grt_pci_name(device, pci_address)), domain);
	snprintf(number, sizeof(number), "%" PRIu32, domain);
	grt_report_u64(t, domain);
	grt_report_text(t, name ? name : number);
}

static void put_level(struct grt_report_table *t, const struct grt_memory *m,
		      const struct grt_live_level *l, bool is_known)
{
	grt_report_known(t, is_known, l->begin_bytes);
	grt_report_known(t, is_known, l->bytes);
	grt_report_known(t, is_known, l->peak_bytes);
	grt_report_known(t, is_known, l->peak_ns);
	grt_report_known(t, is_known, l->peak_ns - grt_model_totals(m->model)->first_ns);
}

#define LEVEL_COLUMNS							\
	{ "live_begin_bytes", NULL, GRT_REPORT_BYTES },			\
	{ "live_end_bytes", "live at end", GRT_REPORT_BYTES },		\
	{ "live_peak_bytes", "at most", GRT_REPORT_BYTES },		\
	{ "live_peak_at_ns", NULL, GRT_REPORT_ID },			\
	{ NULL, "at", GRT_REPORT_AT }

/* Live bytes over time, a character for several columns. */
static const char *spark(char *buf, const struct grt_job_out *o, const struct grt_memory *m,
			 const struct grt_memory_process *p)
{
	double most = p->live.level.peak_bytes;
	char *to = buf;

	*to = '\0';
	if (!grt_memory_knows_column(m, p, 0) || !p->live.level.peak_bytes)
		return buf;
	for (unsigned int i = COLUMNS_OF_CELL - 1; i < GRT_LIVE_COLUMNS; i += COLUMNS_OF_CELL) {
		uint64_t bytes = p->live.columns[i].end_bytes;

		to = stpcpy(to, !grt_memory_knows_column(m, p, i) ? "?" : !bytes ? " " :
			    grt_glyph_bar(bytes, most, o->is_ascii));
	}
	return buf;
}

/* Others only caused events. */
static bool has_objects(const struct grt_memory_process *p)
{
	return p->created.events || p->destroyed.events || p->live.level.peak_bytes;
}

static void process_row(struct grt_report_table *t, const struct grt_job_out *o, const struct grt_memory *m,
			const struct grt_memory_process *p)
{
	bool is_known = grt_memory_knows_live(m, p);
	uint64_t leak_bytes = 0;
	bool leaks = p != &m->all && grt_memory_leaks(m, p, &leak_bytes);
	char line[SPARK_MAX];

	put_process(t, m, p);
	grt_report_known(t, m->is_told, p->created.events);
	grt_report_known(t, m->is_told, p->created.bytes);
	grt_report_known(t, m->is_told && !p->has_blind_device, p->destroyed.events);
	grt_report_known(t, m->is_told && !p->has_blind_device, p->destroyed.bytes);
	put_level(t, m, &p->live.level, is_known);
	grt_report_known(t, leaks, leak_bytes);
	grt_report_text(t, spark(line, o, m, p));
}

static void make_processes(struct grt_report_table *t, const struct grt_job_out *o, const struct grt_memory *m)
{
	static const struct grt_report_column columns[] = {
		PROCESS_COLUMNS("LIVE BYTES"),
		{ "created_objects", "objects", GRT_REPORT_COUNT },
		{ "created_bytes", "created", GRT_REPORT_BYTES },
		{ "destroyed_objects", NULL, GRT_REPORT_COUNT },
		{ "destroyed_bytes", "destroyed", GRT_REPORT_BYTES },
		LEVEL_COLUMNS,
		{ "suspected_leak_bytes", NULL, GRT_REPORT_BYTES },
		{ NULL, "over time", GRT_REPORT_TEXT },
	};

	grt_report_init(t, "memory", columns);
	grt_report_set_drops(t, columns, "0000" "3000" "00000" "02");
	process_row(t, o, m, &m->all);
	for (size_t i = 0; i < grt_memory_processes(m); i++)
		if (has_objects(grt_memory_process_at(m, i)))
			process_row(t, o, m, grt_memory_process_at(m, i));
}

static void make_domains(struct grt_report_table *t, const struct grt_job_out *o, const struct grt_memory *m)
{
	static const struct grt_report_column columns[] = {
		PROCESS_COLUMNS("BY DOMAIN"),
		{ "device", "GPU", GRT_REPORT_TEXT },
		{ "domain", NULL, GRT_REPORT_ID },
		{ "domain_name", "domain", GRT_REPORT_TEXT },
		{ "created_objects", NULL, GRT_REPORT_COUNT },
		{ "created_bytes", "created", GRT_REPORT_BYTES },
		{ "moved_in_objects", NULL, GRT_REPORT_COUNT },
		{ "moved_in_bytes", "moved in", GRT_REPORT_BYTES },
		{ "moved_out_objects", NULL, GRT_REPORT_COUNT },
		{ "moved_out_bytes", "moved out", GRT_REPORT_BYTES },
		{ "destroyed_objects", NULL, GRT_REPORT_COUNT },
		{ "destroyed_bytes", "destroyed", GRT_REPORT_BYTES },
		LEVEL_COLUMNS,
	};

	(void)o;
	grt_report_init(t, "domains", columns);
	grt_report_set_drops(t, columns, "0000" "500" "01020203" "00044");
	for (size_t i = 0; i < grt_memory_rows(m); i++) {
		const struct grt_memory_row *row = grt_memory_row_at(m, i);
		const struct grt_memory_process *p = grt_memory_process_at(m, row->process);
		bool is_known = grt_memory_knows_row(m, row);

		put_process(t, m, p);
		put_device(t, row->device);
		put_domain(t, m, row->device, row->domain);
		grt_report_u64(t, row->created.events);
		grt_report_u64(t, row->created.bytes);
		grt_report_u64(t, row->moved_in.events);
		grt_report_u64(t, row->moved_in.bytes);
		grt_report_u64(t, row->moved_out.events);
		grt_report_u64(t, row->moved_out.bytes);
		grt_report_known(t, grt_memory_reports_ends(m, row->device), row->destroyed.events);
		grt_report_known(t, grt_memory_reports_ends(m, row->device), row->destroyed.bytes);
		put_level(t, m, &row->live, is_known);
	}
}

static void make_moves(struct grt_report_table *t, const struct grt_job_out *o, const struct grt_memory *m)
{
	static const struct grt_report_column columns[] = {
		{ "device", "MOVES on GPU", GRT_REPORT_TEXT },
		{ "from_domain", NULL, GRT_REPORT_ID },
		{ "from_domain_name", "from", GRT_REPORT_TEXT },
		{ "to_domain", NULL, GRT_REPORT_ID },
		{ "to_domain_name", "to", GRT_REPORT_TEXT },
		{ "moves", "moves", GRT_REPORT_COUNT },
		{ "bytes", "bytes", GRT_REPORT_BYTES },
		{ "mean_bytes_per_s", "mean", GRT_REPORT_RATE },
		{ "peak_bytes_per_s", "peak second", GRT_REPORT_RATE },
	};

	(void)o;
	grt_report_init(t, "moves", columns);
	for (size_t i = 0; i < grt_memory_moves(m); i++) {
		const struct grt_memory_move *move = grt_memory_move_at(m, i);
		uint64_t mean, peak;
		bool is_known = grt_memory_rates(m, move, &mean, &peak);

		put_device(t, move->device);
		put_domain(t, m, move->device, move->from);
		put_domain(t, m, move->device, move->to);
		grt_report_u64(t, move->sum.events);
		grt_report_u64(t, move->sum.bytes);
		grt_report_known(t, is_known, mean);
		grt_report_known(t, is_known, peak);
	}
}

/* Others only create and destroy. */
static bool has_events(const struct grt_memory_process *p)
{
	for (unsigned int op = GRTRACE_MEMORY_BIND; op < GRT_MEMORY_NR_OPS; op++)
		if (p->ops[op].events)
			return true;
	return p->moved.events;
}

static void event_row(struct grt_report_table *t, const struct grt_memory *m, const struct grt_memory_process *p)
{
	const struct grt_memory_sum *ops = p->ops;

	put_process(t, m, p);
	grt_report_u64(t, p->moved.events);
	grt_report_u64(t, p->moved.bytes);
	grt_report_u64(t, ops[GRTRACE_MEMORY_BIND].events);
	grt_report_u64(t, ops[GRTRACE_MEMORY_UNBIND].events);
	grt_report_known(t, p->untold_binds < ops[GRTRACE_MEMORY_BIND].events || !p->untold_binds, p->rebinds);
	grt_report_u64(t, ops[GRTRACE_MEMORY_EVICT].events);
	grt_report_u64(t, ops[GRTRACE_MEMORY_EVICT].bytes);
	grt_report_known(t, !p->untold_faults, ops[GRTRACE_MEMORY_FAULT].events - p->write_faults);
	grt_report_known(t, !p->untold_faults, p->write_faults);
	grt_report_u64(t, ops[GRTRACE_MEMORY_SHRINK].events);
	grt_report_u64(t, ops[GRTRACE_MEMORY_SHRINK].bytes);
	grt_report_u64(t, ops[GRTRACE_MEMORY_PWRITE].bytes);
	grt_report_u64(t, ops[GRTRACE_MEMORY_PREAD].bytes);
}

static void make_events(struct grt_report_table *t, const struct grt_job_out *o, const struct grt_memory *m)
{
	static const struct grt_report_column columns[] = {
		PROCESS_COLUMNS("CAUSED BY"),
		{ "moves", "moves", GRT_REPORT_COUNT },
		{ "moved_bytes", NULL, GRT_REPORT_BYTES },
		{ "binds", "binds", GRT_REPORT_COUNT },
		{ "unbinds", "unbinds", GRT_REPORT_COUNT },
		{ "rebinds", "rebinds", GRT_REPORT_COUNT },
		{ "evictions", "evictions", GRT_REPORT_COUNT },
		{ "evicted_bytes", NULL, GRT_REPORT_BYTES },
		{ "read_faults", "read faults", GRT_REPORT_COUNT },
		{ "write_faults", "write faults", GRT_REPORT_COUNT },
		{ "shrinks", "shrinks", GRT_REPORT_COUNT },
		{ "shrink_bytes", NULL, GRT_REPORT_BYTES },
		{ "pwrite_bytes", "pwrite", GRT_REPORT_BYTES },
		{ "pread_bytes", "pread", GRT_REPORT_BYTES },
	};

	(void)o;
	grt_report_init(t, "causes", columns);
	grt_report_set_drops(t, columns, "0000" "0014100223044");
	if (has_events(&m->all))
		event_row(t, m, &m->all);
	for (size_t i = 0; i < grt_memory_processes(m); i++)
		if (has_events(grt_memory_process_at(m, i)))
			event_row(t, m, grt_memory_process_at(m, i));
}

static void step_rows(struct grt_report_table *t, const struct grt_memory *m, const struct grt_memory_process *p)
{
	for (unsigned int i = 0; i < GRT_LIVE_COLUMNS; i++) {
		bool is_known = grt_memory_knows_column(m, p, i);

		put_process(t, m, p);
		grt_report_u64(t, grt_live_part_ns(&m->window, i, GRT_LIVE_COLUMNS));
		grt_report_u64(t, grt_live_part_ns(&m->window, i + 1, GRT_LIVE_COLUMNS));
		grt_report_known(t, is_known, p->live.columns[i].low_bytes);
		grt_report_known(t, is_known, p->live.columns[i].end_bytes);
	}
}

static void make_steps(struct grt_report_table *t, const struct grt_job_out *o, const struct grt_memory *m)
{
	static const struct grt_report_column columns[] = {
		PROCESS_COLUMNS(NULL),
		{ "from_ns", NULL, GRT_REPORT_ID },
		{ "to_ns", NULL, GRT_REPORT_ID },
		{ "live_low_bytes", NULL, GRT_REPORT_BYTES },
		{ "live_end_bytes", NULL, GRT_REPORT_BYTES },
	};

	(void)o;
	grt_report_init(t, "live", columns);
	step_rows(t, m, &m->all);
	for (size_t i = 0; i < grt_memory_processes(m); i++)
		if (has_objects(grt_memory_process_at(m, i)))
			step_rows(t, m, grt_memory_process_at(m, i));
}

const struct grt_memory_maker grt_memory_makers[] = {
	{ make_processes, true }, { make_domains, true }, { make_moves, true },
	{ make_events, true }, { make_steps, false },
};

const size_t grt_nr_memory_makers = sizeof(grt_memory_makers) / sizeof(grt_memory_makers[0]);
