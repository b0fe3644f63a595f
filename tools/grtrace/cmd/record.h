/* SPDX-License-Identifier: GPL-2.0 */
/* One recording: shared by record.c, which does it, and progress.c, which tells. */
#ifndef GRT_RECORD_H
#define GRT_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "alert.h"
#include "child.h"
#include "family.h"
#include "output.h"
#include "session.h"
#include "tally.h"

struct record {
	uint64_t limit_ns, pid;
	bool is_quiet, has_children;
	char **command;			/* NULL = none */

	struct grt_session session;
	struct grt_output output;
	struct grt_alert alert;
	struct grt_child child;
	struct grt_family family;
	int status;			/* of the command, once it has ended */
	bool has_status, is_over;
	int code;			/* exit code, unless an error has a say */
	int signals, target;		/* signalfd, pidfd; -1 = none */
	struct grt_live *live;
	struct grt_tally tally;
	uint64_t start_ns, round_ns, clock_ns, looked_ns, tick_ns;
	uint64_t session_id;
};

#define GRT_TICK_MS	250

/* Which source it is, on standard error, unless quiet. */
void grt_progress_source(const struct record *r);

/* The status line, on a terminal, not more often than each tick. */
void grt_progress_show(struct record *r);

/* What was recorded, and what to do with it. */
void grt_progress_result(struct record *r);

/* Every source that could record, with what it lacks; returns the exit code. */
int grt_progress_no_source(int err);

#endif /* GRT_RECORD_H */
