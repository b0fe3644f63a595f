// SPDX-License-Identifier: GPL-2.0
#include "flight.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "describe.h"
#include "error.h"
#include "event_watch.h"
#include "flight_files.h"
#include "flight_ring.h"
#include "live.h"
#include "notes.h"
#include "number.h"
#include "print.h"
#include "quote.h"
#include "record.h"
#include "shell.h"
#include "slice.h"
#include "sources.h"
#include "user.h"

#define NOTES_BEFORE_NS	5000000000ull	/* what the kernel said so long before a trigger */
#define NOTES_AFTER_NS	2000000000ull	/* and after it: a reset takes its time */
#define DRAIN_MS	100	/* at most, while it waits for that */
#define RING_BYTES	(4u << 20)	/* of each CPU */

/* What a flight recorder listens to beside the streams. */
struct ears {
	struct grt_notes *notes;		/* NULL: none */
	struct grt_event_watch *events;	/* NULL: none */
	struct grt_record_waits waits;
};

struct flight {
	struct record *r;
	struct ears ears;
	/* If the source has no snapshots: */
	struct grt_flight_ring *ring;		/* else NULL */
	struct grtrace_snapshot why;		/* a trigger that came; hdr.size 0: none */
	uint32_t taken;
};

enum { EAR_LOG = GRT_WAIT_OWN, EAR_UEVENTS, EAR_EVENTS, NR_EARS };

static int open_ears(struct ears *e, const struct record *r)
{
	int err = r->flight.stop_on.count ? grt_event_watch_open(&e->events, &r->flight.stop_on) : 0;

	if (!err)
		e->notes = grt_notes_open();
	return err;
}

static void begin_waits(struct ears *e, const struct record *r)
{
	grt_record_begin_waits(r, &e->waits);
	e->waits.fds[EAR_LOG] = (struct pollfd){ e->notes ? grt_notes_log_fd(e->notes) : -1, POLLIN, 0 };
	e->waits.fds[EAR_UEVENTS] = (struct pollfd){ e->notes ? grt_notes_uevent_fd(e->notes) : -1, POLLIN, 0 };
	e->waits.fds[EAR_EVENTS] = (struct pollfd){ e->events ? grt_event_watch_fd(e->events) : -1, POLLIN, 0 };
	e->waits.count = NR_EARS;
}

static void close_ears(struct ears *e)
{
	if (e->notes)
		grt_notes_close(e->notes);
	if (e->events)
		grt_event_watch_close(e->events);
}

/* For a source that has no snapshots: as the module describes one that no event has triggered. */
static struct grtrace_snapshot snapshot_now(enum grtrace_trigger trigger)
{
	return (struct grtrace_snapshot){
		.hdr = { .type = GRTRACE_SNAPSHOT, .size = sizeof(struct grtrace_snapshot),
			 .ts = grt_snapshot_now(CLOCK_MONOTONIC) },
		.trigger = trigger,
	};
}

/* Takes a snapshot when an event of --stop-on comes; one that is held already is saved anyway. */
static int hear(struct flight *f)
{
	struct ears *e = &f->ears;
	const char *word = NULL;
	int err;

	if (e->notes && (e->waits.fds[EAR_LOG].revents || e->waits.fds[EAR_UEVENTS].revents))
		grt_notes_read(e->notes);
	if (e->waits.fds[EAR_EVENTS].revents)
		word = grt_event_watch_take(e->events);
	if (!word)
		return 0;
	if (!f->r->is_quiet)
		fprintf(stderr, "%s came\n", grt_shown(word));
	if (f->ring) {
		f->why = snapshot_now(GRTRACE_TRIGGER_REQUEST);
		return 0;
	}
	err = f->r->source->snapshot(f->r);
	return err == -EBUSY ? 0 : err;
}

/* Moves what the streams have now to the ring. */
static int drain_to_ring(struct flight *f)
{
	struct grt_live *live = f->r->live;
	struct grt_run run;
	int got = 0;

	for (unsigned int i = 0; i < grt_live_lanes(live); i++) {
		while ((got = grt_live_next(live, i, &run)) == 1) {
			got = grt_flight_ring_add(f->ring, i, grt_live_cpu(live, i), &run, &f->why);
			if (got)
				return got;
		}
		if (got < 0 && got != -EAGAIN)
			return got;
	}
	return 0;
}

/* --- saving a snapshot --- */

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
static int add_notes(struct record *part, struct flight *f)
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
			err = drain_to_ring(f);
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

/* Of a source that has snapshots: reads the one that is held, and gives it up. */
static int save_held(struct record *part, struct flight *f)
{
	int err;

	part->live = f->r->live;
	f->r->live = NULL;
	err = grt_record_begin(part);
	if (!err)
		err = grt_record_drain_all(part);
	if (!err)
		err = grt_record_stats(part);
	/* Free the buffers first: the next trigger may come while we wait for the kernel's log. */
	if (part->live)
		grt_live_close(part->live);
	part->live = NULL;
	return err ? err : f->r->source->release_snapshot(f->r);
}

