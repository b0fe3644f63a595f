// SPDX-License-Identifier: GPL-2.0
#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "cursor.h"
#include "error.h"
#include "user.h"

#define AROUND_BYTES	(1u << 20)	/* mostly definitions */

/* What must fit after the last run: a STREAM_END per CPU, CLOCK and STATS. */
static uint64_t last_bytes(const struct grt_output *o)
{
	const uint64_t around = sizeof(struct grt_file_chunk) + sizeof(struct grt_file_index);

	return o->nr_lanes * (around + sizeof(struct grtrace_stream_end)) +
	       2 * around + sizeof(struct grtrace_clock) + sizeof(struct grt_snapshot_stats);
}

int grt_output_name(char *to, size_t room, const char *path, uint64_t number)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	size_t stem = strlen(path);
	int len;

	/* A leading dot hides the file, and a dot in a folder's name is no extension. */
	if (dot && dot != path && (!slash || dot > slash + 1))
		stem = dot - path;
	if (number)
		len = snprintf(to, room, "%.*s-%04" PRIu64 "%s", (int)stem, path, number,
			       path + stem);
	else
		len = snprintf(to, room, "%s", path);
	if (len < 0 || (size_t)len >= room)
		return grt_fail(ENAMETOOLONG, "name another file with -o", "'%.60s...' is too long",
				path);
	return 0;
}

static int open_file(struct grt_output *o)
{
	int err = grt_output_name(o->name, sizeof(o->name), o->path, o->number);

	if (err)
		return err;
	o->file = (struct grt_outfile){
		.path = o->name, .uid = o->uid, .gid = o->gid, .is_recording = true, .is_new = o->is_new,
		.goes_on = o->goes_on, .wait = o->wait, .arg = o->arg,
	};
	err = grt_outfile_open(&o->file);
	o->is_open = !err;
	return err;
}

static int begin_file(struct grt_output *o)
{
	int err = o->goes_on ? grt_writer_go_on(&o->writer, o->file.fd, o->name) :
			       grt_writer_begin(&o->writer, o->file.fd, o->name, &o->header);

	if (err) {
		o->writer = NULL;
		return err;
	}
	grt_writer_wait_with(o->writer, o->wait, o->arg);
	grt_writer_set_aside(o->writer, last_bytes(o));
	o->has_stream = o->goes_on;
	o->begun_ns = grt_snapshot_now(CLOCK_MONOTONIC);
	return 0;
}

int grt_output_open(struct grt_output *o, uint32_t uid, uint32_t gid)
{
	int err;

	o->uid = uid;
	o->gid = gid;
	o->number = o->rotate_bytes || o->rotate_ns;
	err = open_file(o);
	/* Whoever reserves room now gets it behind the last chunk. */
	return !err && o->goes_on ? begin_file(o) : err;
}

int grt_output_reserve(struct grt_output *o, uint64_t bytes)
{
	/* Headers of chunks and definitions need more. */
	return grt_outfile_reserve(&o->file, bytes + bytes / 8 + AROUND_BYTES);
}

int grt_output_begin(struct grt_output *o, const struct grt_file_header *header,
		     unsigned int lanes)
{
	o->header = *header;
	o->nr_lanes = lanes;
	o->lanes = calloc(lanes, sizeof(*o->lanes));
	if (!o->lanes)
		return grt_fail_memory();
	if (!o->writer)
		return begin_file(o);
	grt_writer_set_aside(o->writer, last_bytes(o));
	return 0;
}

static void abandon_file(struct grt_output *o)
{
	if (o->writer)
		grt_writer_discard(o->writer);
	o->writer = NULL;
	if (o->is_open)
		grt_outfile_abandon(&o->file);
	o->is_open = false;
}

/* Keeps an incomplete file, under another name if its own is taken. */
static void keep_file(struct grt_output *o)
{
	if (grt_outfile_keep(&o->file) || !o->file.name)
		return;
	if (!strcmp(o->file.name, o->name) || access(o->name, F_OK))
		grt_warn(NULL, "what was recorded is in '%s'", o->file.name);
	else
		grt_warn(NULL, "'%s' stays as it was; what was recorded is in '%s'", o->name,
			 o->file.name);
	snprintf(o->name, sizeof(o->name), "%s", o->file.name);
}

bool grt_output_is_no_room(int err)
{
	return err == -ENOSPC || err == -EDQUOT || err == -EFBIG;
}

/* Ends the recording.  The cause is printed at the close, because other failures may follow. */
static void be_full(struct grt_output *o, int err)
{
	if (o->full)
		return;
	o->full = err;
	o->full_cause = strdup(grt_cause());
	o->full_hint = grt_hint() ? strdup(grt_hint()) : NULL;
}

