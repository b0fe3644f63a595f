// SPDX-License-Identifier: LGPL-2.1
/* Traffic of memory by operation and process; interrupts by source. */
#include <inttypes.h>

#include "job_words.h"
#include "memory_sink.h"
#include "monitor_private.h"

static uint64_t rate(uint64_t n, uint64_t ns)
{
	unsigned __int128 per_second = (unsigned __int128)n * 1000000000 / ns;

	return per_second > UINT64_MAX ? UINT64_MAX : per_second;
}

/* --- memory --- */

static const char *const ops[GRT_MONITOR_NR_OPS] = {
	[GRTRACE_MEMORY_CREATE] = "create", [GRTRACE_MEMORY_DESTROY] = "destroy",
	[GRTRACE_MEMORY_MOVE] = "move", [GRTRACE_MEMORY_BIND] = "bind", [GRTRACE_MEMORY_UNBIND] = "unbind",
	[GRTRACE_MEMORY_FAULT] = "fault", [GRTRACE_MEMORY_EVICT] = "evict", [GRTRACE_MEMORY_SHRINK] = "shrink",
	[GRTRACE_MEMORY_PWRITE] = "pwrite", [GRTRACE_MEMORY_PREAD] = "pread", [GRT_MONITOR_PLACE] = "place",
};

static void put_memory(struct grt_report_table *t, const struct grt_stats *s, uint32_t process)
{
	const struct grt_memory *m = &s->m->memory;
	const struct grt_memory_process *p = process == GRT_NONE ? &m->all : grt_memory_process_at(m, process);
	struct grt_monitor_ops own = grt_monitor_ops(s->m, process, s->is_lap);
	bool is_one = p != &m->all && p->tgid != GRT_MEMORY_OTHERS;
	uint32_t row = is_one ? grt_names_process_find(grt_stats_names(s), p->tgid, UINT64_MAX) : GRT_NONE;
	char word[GRT_WORD_MAX];

	for (int op = 0; op < GRT_MONITOR_NR_OPS; op++) {
		bool knows_bytes = own.ops[op].bytes;	/* no driver's event is of 0 bytes */

		if (!own.ops[op].events)
			continue;
		grt_report_text(t, p == &m->all ? "all" : is_one ? "process" : "others");
		grt_report_known(t, is_one, p->tgid);
		grt_report_text(t, row == GRT_NONE ? "" : grt_names_process_at(grt_stats_names(s), row)->comm);
		grt_report_text(t, grt_word_memory_process(word, m, p));
		grt_report_text(t, ops[op]);
		grt_report_u64(t, own.ops[op].events);
		grt_report_known(t, s->ns, s->ns ? rate(own.ops[op].events, s->ns) : 0);
		grt_report_known(t, knows_bytes, own.ops[op].bytes);
		grt_report_known(t, knows_bytes && s->ns, s->ns ? rate(own.ops[op].bytes, s->ns) : 0);
	}
}

void grt_stats_memory(const struct grt_stats *s)
{
	static const struct grt_report_column columns[] = {
		{ "scope", NULL, GRT_REPORT_TEXT }, { "pid", NULL, GRT_REPORT_ID },
		{ "comm", NULL, GRT_REPORT_TEXT }, { NULL, "Memory", GRT_REPORT_TEXT },
		{ "op", "what", GRT_REPORT_TEXT }, { "events", "events", GRT_REPORT_COUNT },
		{ "events_per_s", "per s", GRT_REPORT_COUNT }, { "bytes", "bytes", GRT_REPORT_BYTES },
		{ "bytes_per_s", "rate", GRT_REPORT_RATE },
	};
	unsigned int left_out;
	size_t shown = grt_stats_shown(s, grt_memory_processes(&s->m->memory), GRT_STATS_ROWS, &left_out);
	struct grt_report_table t;

	grt_report_init(&t, "memory", columns);
	put_memory(&t, s, GRT_NONE);
	for (size_t i = 0; i < shown; i++)
		put_memory(&t, s, i);
	grt_stats_print(s, &t, left_out);
}

/* --- interrupts --- */

void grt_stats_irqs(const struct grt_stats *s)
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
	size_t shown = grt_stats_shown(s, grt_irq_sums_count(irqs), GRT_STATS_ROWS, &left_out);
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
		grt_report_known(&t, row->is_handler, row->irq);
		grt_report_known(&t, is_gpu, row->ih);
		grt_report_known(&t, is_gpu, row->client);
		grt_report_known(&t, is_gpu, row->source);
		grt_report_known(&t, is_gpu, row->ring);
		grt_report_u64(&t, row->count);
		grt_report_known(&t, s->ns, s->ns ? rate(row->count, s->ns) : 0);
	}
	grt_stats_print(s, &t, left_out);
}
