/* SPDX-License-Identifier: GPL-2.0 */
/* Opens the files that a user names as the stream of one trace. */
#ifndef GRT_CMD_OPEN_TRACE_H
#define GRT_CMD_OPEN_TRACE_H

#include <stdint.h>

struct grt_stream;

/* @count, @paths and @session are as for grt_source_open().  The caller closes *@stream.  0 or -errno with a cause. */
int grt_open_trace(struct grt_stream **stream, int count, char *const *paths, uint64_t session);

#endif /* GRT_CMD_OPEN_TRACE_H */
