// SPDX-License-Identifier: LGPL-2.1
#include "cursor.h"

#include <string.h>

bool grt_cursor_is_cut(const struct grt_cursor *c)
{
	size_t left = c->end - c->pos;
	struct grtrace_hdr hdr;

	if (!c->failed)
		return false;
	if (left < sizeof(hdr))
		return true;
	memcpy(&hdr, c->pos, sizeof(hdr));
	return hdr.size % 8 == 0 && hdr.size >= grt_least_bytes(hdr.type) &&
	       hdr.size > left;
}

bool grt_is_stream(const void *data, size_t bytes)
{
	struct grtrace_stream_info info;

	if (bytes < sizeof(info))
		return false;
	memcpy(&info, data, sizeof(info));
	return info.hdr.type == GRTRACE_STREAM_INFO &&
	       info.hdr.size >= sizeof(info) && info.magic == GRTRACE_STREAM_MAGIC;
}

bool grt_find_stream(struct grt_cursor *c)
{
	while (c->end - c->pos >= (ptrdiff_t)sizeof(struct grtrace_stream_info)) {
		if (grt_is_stream(c->pos, c->end - c->pos))
			return true;
		c->pos += 8;
	}
	return false;
}
