// SPDX-License-Identifier: LGPL-2.1
/*
 * The page reads this as JSON.  Times of the trace's clock are strings: a number of JavaScript is
 * exact only up to 2^53.
 */
#include "html_meta.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "error.h"
#include "gauge.h"
#include "json.h"
#include "key_names.h"
#include "rules.h"

#define SCREEN_WIDTH	110	/* of the report's first screen */

static void put_time(struct grt_json *j, const char *name, uint64_t ns)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, ns);
	grt_json_text(j, name, text);
}

static void put_rings(struct grt_json *j, const struct grt_names *names)
{
	grt_json_open(j, "rings", '[');
	for (size_t i = 0; i < grt_vec_count(&names->rings, struct grt_ring); i++) {
		const struct grt_ring *r = grt_names_ring_at(names, i);
		const char *engine = r->is_defined ? grt_engine_name(r->engine) : NULL;

		grt_json_open(j, NULL, '{');
		grt_json_u64(j, "id", r->id);
		grt_json_text(j, "name", r->name);
		grt_json_text(j, "device", r->device);
		grt_json_text(j, "driver", r->driver);
		grt_json_text(j, "engine", engine ? engine : "");
		grt_json_bool(j, "is_fifo", r->is_defined && r->order == GRTRACE_ORDER_FIFO);
		grt_json_u64(j, "credit_limit", r->credit_limit);
		grt_json_close(j, '}');
	}
	grt_json_close(j, ']');
}

static void put_processes(struct grt_json *j, const struct grt_names *names)
{
	grt_json_open(j, "processes", '[');
	for (size_t i = 0; i < grt_vec_count(&names->processes, struct grt_process); i++) {
		const struct grt_process *p = grt_names_process_at(names, i);

		grt_json_open(j, NULL, '{');
		grt_json_u64(j, "pid", p->tgid);
		grt_json_text(j, "comm", p->comm);
		grt_json_close(j, '}');
	}
	grt_json_close(j, ']');
}

static void put_row(struct grt_json *j, uint32_t row)
{
	if (row == GRT_NONE)
		grt_json_null(j, NULL);
	else
		grt_json_u64(j, NULL, row);
}

/* [ring, process], each a row or null. */
static void put_clients(struct grt_json *j, const struct grt_model *m, uint32_t count)
{
	grt_json_open(j, "clients", '[');
	for (uint32_t i = 0; i < count; i++) {
		const struct grt_client *c = grt_model_client(m, i);

		grt_json_open(j, NULL, '[');
		put_row(j, c->ring);
		put_row(j, c->process);
		grt_json_close(j, ']');
	}
	grt_json_close(j, ']');
}

/* [from_ns, to_ns, jobs] */
static void put_blocks(struct grt_json *j, const struct grt_html_jobs *jobs)
{
	grt_json_open(j, "blocks", '[');
	for (size_t i = 0; i < grt_vec_count(&jobs->blocks, struct grt_html_block); i++) {
		const struct grt_html_block *b = grt_vec_at(&jobs->blocks, struct grt_html_block, i);

		grt_json_open(j, NULL, '[');
		grt_json_u64(j, NULL, b->from_ns);
		grt_json_u64(j, NULL, b->to_ns);
		grt_json_u64(j, NULL, b->jobs);
		grt_json_close(j, ']');
	}
	grt_json_close(j, ']');
	grt_json_open(j, "hangs", '[');
	for (size_t i = 0; i < grt_vec_count(&jobs->hangs, uint64_t); i++)
		grt_json_u64(j, NULL, *grt_vec_at(&jobs->hangs, uint64_t, i));
	grt_json_close(j, ']');
}

static void put_events(struct grt_json *j, const struct grt_html_events *events)
{
	grt_json_open(j, "events", '{');
	for (int i = 0; i < GRT_NR_HTML_EVENTS; i++) {
		const struct grt_html_rows *k = &events->kinds[i];

		grt_json_open(j, grt_html_event_name(i), '{');
		grt_json_u64(j, "blocks", k->blocks);
		grt_json_u64(j, "rows", k->rows);
		grt_json_u64(j, "left_out", k->left_out);
		grt_json_close(j, '}');
	}
	grt_json_close(j, '}');
}

static void put_lod(struct grt_json *j, const struct grt_lod *lod)
{
	grt_json_open(j, "lod", '{');
	grt_json_u64(j, "buckets", lod->buckets);
	grt_json_u64(j, "bucket_ns", lod->bucket_ns);
	grt_json_u64(j, "levels", grt_lod_levels(lod));
	grt_json_close(j, '}');
}

