// SPDX-License-Identifier: GPL-2.0
/* The contents of the files of record and extract: streams of all CPUs, clocks and counters. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "clock_snapshot.h"
#include "cursor.h"
#include "error.h"
#include "live.h"
#include "record.h"
#include "sampler.h"
#include "sources.h"

#define LAST_ROUNDS	8	/* how often to ask all CPUs for a last account */
#define DRAIN_MS	10000	/* the streams of a stopped session end at once */

/* A line that is too long ends in "...". */
static void join_words(char *to, size_t room, char *const *argv)
{
	static const char cut[] = "...";
	size_t at = 0;

	for (; *argv && at < room; argv++)
		at += snprintf(to + at, room - at, "%s%s", at ? " " : "", *argv);
	if (at >= room)
		memcpy(to + room - sizeof(cut), cut, sizeof(cut));
}

int grt_record_create_file(struct record *r, const struct grtrace_stream_info *info)
{
	bool has_start = r->session.is_ours || (r->is_extract && !r->is_partial);
	struct grt_file_header header = {
		.session_id = info->session_id,
		.start_ns = has_start ? (uint64_t)info->start_ns :
					grt_snapshot_now(CLOCK_MONOTONIC),
		.start_real_ns = has_start ? (uint64_t)info->start_real_ns :
					     grt_snapshot_now(CLOCK_REALTIME),
		/* Not for a command, and not with children: they may do the work. */
		.focus_pid = r->has_children ? 0 : r->pid,
	};
	struct utsname name;

	r->session_id = info->session_id;
	r->output.kept.ring_rows = r->source ? r->source->ring_rows : 0;
	r->output.margin_bytes = 2ull * info->subbuf_bytes * grt_live_lanes(r->live);
	if (!uname(&name)) {
		snprintf(header.host, sizeof(header.host), "%.63s", name.nodename);
		snprintf(header.kernel, sizeof(header.kernel), "%.63s", name.release);
	}
	if (r->is_live)
		return grt_pipe_out_begin(r->pipe, grt_live_lanes(r->live), info);
	if (r->command)
		join_words(header.command, sizeof(header.command), r->command);
	return grt_output_begin(&r->output, &header, grt_live_lanes(r->live));
}

static bool is_old(const struct grtrace_hdr *hdr, uint64_t had)
{
	return hdr->type < GRTRACE_STREAM_BASE ? hdr->cseq <= had : hdr->type == GRTRACE_SUBBUF && hdr->cseq < had;
}

/*
 * The module gives a sub-buffer to the next reader again if a reader took only a part of it.  Leaves out what the
 * file has already.
 */
static void skip_had(const struct record *r, uint32_t cpu, struct grt_run *run)
{
	uint64_t had = cpu < grt_vec_count(r->had, uint64_t) ? *grt_vec_at(r->had, uint64_t, cpu) : 0;
	struct grt_cursor rest = grt_cursor(run->data, run->bytes), c = rest;
	const struct grtrace_hdr *hdr;

	if (!had)
		return;
	while ((hdr = grt_take_record(&c)) && is_old(hdr, had))
		rest = c;
	if (rest.pos != run->data)
		grt_next_run(&rest, SIZE_MAX, run);
}

static int keep_run(struct record *r, unsigned int lane, struct grt_run *run)
{
	uint32_t cpu = grt_live_cpu(r->live, lane);
	int err;

	if (r->had && !run->is_defs)
		skip_had(r, cpu, run);
	if (!run->bytes)
		return 0;
	err = r->also ? r->also(r, lane, run) : 0;
	if (!err)
		err = r->is_live ? grt_pipe_out_run(r->pipe, lane, cpu, run) :
				   grt_output_run(&r->output, lane, cpu, run);
	return err || !run->bytes ? err : grt_tally_run(&r->tally, lane, run);
}

static int keep_definition(struct record *r, const struct grtrace_hdr *def)
{
	return r->is_live ? grt_pipe_out_definition(r->pipe, def) :
			    grt_output_definition(&r->output, def);
}

/* A peer that does not answer is no error. */
static int compare_with_peer(struct record *r)
{
	struct grt_snapshot_peer record;
	struct grt_peer_clock clock;

	if (!r->peer || grt_peer_compare(r->peer, &clock))
		return 0;
	grt_snapshot_peer(&record, &clock);
	return keep_definition(r, &record.peer.hdr);
}

int grt_record_clock(struct record *r)
{
	struct grtrace_clock clock = { 0 };
	int err;

	grt_snapshot_clock(&clock);
	r->clock_ns = grt_snapshot_now(CLOCK_MONOTONIC);
	err = keep_definition(r, &clock.hdr);
	return err ? err : compare_with_peer(r);
}

