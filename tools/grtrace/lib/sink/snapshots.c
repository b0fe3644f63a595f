// SPDX-License-Identifier: LGPL-2.1
#include "snapshots.h"

#include <inttypes.h>

#include "cursor.h"
#include "describe.h"
#include "job_words.h"
#include "key_names.h"
#include "number.h"
#include "quote.h"

#define MAX_SHOWN	8	/* lines */
#define MOST_NOTES	12
#define NOTE_BEFORE_NS	6000000000ull	/* the recorder keeps five seconds before, two after */
#define NOTE_AFTER_NS	4000000000ull

static const struct grt_names *names_of(const struct grt_job_out *o)
{
	return grt_model_names(o->summary->model);
}

/* The name of a value, as "TIMEOUT"; NULL: this version does not know it. */
static const char *value_name(enum grt_kind kind, uint64_t value)
{
	return grt_value_name(&grt_enums[kind - GRT_KIND_ENGINE], value);
}

/* "25:10 of batch[120]", or nothing; with @has_ring also " on compute". */
static void say_job(const struct grt_job_out *o, const struct grt_snapshot *s, const char *before, bool has_ring)
{
	char process[GRT_WORD_MAX], ring[GRT_WORD_MAX];

	if (s->rec.ctx || s->rec.seqno)
		fprintf(o->file, "%s%" PRIu64 ":%" PRIu64, before, (uint64_t)s->rec.ctx, (uint64_t)s->rec.seqno);
	if ((s->rec.ctx || s->rec.seqno) && s->process != GRT_NONE)
		fprintf(o->file, " of %s", grt_word_process(process, names_of(o), s->process));
	if (has_ring && s->ring != GRT_NONE)
		fprintf(o->file, " on %s", grt_word_ring(ring, names_of(o), s->ring));
}

static void say_error(const struct grt_job_out *o, const struct grt_snapshot *s)
{
	const char *code = value_name(GRT_KIND_ERRCODE, s->rec.detail);
	char ring[GRT_WORD_MAX];

	fprintf(o->file, "because %s had ", s->ring == GRT_NONE ? "a GPU" :
		grt_word_ring(ring, names_of(o), s->ring));
	if (code)
		fprintf(o->file, "a %s", code);
	else
		fprintf(o->file, "an error with code %" PRId32, s->rec.detail);
	say_job(o, s, ": job ", false);
}

static void say_trigger(const struct grt_job_out *o, const struct grt_snapshot *s)
{
	char status[32];

	switch (s->rec.trigger) {
	case GRTRACE_TRIGGER_REQUEST:
		fputs("because somebody asked for it", o->file);
		break;
	case GRTRACE_TRIGGER_ERROR:
		say_error(o, s);
		break;
	case GRTRACE_TRIGGER_STATUS:
		fprintf(o->file, "because %s", s->rec.ctx || s->rec.seqno ? "job " : "a job");
		say_job(o, s, "", true);
		fprintf(o->file, " ended with %s", grt_status_name(s->rec.detail, status));
		break;
	case GRTRACE_TRIGGER_RULE:
		fprintf(o->file, "because rule %" PRId32 " held", s->rec.detail);
		say_job(o, s, " for job ", true);
		break;
	case GRTRACE_TRIGGER_STOP:
		fputs("because the session was stopped", o->file);
		break;
	default:
		fprintf(o->file, "because of trigger %" PRIu32 ", which this grtrace does not know",
			s->rec.trigger);
	}
}

static void say_snapshot(const struct grt_job_out *o, const struct grt_snapshot *s)
{
	const struct grt_model_totals *t = grt_model_totals(o->summary->model);
	char at[GRT_NUMBER_MAX], count[GRT_NUMBER_MAX];
	uint64_t ns = s->rec.hdr.ts;

	fprintf(o->file, "snapshot %" PRIu32 " of a flight recorder, taken ", s->rec.number);
	if (ns < t->first_ns)
		fprintf(o->file, "%s before the first event, ", grt_format_ns(at, t->first_ns - ns));
	else
		fprintf(o->file, "at %s ", grt_format_ns(at, ns - t->first_ns));
	say_trigger(o, s);
	if (s->rec.missed)
		fprintf(o->file, "; %s more %s came while the snapshot before was held",
			grt_format_count(count, s->rec.missed),
			grt_plural(s->rec.missed, "trigger", "triggers"));
	putc('\n', o->file);
}

void grt_snapshot_lines(const struct grt_job_out *o)
{
	const struct grt_snapshot_log *log = grt_model_snapshots(o->summary->model);
	size_t count = grt_snapshot_log_count(log), shown = count > MAX_SHOWN ? MAX_SHOWN : count;
	uint64_t more = count + log->more - shown;

	for (size_t i = 0; i < shown; i++)
		say_snapshot(o, grt_snapshot_log_at(log, i));
	if (more)
		fprintf(o->file, "and %" PRIu64 " more %s\n", more, grt_plural(more, "snapshot", "snapshots"));
}

static void put_key(struct grt_json *j, const struct grt_snapshot *s)
{
	if (s->rec.ctx || s->rec.seqno) {
		grt_json_u64(j, "ctx", s->rec.ctx);
		grt_json_u64(j, "seqno", s->rec.seqno);
	} else {
		grt_json_null(j, "ctx");
		grt_json_null(j, "seqno");
	}
}

