/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Conditions on jobs, written by users:
 *
 *	ring == gfx && (t_dep > 30% || total > 5ms) comm != Xorg
 *
 * A comparison is FIELD OP VALUE; fields are the columns of a job, times with or
 * without their _ns.  Operators are == (or =) != < <= > >=; && || ! ( ) join
 * comparisons, && before ||, and two side by side are joined by &&.
 *
 * Values: a time is 5ms, 100us or a number of ns; behind a stage, 30% is its share of
 * the job's total.  Names are compared as text, "in quotes" if they must be.  An engine
 * may have a usual other name (gfx, sdma).  "flags == lossy" holds when that flag is
 * among the job's, "flags != lossy" when not, and labels are like flags.
 *
 * What is not known about a job makes a comparison neither true nor false, and ! leaves
 * it so.  "a || b" is true when one is, "a && b" false when one is; a job is taken only
 * where the whole is true.
 */
#ifndef GRT_FILTER_H
#define GRT_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "column.h"

struct grt_filter;

/*
 * Compiles @bytes of @text.  Labels may be asked for only with @rules, which must
 * outlive the filter.  0 or -errno with a cause that says where, and a hint.
 */
int grt_filter_create(struct grt_filter **f, const char *text, size_t bytes,
		      const struct grt_rules *rules);
void grt_filter_destroy(struct grt_filter *f);	/* NULL is fine */

bool grt_filter_matches(const struct grt_filter *f, const struct grt_view *view);

/* Whether it looks at labels, which then must be known before. */
bool grt_filter_uses_labels(const struct grt_filter *f);

#endif /* GRT_FILTER_H */
