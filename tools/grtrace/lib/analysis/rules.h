/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Rules give jobs labels.  Text, one rule a line, # begins a comment:
 *
 *	t_sched > 100us label=scheduler-delay
 *	ring == gfx comm == game t_exec > 30% label=slow-exec
 *	total > 50ms action=snapshot label=stuck
 *	off long-queue
 *
 * The text before label= is a filter (filter.h).  An action= between them is for the module's
 * rules: reports check and ignore it.  A rule replaces an earlier rule of the
 * same name.  "off NAME" switches a rule off.
 */
#ifndef GRT_RULES_H
#define GRT_RULES_H

#include <stddef.h>
#include <stdint.h>

struct grt_filter;
struct grt_view;

#define GRT_MAX_RULES		32	/* bits of a mask */
#define GRT_RULE_NAME_MAX	32	/* with its NUL */

struct grt_rule {
	char name[GRT_RULE_NAME_MAX];
	char *text;			/* owned: the condition as written */
	struct grt_filter *when;	/* owned; NULL: switched off */
};

/* Zeroed memory has no rules. */
struct grt_rules {
	struct grt_rule rules[GRT_MAX_RULES];
	unsigned int count;
};

/* The built-in rules, in the grammar above. */
extern const char grt_default_rules[];

/* Adds and replaces rules.  Causes begin with @from: "FILE, line 3: ...".  0 or -errno. */
int grt_rules_read(struct grt_rules *r, const char *text, const char *from);

/* Fails with -ENOENT: no @what is called @name.  The hint lists all rules. */
int grt_rules_unknown(const struct grt_rules *r, const char *what, const char *name);

/* Switches a rule off.  0, or -ENOENT with a cause when there is no such rule. */
int grt_rules_off(struct grt_rules *r, const char *name);

/* Number of a rule, or -1. */
int grt_rules_find(const struct grt_rules *r, const char *name);

/* A bit per rule that holds for the job. */
uint64_t grt_rules_labels(const struct grt_rules *r, const struct grt_view *view);

/* Writes "slow-exec|error" into @buf, which has GRT_CELL_MAX bytes. */
const char *grt_rules_names(const struct grt_rules *r, uint64_t labels, char *buf);

void grt_rules_free(struct grt_rules *r);

#endif /* GRT_RULES_H */
