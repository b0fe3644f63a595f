/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Rules give jobs labels.  Text, one rule a line, # begins a comment:
 *
 *	t_sched > 100us label=scheduler-delay
 *	ring == gfx comm == game t_exec > 30% label=slow-exec
 *	off long-queue
 *
 * Before label= stands a filter (filter.h).  A rule with the name of an earlier one
 * replaces it; "off NAME" switches one off.
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
	char *text;			/* owned: the condition, as it was written */
	struct grt_filter *when;	/* owned; NULL: switched off */
};

/* Zeroed memory has no rules. */
struct grt_rules {
	struct grt_rule rules[GRT_MAX_RULES];
	unsigned int count;
};

/* The built-in ones, in the grammar above. */
extern const char grt_default_rules[];

/* Adds and replaces.  @from is for causes: "FILE, line 3: ...".  0 or -errno. */
int grt_rules_read(struct grt_rules *r, const char *text, const char *from);

/* -ENOENT with a cause when there is none. */
int grt_rules_off(struct grt_rules *r, const char *name);

/* Number of a rule, or -1. */
int grt_rules_find(const struct grt_rules *r, const char *name);

/* A bit per rule that holds for the job. */
uint64_t grt_rules_labels(const struct grt_rules *r, const struct grt_view *view);

/* "slow-exec|error" into @buf, which GRT_CELL_MAX bytes are enough for. */
const char *grt_rules_names(const struct grt_rules *r, uint64_t labels, char *buf);

void grt_rules_free(struct grt_rules *r);

#endif /* GRT_RULES_H */
