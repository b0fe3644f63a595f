/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which owner, the address of a scheduler, has which row of the ring table; and the cache
 * by which the hot path finds it.
 */
#ifndef _GRTRACE_OWNERS_H
#define _GRTRACE_OWNERS_H

#include <linux/types.h>

/* All under the lock of the ring table, where nothing else is said. */

/* The number of row @row now; 0: none. */
void grt_owners_set_number(u32 row, u32 number);
u32 grt_owners_number(u32 row);
void grt_owners_set(u32 row, const void *owner);
void grt_owners_drop(u32 row);
/*
 * The row that @owner has, 0 if none.  Without the lock a row may move to another slot
 * underneath: then others are looked at, so many at most, and an owner may be missed.
 */
u32 grt_owners_find(const void *owner);
/* Work of @ctx at @owner is of ring @number.  An evicted context is merely learned again. */
void grt_owners_remember(const void *owner, u64 ctx, u32 number);
/* No context is known any more.  No session may be running; no lock is needed. */
void grt_owners_forget(void);
size_t grt_owners_bytes(void);

#endif
