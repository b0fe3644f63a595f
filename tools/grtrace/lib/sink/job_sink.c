// SPDX-License-Identifier: LGPL-2.1
#include "job_sink.h"

#include <errno.h>
#include <string.h>

#include "error.h"

static const struct grt_job_sink *const sinks[] = {
	&grt_job_text, &grt_job_csv, &grt_job_json,
};

const struct grt_job_sink *grt_job_sink_find(const char *name)
{
	for (size_t i = 0; i < sizeof(sinks) / sizeof(sinks[0]); i++)
		if (!strcmp(sinks[i]->name, name))
			return sinks[i];
	grt_fail(EINVAL, "use --format text, csv or json", "no format '%s'", name);
	return NULL;
}
