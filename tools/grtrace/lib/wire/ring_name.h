/* SPDX-License-Identifier: LGPL-2.1 */
/* The texts device and driver of RING. */
#ifndef GRT_RING_NAME_H
#define GRT_RING_NAME_H

#include <stdbool.h>
#include <string.h>

/* What importers write where the text that they read does not name the device or driver of a ring. */
#define GRT_RING_UNKNOWN	"unknown"

/*
 * Whether @text names a device or driver.  It may be a field of RING without a NUL, because no more than
 * 8 bytes are compared.
 */
static inline bool grt_ring_is_named(const char *text)
{
	return *text && strcmp(text, GRT_RING_UNKNOWN) != 0;
}

#endif /* GRT_RING_NAME_H */
