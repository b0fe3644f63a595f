/* SPDX-License-Identifier: LGPL-2.1 */
/* Engines, rings and statuses by their names. */
#ifndef GRT_KEY_NAMES_H
#define GRT_KEY_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct grt_ring;

const char *grt_engine_name(uint32_t engine);

/* Finds an engine by its name or a usual other name, in any case; -1: there is none. */
int grt_engine_find(const char *name);

/* The ring's name, "ring 7" into @buf (GRT_RING_NAME_MAX bytes) if it has none. */
#define GRT_RING_NAME_MAX	40
const char *grt_ring_name(const struct grt_ring *ring, char *buf);

/* Whether the word of @bytes means @ring: its number, its name, or DEVICE/NAME. */
bool grt_ring_is(const struct grt_ring *ring, const char *word, size_t bytes);

/* Finds -ETIME for "ETIME", 0 for "ok"; false: there is no such status. */
bool grt_status_find(const char *name, int32_t *status);

/* "ok", "EIO" or "-1234" into @buf, 32 bytes.  Returns @buf or a constant. */
const char *grt_status_name(int32_t status, char *buf);

#endif /* GRT_KEY_NAMES_H */