/* Of any other source: writes what the ring has. */
static int save_ring(struct record *part, struct flight *f)
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

static int save_part(struct record *part, struct flight *f)
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

static int save(struct flight *f, const char *path)
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
	struct flight f = { .r = r };

	return save(&f, path);
}

/* --- the recorder --- */

/* 1: there is a snapshot to save; 0: the recording is over; or -errno with a cause. */
static int wait_for_snapshot(struct flight *f)
{
	struct record *r = f->r;
	int ready = 0, err = r->live ? 0 : grt_record_streams(r);

	while (!err && !ready && !r->is_over) {
		ready = grt_record_wait(r, &f->ears.waits);
		err = ready < 0 ? ready : hear(f);
	}
	return err ? err : ready > 0;
}

static int wait_for_trigger(struct flight *f)
{
	struct record *r = f->r;
	int err = 0;

	while (!err && !f->why.hdr.size && !r->is_over) {
		err = grt_record_wait(r, &f->ears.waits);
		err = err < 0 ? err : hear(f);
		if (!err)
			err = drain_to_ring(f);
	}
	if (err || !f->why.hdr.size)
		return err;
	/* What other CPUs did until now. */
	grt_live_flush(r->live);
	err = drain_to_ring(f);
	return err ? err : 1;
}

static int record_triggers(struct flight *f)
{
	const struct grt_output *o = &f->r->output;
	struct grt_user user = grt_user();
	char name[4096];
	int got;

	while ((got = f->ring ? wait_for_trigger(f) : wait_for_snapshot(f)) == 1) {
		got = grt_flight_files_name(name, sizeof(name), o->path);
		if (!got)
			got = save(f, name);
		if (got)
			return got;
		grt_flight_files_prune(o->path, o->keep, o->max_bytes, user.uid, user.gid);
	}
	return got;
}

/* The snapshot that was taken before the end, if it was not saved, then the last events. */
static int save_last_held(struct flight *f, const char *name)
{
	struct record *r = f->r;
	int err = 0, got = 0;

	if (r->live)
		grt_live_close(r->live);
	r->live = NULL;
	while (!err && (got = r->source->has_snapshot(r)) == 1) {
		err = grt_record_streams(r);
		if (!err)
			err = save(f, name);
	}
	return err ? err : got;
}

static int save_last_ring(struct flight *f, const char *name)
{
	int err = 0;

	while (!err && !grt_live_has_ended(f->r->live)) {
		err = drain_to_ring(f);
		if (!err && !grt_live_has_ended(f->r->live))
			grt_live_poll(f->r->live, NULL, 0, GRT_TICK_MS);
	}
	if (!f->why.hdr.size)
		f->why = snapshot_now(GRTRACE_TRIGGER_STOP);
	return err ? err : save(f, name);
}

static int record_end(struct flight *f)
{
	bool is_ours = f->r->session.is_ours;
	char name[4096];
	int err = f->r->source->stop(f->r);

	if (!err)
		err = grt_flight_files_end_name(name, sizeof(name), f->r->output.path);
	if (err || !is_ours)
		return err;
	return f->ring ? save_last_ring(f, name) : save_last_held(f, name);
}

static int open_ring(struct flight *f)
{
	struct record *r = f->r;
	size_t bytes = r->session.buffer_bytes ? r->session.buffer_bytes : RING_BYTES;
	int err = grt_record_streams(r);

	if (err)
		return err;
	f->ring = grt_flight_ring_create(grt_live_lanes(r->live), bytes);
	return f->ring ? 0 : grt_fail_memory();
}

static void say_ready(const struct record *r)
{
	if (!r->is_quiet)
		fprintf(stderr, "waiting for a timeout, a reset%s    ^C to stop\n",
			r->source->snapshot ? ", a job that fails, or: sudo grtrace snapshot" : " or a job that fails");
}

static int run(struct flight *f)
{
	int err, end;

	begin_waits(&f->ears, f->r);
	err = grt_record_go(f->r);
	if (!err) {
		say_ready(f->r);
		err = record_triggers(f);
	}
	end = record_end(f);
	grt_record_end_command(f->r);
	return err ? err : end;
}

int grt_flight_record(struct record *r)
{
	struct flight f = { .r = r };
	int err = grt_record_watch(r);

	if (!err)
		err = open_ears(&f.ears, r);
	if (!err)
		err = grt_record_prepare(r);
	if (!err && !r->source->snapshot)
		err = open_ring(&f);
	if (!err)
		err = run(&f);
	if (f.ring)
		grt_flight_ring_destroy(f.ring);
	close_ears(&f.ears);
	return err;
}
