// SPDX-License-Identifier: GPL-2.0
/* Saves the events of a stopped session, as record would have done. */
#include <errno.h>

#include "commands.h"
#include "control.h"
#include "error.h"
#include "leftover.h"
#include "options.h"
#include "outfile.h"
#include "print.h"
#include "record.h"
#include "user.h"

static int check(int64_t *unread)
{
	int err = grt_control_is_running();

	if (err < 0)
		return err;
	if (err)
		return grt_fail(EBUSY, "sudo grtrace stop",
				"a session is running: stop it, or save its events with record");
	if (grt_control_overwrites())
		return grt_fail(ENODATA, "sudo grtrace snapshot",
				"the session was a flight recorder, whose events are in snapshots");
	*unread = grt_session_unread();
	if (*unread)
		return *unread < 0 ? *unread : 0;
	return grt_fail(ENODATA, "sudo grtrace record",
			"there is nothing to extract: no stopped session has unread events");
}

/* Checks that all events fit before it takes any out of the buffers. */
static int extract(struct record *r)
{
	int64_t unread = 0;
	int err = check(&unread);

	if (!err)
		err = grt_record_open(r);
	if (!err)
		err = grt_output_reserve(&r->output, unread);
	if (!err)
		err = grt_record_begin(r);
	if (err)
		return err;
	err = grt_record_drain_all(r);
	return err ? err : grt_record_stats(r);
}

int grt_record_extract(struct record *r)
{
	int err, end;

	r->is_extract = true;
	r->is_partial = grt_session_is_partly_read();
	err = extract(r);
	end = grt_output_close(&r->output, !err);
	return err ? err : end;
}

int cmd_extract(int argc, char **argv)
{
	struct record r = GRT_RECORD_INIT("extracted.grt");
	const struct grt_option options[] = {
		OPT_STRING('o', "output", &r.output.path, "FILE",
			   "write to FILE; extracted.grt by default, - is standard output"),
		OPT_BOOL('q', "quiet", &r.is_quiet, "print only errors"),
		OPT_END()
	};
	struct grt_user user = grt_user();
	int err, code;

	if (grt_parse_options(argc, argv, options, "extract [options]"))
		return grt_usage(options, "extract takes no operands");
	/*
	 * Check first for leftovers of a killed recording: they matter most if nothing is left to
	 * extract.
	 */
	if (!grt_outfile_is_stdout(r.output.path))
		grt_left_sweep(r.output.path, user.uid, user.gid);
	err = grt_record_extract(&r);
	if (!err || (r.output.full && r.output.has_stream))
		grt_progress_result(&r);
	code = err ? grt_print_failure(err) : 0;
	grt_record_close(&r);
	return code;
}
