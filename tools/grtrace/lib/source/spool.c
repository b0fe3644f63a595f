// SPDX-License-Identifier: LGPL-2.1
#include "spool.h"

#include <errno.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "error.h"
#include "io.h"
#include "number.h"
#include "reader.h"

static const char room_hint[] = "set TMPDIR to a folder with room";

/* A small file may hold a copy that would fill the disk. */
static uint64_t most_bytes(const struct grt_spool *s, int to)
{
	struct statvfs v;

	if (!s->has_limit || fstatvfs(to, &v))
		return UINT64_MAX;
	return (uint64_t)v.f_bavail * v.f_frsize / 2;
}

static int write_all(const struct grt_spool *s, int to, const char *at, size_t bytes)
{
	ssize_t put;

	for (; bytes; at += put, bytes -= put) {
		put = write(to, at, bytes);
		if (put < 0 && errno == EINTR)
			put = 0;
		else if (put < 0)
			return grt_fail_errno(room_hint, "cannot copy '%s' to a temporary file", s->name);
	}
	return 0;
}

/* Returns 0 or -errno with a cause. */
static int copy(const struct grt_spool *s, int to)
{
	static char buffer[1 << 18];
	uint64_t bytes = 0, most = most_bytes(s, to);
	char count[GRT_NUMBER_MAX];
	bool is_probed = false;
	ssize_t got;
	int err;

	while ((got = s->read(s->arg, buffer, sizeof(buffer))) > 0) {
		bytes += got;
		if (bytes > most)
			return grt_fail(ENOSPC, room_hint, "no room to unpack '%s': it has more than %s", s->name,
					grt_format_bytes(count, most));
		err = write_all(s, to, buffer, got);
		if (err)
			return err;
		if (is_probed || bytes < GRT_TEXT_PROBE_BYTES)
			continue;
		is_probed = true;
		/* Stop when the first bytes show that this is not a trace. */
		if (!s->goes_on(s->arg, to))
			return 0;
	}
	return got;
}

int grt_spool(const struct grt_spool *s)
{
	int to = grt_temporary(), err;

	if (to < 0)
		return to;
	err = copy(s, to);
	if (!err)
		return to;
	close(to);
	return err;
}
