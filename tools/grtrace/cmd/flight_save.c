// SPDX-License-Identifier: GPL-2.0
/* The files of a flight recorder: the events before a trigger, and what the kernel's log said. */
#include "flight_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "describe.h"
#include "live.h"
#include "notes.h"
#include "number.h"
#include "print.h"
#include "quote.h"
#include "shell.h"
#include "slice.h"
#include "sources.h"
#include "user.h"

#define NOTES_BEFORE_NS	5000000000ull	/* what the kernel said so long before a trigger */
#define NOTES_AFTER_NS	2000000000ull	/* and after it: a reset takes its time */
#define DRAIN_MS	100	/* at most, while it waits for that */

/* A recording of its own, with the source of the whole one. */
static void begin_part(struct record *part, struct record *r, const char *path)
{
	*part = (struct record)GRT_RECORD_INIT(path);
	part->source = r->source;
	part->bpf = r->bpf;
	part->tracefs = r->tracefs;
	part->is_quiet = r->is_quiet;
	part->is_extract = part->is_partial = true;
}

/* The source goes on. */
static void end_part(struct record *part)
{
	if (part->live)
		grt_live_close(part->live);
	part->live = NULL;
	grt_output_destroy(&part->output);
	grt_tally_destroy(&part->tally);
	if (part->signals >= 0)
		close(part->signals);
}

static int put_note(void *arg, const struct grtrace_hdr *note)
{
	return grt_output_definition(arg, note);
}

/* Waits a little, for what the driver has to say about the trigger, then writes that. */
static int add_notes(struct record *part, struct grt_flight_recorder *f)
{
	const struct grtrace_snapshot *why = &part->tally.snapshot;
	struct grt_notes *notes = f->ears.notes;
	uint64_t now, until_ns = why->trigger == GRTRACE_TRIGGER_STOP ? 0 : why->hdr.ts + NOTES_AFTER_NS;
	int err = 0;

	if (!notes || !why->hdr.size)
		return 0;
	while (!err && !f->r->is_over && (now = grt_snapshot_now(CLOCK_MONOTONIC)) < until_ns) {
		struct pollfd fds[] = {
			{ f->r->signals, POLLIN, 0 },
			{ grt_notes_log_fd(notes), POLLIN, 0 },
			{ grt_notes_uevent_fd(notes), POLLIN, 0 },
		};
		uint64_t ms = (until_ns - now) / 1000000 + 1;

		/* Whoever called us sees the signal. */
		if (poll(fds, 3, ms < DRAIN_MS ? ms : DRAIN_MS) > 0 && fds[0].revents)
			break;
		grt_notes_read(notes);
		if (f->ring)
			err = grt_flight_drain(f);
	}
	grt_notes_read(notes);
	return err ? err : grt_notes_each(notes, why->hdr.ts > NOTES_BEFORE_NS ? why->hdr.ts - NOTES_BEFORE_NS : 0,
					  put_note, &part->output);
}

/* Keeps the last @last_ns of the file. */
static int cut(struct record *part, uint64_t last_ns)
{
	struct grt_tally *t = &part->tally;
	struct grt_user user = grt_user();
	struct grt_target to = { .path = part->output.name, .uid = user.uid, .gid = user.gid };
	struct grt_slice s = { .part.until_ns = UINT64_MAX };
	char line[128], text[GRT_NUMBER_MAX], path[sizeof(part->output.name)];
	int err;

	if (!last_ns || t->last_ns - t->first_ns <= last_ns)
		return 0;
	s.part.since_ns = t->last_ns - t->first_ns - last_ns;
	snprintf(line, sizeof(line), "slice=the last %s of a snapshot", grt_format_ns(text, last_ns));
	s.line = line;
	snprintf(path, sizeof(path), "%s", part->output.name);
	err = grt_slice_write(&s, path, &to);
	t->first_ns = t->last_ns - last_ns;
	t->events = s.events;
	return err;
}

