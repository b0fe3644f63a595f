// SPDX-License-Identifier: LGPL-2.1
#include "trace_kind.h"

#include <stdint.h>

#include "cursor.h"
#include "import.h"
#include "index.h"
#include "io.h"
#include "reader.h"

bool grt_is_binary_trace(int fd)
{
	/* Enough bytes to recognise every format. */
	uint64_t probe[sizeof(struct grtrace_stream_info) / 8];
	ssize_t n = grt_pread(fd, probe, sizeof(probe), 0);

	return n > 0 && (grt_is_stream(probe, n) || grt_is_grt(probe, n) || grt_is_dat(probe, n));
}

bool grt_is_trace(int fd)
{
	return grt_is_binary_trace(fd) || grt_is_event_text(fd);
}