/*
 * In a stream, a CLOCK says that all earlier events are in front of it.  That holds at the end of a round, which
 * writes one; here some events may still be in the buffers.
 */
int grt_record_moment(struct record *r)
{
	if (!r->is_live)
		return grt_record_clock(r);
	r->clock_ns = grt_snapshot_now(CLOCK_MONOTONIC);
	return compare_with_peer(r);
}

/* The first run creates the file, because the header needs its STREAM_INFO. */
int grt_record_write(struct record *r, unsigned int lane, struct grt_run *run)
{
	const struct grtrace_stream_info *info = run->data;
	int err;

	if (r->has_begun)
		return keep_run(r, lane, run);
	if (info->hdr.type != GRTRACE_STREAM_INFO)
		return grt_fail(EBADMSG, "report this as a bug", "the source %s gives no stream",
				r->source->name);
	err = grt_record_create_file(r, info);
	if (!err)
		r->has_begun = true;
	if (!err)
		err = keep_run(r, lane, run);
	return err ? err : grt_record_moment(r);
}

/* Samples gauges if there are any, beside the streams of the session that @first begins. */
static int begin_gauges(struct record *r, const struct grt_run *first)
{
	const struct grtrace_stream_info *info = first->data;
	struct grt_sampler *sampler = NULL;
	int err;

	if (!r->gauges_hz || info->hdr.type != GRTRACE_STREAM_INFO)
		return 0;
	err = grt_sampler_open(&sampler, r->gauges_hz);
	if (err || !sampler)
		return err;
	err = grt_sampler_start(sampler, info, r->live);
	if (err)
		grt_sampler_close(sampler);
	else
		r->sampler = sampler;
	return err;
}

static int describe(void *arg, const struct grt_run *run, struct grt_vec *to)
{
	return grt_places_describe(arg, run, to);
}

int grt_record_streams(struct record *r)
{
	int err = r->source->streams(r, &r->live);

	if (err)
		return err;
	grt_places_begin(&r->places);
	grt_live_describe(r->live, describe, &r->places);
	return 0;
}

int grt_record_begin(struct record *r)
{
	struct grt_run run;
	int got = r->live ? 0 : grt_record_streams(r);

	if (got)
		return got;
	got = grt_live_next(r->live, 0, &run);
	if (got != 1)
		return got && got != -EAGAIN ? got :
		       grt_fail(EBADMSG, "report this as a bug", "the source %s gives no stream",
				r->source->name);
	got = begin_gauges(r, &run);
	if (!got)
		got = grt_tally_create(&r->tally, grt_live_lanes(r->live));
	return got ? got : grt_record_write(r, 0, &run);
}

int grt_record_drain(struct record *r, bool *progress)
{
	struct grt_run run;
	int got = 0;

	for (unsigned int i = 0; i < grt_live_lanes(r->live); i++) {
		while ((got = grt_live_next(r->live, i, &run)) == 1) {
			*progress = true;
			got = keep_run(r, i, &run);
			if (got)
				return got;
		}
		if (got < 0 && got != -EAGAIN)
			return got;
	}
	return 0;
}

/*
 * Asks again: a CPU with a half full buffer gives its account only when there is room, and a busy
 * one has new events.  LAST_ROUNDS limits that.
 */
int grt_record_drain_now(struct record *r)
{
	bool progress = true;
	int err = 0;

	for (int round = 0; !err && round < LAST_ROUNDS; round++) {
		if (round && (!progress || !grt_tally_uncounted(&r->tally)))
			break;
		grt_live_flush(r->live);
		progress = false;
		err = grt_record_drain(r, &progress);
	}
	return err;
}

int grt_record_drain_all(struct record *r)
{
	uint64_t until = grt_snapshot_now(CLOCK_MONOTONIC) + DRAIN_MS * 1000000ull;
	bool progress;
	int err;

	do {
		progress = false;
		err = grt_record_drain(r, &progress);
		if (err || grt_live_has_ended(r->live))
			return err;
		if (progress)
			until = grt_snapshot_now(CLOCK_MONOTONIC) + DRAIN_MS * 1000000ull;
		grt_live_poll(r->live, NULL, 0, GRT_TICK_MS);
	} while (grt_snapshot_now(CLOCK_MONOTONIC) < until);
	grt_warn(NULL, "the streams did not end: the last events may be missing");
	return 0;
}

int grt_record_stats(struct record *r)
{
	struct grt_snapshot_stats stats;
	ssize_t bytes;

	memset(&stats, 0, sizeof(stats));
	bytes = r->source->stats(r, stats.text, sizeof(stats.text) - 8);
	if (bytes >= 0) {
		grt_snapshot_stats(&stats, r->session_id, bytes);
		return keep_definition(r, &stats.stats.hdr);
	}
	grt_warn(NULL, "the file has no STATS: %s", grt_cause());
	return 0;
}
