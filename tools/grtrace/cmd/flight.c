// SPDX-License-Identifier: GPL-2.0
#include "flight.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "clock_snapshot.h"
#include "error.h"
#include "event_watch.h"
#include "flight_files.h"
#include "flight_private.h"
#include "live.h"
#include "notes.h"
#include "quote.h"
#include "sources.h"
#include "user.h"

#define RING_BYTES	(4u << 20)	/* of each CPU */
#define ROOM_MS		5000	/* between two looks whether the disk has room again */

enum { EAR_LOG = GRT_WAIT_OWN, EAR_UEVENTS, EAR_EVENTS, NR_EARS };

static int open_ears(struct grt_flight_ears *e, const struct record *r)
{
	int err = r->flight.stop_on.count ? grt_event_watch_open(&e->events, &r->flight.stop_on) : 0;

	if (!err)
		e->notes = grt_notes_open();
	return err;
}

static void begin_waits(struct grt_flight_ears *e, const struct record *r)
{
	grt_record_begin_waits(r, &e->waits);
	e->waits.fds[EAR_LOG] = (struct pollfd){ e->notes ? grt_notes_log_fd(e->notes) : -1, POLLIN, 0 };
	e->waits.fds[EAR_UEVENTS] = (struct pollfd){ e->notes ? grt_notes_uevent_fd(e->notes) : -1, POLLIN, 0 };
	e->waits.fds[EAR_EVENTS] = (struct pollfd){ e->events ? grt_event_watch_fd(e->events) : -1, POLLIN, 0 };
	e->waits.count = NR_EARS;
}

