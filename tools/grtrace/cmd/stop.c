// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "commands.h"
#include "control.h"
#include "error.h"
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
		err = grt_fail(EINVAL, "grtrace start", "no session runs");
	else if (err > 0)
		err = grt_control_write("control", "stop");
	return err ? grt_print_failure(err) : GRT_EXIT_OK;
}
