// SPDX-License-Identifier: LGPL-2.1
/* Frames for programs: a row per frame. */
#include <inttypes.h>
#include <string.h>

#include "frames_sink.h"
#include "key_names.h"
#include "quote.h"

/* Where a row goes: with @names, only its names; else into CSV or, with @json, JSON. */
struct row {
	const struct grt_job_out *o;
	struct grt_json *json;
	bool has_names, has_one;
};

/* Begins a cell.  True: that was all. */
static bool begin_cell(struct row *r, const char *name)
{
	if (r->json)
		return false;
	if (r->has_one)
		putc(',', r->o->file);
	r->has_one = true;
	if (r->has_names)
		fputs(name, r->o->file);
	return r->has_names;
}

static void put_unknown(struct row *r, const char *name)
{
	if (begin_cell(r, name))
		return;
	if (r->json)
		grt_json_null(r->json, name);
	else if (r->o->na)
		grt_quote_csv(r->o->file, r->o->na, strlen(r->o->na));
}

static void put_u64(struct row *r, const char *name, bool is_known, uint64_t value)
{
	if (!is_known)
		put_unknown(r, name);
	else if (r->json)
		grt_json_u64(r->json, name, value);
	else if (!begin_cell(r, name))
		fprintf(r->o->file, "%" PRIu64, value);
}

static void put_text(struct row *r, const char *name, const char *text)
{
	if (!*text)
		put_unknown(r, name);
	else if (r->json)
		grt_json_text(r->json, name, text);
	else if (!begin_cell(r, name))
		grt_quote_csv(r->o->file, text, strlen(text));
}

/* Whose job a cause is. */
static void put_client(struct row *r, const struct grt_model *m, uint32_t number)
{
	static const struct grt_client nobody = { GRT_NONE, GRT_NONE, 0 };
	const struct grt_client *c = number == GRT_NONE ? &nobody : grt_model_client(m, number);
	const struct grt_names *names = grt_model_names(m);
	const struct grt_process *p = c->process == GRT_NONE ? NULL :
				      grt_names_process_at(names, c->process);
	char ring[GRT_RING_NAME_MAX];

	put_u64(r, "cause_pid", p, p ? p->tgid : 0);
	put_text(r, "cause_comm", p ? p->comm : "");
	put_text(r, "cause_ring", c->ring == GRT_NONE ? "" :
		 grt_ring_name(grt_names_ring_at(names, c->ring), ring));
}

static void put_cause(struct row *r, const struct grt_model *m, const struct grt_frame *frame)
{
	const struct grt_frame_cause *c = &frame->cause;
	bool is_known = grt_frame_is_judged(frame);

	put_text(r, "cause", is_known ? grt_frame_cause_name(c) : "");
	put_u64(r, "cause_ns", is_known, c->ns);
	put_client(r, m, is_known ? c->client : GRT_NONE);
	put_u64(r, "cause_ctx", is_known && c->ctx, c->ctx);
	put_u64(r, "cause_seqno", is_known && c->ctx, c->seqno);
}

static void put_frame(struct row *r, const struct grt_model *m, const struct grt_frame *frame)
{
	bool is_known = frame->verdict != GRT_FRAME_LOSSY, has_job = is_known && frame->has_job;
	bool has_busy = is_known && frame->has_busy;
	char flags[GRT_JOB_FLAGS_LEN];

	put_u64(r, "frame", true, frame->number);
	put_u64(r, "pid", true, frame->tgid);
	put_text(r, "comm", frame->process == GRT_NONE ? "" :
		 grt_names_process_at(grt_model_names(m), frame->process)->comm);
	put_text(r, "source", grt_frame_source_name(frame->source));
	put_u64(r, "start_ns", true, frame->start_ns);
	put_u64(r, "duration_ns", true, frame->end_ns - frame->start_ns);
	put_u64(r, "refresh_ns", frame->refresh_ns, frame->refresh_ns);
	put_text(r, "verdict", grt_frame_verdict_name(frame->verdict));
	put_u64(r, "jobs", is_known, frame->jobs);
	put_u64(r, "gpu_busy_ns", has_busy, frame->busy_ns);
	put_u64(r, "gpu_wait_ns", has_busy, frame->wait_ns);
	put_u64(r, "display_latency_ns", is_known && frame->has_display, frame->display_ns);
	put_u64(r, "ctx", has_job, frame->ctx);
	put_u64(r, "seqno", has_job, frame->seqno);
	put_text(r, "flags", is_known && frame->is_upper_bound ? grt_job_flags(GRT_JOB_UPPER_BOUND, flags) : "");
	put_cause(r, m, frame);
	for (unsigned int i = 0; i < GRT_NR_FRAME_PARTS; i++)
		put_u64(r, grt_frame_part_name(i), is_known, frame->part_ns[i]);
}

static void begin_text(struct grt_job_out *o, const struct grt_frames *f)
{
	(void)o;
	(void)f;
}

static void begin_csv(struct grt_job_out *o, const struct grt_frames *f)
{
	static const struct grt_frame none = { .process = GRT_NONE, .cause.client = GRT_NONE };
	struct row r = { .o = o, .has_names = true };

	if (f->wants.per_process || f->wants.with_displays)
		return;
	put_frame(&r, f->model, &none);
	putc('\n', o->file);
}

static void row_csv(struct grt_job_out *o, const struct grt_frames *f, const struct grt_frame *frame)
{
	struct row r = { .o = o };

	if (f->wants.per_process || f->wants.with_displays)
		return;
	put_frame(&r, f->model, frame);
	putc('\n', o->file);
}

static void end_csv(struct grt_job_out *o, const struct grt_frames *f)
{
	struct grt_report_table t;

	if (!f->wants.per_process && !f->wants.with_displays)
		return;
	if (f->wants.with_displays)
		grt_report_displays(&t, f);
	else
		grt_report_frames(&t, f);
	grt_report_print_csv(&t, o->file, o->na);
	grt_report_free(&t);
}

static void begin_json(struct grt_job_out *o, const struct grt_frames *f)
{
	(void)f;
	fputs("{\"frames\":[", o->file);
}

static void row_json(struct grt_job_out *o, const struct grt_frames *f, const struct grt_frame *frame)
{
	struct grt_json j = { .file = o->file, .has_one = o->has_begun };
	struct row r = { .o = o, .json = &j };

	grt_json_open(&j, NULL, '{');
	put_frame(&r, f->model, frame);
	grt_json_close(&j, '}');
	o->has_begun = true;
}

static void end_json(struct grt_job_out *o, const struct grt_frames *f)
{
	struct grt_json j = { .file = o->file, .has_one = true };
	struct grt_report_table t;

	putc(']', o->file);
	grt_report_frames(&t, f);
	grt_report_print_json(&t, &j);
	grt_report_free(&t);
	grt_report_displays(&t, f);
	grt_report_print_json(&t, &j);
	grt_report_free(&t);
	fputs("}\n", o->file);
}

static const struct grt_frames_sink sinks[] = {
	{ &grt_job_text, begin_text, NULL, grt_frames_text },
	{ &grt_job_csv, begin_csv, row_csv, end_csv },
	{ &grt_job_json, begin_json, row_json, end_json },
};

const struct grt_frames_sink *grt_frames_sink_of(const struct grt_job_sink *sink)
{
	const struct grt_frames_sink *s = sinks;

	while (s->of != sink)
		s++;
	return s;
}
