/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rings that an earlier session met, for as long as their driver is there: for the file
 * rings, which would be empty until each ring had a job.  Never part of a stream.
 */
#ifndef _GRTRACE_KNOWN_H
#define _GRTRACE_KNOWN_H

#include <linux/types.h>
#include <uapi/linux/grtrace.h>

#define GRT_GPU_NAME	40

/* Is @driver, by its name, in module @module? */
bool grt_known_is_driver(const char *driver, const char *module);

int grt_known_create(void);
void grt_known_destroy(void);
/* One more, or news of one; the longest known goes when there are too many. */
void grt_known_add(const struct grtrace_ring *ring, const char *gpu_name);
/* Number @i from 0 on; false behind the last.  @gpu_name: GRT_GPU_NAME bytes, or NULL. */
bool grt_known_copy(u32 i, struct grtrace_ring *ring, char *gpu_name);
/* Module @module goes, and the rings of its driver. */
void grt_known_forget(const char *module);

#endif
