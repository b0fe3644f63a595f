// SPDX-License-Identifier: LGPL-2.1
/* Jobs as JSON, one object a line; a summary as one object.  Unknown is null. */
#include <inttypes.h>

#include "job_column.h"
#include "job_quote.h"
#include "job_sink.h"

/* Commas and names; a depth is one object. */
struct json {
	FILE *f;
	bool has_one;		/* the object or array has a member */
};

static void member(struct json *j, const char *name)
{
	fprintf(j->f, "%s\"%s\":", j->has_one ? "," : "", name);
	j->has_one = true;
}

static void open_as(struct json *j, const char *name, char bracket)
{
	if (name)
		member(j, name);
	else if (j->has_one)
		putc(',', j->f);
	putc(bracket, j->f);
	j->has_one = false;
}

static void close_as(struct json *j, char bracket)
{
	putc(bracket, j->f);
	j->has_one = true;
}

static void add_u64(struct json *j, const char *name, uint64_t value)
{
	member(j, name);
	fprintf(j->f, "%" PRIu64, value);
}

/* "" is what is not known. */
static void add_text(struct json *j, const char *name, const char *text)
{
	member(j, name);
	if (*text)
		grt_quote_json(j->f, text);
	else
		fputs("null", j->f);
}

static void add_cell(struct json *j, const char *name, const struct grt_cell *cell)
{
	switch (cell->kind) {
	case GRT_CELL_UNKNOWN:
		add_text(j, name, "");
		break;
	case GRT_CELL_TEXT:
		add_text(j, name, cell->text);
		break;
	case GRT_CELL_U64:
		add_u64(j, name, cell->number);
		break;
	case GRT_CELL_S64:
		member(j, name);
		fprintf(j->f, "%" PRId64, cell->signed_number);
		break;
	}
}

static void add_job(struct json *j, const struct grt_names *names, const struct grt_job *job)
{
	open_as(j, NULL, '{');
	for (size_t i = 0; i < grt_nr_job_columns; i++) {
		const struct grt_job_column *c = &grt_job_columns[i];
		struct grt_cell cell;

		cell.kind = GRT_CELL_UNKNOWN;
		c->get(&cell, names, job, c->which);
		add_cell(j, c->name, &cell);
	}
	close_as(j, '}');
}

static void job_line(struct grt_job_out *o, const struct grt_job *job)
{
	struct json j = { .f = o->file };

	add_job(&j, grt_model_names(o->summary->model), job);
	putc('\n', o->file);
}

/* No job is no line. */
static void end(struct grt_job_out *o)
{
	(void)o;
}

static void add_stages(struct json *j, const struct grt_rollup_row *row)
{
	open_as(j, "stages", '{');
	for (int i = 0; i < GRT_NR_STAGES; i++) {
		const struct grt_hist *h = &row->stages[i];

		if (!h->count) {
			add_text(j, grt_stage_name(i), "");
			continue;
		}
		open_as(j, grt_stage_name(i), '{');
		add_u64(j, "count", h->count);
		add_u64(j, "sum_ns", grt_hist_sum(h));
		add_u64(j, "mean_ns", grt_hist_mean(h));
		add_u64(j, "min_ns", h->min);
		add_u64(j, "p50_ns", grt_hist_quantile(h, 500));
		add_u64(j, "p90_ns", grt_hist_quantile(h, 900));
		add_u64(j, "p99_ns", grt_hist_quantile(h, 990));
		add_u64(j, "max_ns", h->max);
		close_as(j, '}');
	}
	close_as(j, '}');
}

static void add_row(struct json *j, const struct grt_rollup_row *row)
{
	add_u64(j, "jobs", row->jobs);
	add_u64(j, "cut", row->cut);
	add_u64(j, "lossy", row->lossy);
	add_u64(j, "failed", row->failed);
	add_u64(j, "killed", row->killed);
	add_u64(j, "start_inferred", row->inferred);
	add_stages(j, row);
}