static void close_ears(struct grt_flight_ears *e)
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
static int hear(struct grt_flight_recorder *f)
{
	struct grt_flight_ears *e = &f->ears;
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

/* 1: there is a snapshot to save; 0: the recording is over; or -errno with a cause. */
static int wait_for_snapshot(struct grt_flight_recorder *f)
{
	struct record *r = f->r;
	int ready = 0, err = r->live ? 0 : grt_record_streams(r);

	while (!err && !ready && !r->is_over) {
		ready = grt_record_wait(r, &f->ears.waits);
		err = ready < 0 ? ready : hear(f);
	}
	return err ? err : ready > 0;
}

static int wait_for_trigger(struct grt_flight_recorder *f)
{
	struct record *r = f->r;
	int err = 0;

	while (!err && !f->why.hdr.size && !r->is_over) {
		err = grt_record_wait(r, &f->ears.waits);
		err = err < 0 ? err : hear(f);
		if (!err)
			err = grt_flight_drain(f);
	}
	if (err || !f->why.hdr.size)
		return err;
	/* What other CPUs did until now. */
	grt_live_flush(r->live);
	err = grt_flight_drain(f);
	return err ? err : 1;
}

/* A file of its own, which may replace old ones. */
static int save_snapshot(struct grt_flight_recorder *f)
{
	const struct grt_flight *to = &f->r->flight;
	struct grt_user user = grt_user();
	char name[4096];
	int err = grt_flight_files_name(name, sizeof(name), to->path);

	if (!err)
		err = grt_flight_save_as(f, name);
	if (!err)
		grt_flight_files_prune(to->path, name, to->keep, to->max_bytes, user.uid, user.gid);
	return err;
}

static void warn_unsaved(void)
{
	grt_warn(grt_hint(), "a snapshot could not be saved: %s", grt_cause());
}

/* The disk is full.  The snapshot stays where it is, and is saved as soon as there is room. */
static void wait_for_room(struct grt_flight_recorder *f)
{
	struct pollfd signals = { f->r->signals, POLLIN, 0 };

	if (!f->lacks_room)
		warn_unsaved();
	f->lacks_room = true;
	/* grt_record_wait() sees the signal. */
	poll(&signals, 1, ROOM_MS);
}

static int record_triggers(struct grt_flight_recorder *f)
{
	int got;

	while ((got = f->ring ? wait_for_trigger(f) : wait_for_snapshot(f)) == 1) {
		got = save_snapshot(f);
		if (got && !grt_output_is_no_room(got))
			return got;
		if (got)
			wait_for_room(f);
		else
			f->lacks_room = false;
	}
	return got;
}

/* The snapshot that was taken before the end, if it was not saved, then the last events. */
static int save_last_held(struct grt_flight_recorder *f, const char *name)
{
	struct record *r = f->r;
	int err = 0, got = 0;

	if (r->live)
		grt_live_close(r->live);
	r->live = NULL;
	while (!err && (got = r->source->has_snapshot(r)) == 1) {
		err = grt_record_streams(r);
		if (!err)
			err = grt_flight_save_as(f, name);
	}
	return err ? err : got;
}

static int save_last_ring(struct grt_flight_recorder *f, const char *name)
{
	int err = 0;

	while (!err && !grt_live_has_ended(f->r->live)) {
		err = grt_flight_drain(f);
		if (!err && !grt_live_has_ended(f->r->live))
			grt_live_poll(f->r->live, NULL, 0, GRT_TICK_MS);
	}
	if (!f->why.hdr.size)
		f->why = snapshot_now(GRTRACE_TRIGGER_STOP);
	return err ? err : grt_flight_save_as(f, name);
}

static int record_end(struct grt_flight_recorder *f)
{
	bool is_ours = f->r->session.is_ours;
	char name[4096];
	int err = f->r->source->stop(f->r);

	if (!err)
		err = grt_flight_files_end_name(name, sizeof(name), f->r->flight.path);
	if (err || !is_ours)
		return err;
	return f->ring ? save_last_ring(f, name) : save_last_held(f, name);
}

static int make_ring(struct grt_flight_recorder *f)
{
	const struct record *r = f->r;
	size_t bytes = r->session.buffer_bytes ? r->session.buffer_bytes : RING_BYTES;

	f->ring = grt_flight_ring_create(grt_live_lanes(r->live), bytes, r->source->ring_rows);
	return f->ring ? 0 : grt_fail_memory();
}

static int open_ring(struct grt_flight_recorder *f)
{
	int err = grt_record_streams(f->r);

	return err ? err : make_ring(f);
}

static void say_ready(const struct record *r)
{
	bool has_snapshots = r->source->snapshot && !r->beside;

	if (!r->is_quiet)
		fprintf(stderr, "waiting for a timeout, a reset%s    ^C to stop\n",
			has_snapshots ? ", a job that fails, or: sudo grtrace snapshot" : " or a job that fails");
}

static int run(struct grt_flight_recorder *f)
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
	struct grt_flight_recorder f = { .r = r };
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

/* --- beside a recording --- */

/* Takes each run that the recording reads.  How many lanes there are is known at the first one. */
static int add_run(struct record *r, unsigned int lane, const struct grt_run *run)
{
	struct grt_flight_recorder *f = r->beside;
	int err = f->ring ? 0 : make_ring(f);

	return err ? err : grt_flight_ring_add(f->ring, lane, grt_live_cpu(r->live, lane), run, &f->why);
}

int grt_flight_open(struct record *r)
{
	struct grt_flight_recorder *f = calloc(1, sizeof(*f));
	int err = f ? open_ears(&f->ears, r) : grt_fail_memory();

	if (err) {
		free(f);
		return err;
	}
	f->r = r;
	r->beside = f;
	r->also = add_run;
	return 0;
}

struct grt_record_waits *grt_flight_begin(struct grt_flight_recorder *f)
{
	begin_waits(&f->ears, f->r);
	say_ready(f->r);
	return &f->ears.waits;
}

int grt_flight_look(struct grt_flight_recorder *f)
{
	uint32_t taken = f->taken;
	int err = hear(f);

	if (err || !f->why.hdr.size)
		return err;
	grt_live_flush(f->r->live);
	err = grt_flight_drain(f);
	/* The recording is worth more than a snapshot that could not be written. */
	if (!err && save_snapshot(f))
		warn_unsaved();
	/* Once it is taken, another trigger may have come. */
	if (f->taken == taken)
		f->why.hdr.size = 0;
	return err;
}

void grt_flight_end(struct grt_flight_recorder *f)
{
	char name[4096];

	if (!f->ring)
		return;
	if (!f->why.hdr.size)
		f->why = snapshot_now(GRTRACE_TRIGGER_STOP);
	if (grt_flight_files_end_name(name, sizeof(name), f->r->flight.path) || grt_flight_save_as(f, name))
		warn_unsaved();
}

void grt_flight_close(struct grt_flight_recorder *f)
{
	if (!f)
		return;
	if (f->ring)
		grt_flight_ring_destroy(f->ring);
	close_ears(&f->ears);
	free(f);
}
