// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "flight_private.h"
#include "live.h"

int grt_flight_drain(struct grt_flight_recorder *f)
{
	struct grt_live *live = f->r->live;
	struct grt_run run;
	bool progress;
	int got = 0;

	/* The recording adds each run that it reads to the ring, through record.also. */
	if (f->r->beside)
		return grt_record_drain(f->r, &progress);
	for (unsigned int i = 0; i < grt_live_lanes(live); i++) {
		while ((got = grt_live_next(live, i, &run)) == 1) {
			got = grt_flight_ring_add(f->ring, i, grt_live_cpu(live, i), &run, &f->why);
			if (got)
				return got;
		}
		if (got < 0 && got != -EAGAIN)
			return got;
	}
	return 0;
}
