// SPDX-License-Identifier: GPL-2.0
/* An instance of tracefs as a source of record. */
#include <errno.h>
#include <stdio.h>

#include "error.h"
#include "record.h"
#include "sources.h"
#include "tracefs.h"

static int tracefs_open(struct record *r)
{
	const struct grt_session *s = &r->session;
	struct grt_tracefs_options options = {
		.buffer_bytes = s->buffer_bytes,
		.types = s->types ? s->filters[GRT_FILTER_TYPES].value : UINT32_MAX,
		.choice = &r->choice,
		.events = &r->events,
		.probes = &r->probes,
	};

	if (s->engines || s->rings)
		return grt_fail(EOPNOTSUPP, "record all rings, and choose with: grtrace report --ring NAME",
				"the source tracefs has no --engine and --ring");
	if (r->choice.slower_ns)
		return grt_fail(EOPNOTSUPP, "--source=bpf, or choose later: grtrace report -F 'total > 5ms'",
				"the source tracefs has no --slower-than");
	if (r->choice.cgroup)
		return grt_fail(EOPNOTSUPP, "--source=bpf, or choose a process with -p",
				"the source tracefs has no --cgroup");
	if (r->has_cpu)
		return grt_fail(EOPNOTSUPP, "sudo grtrace record --source=bpf --cpu",
				"the source tracefs has no --cpu");
	return grt_tracefs_open(&r->tracefs, &options);
}

static int tracefs_start(struct record *r)
{
	int err = grt_tracefs_start(r->tracefs);

	r->session.is_ours = !err;
	r->family.other = grt_tracefs_guard(r->tracefs);
	return err;
}

static int tracefs_streams(struct record *r, struct grt_live **live)
{
	*live = grt_tracefs_live(r->tracefs);
	return 0;
}

static int tracefs_stop(struct record *r)
{
	r->session.is_ours = false;
	return grt_tracefs_stop(r->tracefs);
}

/* The streams belong to the recording once it has them. */
static void tracefs_release(struct record *r)
{
	if (r->tracefs && !r->live)
		grt_tracefs_close(r->tracefs);
	r->tracefs = NULL;
}

static ssize_t tracefs_stats(struct record *r, char *to, size_t room)
{
	return grt_tracefs_stats(r->tracefs, to, room);
}

static void tracefs_warn(const struct record *r)
{
	grt_tracefs_warn(r->tracefs);
}

static void tracefs_describe(const struct record *r)
{
	fprintf(stderr, " (instance %s; %s)\n", grt_tracefs_instance(r->tracefs),
		r->events.count ? "the only one that has -e" :
		r->probes.count ? "the only one that has --probe" : "neither a module nor BPF is needed");
}

const struct grt_record_source grt_tracefs_source = {
	.name		= "tracefs",
	.has_events	= true,
	.open		= tracefs_open,
	.start		= tracefs_start,
	.streams	= tracefs_streams,
	.stop		= tracefs_stop,
	.release	= tracefs_release,
	.stats		= tracefs_stats,
	.warn		= tracefs_warn,
	.describe	= tracefs_describe,
};
