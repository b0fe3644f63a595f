/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Maps an owner (the address of a scheduler) to its row of the ring table, with a cache for the
 * hot path.
 */
#ifndef _GRTRACE_OWNERS_H
#define _GRTRACE_OWNERS_H

#include <linux/types.h>

/* Call these under the lock of the ring table, unless the comment says otherwise. */

/* Sets and returns the ring number of row @row; 0 = none. */
void grt_owners_set_number(u32 row, u32 number);
u32 grt_owners_number(u32 row);
void grt_owners_set(u32 row, const void *owner);
void grt_owners_drop(u32 row);
/*
 * Returns the row of @owner, 0 if none.  It may run without the lock.  Then a row may move to
 * another chain during the search; the search is bounded, and may miss the owner.
 */
u32 grt_owners_find(const void *owner);
/* Caches that (@owner, @ctx) is ring @number.  It may evict a context, which is learned again. */
void grt_owners_cache(const void *owner, u64 ctx, u32 number);
/* Empties the cache.  No session may be running; no lock is needed. */
void grt_owners_clear(void);
size_t grt_owners_bytes(void);

#endif