static void add_processes(struct json *j, const struct grt_summary *s, uint32_t ring)
{
	const struct grt_names *names = grt_model_names(s->model);

	open_as(j, "processes", '[');
	for (size_t i = 0; i < grt_rollup_count(&s->by_process); i++) {
		const struct grt_rollup_row *row = grt_rollup_at(&s->by_process, i);

		if (row->ring != ring)
			continue;
		open_as(j, NULL, '{');
		if (row->process == GRT_NONE) {
			add_text(j, "pid", "");
			add_text(j, "comm", "");
		} else {
			add_u64(j, "pid", grt_names_process_at(names, row->process)->tgid);
			add_text(j, "comm", grt_names_process_at(names, row->process)->comm);
		}
		add_row(j, row);
		close_as(j, '}');
	}
	close_as(j, ']');
}

static void add_ring(struct json *j, const struct grt_summary *s, const struct grt_rollup_row *row)
{
	static const struct grt_ring unknown = { .id = 0 };
	const struct grt_ring *ring = row->ring == GRT_NONE ? &unknown :
				      grt_names_ring_at(grt_model_names(s->model), row->ring);
	const struct grt_ring_use *use = grt_model_ring_use(s->model, row->ring);

	open_as(j, NULL, '{');
	add_text(j, "device", ring->device);
	add_text(j, "ring", ring->name);
	add_u64(j, "ring_id", ring->id);
	add_text(j, "engine", ring->is_defined ? grt_engine_name(ring->engine) : "");
	if (ring->order == GRTRACE_ORDER_FIFO) {
		add_u64(j, "busy_ns", use->busy_ns);
		add_u64(j, "start_unknown", use->unknown_jobs);
	} else {
		add_text(j, "busy_ns", "");
		add_text(j, "start_unknown", "");
	}
	add_row(j, row);
	add_processes(j, s, row->ring);
	close_as(j, '}');
}

static void add_trace(struct json *j, const struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;
	const struct grt_model_totals *t = grt_model_totals(s->model);
	uint64_t events = 0;

	for (int i = 0; i < GRTRACE_NR_EVENTS; i++)
		events += t->events[i];
	open_as(j, "trace", '{');
	add_text(j, "name", o->info->name);
	add_text(j, "host", o->info->host);
	add_text(j, "kernel", o->info->kernel);
	add_text(j, "command", o->info->command);
	add_u64(j, "first_ns", t->first_ns);
	add_u64(j, "last_ns", t->last_ns);
	add_u64(j, "events", events);
	add_u64(j, "jobs", s->all.jobs);
	add_u64(j, "cut", s->all.cut);
	add_u64(j, "other_jobs", s->other_jobs);
	add_u64(j, "synthetic_jobs", s->synthetic_jobs);
	add_u64(j, "processes", s->processes);
	if (s->query.pid)
		add_u64(j, "only_pid", s->query.pid);
	else
		add_text(j, "only_pid", "");
	open_as(j, "lost", '{');
#define GRT_X(NAME, name, nr, text) \
	add_u64(j, nr == GRTRACE_FATE_WRITTEN ? "missing" : #name, t->lost[nr]);
	GRTRACE_FATES(GRT_X)
#undef GRT_X
	close_as(j, '}');
	open_as(j, "errors", '{');
#define GRT_X(NAME, nr, text) add_u64(j, #NAME, t->errors[nr]);
	GRTRACE_ERRORS(GRT_X)
#undef GRT_X
	close_as(j, '}');
	close_as(j, '}');
}

static void summary(struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;
	struct json j = { .f = o->file };

	open_as(&j, NULL, '{');
	add_trace(&j, o);
	open_as(&j, "rings", '[');
	for (size_t i = 0; i < grt_rollup_count(&s->by_ring); i++)
		add_ring(&j, s, grt_rollup_at(&s->by_ring, i));
	close_as(&j, ']');
	open_as(&j, "worst", '[');
	for (uint32_t i = 0; i < s->nr_worst; i++)
		add_job(&j, grt_model_names(s->model), &s->worst[i]);
	close_as(&j, ']');
	close_as(&j, '}');
	putc('\n', o->file);
}

const struct grt_job_sink grt_job_json = { "json", job_line, end, summary };