static void put_names(struct grt_json *j, const struct grt_job_out *o, const struct grt_snapshot *s)
{
	const struct grt_process *p = s->process == GRT_NONE ? NULL :
				      grt_names_process_at(names_of(o), s->process);
	char ring[GRT_RING_NAME_MAX];

	if (s->ring == GRT_NONE)
		grt_json_null(j, "ring");
	else
		grt_json_text(j, "ring", grt_ring_name(grt_names_ring_at(names_of(o), s->ring), ring));
	if (p) {
		grt_json_u64(j, "pid", p->tgid);
		grt_json_text(j, "comm", p->comm);
	} else {
		grt_json_null(j, "pid");
		grt_json_null(j, "comm");
	}
}

/* The code, the errno or the number of the rule, each under a name of its own. */
static void put_detail(struct grt_json *j, const struct grt_snapshot *s)
{
	const char *code = s->rec.trigger == GRTRACE_TRIGGER_ERROR ?
			   value_name(GRT_KIND_ERRCODE, s->rec.detail) : NULL;

	if (code)
		grt_json_text(j, "error", code);
	else
		grt_json_null(j, "error");
	if (s->rec.trigger == GRTRACE_TRIGGER_STATUS)
		grt_json_s64(j, "status", s->rec.detail);
	else
		grt_json_null(j, "status");
	if (s->rec.trigger == GRTRACE_TRIGGER_RULE)
		grt_json_s64(j, "rule", s->rec.detail);
	else
		grt_json_null(j, "rule");
}

/* The text of a NOTE, which the kernel wrote and which may hold anything. */
static const char *note_text(char *to, size_t room, const struct grtrace_note *note)
{
	size_t bytes = note->hdr.size > sizeof(*note) ? note->hdr.size - sizeof(*note) : 0;

	snprintf(to, room, "%.*s", (int)bytes, (const char *)(note + 1));
	return to;
}

/* What the kernel's log and devices said around the trigger; times are from there. */
void grt_snapshot_notes(const struct grt_job_out *o)
{
	const struct grt_snapshot_log *log = grt_model_snapshots(o->summary->model);
	const struct grt_snapshot *s = grt_snapshot_log_latest(log);
	struct grt_cursor c = grt_cursor(log->notes.data, log->notes.bytes);
	const struct grtrace_note *note;
	const char *speaker;
	char text[512], quoted[600];
	unsigned int shown = 0;

	if (!s || !log->notes.bytes || o->has_span)
		return;
	fputs("\nWHAT THE MACHINE SAID  (from the trigger on)\n", o->file);
	while (shown < MOST_NOTES && (note = (const void *)grt_take_record(&c))) {
		speaker = value_name(GRT_KIND_SPEAKER, note->speaker);
		fprintf(o->file, " %+.3f ms  %s  %s\n", (int64_t)(note->hdr.ts - s->rec.hdr.ts) / 1e6,
			note->speaker == GRTRACE_SPEAKER_KERNEL_LOG ? "kernel log" :
			speaker ? "device" : "?",
			grt_quote_text(quoted, sizeof(quoted), note_text(text, sizeof(text), note)));
		shown++;
	}
	if (grt_take_record(&c))
		fputs(" more: grtrace dump -d\n", o->file);
}

/* What the machine said around a snapshot. */
static void put_notes(struct grt_json *j, const struct grt_snapshot_log *log, const struct grt_snapshot *s)
{
	struct grt_cursor c = grt_cursor(log->notes.data, log->notes.bytes);
	const struct grtrace_note *note;
	const char *speaker;
	char text[512];

	grt_json_open(j, "notes", '[');
	while ((note = (const void *)grt_take_record(&c))) {
		if (note->hdr.ts + NOTE_BEFORE_NS < s->rec.hdr.ts || note->hdr.ts > s->rec.hdr.ts + NOTE_AFTER_NS)
			continue;
		speaker = value_name(GRT_KIND_SPEAKER, note->speaker);
		grt_json_open(j, NULL, '{');
		grt_json_u64(j, "at_ns", note->hdr.ts);
		if (speaker)
			grt_json_text(j, "speaker", speaker);
		else
			grt_json_null(j, "speaker");
		grt_json_text(j, "text", note_text(text, sizeof(text), note));
		grt_json_close(j, '}');
	}
	grt_json_close(j, ']');
}

void grt_snapshots_json(struct grt_json *j, const struct grt_job_out *o)
{
	const struct grt_snapshot_log *log = grt_model_snapshots(o->summary->model);

	grt_json_open(j, "snapshots", '[');
	for (size_t i = 0; i < grt_snapshot_log_count(log); i++) {
		const struct grt_snapshot *s = grt_snapshot_log_at(log, i);
		const char *trigger = value_name(GRT_KIND_TRIGGER, s->rec.trigger);

		grt_json_open(j, NULL, '{');
		grt_json_u64(j, "number", s->rec.number);
		grt_json_u64(j, "at_ns", s->rec.hdr.ts);
		if (trigger)
			grt_json_text(j, "trigger", trigger);
		else
			grt_json_null(j, "trigger");
		put_detail(j, s);
		put_key(j, s);
		put_names(j, o, s);
		grt_json_u64(j, "missed", s->rec.missed);
		put_notes(j, log, s);
		grt_json_close(j, '}');
	}
	grt_json_close(j, ']');
}