/* Words that the page needs by number: X-macro tables as arrays. */
static void put_words(struct grt_json *j)
{
	static const struct {
		const char *table, *word, *text;
	} words[] = {
#define GRT_X(NAME, name, text) { "stages", #name, text },
		GRT_STAGES(GRT_X)
		GRT_CPU_STAGES(GRT_X)
#undef GRT_X
#define GRT_X(NAME, name, bit, text) { "flags", #name, text },
		GRT_JOB_FLAGS(GRT_X)
#undef GRT_X
#define GRT_X(NAME, name, text) { "idles", #name, text },
		GRT_IDLES(GRT_X)
#undef GRT_X
#define GRT_X(NAME, name, text) { "roots", #name, text },
		GRT_ROOTS(GRT_X)
#undef GRT_X
#define GRT_X(NAME, name, text) { "reasons", #name, text },
		GRT_BLAME_REASONS(GRT_X)
#undef GRT_X
#define GRT_X(NAME, name, text) { "verdicts", #name, text },
		GRT_FRAME_VERDICTS(GRT_X)
#undef GRT_X
#define GRT_X(NAME, name, text) { "frame_sources", #name, text },
		GRT_FRAME_SOURCES(GRT_X)
#undef GRT_X
#define GRTRACE_X(NAME, nr, text) { "errors", #NAME, text },
		GRTRACE_ERRORS(GRTRACE_X)
#undef GRTRACE_X
	};
	const char *table = NULL;

	grt_json_open(j, "words", '{');
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (words[i].table != table) {
			if (table)
				grt_json_close(j, ']');
			table = words[i].table;
			grt_json_open(j, table, '[');
		}
		grt_json_open(j, NULL, '[');
		grt_json_text(j, NULL, words[i].word);
		grt_json_text(j, NULL, words[i].text);
		grt_json_close(j, ']');
	}
	grt_json_close(j, ']');
	grt_json_close(j, '}');
}

static void put_gauges(struct grt_json *j)
{
	grt_json_open(j, "gauges", '[');
	for (int i = 0; i < GRT_NR_GAUGES; i++) {
		grt_json_open(j, NULL, '{');
		grt_json_text(j, "name", grt_gauges[i].name);
		grt_json_text(j, "unit", grt_gauges[i].unit);
		grt_json_u64(j, "per", grt_gauges[i].per);
		grt_json_u64(j, "digits", grt_gauges[i].digits);
		grt_json_close(j, '}');
	}
	grt_json_close(j, ']');
	grt_json_u64(j, "gauge_hold_ns", GRT_GAUGE_HOLD_NS);
}

static void put_labels(struct grt_json *j, const struct grt_rules *rules)
{
	char name[GRT_CELL_MAX];

	grt_json_open(j, "labels", '[');
	for (unsigned int i = 0; rules && i < rules->count; i++)
		grt_json_text(j, NULL, grt_rules_names(rules, 1ull << i, name));
	grt_json_close(j, ']');
}

static void put_commands(struct grt_json *j, const struct grt_html_jobs *jobs)
{
	grt_json_open(j, "commands", '[');
	for (size_t i = 0; i < grt_vec_count(&jobs->commands, const char *); i++)
		grt_json_text(j, NULL, *grt_vec_at(&jobs->commands, const char *, i));
	grt_json_close(j, ']');
}

/* The report's first screen, as text. */
static void put_screen(struct grt_export *x, struct grt_json *j)
{
	struct grt_job_out out = x->out;
	char *text = NULL;
	size_t bytes;

	out.file = open_memstream(&text, &bytes);
	if (!out.file) {
		grt_fail_memory();
		return;
	}
	out.width = SCREEN_WIDTH;
	grt_job_text.summary(&out);
	if (!fclose(out.file))
		grt_json_text(j, "screen", text);
	free(text);
}

/* The report's own JSON, so that all numbers of the page are those of the report. */
static void put_reports(struct grt_export *x, struct grt_json *j)
{
	struct grt_job_out out = x->out;

	out.file = j->file;
	fputs(",\n\"report\": ", j->file);
	out.tables = out.groups = 0;
	grt_job_json.summary(&out);
	fputs(",\n\"tables\": ", j->file);
	out.tables = 1u << GRT_TABLE_IDLE | 1u << GRT_TABLE_BLAME | 1u << GRT_TABLE_ROOTS |
		     1u << GRT_TABLE_LATENCY | 1u << GRT_TABLE_RESULT;
	out.groups = 1u << GRT_BY_PROCESS | 1u << GRT_BY_RING_PROCESS;
	grt_job_json.summary(&out);
}

static void put_all(struct grt_export *x, const struct grt_html_jobs *jobs,
		    const struct grt_html_events *events, const struct grt_lod *lod, FILE *f)
{
	const struct grt_names *names = grt_model_names(x->model);
	struct grt_json j = { .file = f };

	grt_json_open(&j, NULL, '{');
	grt_json_u64(&j, "version", 1);
	grt_json_text(&j, "program", "grtrace " GRT_VERSION);
	put_time(&j, "first_ns", x->window.first_ns);
	put_time(&j, "from_ns", x->from_ns);
	grt_json_u64(&j, "span_ns", x->to_ns - x->from_ns);
	grt_json_u64(&j, "jobs", jobs->jobs);
	put_rings(&j, names);
	put_processes(&j, names);
	put_clients(&j, x->model, jobs->max_client);
	put_labels(&j, x->wants.rules);
	put_commands(&j, jobs);
	put_blocks(&j, jobs);
	put_events(&j, events);
	put_lod(&j, lod);
	put_words(&j);
	put_gauges(&j);
	put_screen(x, &j);
	put_reports(x, &j);
	grt_json_close(&j, '}');
}

int grt_html_meta(struct grt_export *x, const struct grt_html_jobs *jobs,
		  const struct grt_html_events *events, const struct grt_lod *lod)
{
	FILE *f = grt_packed_open(x->file, "meta", 0);
	bool is_whole;

	if (!f)
		return -ENOMEM;
	put_all(x, jobs, events, lod, f);
	is_whole = !ferror(f);
	return fclose(f) || !is_whole ? grt_fail_memory() : 0;
}
