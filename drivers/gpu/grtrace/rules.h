/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules on jobs that are over: who meets one is counted, and flagged in its COMPLETE.
 */
#ifndef _GRTRACE_RULES_H
#define _GRTRACE_RULES_H

#include <linux/jump_label.h>

#include "policy/rule.h"

#define GRT_RULES_MAX	8	/* GRTRACE_F_RULE1 and so on */

/* On while there is a rule. */
DECLARE_STATIC_KEY_FALSE(grt_ruled);

/*
 * Adds a rule, in the place of that with its label, else in the first free one.  Or
 * removes one, or all with NULL.  0; -ENOSPC, -ENOENT, -ENOMEM.  Sleep, under the session
 * lock.
 */
int grt_rules_add(struct grt_rule *rule);
/* The number at which a rule with @label is, or would be; -ENOSPC. */
int grt_rules_place(const char *label);
int grt_rules_remove(const char *label);

/* Flags of those that hold, which are counted.  Any context but NMI. */
u16 grt_rules_check(const struct grtrace_job *job);

/* Rule @i, 0..GRT_RULES_MAX - 1: its hits; NULL if there is none. */
const struct grt_rule *grt_rules_at(unsigned int i, u64 *hits);
unsigned int grt_rules_count(void);
void grt_rules_reset_hits(void);

/* As the callbacks of struct grt_listener. */
void grt_rules_meet(u32 row, const char *device, const char *name);
void grt_rules_forget(void);

#endif
