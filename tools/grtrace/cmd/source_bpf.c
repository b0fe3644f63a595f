// SPDX-License-Identifier: GPL-2.0
/* BPF programs as a source of record. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bpf.h"
#include "error.h"
#include "record.h"
#include "sources.h"

/* Stacks were asked for, so a choice of types need not name them. */
static uint32_t types_of(const struct record *r)
{
	if (!r->session.types)
		return UINT32_MAX;
	return r->session.filters[GRT_FILTER_TYPES].value | (r->stack_kinds ? 1u << GRTRACE_STACK : 0);
}

static int bpf_open(struct record *r)
{
	const struct grt_session *s = &r->session;
	struct grt_bpf_options options = {
		.buffer_bytes = s->buffer_bytes,
		.types = types_of(r),
		.choice = &r->choice,
		.sums_up = r->is_summary,
		.has_cpu = r->has_cpu,
		.stacks = r->stack_kinds,
	};

	if (s->rings && s->rings[strspn(s->rings, "0123456789,")] == '\0')
		return grt_fail(EINVAL, "names, like --ring gfx; a report lists them: grtrace report --per-ring",
				"the source bpf knows no numbers of rings before it runs");
	return grt_bpf_open(&r->bpf, &options);
}

static int bpf_start(struct record *r)
{
	int err = grt_bpf_start(r->bpf);

	r->session.is_ours = !err;
	return err;
}

static int bpf_streams(struct record *r, struct grt_live **live)
{
	*live = grt_bpf_live(r->bpf);
	return 0;
}

static int bpf_stop(struct record *r)
{
	r->session.is_ours = false;
	return grt_bpf_stop(r->bpf);
}

/* The streams belong to the recording once it has them. */
static void bpf_release(struct record *r)
{
	if (r->bpf && !r->live)
		grt_bpf_close(r->bpf);
	r->bpf = NULL;
}

static ssize_t bpf_stats(struct record *r, char *to, size_t room)
{
	return grt_bpf_stats(r->bpf, to, room);
}

static void bpf_describe(const struct record *r)
{
	fprintf(stderr, " (programs in the kernel; %s)\n", r->stack_kinds ?
		"only they record call stacks" : "no module is needed");
}

const struct grt_record_source grt_bpf_source = {
	.name		= "bpf",
	.sums_up	= true,
	.has_stacks	= true,
	.ring_rows	= GRT_BPF_MAX_RINGS,
	.open		= bpf_open,
	.start		= bpf_start,
	.streams	= bpf_streams,
	.stop		= bpf_stop,
	.release	= bpf_release,
	.stats		= bpf_stats,
	.describe	= bpf_describe,
};
