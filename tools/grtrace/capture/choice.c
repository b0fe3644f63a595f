// SPDX-License-Identifier: GPL-2.0
#include "choice.h"

#include "definitions.h"

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
	};
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(keys) / sizeof(*keys); i++)
		if (keys[i].value)
			err = grt_capture_defs_policy(defs, keys[i].key, keys[i].value);
	return err;
}
