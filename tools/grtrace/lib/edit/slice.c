// SPDX-License-Identifier: LGPL-2.1
#include "slice.h"

#include <errno.h>
#include <stdio.h>

#include "compose.h"
#include "error.h"
#include "input.h"
#include "number.h"
#include "source.h"
#include "stream.h"

/* As reports take it: definitions and losses are of any time, but no policy from behind its end. */
static bool is_outside(struct grt_slice *s, const struct grtrace_hdr *rec)
{
	if (rec->type >= GRTRACE_NR_EVENTS)
		return rec->type == GRTRACE_POLICY && s->has_begun && rec->ts > s->first_ns &&
		       rec->ts - s->first_ns >= s->until_ns;
	if (!s->has_begun) {
		s->has_begun = true;
		s->first_ns = rec->ts;
	}
	return rec->ts - s->first_ns < s->since_ns || rec->ts - s->first_ns >= s->until_ns;
}

/* Once the first event tells what its times count from, the rest may stay unread. */
static void narrow(const struct grt_slice *s, struct grt_stream *stream, bool *is_narrow)
{
	if (*is_narrow || !s->has_begun)
		return;
	*is_narrow = true;
	grt_stream_set_span(stream, grt_time_after(s->first_ns, s->since_ns),
			    grt_time_after(s->first_ns, s->until_ns));
}

static int open_stream(struct grt_slice *s, struct grt_stream **stream, char *path)
{
	struct grt_input *in;
	int err = grt_source_open(&in, 1, &path, 0);

	s->has_begun = false;
	return err ? err : grt_stream_open(stream, in);
}

int grt_slice_scan(struct grt_slice *s, char *path)
{
	const struct grtrace_hdr *rec;
	struct grt_stream *stream;
	int got, err = open_stream(s, &stream, path);
	bool is_narrow = false;

	if (err)
		return err;
	s->pick.rings = s->rings;
	s->pick.pid = s->pid;
	err = grt_pick_begin(&s->pick);
	while (!err && (got = grt_stream_next(stream, &rec))) {
		err = got < 0 ? got : 0;
		if (!err && !is_outside(s, rec))
			err = grt_pick_scan(&s->pick, rec);
		narrow(s, stream, &is_narrow);
	}
	grt_stream_close(stream);
	return err ? err : grt_pick_decide(&s->pick);
}

static int put_signaled(struct grt_compose *c, const struct grtrace_complete *ev)
{
	struct grtrace_fence_signaled signaled = {
		.hdr = ev->hdr,
		.ctx = ev->ctx,
		.seqno = ev->seqno,
		.status = ev->status,
		.signaled_ns = ev->hdr.ts,
	};
	struct grtrace_hdr *copy;

	signaled.hdr.type = GRTRACE_FENCE_SIGNALED;
	signaled.hdr.size = sizeof(signaled);
	return grt_compose_put(c, &signaled.hdr, ev->hdr.cpu, &copy);
}

/*
 * The scheduler may find a fence signalled a moment before its event: by the times of the
 * trace it was not.  Of a job that is in the trace readers know; of a foreign fence they
 * would take it that its end was missed.
 */
static void make_foreign(struct grtrace_hdr *dependency, int verdict)
{
	dependency->flags |= GRTRACE_F_FOREIGN;
	if (verdict == GRT_PICK_PENDING && !(dependency->flags & GRTRACE_F_BLOCKED))
		dependency->flags &= ~(GRTRACE_F_SIGNALED | GRTRACE_F_POPPED);
}

static int take_event(struct grt_slice *s, struct grt_compose *c, const struct grtrace_hdr *ev)
{
	int verdict = grt_slice_is_picky(s) ? grt_pick_event(&s->pick, ev) : GRT_PICK_KEEP;
	struct grtrace_hdr *copy;
	int err;

	if (verdict == GRT_PICK_SIGNALED)
		return put_signaled(c, (const void *)ev);
	if (verdict <= GRT_PICK_DROP)
		return verdict;
	err = grt_compose_put(c, ev, ev->cpu, &copy);
	if (!err && verdict > GRT_PICK_KEEP)
		make_foreign(copy, verdict);
	return err;
}

static int take_info(struct grt_compose *c, const struct grtrace_stream_info *rec)
{
	struct grtrace_stream_info info = *rec;
	struct grtrace_hdr *copy;

	c->session_id = info.session_id;
	info.hdr.size = sizeof(info);
	/* Numbers of all CPUs have gaps now; they are left as they are, to find events by. */
	info.features &= ~(1ull << GRTRACE_FEATURE_GLOBAL_SEQ);
	info.subbuf_bytes = GRT_COMPOSE_BYTES;
	return grt_compose_put(c, &info.hdr, 0, &copy);
}

static int take_record(struct grt_slice *s, struct grt_compose *c, const struct grtrace_hdr *rec)
{
	struct grtrace_hdr *copy;

	if (rec->type == GRTRACE_STREAM_INFO)
		return take_info(c, (const void *)rec);
	if (rec->type == GRTRACE_METADATA)
		return grt_compose_metadata(c, (const void *)rec);
	if (is_outside(s, rec))
		return 0;
	if (rec->type < GRTRACE_NR_EVENTS)
		return take_event(s, c, rec);
	return grt_compose_put(c, rec, rec->cpu, &copy);
}

static struct grt_file_header header_of(const struct grt_slice *s, const struct grt_trace_info *info)
{
	struct grt_file_header header = {
		.session_id = info->session_id,
		.start_ns = info->start_ns,
		.start_real_ns = info->start_real_ns,
		.focus_pid = s->pid ? s->pid : info->focus_pid,
	};

	snprintf(header.host, sizeof(header.host), "%s", info->host);
	snprintf(header.kernel, sizeof(header.kernel), "%s", info->kernel);
	snprintf(header.command, sizeof(header.command), "%s", info->command);
	return header;
}

/* Whether all CPUs' streams came to their ends; one that did not may lack anything. */
static bool has_end(const struct grt_stream *stream)
{
	const struct grt_stream_stats *stats = grt_stream_stats(stream);

	if (stats->unknown_events)
		grt_warn("use a newer grtrace", "records of types that are not known are left out");
	return stats->ended == stats->cpus;
}

int grt_slice_write(struct grt_slice *s, char *path, struct grt_target *to)
{
	struct grt_compose c = { .to = to };
	const struct grtrace_hdr *rec;
	struct grt_file_header header;
	struct grt_stream *stream;
	int got, err = open_stream(s, &stream, path);
	bool is_narrow = false;

	if (err)
		return err;
	s->of_events = grt_stream_info(stream)->events;
	header = header_of(s, grt_stream_info(stream));
	c.line = s->line;
	err = grt_target_open(to, &header);
	while (!err && (got = grt_stream_next(stream, &rec))) {
		err = got < 0 ? got : take_record(s, &c, rec);
		narrow(s, stream, &is_narrow);
	}
	if (!err)
		err = grt_compose_end(&c, has_end(stream));
	s->events = c.events;
	grt_compose_free(&c);
	grt_stream_close(stream);
	if (!err)
		return grt_target_commit(to);
	grt_target_abandon(to);
	return err;
}

void grt_slice_free(struct grt_slice *s)
{
	grt_pick_free(&s->pick);
}
