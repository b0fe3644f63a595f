// SPDX-License-Identifier: LGPL-2.1
/* The statistics of grtrace monitor: what is missing, then each part. */
#include "monitor_private.h"
#include "number.h"

static const struct {
	unsigned int part;
	void (*print)(const struct grt_stats *s);
} parts[] = {
	{ GRT_MONITOR_OF_JOBS, grt_stats_jobs },
	{ GRT_MONITOR_OF_MEMORY, grt_stats_memory },
	{ GRT_MONITOR_OF_IRQS, grt_stats_irqs },
	{ GRT_MONITOR_OF_BLANKS, grt_stats_displays },
};

static void say_missing(const struct grt_stats *s)
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

static void print_text(const struct grt_stats *s)
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

static void print_json(struct grt_stats *s)
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
	struct grt_stats s = { .out = o, .m = m, .sums = lap_ns ? &m->lap : &m->all, .is_lap = lap_ns, .ns = lap_ns };

	if (!lap_ns)
		s.ns = m->all.to_ns - m->all.from_ns;
	if (o->is_json)
		print_json(&s);
	else
		print_text(&s);
}
