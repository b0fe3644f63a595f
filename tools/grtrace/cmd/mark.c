// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <grtrace-mark.h>

#include "commands.h"
#include "error.h"
#include "options.h"
#include "print.h"

/* The file that grtrace_mark() tried. */
static const char *marker_path(void)
{
	const char *path = secure_getenv("GRTRACE_TRACE_MARKER");

	return path && *path ? path : "/sys/kernel/tracing/trace_marker";
}

static int fail_mark(int err)
{
	static const struct {
		int err;
		const char *hint;
	} hints[] = {
		{ ENOENT, "sudo mount -t tracefs nodev /sys/kernel/tracing" },
		{ EACCES, "run it with sudo; 'man grtrace-mark' says how to permit it to a group" },
		{ EPERM, "run it with sudo; 'man grtrace-mark' says how to permit it to a group" },
		{ EBADF, "switch tracing on: echo 1 | sudo tee /sys/kernel/tracing/tracing_on" },
		{ EINVAL, "switch marks on: echo 1 | sudo tee /sys/kernel/tracing/options/markers" },
	};
	const char *hint = NULL;

	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (hints[i].err == -err)
			hint = hints[i].hint;
	if (err == -ENOENT && secure_getenv("GRTRACE_TRACE_MARKER"))
		hint = "GRTRACE_TRACE_MARKER of the environment names this file";
	errno = -err;
	if (err == -EBADF)
		return grt_fail(EBADF, hint, "tracing is off: '%s' takes no marks", marker_path());
	return grt_fail_errno(hint, "cannot write a mark to '%s'", marker_path());
}

int cmd_mark(int argc, char **argv)
{
	const struct grt_option options[] = {
		OPT_END()
	};
	int err;

	argc = grt_parse_options(argc, argv, options, "mark TEXT");
	if (argc != 1)
		return grt_usage(options, "mark takes one text; put it in quotes");
	if (!*argv[0] || strchr(argv[0], '\n'))
		return grt_usage(options, "a mark is one line of text");
	if (strlen(argv[0]) > GRTRACE_MARK_BYTES)
		return grt_usage(options, "a mark has at most %d bytes", GRTRACE_MARK_BYTES);
	err = grtrace_mark(argv[0]);
	return err ? grt_print_failure(fail_mark(err)) : GRT_EXIT_OK;
}
