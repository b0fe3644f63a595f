// SPDX-License-Identifier: GPL-2.0
#include "choice.h"

#include <inttypes.h>
#include <stdio.h>

#include "definitions.h"

enum grtrace_fate grt_capture_choice_fate(const struct grt_capture_choice *c)
{
	if (c->slower_ns)
		return GRTRACE_FATE_AGGREGATED;
	if (grt_capture_chooses_owner(c) || c->cpus)
		return GRTRACE_FATE_FILTERED_EXT;
	return c->rings ? GRTRACE_FATE_FILTERED_RING : GRTRACE_FATE_FILTERED_ENGINE;
}

int grt_capture_choice_tell(const struct grt_capture_choice *c, uint32_t types,
			    struct grt_capture_defs *defs)
{
	const struct {
		const char *key;
		uint64_t value;		/* 0: not set */
	} keys[] = {
		{ "filter_type_mask", types == UINT32_MAX ? 0 : types },
		{ "filter_pid", c->has_process ? c->tgid : 0 },
		{ "filter_children", c->has_process && c->has_children },
		{ "filter_cgroup", c->cgroup },
		{ "filter_latency", (c->slower_ns + 999) / 1000 },
		{ "filter_engine_mask", c->engines },
	};
	int err = c->rings ? grt_capture_defs_policy(defs, "filter_ring_id", c->rings) : 0;
	char value[32];

	if (!err && c->cpu_list)
		err = grt_capture_defs_policy(defs, "record_cpus", c->cpu_list);
	for (size_t i = 0; !err && i < sizeof(keys) / sizeof(*keys); i++)
		if (keys[i].value) {
			snprintf(value, sizeof(value), "%" PRIu64, keys[i].value);
			err = grt_capture_defs_policy(defs, keys[i].key, value);
		}
	return err;
}
