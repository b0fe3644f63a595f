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

/* What a flight recorder listens to beside the streams. */
struct ears {
	struct grt_notes *notes;		/* NULL: none */
	struct grt_event_watch *events;	/* NULL: none */
	struct grt_record_waits waits;
};

enum { EAR_LOG = 3, EAR_UEVENTS, EAR_EVENTS, NR_EARS };

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

/* Takes a snapshot when an event of --stop-on comes; one that is held already is saved anyway. */
static int hear(struct ears *e, struct record *r)
{
	const char *word = NULL;
	int err;

	if (e->notes && (e->waits.fds[EAR_LOG].revents || e->waits.fds[EAR_UEVENTS].revents))
		grt_notes_read(e->notes);
	if (e->waits.fds[EAR_EVENTS].revents)
		word = grt_event_watch_take(e->events);
	if (!word)
		return 0;
	if (!r->is_quiet)
		fprintf(stderr, "%s came\n", grt_shown(word));
	err = r->source->snapshot(r);
	return err == -EBUSY ? 0 : err;
}

/* --- saving a snapshot --- */

/* A recording of its own, of what @r has as its snapshot.  It takes over the streams. */
static void begin_part(struct record *part, struct record *r, const char *path)
{
	*part = (struct record)GRT_RECORD_INIT(path);
	part->source = r->source;
	part->bpf = r->bpf;
	part->is_quiet = r->is_quiet;
	part->is_extract = part->is_partial = true;
	part->live = r->live;
	r->live = NULL;
}

/* The source is that of the whole recording, and goes on. */
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
static int add_notes(struct record *part, struct record *r, struct ears *e)
{
	uint64_t at_ns = part->tally.snapshot.hdr.ts, until_ns;
	bool is_ours = part->tally.snapshot.trigger != GRTRACE_TRIGGER_STOP;
	struct pollfd *fds;

	if (!e || !e->notes || !at_ns)
		return 0;
	fds = &e->waits.fds[EAR_LOG];
	until_ns = is_ours ? at_ns + NOTES_AFTER_NS : 0;
	for (uint64_t now; !r->is_over && (now = grt_snapshot_now(CLOCK_MONOTONIC)) < until_ns; ) {
		struct pollfd all[] = { fds[0], fds[1], { r->signals, POLLIN, 0 } };

		if (poll(all, 3, (until_ns - now) / 1000000 + 1) > 0 && all[2].revents)
			break;		/* the caller sees the signal */
		grt_notes_read(e->notes);
	}
	grt_notes_read(e->notes);
	return grt_notes_each(e->notes, at_ns > NOTES_BEFORE_NS ? at_ns - NOTES_BEFORE_NS : 0, put_note,
			      &part->output);
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

static int save_part(struct record *part, struct record *r, struct ears *e)
{
	struct grt_user user = grt_user();
	int err = grt_output_open(&part->output, user.uid, user.gid), back;

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
	if (!err)
		err = r->source->release_snapshot(r);
	if (!err)
		err = add_notes(part, r, e);
	back = grt_output_close(&part->output, !err);
	return err ? err : back;
}

static int save(struct record *r, struct ears *e, const char *path)
{
	struct record part;
	int err;

	begin_part(&part, r, path);
	err = save_part(&part, r, e);
	if (!err)
		err = cut(&part, r->flight.last_ns);
	if (!err)
		say_saved(&part);
	end_part(&part);
	return err;
}

int grt_flight_save(struct record *r, const char *path)
{
	return save(r, NULL, path);
}

/* --- the recorder --- */

/* 1: a snapshot can be read; 0: the recording is over; or -errno with a cause. */
static int wait_for_snapshot(struct record *r, struct ears *e)
{
	int ready = 0, err = r->live ? 0 : r->source->streams(r, &r->live);

	while (!err && !ready && !r->is_over) {
		ready = grt_record_wait(r, &e->waits);
		err = ready < 0 ? ready : hear(e, r);
	}
	return err ? err : ready > 0;
}

static int record_triggers(struct record *r, struct ears *e)
{
	struct grt_user user = grt_user();
	char name[4096];
	int got;

	while ((got = wait_for_snapshot(r, e)) == 1) {
		got = grt_flight_files_name(name, sizeof(name), r->output.path);
		if (!got)
			got = save(r, e, name);
		if (got)
			return got;
		grt_flight_files_prune(r->output.path, r->output.keep, r->output.max_bytes, user.uid,
				       user.gid);
	}
	return got;
}

/* The snapshot that was taken before the end, if it was not saved, then the last events. */
static int record_end(struct record *r, struct ears *e)
{
	char name[4096];
	bool is_ours = r->session.is_ours;
	int err = r->source->stop(r), got = 0;

	if (r->live)
		grt_live_close(r->live);
	r->live = NULL;
	if (!err)
		err = grt_flight_files_end_name(name, sizeof(name), r->output.path);
	while (!err && is_ours && (got = r->source->has_snapshot(r)) == 1) {
		err = r->source->streams(r, &r->live);
		if (!err)
			err = save(r, e, name);
	}
	return err ? err : got;
}

static void say_ready(const struct record *r)
{
	if (!r->is_quiet)
		fputs("waiting for a timeout, a reset, a job that fails, or: sudo grtrace snapshot    ^C to stop\n",
		      stderr);
}

int grt_flight_record(struct record *r)
{
	struct ears ears = { .notes = NULL };
	int err = grt_record_watch(r), end;

	if (!err)
		err = open_ears(&ears, r);
	if (!err)
		err = grt_record_prepare(r);
	if (!err) {
		begin_waits(&ears, r);
		err = grt_record_go(r);
		say_ready(r);
		if (!err)
			err = record_triggers(r, &ears);
		end = record_end(r, &ears);
		if (!err)
			err = end;
		grt_record_end_command(r);
	}
	close_ears(&ears);
	return err;
}
