// SPDX-License-Identifier: GPL-2.0
#include "stream_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "cursor.h"
#include "error.h"

#define MOST_CPUS	4094		/* larger numbers mean something else in a file */
#define PENDING_BYTES	(1u << 20)
#define FLUSH_NS	1000000000ull
#define SLOWER_BYTES	(16u << 20)	/* of an index: with each as much again, a flush comes a second later */
#define CLOCK_NS	10000000000ull	/* between CLOCK records in the file, as record has them */
#define MOST_A_SECOND	10000		/* files of a host */

/* --- the name --- */

/* The name of a host comes from the network: keeps only what is harmless in the name of a file. */
static void make_safe(char *to, size_t room, const char *host)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

	snprintf(to, room, "%s", *host ? host : "unknown");
	for (char *c = to; *c; c++)
		if (!strchr(allowed, *c))
			*c = '_';
	if (*to == '.' || *to == '-')
		*to = '_';
}

static int choose_name(struct grt_stream_file *f)
{
	time_t now = time(NULL);
	char host[64], when[32], again[16] = "";
	struct tm tm;
	int len;

	make_safe(host, sizeof(host), f->host);
	gmtime_r(&now, &tm);
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &tm);
	for (int i = 1; i <= MOST_A_SECOND; i++) {
		if (i > 1)
			snprintf(again, sizeof(again), "-%d", i);
		len = snprintf(f->path, sizeof(f->path), "%s/%s-%s%s.grt", f->folder, host, when, again);
		if (len < 0 || (size_t)len >= sizeof(f->path) - 32)
			return grt_fail(ENAMETOOLONG, "name another folder with -o", "'%.60s...' is too long", f->folder);
		if (access(f->path, F_OK) && !f->is_taken(f->arg, f->path))
			return 0;
	}
	return grt_fail(EEXIST, NULL, "'%s' exists, as do all others of this second", f->path);
}

/* --- the begin --- */

int grt_stream_file_open(struct grt_stream_file *f)
{
	int err = choose_name(f);

	if (err)
		return err;
	f->output.path = f->path;
	f->output.is_new = true;
	f->output.max_bytes = f->max_bytes;
	err = grt_output_open(&f->output, f->uid, f->gid);
	f->is_open = !err;
	return err;
}

static int begin_file(struct grt_stream_file *f, const struct grtrace_stream_info *info)
{
	struct grt_file_header header = {
		.session_id = info->session_id, .start_ns = info->start_ns, .start_real_ns = info->start_real_ns,
	};

	snprintf(header.host, sizeof(header.host), "%.63s", f->host);
	return grt_output_begin(&f->output, &header, f->nr_lanes);
}

static int fail_cpu(void)
{
	return grt_fail(EBADMSG, NULL, "the stream has a CPU that it does not announce");
}

static int begin(struct grt_stream_file *f, const struct grtrace_stream_info *info)
{
	int err;

	if (!grt_is_stream(info, info->hdr.size))
		return grt_fail(EBADMSG, NULL, "what comes is no stream of grtrace");
	if (info->cpus > MOST_CPUS)
		return grt_fail(EBADMSG, NULL, "the stream has more CPUs than any machine");
	/* Before there is a file, which would stay empty. */
	if (info->hdr.cpu > info->cpus)
		return fail_cpu();
	f->session_id = info->session_id;
	f->nr_lanes = info->cpus + 1;	/* one is of no CPU, see record --gauges */
	f->lanes = calloc(f->nr_lanes, sizeof(*f->lanes));
	if (!f->lanes)
		return grt_fail_memory();
	err = grt_tally_create(&f->tally, f->nr_lanes);
	f->tally.is_lean = true;
	if (!err)
		err = begin_file(f, info);
	f->flushed_ns = grt_snapshot_now(CLOCK_MONOTONIC);
	f->has_begun = !err;
	return err;
}

/* --- into the file --- */

/* Small chunks fill a small file better, because one that does not fit ends it. */
static size_t chunk_bytes(const struct grt_stream_file *f)
{
	uint64_t part = f->max_bytes / 16;

	return f->max_bytes && part < GRT_CHUNK_GOAL_BYTES ? part : GRT_CHUNK_GOAL_BYTES;
}

/* Writes the bytes of @v, which are of @lane. */
static int flush_lane(struct grt_stream_file *f, unsigned int lane, struct grt_vec *v)
{
	struct grt_cursor c = grt_cursor(v->data, v->bytes);
	struct grt_run run;
	int err = 0;

	while (!err && grt_next_run(&c, chunk_bytes(f), &run)) {
		err = grt_output_run(&f->output, lane, lane, &run);
		if (!err && run.bytes)
			err = grt_tally_run(&f->tally, lane, &run);
	}
	/* Each of thousands of CPUs may have had its turn: kept for the next one, the memory of all would add up. */
	grt_vec_free(v);
	return err;
}

/* 0, or -errno with a cause: there is no room for more. */
static int check_room(const struct grt_stream_file *f)
{
	if (f->output.full)
		return grt_fail(-f->output.full, NULL, "no room for it");
	if (f->output.has_max)
		return grt_fail(EFBIG, NULL, "it reached --max-size");
	if (f->max_index_bytes && grt_writer_index_bytes(f->output.writer) > f->max_index_bytes)
		return grt_fail(EFBIG, NULL, "the index of its file takes too much memory");
	return 0;
}

