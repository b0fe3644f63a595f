/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rings of earlier sessions, kept until their driver is unloaded.  Without them the file rings
 * would be empty until each ring had a job.  They are never part of a stream.
 */
#ifndef _GRTRACE_KNOWN_H
#define _GRTRACE_KNOWN_H

#include <linux/types.h>
#include <uapi/linux/grtrace.h>

#define GRT_GPU_NAME	40

/* Does module @module contain the driver named @driver? */
bool grt_known_is_driver(const char *driver, const char *module);

int grt_known_create(void);
void grt_known_destroy(void);
/* Adds a ring or updates it; drops the oldest one when the table is full. */
void grt_known_add(const struct grtrace_ring *ring, const char *gpu_name);
/* Copies ring number @i, from 0.  False: no such ring.  @gpu_name: GRT_GPU_NAME bytes or NULL. */
bool grt_known_copy(u32 i, struct grtrace_ring *ring, char *gpu_name);
/* Module @module is being unloaded: drops the rings of its driver. */
void grt_known_remove(const char *module);

#endif
