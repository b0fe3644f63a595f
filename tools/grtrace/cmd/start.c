// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "commands.h"
#include "control.h"
#include "offsets.h"
#include "options.h"
#include "print.h"
#include "session.h"

static int start(void *arg)
{
	(void)arg;
	return grt_control_write("control", "start");
}

int cmd_start(int argc, char **argv)
{
	struct grt_offsets offsets = { .answered = { .bytes = 0 } };
	bool may_discard = false, is_flight = false;
	const struct grt_option options[] = {
		OPT_BOOL(0, "flight", &is_flight,
			 "a flight recorder: buffers hold the last events, until a trigger keeps a snapshot"),
		OPT_BOOL(0, "discard", &may_discard,
			 "drop the events that a stopped session still holds"),
		OPT_END()
	};
	int err;

	if (grt_parse_options(argc, argv, options, "start [options]"))
		return grt_usage(options, "start takes no operands");
	err = grt_control_is_running();
	if (err > 0) {
		puts("a session runs already; it goes on as it is");
		return GRT_EXIT_OK;
	}
	if (!err)
		err = grt_session_check_unread(may_discard);
	if (!err)
		err = grt_offsets_send(&offsets);
	grt_offsets_free(&offsets);
	if (!err)
		err = grt_session_start_with("mode", is_flight ? "overwrite" : NULL, start, NULL);
	return err ? grt_print_failure(err) : GRT_EXIT_OK;
}
