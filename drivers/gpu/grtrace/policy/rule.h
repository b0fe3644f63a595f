/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A rule: a condition on a finished job, the label of jobs that meet it, and what happens then.
 *
 *	total > 5ms label=slow
 *	t_submit_host > 2ms ring=gfx label=late
 *	total > 50ms action=snapshot label=stuck
 *	status != 0 label=failed
 */
#ifndef _GRTRACE_RULE_H
#define _GRTRACE_RULE_H

#include <uapi/linux/grtrace.h>

#include "ringset.h"

#define GRT_RULE_TEXT	128	/* longest, with its NUL */
#define GRT_RULE_LABEL	32

enum grt_rule_metric { GRT_RULE_TOTAL, GRT_RULE_SUBMIT_HOST, GRT_RULE_HW, GRT_RULE_COMPLETE,
		       GRT_RULE_STATUS };
enum grt_rule_op { GRT_RULE_GT, GRT_RULE_GE, GRT_RULE_LT, GRT_RULE_LE, GRT_RULE_EQ, GRT_RULE_NE };

enum grt_rule_action { GRT_RULE_NOTHING, GRT_RULE_SNAPSHOT, GRT_RULE_STOP, GRT_RULE_MARK };

struct grt_rule {
	enum grt_rule_metric metric;
	enum grt_rule_op op;
	s64 value;			/* ns, or a status */
	bool has_ring;
	struct grt_ringset rings;	/* with @has_ring: one item */
	enum grt_rule_action action;
	char label[GRT_RULE_LABEL];
	char text[GRT_RULE_TEXT];	/* as it was written */
};

/* Parses @text.  Returns NULL, or an error message that says what would be accepted. */
const char *grt_rule_parse(struct grt_rule *rule, const char *text);

/* Does the rule hold for a finished job?  False if a time that it needs is not known. */
bool grt_rule_holds(const struct grt_rule *rule, const struct grtrace_job *job);

#endif
