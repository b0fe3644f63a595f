/* SPDX-License-Identifier: GPL-2.0 */
/* The text of a probe, with offsets of the running kernel. */
#ifndef GRT_TRACEFS_PROBE_H
#define GRT_TRACEFS_PROBE_H

#include <stdbool.h>
#include <stddef.h>

struct grt_types;

/*
 * Fills in the arguments of a probe, "name=fetch:type name=fetch:type".  In braces stands an
 * offset: the sum of members, "{drm_sched_fence.finished+dma_fence.context}" or with "-"; after
 * a "|" follow others for kernels that lack it.  "{=enum.NAME}" is a value.  An argument that has
 * no offset here is left out; false if it is the first one, which must be there, or if the text is
 * too long.
 */
bool grt_tracefs_probe_args(const struct grt_types *types, const char *args, char *to, size_t room);

#endif /* GRT_TRACEFS_PROBE_H */
