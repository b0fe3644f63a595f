// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "control.h"
#include "error.h"
#include "options.h"
#include "print.h"

static int show(const char *key)
{
	char text[16384], value[4096];
	ssize_t n = grt_control_read("config", text, sizeof(text));

	if (n < 0)
		return n;
	if (!key) {
		puts(text);
		return 0;
	}
	if (!grt_control_value(text, key, value, sizeof(value)))
		return grt_fail(EINVAL, "grtrace config", "no key '%s'", key);
	puts(value);
	return 0;
}

int cmd_config(int argc, char **argv)
{
	const struct grt_option options[] = { OPT_END() };
	int err = 0;

	argc = grt_parse_options(argc, argv, options, "config [KEY[=VALUE]]...");
	if (!argc)
		err = show(NULL);
	for (int i = 0; i < argc; i++) {
		err = strchr(argv[i], '=') ? grt_control_write("config", argv[i]) : show(argv[i]);
		if (err)
			break;
	}
	if (!err)
		return GRT_EXIT_OK;
	if (err != -EINVAL)
		return grt_print_failure(err);
	/* What was typed is wrong, and the module said why. */
	grt_print_error("grtrace config", grt_cause());
	return GRT_EXIT_USAGE;
}
