/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Conditions on jobs or on events, written by users:
 *
 *	ring == gfx && (t_dep > 30% || total > 5ms) comm != Xorg
 *
 * A comparison is FIELD OP VALUE.  Fields are the columns of a job; times may omit their
 * _ns.  Operators are == (or =) != < <= > >=.  && || ! ( ) join comparisons; && binds
 * before ||.  && may be left out between two comparisons.  "and", "or" and "not" mean the
 * same as && || and !.
 *
 * A time is 5ms, 5 ms or a number of ns; 30% after a stage is its share of the job's total.
 * Names are compared as text, in quotes where they contain blanks or signs.  A ring may be
 * given by its number, an engine by its usual other name (gfx, sdma).
 * "flags == lossy" holds when the job has that flag, "flags != lossy" when it has not.
 * Labels work like flags.
 *
 * A filter of events uses the fields of records instead.  A field that a record's type lacks
 * is unknown in that record.
 *
 * An unknown field makes a comparison neither true nor false, and ! leaves it so.
 * "a || b" is true when one side is, "a && b" false when one side is.  A filter matches a
 * job only when the whole is true.
 */
#ifndef GRT_FILTER_H
#define GRT_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "column.h"

struct grt_filter;

/*
 * Compiles @bytes of @text.  A filter may use labels only with @rules, which must
 * outlive the filter.  0 or -errno with a hint and a cause that says where.
 */
int grt_filter_create(struct grt_filter **f, const char *text, size_t bytes,
		      const struct grt_rules *rules);
int grt_filter_create_for_events(struct grt_filter **f, const char *text, size_t bytes);
void grt_filter_destroy(struct grt_filter *f);	/* NULL is fine */

bool grt_filter_matches(const struct grt_filter *f, const struct grt_view *view);

/* Whether the filter uses labels.  If so, work them out before grt_filter_matches(). */
bool grt_filter_uses_labels(const struct grt_filter *f);

#endif /* GRT_FILTER_H */
