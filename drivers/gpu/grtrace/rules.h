/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules on completed jobs: a job that matches a rule is counted, and its COMPLETE gets a flag.
 */
#ifndef _GRTRACE_RULES_H
#define _GRTRACE_RULES_H

#include <linux/jump_label.h>

#include "policy/rule.h"

#define GRT_RULES_MAX	8	/* GRTRACE_F_RULE1 and so on */

/* On while there is a rule. */
DECLARE_STATIC_KEY_FALSE(grt_ruled);

/*
 * Adds a rule, in the place of the rule with the same label, else in the first free place.
 * Returns 0, -ENOSPC or -ENOMEM.  Sleeps, under the session lock.
 */
int grt_rules_add(struct grt_rule *rule);
/* The place that a rule with @label has or would get; -ENOSPC if there is none. */
int grt_rules_place(const char *label);
/* Removes the rule with @label, or all with NULL.  0, -ENOENT or -ENOMEM.  Context as above. */
int grt_rules_remove(const char *label);

/* Counts the rules that hold for @job, and returns their flags.  Any context but NMI. */
u16 grt_rules_check(const struct grtrace_job *job);

/*
 * Rule @i, which grt_rules_check() found to hold; even if it was removed since.  With interrupts
 * off since then.
 */
const struct grt_rule *grt_rules_met(unsigned int i);

/* Rule @i, 0..GRT_RULES_MAX - 1, and its number of hits; NULL if there is none. */
const struct grt_rule *grt_rules_at(unsigned int i, u64 *hits);
unsigned int grt_rules_count(void);
void grt_rules_reset_hits(void);

/* For the callbacks ring_added and rings_cleared of struct grt_listener. */
void grt_rules_match_row(u32 row, const char *device, const char *name);
void grt_rules_clear_names(void);

#endif