static int fail_full(const struct grt_output *o)
{
	if (!o->full)
		return 0;
	return grt_fail(-o->full, o->full_hint, "%s",
			o->full_cause ? o->full_cause : strerror(-o->full));
}

int grt_output_close(struct grt_output *o, bool is_whole)
{
	int err;

	if (!o->writer) {
		abandon_file(o);
		return fail_full(o);
	}
	err = grt_writer_close(o->writer);
	o->writer = NULL;
	is_whole &= !err && !o->full;
	if (is_whole)
		err = grt_outfile_commit(&o->file);
	/* A file without its first STREAM_INFO cannot be read. */
	if ((!is_whole || err) && o->has_stream)
		keep_file(o);
	else if (!is_whole || err)
		grt_outfile_abandon(&o->file);
	grt_outfile_free(&o->file);
	o->is_open = false;
	return o->full && (!err || grt_output_is_no_room(err)) ? fail_full(o) : err;
}

/* Updates the account to what a SUBBUF after this run would contain, as far as it is known. */
static void keep_account(struct grt_output_lane *lane, const struct grt_run *run)
{
	struct grt_cursor c = grt_cursor(run->data, run->bytes);
	const struct grtrace_hdr *hdr;

	while ((hdr = grt_take_record(&c))) {
		if (hdr->type == GRTRACE_SUBBUF) {
			memcpy(&lane->account, hdr, sizeof(lane->account));
			lane->account.hdr.size = sizeof(lane->account);
			lane->has_account = true;
		} else if (hdr->type == GRTRACE_STREAM_END) {
			lane->has_ended = true;
		} else if (hdr->type < GRTRACE_STREAM_BASE) {
			lane->account.hdr.ts = hdr->ts;
			lane->account.hdr.cseq = hdr->cseq;
			lane->account.fates.written++;
			lane->account.fates.seen++;
		}
	}
}

/* Cuts @run down to its last STREAM_END; to nothing if it has none. */
static void only_end(struct grt_run *run)
{
	struct grt_cursor c = grt_cursor(run->data, run->bytes);
	const struct grtrace_hdr *hdr;

	run->bytes = 0;
	run->events = 0;
	while ((hdr = grt_take_record(&c)))
		if (hdr->type == GRTRACE_STREAM_END) {
			run->data = hdr;
			run->bytes = hdr->size;
			run->first_ts = run->last_ts = hdr->ts;
		}
}

static bool is_beyond_max(const struct grt_output *o, uint64_t payload)
{
	return o->max_bytes &&
	       o->past_bytes + grt_writer_bytes_with(o->writer, payload) > o->max_bytes;
}

/* Writes a run.  0 and run->bytes, which become 0 if it does not fit; or -errno. */
static int write_run(struct grt_output *o, uint32_t cpu, struct grt_run *run)
{
	int err;

	if (!grt_output_is_over(o)) {
		o->has_max = is_beyond_max(o, run->bytes);
		err = o->has_max ? 0 : grt_writer_run(o->writer, cpu, run);
		if (!grt_output_is_no_room(err))
			return err || !o->has_max ? err : (only_end(run), 0);
		be_full(o, err);
	}
	only_end(run);
	return 0;
}

int grt_output_run(struct grt_output *o, unsigned int lane, uint32_t cpu, struct grt_run *run)
{
	bool was_over = grt_output_is_over(o);
	uint64_t events = run->events;
	int err = 0;

	if (o->number && run->is_defs)
		err = grt_kept_add(&o->kept, run, grt_snapshot_now(CLOCK_MONOTONIC));
	if (!err && o->writer)
		err = write_run(o, cpu, run);
	else
		run->bytes = run->events = 0;
	o->left_out += events - run->events;
	if (err)
		return err;
	o->has_stream |= run->bytes && !grt_output_is_over(o);
	/* The space for the rest of a run that did not fit is set aside. */
	if (run->bytes && (was_over || grt_output_is_over(o)))
		err = grt_writer_run(o->writer, cpu, run);
	if (!err && o->number && run->bytes && !run->is_defs)
		keep_account(&o->lanes[lane], run);
	return err;
}

int grt_output_definition(struct grt_output *o, const struct grtrace_hdr *def)
{
	struct grt_run run = {
		.data = def, .bytes = def->size, .is_defs = true,
		.first_ts = def->ts, .last_ts = def->ts,
	};
	int err;

	if (!o->writer || (!grt_output_is_over(o) && is_beyond_max(o, run.bytes)))
		return 0;
	err = grt_writer_run(o->writer, 0, &run);
	if (grt_output_is_no_room(err))
		be_full(o, err);
	return grt_output_is_no_room(err) ? 0 : err;
}