/* Why it was taken: ": TIMEOUT, job 25:10". */
static void say_why(const struct grtrace_snapshot *s)
{
	const struct grt_value *triggers = grt_enums[GRT_KIND_TRIGGER - GRT_KIND_ENGINE].values;
	const struct grt_table *errors = &grt_enums[GRT_KIND_ERRCODE - GRT_KIND_ENGINE];

	if (!s->hdr.size || s->trigger >= grt_enums[GRT_KIND_TRIGGER - GRT_KIND_ENGINE].count)
		return;
	if (s->trigger == GRTRACE_TRIGGER_ERROR && (size_t)s->detail < errors->count)
		fprintf(stderr, ": %s", errors->values[s->detail].name);
	else
		fprintf(stderr, ": %s", triggers[s->trigger].text);
	if (s->ctx)
		fprintf(stderr, ", job %" PRIu64 ":%" PRIu64, (uint64_t)s->ctx, (uint64_t)s->seqno);
	if (s->missed)
		fprintf(stderr, "; before it, %" PRIu64 " %s came while a snapshot was held",
			(uint64_t)s->missed, grt_plural(s->missed, "trigger", "triggers"));
}

static void say_saved(const struct record *part)
{
	const struct grt_tally *t = &part->tally;
	char events[GRT_NUMBER_MAX], ns[GRT_NUMBER_MAX];
	struct grt_shell hint = { .at = 0 };

	if (part->is_quiet)
		return;
	fprintf(stderr, "%s: the last %s, %s %s", grt_shown(part->output.name),
		grt_format_ns(ns, t->last_ns - t->first_ns), grt_format_count(events, t->events),
		grt_plural(t->events, "event", "events"));
	say_why(&t->snapshot);
	putc('\n', stderr);
	grt_shell_plain(&hint, "hint: grtrace report");
	grt_shell_file(&hint, part->output.name);
	if (grt_shell_text(&hint))
		fprintf(stderr, "%s\n", hint.text);
}

/* Saves the snapshot that the source holds, then releases it.  If the file gets only a part, the source keeps it. */
static int save_held(struct record *part, struct grt_flight_recorder *f)
{
	int64_t bytes = grt_session_held();
	int err = bytes < 0 ? bytes : grt_output_reserve(&part->output, bytes);

	part->live = f->r->live;
	f->r->live = NULL;
	if (!err)
		err = grt_record_begin(part);
	if (!err)
		err = grt_record_drain_all(part);
	if (!err)
		err = grt_record_stats(part);
	/* Free the buffers first: the next trigger may come while we wait for the kernel's log. */
	if (part->live)
		grt_live_close(part->live);
	part->live = NULL;
	return err || part->output.full ? err : f->r->source->release_snapshot(f->r);
}

/* Of any other source: writes what the ring has. */
static int save_ring(struct record *part, struct grt_flight_recorder *f)
{
	const struct grtrace_stream_info *info = grt_flight_ring_info(f->ring);
	struct grtrace_snapshot why = f->why;
	struct grt_flight_part saved = { 0 };
	int err;

	if (!info)
		return 0;
	why.session_id = info->session_id;
	why.number = ++f->taken;
	f->why.hdr.size = 0;
	part->live = f->r->live;
	err = grt_record_create_file(part, info);
	part->live = NULL;
	if (!err)
		err = grt_flight_ring_save(f->ring, &part->output, &why, &saved);
	if (!err)
		err = grt_record_clock(part);
	if (!err)
		err = grt_record_stats(part);
	part->tally.snapshot = why;
	part->tally.events = saved.events;
	part->tally.first_ns = saved.first_ns;
	part->tally.last_ns = saved.last_ns;
	return err;
}

static int save_part(struct record *part, struct grt_flight_recorder *f)
{
	struct grt_user user = grt_user();
	int err = grt_output_open(&part->output, user.uid, user.gid), end;

	if (!err)
		err = f->ring ? save_ring(part, f) : save_held(part, f);
	if (!err)
		err = add_notes(part, f);
	end = grt_output_close(&part->output, !err);
	return err ? err : end;
}

int grt_flight_save_as(struct grt_flight_recorder *f, const char *path)
{
	struct record part;
	int err;

	begin_part(&part, f->r, path);
	err = save_part(&part, f);
	if (!err)
		err = cut(&part, f->r->flight.last_ns);
	if (!err)
		say_saved(&part);
	end_part(&part);
	return err;
}

int grt_flight_save(struct record *r, const char *path)
{
	struct grt_flight_recorder f = { .r = r };

	return grt_flight_save_as(&f, path);
}
