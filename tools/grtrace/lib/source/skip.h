/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Which extents of a lane need not be read when only events of a span are wanted.  Losses
 * count whenever they were: but accounts are cumulative, so where those at two places
 * differ by the events in between and nothing else, nothing was lost there.
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
	/* Reads the first bytes of an extent: true if it has as many. */
	bool (*peek)(void *arg, const struct grt_extent *e, void *to, size_t bytes);
	void *arg;
};

/*
 * Of the extents from @i to @end, in order: the first behind @i that has to be read, if
 * those before it need not be; *at is the account that they begin with.  Else @i.
 */
size_t grt_skip_from(const struct grt_skip *s, const struct grt_extent *e, size_t i, size_t end,
		     struct grtrace_subbuf *at);

#endif /* GRT_SKIP_H */
