// SPDX-License-Identifier: GPL-2.0
#include "format.h"

#include <stdio.h>
#include <string.h>

#include "json.h"
#include "report_table.h"

enum { TEXT, CSV, JSON, NR_FORMATS };

static const char *const formats[NR_FORMATS] = { "text", "csv", "json" };

static int format_of(const char *name)
{
	for (int i = 0; name && i < NR_FORMATS; i++)
		if (!strcmp(name, formats[i]))
			return i;
	return name ? -1 : TEXT;
}

bool grt_has_format(const char *name)
{
	return format_of(name) >= 0;
}

void grt_print_as(const char *name, const struct grt_report_table *tables, size_t count)
{
	struct grt_json json = { .file = stdout };
	int format = format_of(name);

	if (format == JSON)
		grt_json_open(&json, NULL, '{');
	for (size_t i = 0; i < count; i++) {
		if (i && format != JSON)
			putchar('\n');
		if (format == TEXT)
			grt_report_print_text(&tables[i], stdout, NULL, "", "");
		else if (format == CSV)
			grt_report_print_csv(&tables[i], stdout, NULL);
		else
			grt_report_print_json(&tables[i], &json);
	}
	if (format == JSON) {
		grt_json_close(&json, '}');
		putchar('\n');
	}
	fflush(stdout);
}