int grt_output_watermark(struct grt_output *o, uint64_t ts)
{
	int err;

	if (!o->writer || grt_output_is_over(o) || is_beyond_max(o, 0))
		return 0;
	err = grt_writer_watermark(o->writer, ts);
	if (grt_output_is_no_room(err))
		be_full(o, err);
	return grt_output_is_no_room(err) ? 0 : err;
}

bool grt_output_is_near_max(struct grt_output *o)
{
	uint64_t margin = o->margin_bytes;

	if (!o->writer || !o->max_bytes)
		return false;
	/* A small maximum must leave room for events. */
	if (margin > o->max_bytes / 4)
		margin = o->max_bytes / 4;
	o->is_near |= is_beyond_max(o, margin);
	return o->is_near;
}

bool grt_output_is_due(const struct grt_output *o, uint64_t now_ns)
{
	if (!o->number || !o->writer || grt_output_is_over(o))
		return false;
	return (o->rotate_bytes && grt_writer_bytes_with(o->writer, 0) >= o->rotate_bytes) ||
	       (o->rotate_ns && now_ns - o->begun_ns >= o->rotate_ns);
}

/* Writes what a new file needs before its first event. */
static int write_past(struct grt_output *o)
{
	struct grt_cursor c = grt_cursor(o->kept.records.data, o->kept.records.bytes);
	struct grt_run run;
	int err = 0;

	while (!err && grt_next_run(&c, GRT_CHUNK_GOAL_BYTES, &run))
		err = grt_writer_run(o->writer,
				     ((const struct grtrace_hdr *)run.data)->cpu, &run);
	for (unsigned int i = 0; i < o->nr_lanes && !err; i++) {
		const struct grtrace_subbuf *account = &o->lanes[i].account;

		if (!o->lanes[i].has_account || o->lanes[i].has_ended)
			continue;
		run = (struct grt_run){
			.data = account, .bytes = sizeof(*account),
			.first_ts = account->hdr.ts, .last_ts = account->hdr.ts,
		};
		err = grt_writer_run(o->writer, account->hdr.cpu, &run);
	}
	return err;
}

static void remove_oldest(const struct grt_output *o)
{
	char name[sizeof(o->name)];

	if (!o->keep || o->number <= o->keep ||
	    grt_output_name(name, sizeof(name), o->path, o->number - o->keep) ||
	    grt_user_enter(o->uid, o->gid))
		return;
	unlink(name);
	grt_user_leave();
}

static int begin_next(struct grt_output *o)
{
	struct grtrace_clock clock = { 0 };
	int err;

	o->number++;
	/* Remove the oldest file first: on a full disk its space may be needed. */
	remove_oldest(o);
	o->header.flags |= GRT_FILE_GOES_ON;
	o->header.start_ns = grt_snapshot_now(CLOCK_MONOTONIC);
	o->header.start_real_ns = grt_snapshot_now(CLOCK_REALTIME);
	err = open_file(o);
	if (!err)
		err = begin_file(o);
	if (!err)
		err = grt_kept_prune(&o->kept, grt_snapshot_now(CLOCK_MONOTONIC), NULL);
	if (!err)
		err = write_past(o);
	o->has_stream = !err;
	if (grt_output_is_no_room(err)) {
		be_full(o, err);
		abandon_file(o);
		o->number--;
	}
	if (err)
		return grt_output_is_no_room(err) ? 0 : err;
	grt_snapshot_clock(&clock);
	return grt_output_definition(o, &clock.hdr);
}

int grt_output_rotate(struct grt_output *o)
{
	int err;

	o->past_bytes += grt_writer_bytes_with(o->writer, 0);
	err = grt_output_close(o, true);
	if (grt_output_is_no_room(err))
		be_full(o, err);
	if (err)
		return grt_output_is_no_room(err) ? 0 : err;
	return begin_next(o);
}

static void forget_full(struct grt_output *o)
{
	free(o->full_cause);
	free(o->full_hint);
	o->full_cause = o->full_hint = NULL;
	o->full = 0;
}

int grt_output_resume(struct grt_output *o)
{
	if (o->writer) {
		grt_writer_close(o->writer);
		o->writer = NULL;
		o->is_open = false;
		if (o->has_stream)
			grt_outfile_keep(&o->file);
		else
			grt_outfile_abandon(&o->file);
		o->number -= !o->has_stream;
		grt_outfile_free(&o->file);
	}
	forget_full(o);
	return begin_next(o);
}

uint64_t grt_output_bytes(const struct grt_output *o)
{
	return o->past_bytes + (o->writer ? grt_writer_bytes(o->writer) : 0);
}

void grt_output_destroy(struct grt_output *o)
{
	abandon_file(o);
	grt_kept_free(&o->kept);
	free(o->lanes);
	o->lanes = NULL;
	forget_full(o);
}
