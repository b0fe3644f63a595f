// SPDX-License-Identifier: GPL-2.0
#include "open_trace.h"

#include "source.h"
#include "stream.h"

int grt_open_trace(struct grt_stream **stream, int count, char *const *paths, uint64_t session)
{
	struct grt_input *in;
	int err = grt_source_open(&in, count, paths, session);

	return err ? err : grt_stream_open(stream, in);
}
