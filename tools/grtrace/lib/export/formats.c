// SPDX-License-Identifier: LGPL-2.1
#include "formats.h"

#include <errno.h>
#include <string.h>

#include "error.h"

static const struct grt_export_format *const formats[] = {
	&grt_export_html,
	&grt_export_perfetto,
	&grt_export_ctf,
	&grt_export_trace_dat,
	&grt_export_csv,
	&grt_export_json,
	&grt_export_ndjson,
	&grt_export_sqlite,
};

#define NR_FORMATS	(sizeof(formats) / sizeof(formats[0]))

const struct grt_export_format *grt_export_format_at(size_t i)
{
	return i < NR_FORMATS ? formats[i] : NULL;
}

const struct grt_export_format *grt_export_format_find(const char *name)
{
	char hint[256] = "one of";
	size_t at = strlen(hint);

	for (size_t i = 0; i < NR_FORMATS; i++) {
		if (!strcmp(formats[i]->name, name))
			return formats[i];
		if (at < sizeof(hint))
			at += snprintf(hint + at, sizeof(hint) - at, "%s %s", i ? "," : "",
				       formats[i]->name);
	}
	grt_fail(EINVAL, hint, "no format '%.32s'", name);
	return NULL;
}
