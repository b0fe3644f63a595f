// SPDX-License-Identifier: GPL-2.0
#include "lane.h"

#include <errno.h>
#include <string.h>

#include "definitions.h"
#include "error.h"

void grt_capture_lane_free(struct grt_capture_lane *l)
{
	grt_vec_free(&l->out);
}

int grt_capture_lane_begin(struct grt_capture_lane *l)
{
	l->has_begun = true;
	return grt_capture_defs_stream(l->defs, l->cpu, &l->out);
}

int grt_capture_lane_subbuf(struct grt_capture_lane *l, uint64_t ts,
			    const struct grtrace_fates *fates)
{
	const struct grtrace_subbuf subbuf = {
		.hdr = {
			.type = GRTRACE_SUBBUF, .size = sizeof(subbuf), .cpu = l->cpu, .ts = ts,
			.cseq = l->cseq,
		},
		.session_id = l->defs->info.session_id,
		.index = l->index++,
		.fates = *fates,
	};

	return grt_vec_append(&l->out, &subbuf, sizeof(subbuf)) ? grt_fail_memory() : 0;
}

void grt_capture_lane_stamp(struct grt_capture_lane *l, struct grtrace_hdr *hdr)
{
	if (hdr->ts < l->last_ns)
		hdr->ts = l->last_ns;
	l->last_ns = hdr->ts;
	hdr->cseq = ++l->cseq;
}

int grt_capture_lane_end(struct grt_capture_lane *l, const struct grtrace_fates *fates)
{
	const uint64_t start_ns = l->defs->info.start_ns;
	const struct grtrace_stream_end end = {
		.hdr = {
			.type = GRTRACE_STREAM_END, .size = sizeof(end), .cpu = l->cpu,
			.ts = l->last_ns > start_ns ? l->last_ns : start_ns, .cseq = l->cseq,
		},
		.session_id = l->defs->info.session_id,
		.last_cseq = l->cseq,
		.fates = *fates,
	};

	l->has_ended = true;
	return grt_vec_append(&l->out, &end, sizeof(end)) ? grt_fail_memory() : 0;
}

bool grt_capture_lane_is_empty(struct grt_capture_lane *l)
{
	if (l->out_at < l->out.bytes)
		return false;
	l->out_at = l->out.bytes = 0;
	return true;
}

ssize_t grt_capture_lane_take(struct grt_capture_lane *l, void *to, size_t room)
{
	size_t bytes = l->out.bytes - l->out_at;

	if (!bytes)
		return l->has_ended ? 0 : -EAGAIN;
	if (bytes > room)
		bytes = room;
	memcpy(to, (char *)l->out.data + l->out_at, bytes);
	l->out_at += bytes;
	return bytes;
}
