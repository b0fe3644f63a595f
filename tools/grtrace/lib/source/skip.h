/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Which extents of a lane need not be read when the caller wants only events of a span.  Losses
 * must be reported from everywhere.  Accounts are cumulative: if two of them differ only by the
 * events in between, nothing was lost between them.
 */
#ifndef GRT_SKIP_H
#define GRT_SKIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "extent.h"

struct grt_skip {
	uint64_t from_ns, to_ns;
	/* Reads the first bytes of an extent; false if it is shorter. */
	bool (*peek)(void *arg, const struct grt_extent *e, void *to, size_t bytes);
	void *arg;
};

/*
 * Looks at the extents from @i to @end, in order.  Returns the first behind @i that must be read;
 * *at is the account at the start of those before it.  Returns @i if none can be skipped.
 */
size_t grt_skip_from(const struct grt_skip *s, const struct grt_extent *e, size_t i, size_t end,
		     struct grtrace_subbuf *at);

#endif /* GRT_SKIP_H */
