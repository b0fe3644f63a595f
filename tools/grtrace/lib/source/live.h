/* SPDX-License-Identifier: LGPL-2.1 */
/* The files events0..N of the module. */
#ifndef GRT_LIVE_H
#define GRT_LIVE_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "run.h"

struct grt_live;

/* Opens all of them, none waiting.  0 or -errno with a cause. */
int grt_live_open(struct grt_live **live);
void grt_live_close(struct grt_live *live);

unsigned int grt_live_lanes(const struct grt_live *live);
uint32_t grt_live_cpu(const struct grt_live *live, unsigned int lane);

/*
 * The next run of records, valid until the next call for this lane: 1; 0 at the
 * stream's end; -EAGAIN when there is none now; else -errno with a cause.
 */
int grt_live_next(struct grt_live *live, unsigned int lane, struct grt_run *run);

/* Whether all streams have ended. */
bool grt_live_has_ended(const struct grt_live *live);

/*
 * Waits until a stream has more or one of the @count others is ready, whose
 * revents are set.  How many streams have more, 0, or -EINTR.
 */
int grt_live_poll(struct grt_live *live, struct pollfd *others, unsigned int count,
		  int timeout_ms);

/*
 * Makes everything before the returned time readable, and nothing before it can
 * come later.  0: no such time is known, as no session runs.
 */
uint64_t grt_live_flush(struct grt_live *live);

#endif /* GRT_LIVE_H */
