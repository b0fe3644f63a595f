/* SPDX-License-Identifier: LGPL-2.1 */
/* What is known of a ring by its driver and name: see linux/grtrace_rings.h. */
#ifndef GRT_RING_KIND_H
#define GRT_RING_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/grtrace.h>

/* Sets @engine and @order; @order stays UNKNOWN if the driver is not listed. */
void grt_ring_classify(struct grtrace_ring *ring);

/* The name of the hardware ring that @ring shares with others; NULL: it has its own. */
const char *grt_ring_hw_name(const struct grtrace_ring *ring);

/* Whether jobs of @driver do not go through the DRM scheduler, so that their dependencies are unknown. */
bool grt_driver_has_own_queue(const char *driver);

/* Whether an END of @driver stands for all jobs of its context up to that one. */
bool grt_driver_coalesces(const char *driver);

/* Whether a job of @driver that looks over at once, without a fence of the hardware, may run on. */
bool grt_driver_is_fenceless(const char *driver);

/* Whether @driver, @ns after it gave a job to an idle ring, may look by a timer of its own whether the job is over. */
bool grt_driver_looks_itself(const char *driver, uint64_t ns);

/* The driver whose rings of the DRM scheduler have names like @name; NULL: not known. */
const char *grt_sched_driver(const char *name, size_t len);

/* Whether a table lists @driver.  If not, writes the drivers whose fences are known to @names. */
bool grt_driver_is_known(const char *driver, char *names, size_t room);

#endif /* GRT_RING_KIND_H */
