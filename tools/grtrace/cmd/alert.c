// SPDX-License-Identifier: GPL-2.0
#include "alert.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "number.h"
#include "print.h"

#define NAME	"lost>"

int grt_alert_parse(struct grt_alert *a, const char *text)
{
	if (!text)
		return 0;
	if (strncmp(text, NAME, strlen(NAME)) || grt_parse_u64(text + strlen(NAME), &a->most))
		return grt_fail(EINVAL, "write it like 'lost>0'", "'%s' is no alert", text);
	a->is_set = true;
	return 0;
}

void grt_alert_look(struct grt_alert *a, uint64_t lost)
{
	char counted[GRT_NUMBER_MAX], allowed[GRT_NUMBER_MAX], text[128];

	if (!a->is_set || a->has_fired || lost <= a->most)
		return;
	a->has_fired = true;
	snprintf(text, sizeof(text), "alert: %s %s lost, more than %s",
		 grt_format_count(counted, lost), grt_plural(lost, "event", "events"),
		 grt_format_count(allowed, a->most));
	grt_print_error(a->again, text);
}

void grt_alert_end(struct grt_alert *a, unsigned int cpus)
{
	char text[128];

	if (!a->is_set || a->has_fired || !cpus)
		return;
	a->has_fired = true;
	snprintf(text, sizeof(text), "alert: %u %s lost an unknown number of events at the end",
		 cpus, grt_plural(cpus, "CPU", "CPUs"));
	grt_print_error(a->again, text);
}
