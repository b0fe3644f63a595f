// SPDX-License-Identifier: GPL-2.0
/*
 * The actions of rules.
 *
 * Marks come first, so that the snapshot contains them.
 */
#include <linux/grtrace.h>
#include <linux/kernel.h>
#include <linux/math.h>
#include <linux/string.h>

#include "actions.h"
#include "flight.h"
#include "rules.h"
#include "soon.h"
#include "state.h"

#define KEY_TEXT	48	/* "rule ", ": ", "CTX:SEQNO", NUL */
#define MARK_TEXT	round_up(KEY_TEXT + GRT_RULE_LABEL, 8)

static void (*stop_session)(u64 id);
static u64 stop_id;		/* the session to stop */

static void stop_fn(struct work_struct *work)
{
	stop_session(READ_ONCE(stop_id));
}

static GRT_DEFINE_SOON(stopping, stop_fn);

void grt_actions_serve(void (*stop)(u64 id))
{
	stop_session = stop;
}

void grt_actions_sync(void)
{
	grt_soon_sync(&stopping);
}

/* The session that this event is in cannot end before it; a stop may come too late for it. */
static void stop_soon(void)
{
	WRITE_ONCE(stop_id, grt_session.id);
	grt_soon_queue(&stopping);
}

/* The mark belongs to no process. */
static void mark(const struct grt_rule *rule, const struct grtrace_complete *complete,
		 bool (*write)(const struct grtrace_hdr *built, u32 ring))
{
	struct {
		struct grtrace_mark rec;
		char text[MARK_TEXT];
	} built = { };
	int bytes = scnprintf(built.text, sizeof(built.text), "rule %s: %llu:%llu", rule->label,
			      complete->ctx, complete->seqno);

	built.rec.hdr.type = GRTRACE_MARK;
	built.rec.hdr.size = sizeof(built.rec) + round_up(bytes + 1, 8);
	built.rec.hdr.flags = GRTRACE_F_KERNEL_JOB | (complete->hdr.flags & GRTRACE_F_SYNTHETIC);
	write(&built.rec.hdr, GRTRACE_NO_RING);
}

bool grt_actions_run(const struct grtrace_complete *complete, u32 ring,
		     bool (*write)(const struct grtrace_hdr *built, u32 ring))
{
	unsigned int i, snapshot_by = 0;

	for (i = 0; i < GRT_RULES_MAX; i++) {
		const struct grt_rule *rule = grt_rules_met(i);

		if (!(complete->hdr.flags & GRTRACE_F_RULE1 << i))
			continue;
		if (rule->action == GRT_RULE_MARK)
			mark(rule, complete, write);
		else if (rule->action == GRT_RULE_STOP)
			stop_soon();
		else if (rule->action == GRT_RULE_SNAPSHOT && !snapshot_by)
			snapshot_by = i + 1;
	}
	if (snapshot_by)
		grt_flight_trigger(GRTRACE_TRIGGER_RULE, ring, complete->ctx, complete->seqno,
				   snapshot_by);
	return snapshot_by;
}
