// SPDX-License-Identifier: LGPL-2.1
/* The public functions for records.  The shared library exports public functions only. */
#include "trace_private.h"

#include <errno.h>
#include <stdlib.h>

#include "describe.h"
#include "error.h"
#include "source.h"
#include "stream.h"

static int open_input(struct grtrace **trace, struct grt_input *in)
{
	struct grtrace *t = calloc(1, sizeof(*t));
	struct grt_stream *stream;
	int err = grt_stream_open(&stream, in);

	if (err || !t) {
		if (!err)
			grt_stream_close(stream);
		free(t);
		return err ? err : grt_fail_memory();
	}
	t->stream = stream;
	*trace = t;
	return 0;
}

int grtrace_open_files(struct grtrace **trace, int count, char *const *paths)
{
	struct grt_input *in;
	int err = grt_source_open(&in, count, paths, 0);

	return err ? err : open_input(trace, in);
}

int grtrace_open(struct grtrace **trace, const char *path)
{
	char *paths[] = { (char *)path };

	return grtrace_open_files(trace, 1, paths);
}

int grtrace_open_live(struct grtrace **trace)
{
	struct grt_input *in;
	int err = grt_source_open_live(&in);

	return err ? err : open_input(trace, in);
}

void grtrace_close(struct grtrace *t)
{
	if (!t)
		return;
	grt_api_free_reader(t->reader);
	grt_stream_close(t->stream);
	grt_api_free_definitions(t);
	free(t);
}

int grtrace_next(struct grtrace *t, const struct grtrace_hdr **rec)
{
	int err, got;

	if (t->reader)
		return grt_fail(EINVAL, "open it once more",
				"jobs of this trace were read, so its records cannot be");
	t->has_records = true;
	got = grt_stream_next(t->stream, rec);
	if (got != 1)
		return got;
	err = grt_api_keep(t, *rec);
	return err ? err : 1;
}

uint64_t grtrace_lost(const struct grtrace *t, unsigned int fate)
{
	return fate < GRTRACE_NR_FATES ? grt_stream_stats(t->stream)->lost[fate] : 0;
}

uint64_t grtrace_unknown_events(const struct grtrace *t)
{
	return grt_stream_stats(t->stream)->unknown_events;
}

const char *grtrace_type_name(unsigned int type)
{
	const struct grt_type *t = grt_type_by_number(type);

	return t ? t->name : NULL;
}

const char *grtrace_error(void)
{
	return grt_cause();
}

const char *grtrace_hint(void)
{
	return grt_hint();
}

const char *grtrace_version(void)
{
	return GRT_VERSION;
}
