// SPDX-License-Identifier: GPL-2.0
/* Saves the snapshot of the module's flight recorder; takes one first if none is held. */
#include <errno.h>

#include "commands.h"
#include "control.h"
#include "error.h"
#include "flight.h"
#include "leftover.h"
#include "options.h"
#include "outfile.h"
#include "print.h"
#include "record.h"
#include "sources.h"
#include "user.h"

static int take(struct record *r)
{
	int got = r->source->has_snapshot(r), err = got < 0 ? got : 0;

	if (got)
		return err;
	got = grt_control_is_running();
	if (got < 0)
		return got;
	if (!got)
		return grt_fail(ENODATA, "sudo grtrace start --flight", "no flight recorder runs, and no snapshot is held");
	if (!grt_control_overwrites())
		return grt_fail(ENODATA, "sudo grtrace record",
				"the session that runs is no flight recorder: record reads its events");
	err = r->source->snapshot(r);
	/* A trigger came in between: then that snapshot is the one to save. */
	return err == -EBUSY && r->source->has_snapshot(r) == 1 ? 0 : err;
}

int cmd_snapshot(int argc, char **argv)
{
	struct record r = GRT_RECORD_INIT("snapshot.grt");
	const struct grt_option options[] = {
		OPT_STRING('o', "output", &r.output.path, "FILE",
			   "write to FILE; snapshot.grt by default, - is standard output"),
		OPT_NS(0, "last", &r.flight.last_ns, "only the last TIME, like 30s"),
		OPT_BOOL('q', "quiet", &r.is_quiet, "print only errors"),
		OPT_END()
	};
	struct grt_user user = grt_user();
	int err;

	if (grt_parse_options(argc, argv, options, "snapshot [options]"))
		return grt_usage(options, "snapshot takes no operands");
	if (r.flight.last_ns && grt_outfile_is_stdout(r.output.path))
		return grt_usage(options, "--last cannot write to standard output");
	if (!grt_outfile_is_stdout(r.output.path))
		grt_left_sweep(r.output.path, user.uid, user.gid);
	err = take(&r);
	if (!err)
		err = grt_record_streams(&r);
	if (err == -EBUSY)
		err = grt_fail(EBUSY, "sudo fuser -v /sys/kernel/debug/grtrace/events0    # which process that is",
			       "another process reads the snapshots, and gets this one, too");
	if (!err)
		err = grt_flight_save(&r, r.output.path);
	grt_record_close(&r);
	return err ? grt_print_failure(err) : GRT_EXIT_OK;
}
