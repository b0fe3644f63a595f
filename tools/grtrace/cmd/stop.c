// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "commands.h"
#include "control.h"
#include "options.h"
#include "print.h"

int cmd_stop(int argc, char **argv)
{
	const struct grt_option options[] = { OPT_END() };
	int err;

	if (grt_parse_options(argc, argv, options, "stop"))
		return grt_usage(options, "stop takes no operands");
	err = grt_control_is_running();
	if (!err)
		puts("no session runs; there is nothing to stop");
	else if (err > 0)
		err = grt_control_write("control", "stop");
	return err ? grt_print_failure(err) : GRT_EXIT_OK;
}
