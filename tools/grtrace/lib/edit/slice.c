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

#define LINE_ROOM	2048

/* The first look, which finds the rings, and what events of other rings they need. */
static int scan(struct grt_slice *s, struct grt_stream *stream)
{
	const struct grtrace_hdr *rec;
	int got, err;

	s->selection.rings = s->rings;
	s->selection.pid = s->pid;
	err = grt_ring_selection_begin(&s->selection);
	while (!err && (got = grt_stream_next(stream, &rec))) {
		err = got < 0 ? got : 0;
		if (!err && grt_part_has(&s->part, rec))
			err = grt_ring_selection_scan(&s->selection, rec);
		grt_part_narrow(&s->part, stream);
	}
	if (!err)
		err = grt_ring_selection_decide(&s->selection);
	grt_part_rewind(&s->part);
	return err ? err : grt_stream_rewind(stream);
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
 * The scheduler may see a fence signalled a moment before its event.  By the times of the trace,
 * it was not.  Readers can correct that for a job in the trace; for a foreign fence they would
 * believe that its end is missing.
 */
static void make_foreign(struct grtrace_hdr *dependency, int verdict)
{
	dependency->flags |= GRTRACE_F_FOREIGN;
	if (verdict == GRT_RING_SELECTION_PENDING && !(dependency->flags & GRTRACE_F_BLOCKED))
		dependency->flags &= ~(GRTRACE_F_SIGNALED | GRTRACE_F_POPPED);
}

static int write_event(struct grt_slice *s, struct grt_compose *c, const struct grtrace_hdr *ev)
{
	int verdict = grt_slice_has_rings(s) ? grt_ring_selection_event(&s->selection, ev) :
					       GRT_RING_SELECTION_KEEP;
	struct grtrace_hdr *copy;
	int err;

	if (verdict == GRT_RING_SELECTION_SIGNALED)
		return put_signaled(c, (const void *)ev);
	if (verdict <= GRT_RING_SELECTION_DROP)
		return verdict;
	err = grt_compose_put(c, ev, ev->cpu, &copy);
	if (!err && verdict > GRT_RING_SELECTION_KEEP)
		make_foreign(copy, verdict);
	return err;
}

static int write_info(struct grt_compose *c, const struct grtrace_stream_info *rec)
{
	struct grtrace_stream_info info = *rec;
	struct grtrace_hdr *copy;

	c->session_id = info.session_id;
	info.hdr.size = sizeof(info);
	/*
	 * Event numbers over all CPUs keep their old values, so that events can be found, but now
	 * they have gaps.
	 */
	info.features &= ~(1ull << GRTRACE_FEATURE_GLOBAL_SEQ);
	info.subbuf_bytes = GRT_COMPOSE_BYTES;
	return grt_compose_put(c, &info.hdr, 0, &copy);
}

static int write_record(struct grt_slice *s, struct grt_compose *c, const struct grtrace_hdr *rec)
{
	struct grtrace_hdr *copy;

	if (rec->type == GRTRACE_STREAM_INFO)
		return write_info(c, (const void *)rec);
	if (rec->type == GRTRACE_METADATA)
		return grt_compose_metadata(c, (const void *)rec);
	if (!grt_part_has(&s->part, rec))
		return 0;
	if (rec->type < GRTRACE_NR_EVENTS)
		return write_event(s, c, rec);
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

static void warn_of_unknown(const struct grt_stream *stream)
{
	if (grt_stream_stats(stream)->unknown_events)
		grt_warn("use a newer grtrace", "records of types that are not known are left out");
}

/* The second look, or the only one. */
static int cut(struct grt_slice *s, struct grt_stream *stream, struct grt_target *to)
{
	struct grt_compose c = { .to = to };
	const struct grtrace_hdr *rec;
	struct grt_file_header header;
	char line[LINE_ROOM];
	int got, err;

	s->of_events = grt_stream_info(stream)->events;
	header = header_of(s, grt_stream_info(stream));
	/* With only some rings of a device, a reader cannot tell when the device was busy. */
	snprintf(line, sizeof(line), "%s%s", s->line,
		 grt_slice_has_rings(s) ? "\nslice_lacks_rings=1" : "");
	c.line = line;
	err = grt_target_open(to, &header);
	while (!err && (got = grt_stream_next(stream, &rec))) {
		err = got < 0 ? got : write_record(s, &c, rec);
		grt_part_narrow(&s->part, stream);
	}
	if (!err)
		err = grt_compose_end(&c, grt_stream_is_counted(stream));
	s->events = c.events;
	grt_compose_free(&c);
	if (!err)
		return grt_target_commit(to);
	grt_target_abandon(to);
	return err;
}

int grt_slice_write(struct grt_slice *s, char *path, struct grt_target *to)
{
	grt_warn_fn *warn_handler = NULL;
	struct grt_stream *stream;
	struct grt_input *in;
	int err = grt_source_open(&in, 1, &path, 0);

	if (!err)
		err = grt_stream_open(&stream, in);
	if (err)
		return err;
	if (grt_slice_has_rings(s)) {
		err = scan(s, stream);
		warn_handler = grt_warn_to(NULL);	/* the first look gave all warnings */
	}
	if (!err)
		err = cut(s, stream, to);
	if (warn_handler)
		grt_warn_to(warn_handler);
	if (!err)
		warn_of_unknown(stream);
	grt_stream_close(stream);
	grt_ring_selection_free(&s->selection);
	return err;
}
