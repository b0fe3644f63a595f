/* SPDX-License-Identifier: LGPL-2.1 */
/* What to record in place of a file that tells nothing of jobs, by the drivers whose events it has. */
#ifndef GRT_ADVICE_H
#define GRT_ADVICE_H

#include <stdint.h>

#include "foreign.h"

#define GRT_NR_ADVICE	10

/* Events in the file, by row of the table in advice.c. */
struct grt_advice {
	uint64_t seen[GRT_NR_ADVICE];
};

void grt_advice_note(struct grt_advice *a, struct grt_piece event);

/* For the driver with most events; for any driver of the DRM scheduler if there are none. */
const char *grt_advice_hint(const struct grt_advice *a);

#endif /* GRT_ADVICE_H */
