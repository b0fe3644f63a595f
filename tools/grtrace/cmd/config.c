// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "control.h"
#include "error.h"
#include "options.h"
#include "print.h"

/* Prints a whole control file. */
static int print_file(const char *name)
{
	char text[16384];
	ssize_t n = grt_control_read(name, text, sizeof(text));

	if (n < 0)
		return n;
	puts(text);
	return 0;
}

static int show(const char *key)
{
	char text[16384], value[4096];
	ssize_t n = grt_control_read("config", text, sizeof(text));

	if (n < 0)
		return n;
	if (!grt_control_value(text, key, value, sizeof(value)))
		return grt_fail(EINVAL, "grtrace config", "no key '%s'", key);
	puts(value);
	return 0;
}

int cmd_config(int argc, char **argv)
{
	bool lists = false;
	const struct grt_option options[] = {
		OPT_BOOL('l', "list", &lists, "print what may be set: all keys, their bounds, defaults and meaning"),
		OPT_END()
	};
	int err = 0;

	argc = grt_parse_options(argc, argv, options, "config [options] [KEY[=VALUE]]...");
	if (lists && argc)
		return grt_usage(options, "--list takes no key");
	if (!argc)
		err = print_file(lists ? "keys" : "config");
	for (int i = 0; i < argc; i++) {
		err = strchr(argv[i], '=') ? grt_control_write("config", argv[i]) : show(argv[i]);
		if (err)
			break;
	}
	if (!err)
		return GRT_EXIT_OK;
	if (err != -EINVAL)
		return grt_print_failure(err);
	/* The user's text is wrong, and the module said why. */
	grt_print_error("grtrace config", grt_cause());
	return GRT_EXIT_USAGE;
}
