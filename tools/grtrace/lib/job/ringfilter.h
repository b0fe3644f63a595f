/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Which rings the policies of a trace keep.  If that was the same all the time, a trace of some
 * rings is as good as one of a machine that has no others, except for dependencies on their jobs.
 */
#ifndef GRT_RINGFILTER_H
#define GRT_RINGFILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "names.h"

struct grt_ringfilter {
	char rings[137];	/* names and numbers, commas between; "": all */
	uint64_t engines;	/* bit N keeps engine class N; 0: all */
	bool is_odd;		/* it changed, or is too long to be remembered */
};

/* Takes "key=value"; other keys are ignored.  @is_initial: it held from the start on. */
void grt_ringfilter_policy(struct grt_ringfilter *f, const char *key, const char *value,
			   bool is_initial);

/* Whether all events of @ring are kept. */
bool grt_ringfilter_keeps(const struct grt_ringfilter *f, const struct grt_ring *ring);

/*
 * Whether all events that it left out are of other hardware than the rings it keeps: of rings
 * that share hardware, it keeps all or none.
 */
bool grt_ringfilter_is_clean(const struct grt_ringfilter *f, struct grt_names *names);

#endif /* GRT_RINGFILTER_H */