static int flush(struct grt_stream_file *f)
{
	int err = flush_lane(f, 0, &f->defs);

	for (unsigned int i = 0; !err && i < f->nr_lanes; i++)
		if (f->lanes[i].events.bytes)
			err = flush_lane(f, i, &f->lanes[i].events);
	if (!err && f->safe_ns > f->marked_ns)
		err = grt_output_watermark(&f->output, f->safe_ns);
	/* Starts to write to the disk now: else closing a large file takes long, and others must wait. */
	sync_file_range(f->output.file.fd, 0, 0, SYNC_FILE_RANGE_WRITE);
	f->marked_ns = f->safe_ns;
	f->pending_bytes = 0;
	f->flushed_ns = grt_snapshot_now(CLOCK_MONOTONIC);
	return err ? err : check_room(f);
}

/* Each flush adds a row per CPU to the index: a recording of days has some seconds between them. */
static uint64_t flush_ns(const struct grt_stream_file *f)
{
	return FLUSH_NS * (1 + grt_writer_index_bytes(f->output.writer) / SLOWER_BYTES);
}

int grt_stream_file_pass(struct grt_stream_file *f)
{
	if (!f->pending_bytes || grt_snapshot_now(CLOCK_MONOTONIC) - f->flushed_ns < flush_ns(f))
		return 0;
	return flush(f);
}

/* --- out of the stream --- */

static int append(struct grt_stream_file *f, struct grt_vec *to, const void *data, size_t bytes)
{
	f->pending_bytes += bytes;
	return grt_vec_append(to, data, bytes) ? grt_fail_memory() : 0;
}

/* The next records are of the CPU that a STREAM_INFO names. */
static int take_turn(struct grt_stream_file *f, const struct grtrace_stream_info *info)
{
	bool is_first;

	if (info->session_id != f->session_id)
		return grt_fail(EBADMSG, NULL, "another session begins in the stream");
	if (info->hdr.cpu >= f->nr_lanes)
		return fail_cpu();
	f->turn = info->hdr.cpu;
	is_first = !f->lanes[f->turn].has_info;
	f->lanes[f->turn].has_info = true;
	return is_first ? append(f, &f->defs, info, info->hdr.size) : 0;
}

/* Each CLOCK of the stream says which events have come; the file needs few of them. */
static int take_clock(struct grt_stream_file *f, const struct grtrace_hdr *clock)
{
	if (clock->ts > f->safe_ns)
		f->safe_ns = clock->ts;
	if (f->clock_ns && clock->ts - f->clock_ns < CLOCK_NS)
		return 0;
	f->clock_ns = clock->ts;
	return append(f, &f->defs, clock, clock->size);
}

static int take_definition(struct grt_stream_file *f, const struct grtrace_hdr *def)
{
	f->has_stats = def->type == GRTRACE_STATS;
	if (def->type == GRTRACE_STREAM_INFO)
		return take_turn(f, (const struct grtrace_stream_info *)def);
	if (def->type == GRTRACE_CLOCK)
		return take_clock(f, def);
	return append(f, &f->defs, def, def->size);
}

static int take_record(struct grt_stream_file *f, const struct grtrace_hdr *hdr)
{
	struct grt_stream_lane *lane;
	int err = f->has_begun ? 0 : begin(f, (const struct grtrace_stream_info *)hdr);

	if (err)
		return err;
	if (grt_is_definition(hdr->type))
		return take_definition(f, hdr);
	lane = &f->lanes[f->turn];
	lane->has_ended |= hdr->type == GRTRACE_STREAM_END;
	f->has_stats = false;
	return append(f, &lane->events, hdr, hdr->size);
}

ssize_t grt_stream_file_take(struct grt_stream_file *f, const void *data, size_t bytes)
{
	struct grt_cursor c = grt_cursor(data, bytes);
	const struct grtrace_hdr *hdr;
	int err = 0;

	while (!err && (hdr = grt_take_record(&c)))
		err = take_record(f, hdr);
	if (!err && c.failed && !grt_cursor_is_cut(&c))
		err = grt_fail(EBADMSG, NULL, "the stream has bytes that are no record");
	if (!err && f->pending_bytes >= PENDING_BYTES)
		err = flush(f);
	return err ? err : c.pos - (const uint8_t *)data;
}

bool grt_stream_file_is_whole(const struct grt_stream_file *f)
{
	bool has_ended = f->has_begun;

	for (unsigned int i = 0; i < f->nr_lanes; i++)
		has_ended &= !f->lanes[i].has_info || f->lanes[i].has_ended;
	return f->has_begun && (f->has_stats || has_ended);
}

/* --- the end --- */

int grt_stream_file_close(struct grt_stream_file *f, bool is_whole)
{
	int err = f->has_begun && !grt_output_is_over(&f->output) ? flush(f) : 0, end;

	if (f->output.writer && (!is_whole || err))
		grt_writer_mark_cut(f->output.writer);
	end = grt_output_close(&f->output, true);
	return err ? err : end;
}

void grt_stream_file_free(struct grt_stream_file *f)
{
	for (unsigned int i = 0; f->lanes && i < f->nr_lanes; i++)
		grt_vec_free(&f->lanes[i].events);
	free(f->lanes);
	grt_vec_free(&f->defs);
	grt_tally_destroy(&f->tally);
	grt_output_destroy(&f->output);
}
