// SPDX-License-Identifier: GPL-2.0
/*
 * Definitions as records.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/utsname.h>
#include <uapi/linux/grtrace_fields.h>

#include "defs.h"
#include "flight.h"
#include "hooks.h"
#include "policy_log.h"
#include "processes.h"
#include "rings.h"
#include "session.h"
#include "tracepoints.h"
#include "transport/transport.h"
#include "version.h"

size_t grt_defs_stream_info(void *to, int cpu)
{
	struct grtrace_stream_info *info = to;

	*info = (struct grtrace_stream_info){
		.hdr.type = GRTRACE_STREAM_INFO,
		.hdr.size = sizeof(*info),
		.hdr.cpu = cpu,
		.hdr.ts = grt_session.start_ns,
		.magic = GRTRACE_STREAM_MAGIC,
		.version = GRTRACE_FORMAT_VERSION,
		.clock = GRTRACE_CLOCK_MONOTONIC,
		.session_id = grt_session.id,
		.features = grt_session.features,
		.start_ns = grt_session.start_ns,
		.start_real_ns = grt_session.start_real_ns,
		.cpus = nr_cpu_ids,
		.subbuf_bytes = grt_transport_subbuf_bytes(),
	};
	return sizeof(*info);
}

/* Tables of names, so that a later reader understands the numbers of this version. */
static const char tables[] =
#define ROW(NAME, nr, text) "engine." #nr "=" #NAME "\n"
	GRTRACE_ENGINES(ROW)
#undef ROW
#define ROW(NAME, nr, text) "order." #nr "=" #NAME "\n"
	GRTRACE_ORDERS(ROW)
#undef ROW
#define ROW(NAME, nr, text) "error." #nr "=" #NAME "\n"
	GRTRACE_ERRORS(ROW)
#undef ROW
#define ROW(NAME, member, nr, CLASS, text) "fate." #nr "=" #NAME "\n"
	GRTRACE_FATES(ROW)
#undef ROW
#define ROW(NAME, st, nr, class, text) "type." #nr "=" #NAME "\n"
	GRTRACE_EVENT_TYPES(ROW)
#undef ROW
;

#define ROW(NAME, st, nr, class, text) { #NAME, sizeof(struct grtrace_##st) },
static const struct {
	const char *name;
	size_t bytes;
} sizes[] = { GRTRACE_TYPES(ROW) };
#undef ROW

size_t grt_defs_metadata(char *to, size_t room)
{
	size_t at, i;

	at = scnprintf(to, room, "grtrace=%s\nsource=module\nrules_version=%d\n",
		       GRT_VERSION, GRT_RULES_VERSION);
	at += scnprintf(to + at, room - at, "kernel=%s\nmachine=%s\n",
			init_utsname()->release, init_utsname()->machine);
	at += grt_adapters_describe(to + at, room - at);
	at += grt_rings_describe(to + at, room - at);
	at += grt_hooks_describe(to + at, room - at);
	at += scnprintf(to + at, room - at, "processes_unnamed=%u\nrings_lost=%u\n",
			grt_processes_lost(), grt_rings_lost());
	at += scnprintf(to + at, room - at, "policies_lost=%u\n%s", grt_policy_log_lost(), tables);
	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		at += scnprintf(to + at, room - at, "size.%s=%zu\n",
				sizes[i].name, sizes[i].bytes);
	return at;
}

static size_t metadata(void *to, int cpu)
{
	struct grtrace_metadata *meta = to;
	size_t bytes = sizeof(*meta);

	memset(to, 0, GRT_DEF_MAX);
	bytes += grt_defs_metadata(to + bytes, GRT_DEF_MAX - bytes - 8);
	meta->hdr.type = GRTRACE_METADATA;
	meta->hdr.size = ALIGN(bytes, 8);
	meta->hdr.cpu = cpu;
	meta->hdr.ts = grt_session.start_ns;
	meta->session_id = grt_session.id;
	return meta->hdr.size;
}

size_t grt_defs_next(struct grt_defs_cursor *cursor, int cpu, void *to)
{
	size_t bytes;

	if (!cursor->has_begun) {
		cursor->has_begun = true;
		return grt_defs_stream_info(to, cpu);
	}
	if (!cursor->has_metadata) {
		cursor->has_metadata = true;
		return metadata(to, cpu);
	}
	if (!cursor->has_snapshot) {
		cursor->has_snapshot = true;
		bytes = grt_flight_describe(to);
		if (bytes)
			return bytes;
	}
	if (grt_ring_copy(&cursor->rings, to))
		return sizeof(struct grtrace_ring);
	if (grt_process_copy(&cursor->processes, to))
		return sizeof(struct grtrace_process);
	return grt_policy_log_copy(&cursor->policies, to);
}
