// SPDX-License-Identifier: LGPL-2.1
#include "event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "event_private.h"

static const struct grt_event_format *const formats[] = {
	&grt_event_text, &grt_event_csv, &grt_event_json,
};

static const struct grt_event_format *find_format(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

bool grt_event_has_format(const char *format)
{
	return find_format(format);
}

int grt_event_sink_open(struct grt_event_sink **out, const char *format, bool has_diff, FILE *to)
{
	const struct grt_event_format *f = find_format(format);
	struct grt_event_sink *sink;
	int err;

	if (!f)
		return grt_fail(EINVAL, "--format text, csv or json", "no format '%s'", format);
	sink = calloc(1, sizeof(*sink));
	if (!sink)
		return grt_fail_memory();
	sink->format = f;
	sink->out = to;
	sink->has_diff = has_diff;
	err = f->begin ? f->begin(sink) : 0;
	if (err) {
		grt_event_sink_close(sink);
		return err;
	}
	*out = sink;
	return 0;
}

void grt_event_sink_close(struct grt_event_sink *sink)
{
	if (!sink)
		return;

	grt_vec_free(&sink->columns);
	grt_vec_free(&sink->cells);
	free(sink);
}

void grt_event_sink_print(struct grt_event_sink *sink, const struct grt_event_view *view)
{
	sink->format->print(sink, view);
	sink->before_ns = view->rec->ts;
	sink->has_before = true;
}
