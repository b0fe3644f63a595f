// SPDX-License-Identifier: GPL-2.0
#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cursor.h"
#include "error.h"
#include "moment.h"

/* What has to fit behind the last run: a STREAM_END for each CPU, CLOCK and STATS. */
static uint64_t last_bytes(const struct grt_output *o)
{
	const uint64_t around = sizeof(struct grt_file_chunk) + sizeof(struct grt_file_index);

	return o->nr_lanes * (around + sizeof(struct grtrace_stream_end)) +
	       2 * around + sizeof(struct grtrace_clock) + sizeof(struct grt_moment_stats);
}

/* trace.grt and 7 -> trace-0007.grt */
static int make_name(char *to, size_t room, const char *path, uint64_t number)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	size_t stem = strlen(path);
	int len;

	/* A dot at the beginning hides the file; one in a folder is no ending. */
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

static int create_file(struct grt_output *o)
{
	int err = make_name(o->name, sizeof(o->name), o->path, o->number);

	if (!err)
		err = grt_writer_create(&o->writer, o->name, &o->header, o->uid, o->gid);
	if (err)
		return err;
	grt_writer_set_aside(o->writer, last_bytes(o));
	o->begun_ns = grt_moment_now(CLOCK_MONOTONIC);
	return 0;
}

int grt_output_open(struct grt_output *o, const struct grt_file_header *header,
		    unsigned int lanes, uint32_t uid, uint32_t gid)
{
	o->header = *header;
	o->uid = uid;
	o->gid = gid;
	o->number = o->rotate_bytes || o->rotate_ns;
	o->nr_lanes = lanes;
	o->lanes = calloc(lanes, sizeof(*o->lanes));
	return o->lanes ? create_file(o) : grt_fail_memory();
}

/* Files to come want the definitions that are in force, not the instants. */
static int keep_definitions(struct grt_output *o, const struct grt_run *run)
{
	struct grt_cursor c = grt_cursor(run->data, run->bytes);
	const struct grtrace_hdr *def;
	int err = 0;

	while (err >= 0 && (def = grt_take_record(&c))) {
		err = grt_defs_take(&o->defs, def);
		if (err == 1 || (!err && def->type == GRTRACE_STREAM_INFO))
			err = grt_vec_append(&o->kept, def, def->size);
	}
	return err < 0 ? err : 0;
}

/* What a SUBBUF behind this run would say, as far as it can be known. */
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

/* Leaves of @run the STREAM_END that ends it; nothing if it has none. */
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

static bool is_no_room(int err)
{
	return err == -ENOSPC || err == -EDQUOT || err == -EFBIG;
}

static bool is_beyond_max(const struct grt_output *o, uint64_t payload)
{
	return o->max_bytes &&
	       o->past_bytes + grt_writer_bytes_with(o->writer, payload) > o->max_bytes;
}

/* 0 and run->bytes, which are 0 when it does not fit; or -errno. */
static int write_run(struct grt_output *o, uint32_t cpu, struct grt_run *run)
{
	int err;

	if (!grt_output_is_over(o)) {
		o->has_max = is_beyond_max(o, run->bytes);
		err = o->has_max ? 0 : grt_writer_run(o->writer, cpu, run);
		if (!is_no_room(err))
			return err || !o->has_max ? err : (only_end(run), 0);
		o->full = err;
	}
	only_end(run);
	return 0;
}

int grt_output_run(struct grt_output *o, unsigned int lane, uint32_t cpu, struct grt_run *run)
{
	bool was_over = grt_output_is_over(o);
	int err = 0;

	if (!o->writer) {
		run->bytes = 0;
		return 0;
	}
	if (o->number && run->is_defs)
		err = keep_definitions(o, run);
	if (!err)
		err = write_run(o, cpu, run);
	if (err)
		return err;
	/* What is left of a run that did not fit has its room set aside. */
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
	if (is_no_room(err) && !o->full)
		o->full = err;
	return is_no_room(err) ? 0 : err;
}

int grt_output_watermark(struct grt_output *o, uint64_t ts)
{
	int err;

	if (!o->writer || grt_output_is_over(o) || is_beyond_max(o, 0))
		return 0;
	err = grt_writer_watermark(o->writer, ts);
	if (is_no_room(err))
		o->full = err;
	return is_no_room(err) ? 0 : err;
}

bool grt_output_is_near_max(struct grt_output *o)
{
	uint64_t margin = o->margin_bytes;

	if (!o->writer || !o->max_bytes)
		return false;
	/* With a small maximum some of it must be left to fill. */
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

/* What the new file has to say before its first event. */
static int write_past(struct grt_output *o)
{
	struct grt_cursor c = grt_cursor(o->kept.data, o->kept.bytes);
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

	if (o->keep && o->number > o->keep &&
	    !make_name(name, sizeof(name), o->path, o->number - o->keep))
		unlink(name);
}

int grt_output_rotate(struct grt_output *o)
{
	struct grtrace_clock clock = { 0 };
	int err;

	o->past_bytes += grt_writer_bytes_with(o->writer, 0);
	err = grt_writer_close(o->writer);
	o->writer = NULL;
	if (err)
		return err;
	o->number++;
	/* First the oldest goes: with a full disk its room may be what is needed. */
	remove_oldest(o);
	o->header.start_ns = grt_moment_now(CLOCK_MONOTONIC);
	o->header.start_real_ns = grt_moment_now(CLOCK_REALTIME);
	err = create_file(o);
	if (!err)
		err = write_past(o);
	if (is_no_room(err))
		o->full = err;
	if (err)
		return is_no_room(err) ? 0 : err;
	grt_moment_clock(&clock);
	return grt_output_definition(o, &clock.hdr);
}

uint64_t grt_output_bytes(const struct grt_output *o)
{
	return o->past_bytes + (o->writer ? grt_writer_bytes(o->writer) : 0);
}

int grt_output_close(struct grt_output *o)
{
	int err = o->writer ? grt_writer_close(o->writer) : 0;

	o->writer = NULL;
	grt_defs_free(&o->defs);
	grt_vec_free(&o->kept);
	free(o->lanes);
	o->lanes = NULL;
	return err;
}
