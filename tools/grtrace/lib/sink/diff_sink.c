// SPDX-License-Identifier: LGPL-2.1
#include "diff_sink.h"

#include <errno.h>
#include <string.h>

#include "error.h"

const struct grt_diff_sink *grt_diff_sink_find(const char *name)
{
	static const struct grt_diff_sink sinks[] = {
		{ "text", grt_diff_text }, { "csv", grt_diff_csv }, { "json", grt_diff_json },
	};

	for (size_t i = 0; i < sizeof(sinks) / sizeof(sinks[0]); i++)
		if (!strcmp(sinks[i].name, name))
			return &sinks[i];
	grt_fail(EINVAL, "use --format text, csv or json", "no format '%s'", name);
	return NULL;
}
