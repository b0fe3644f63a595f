/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rings that somebody named: by row of the ring table or by name, before or after such
 * a ring is met.
 */
#ifndef _GRTRACE_RINGSET_H
#define _GRTRACE_RINGSET_H

#include <asm/barrier.h>
#include <linux/compiler.h>
#include <linux/types.h>

#define GRT_RINGSET_ROWS	1024	/* a power of two */
#define GRT_RINGSET_ITEMS	32
#define GRT_RINGSET_NAME	64	/* "device/name", with its NUL */

struct grt_ringset {
	u32 nr;
	struct grt_ringset_item {
		char name[GRT_RINGSET_NAME];	/* "" = row */
		u32 row;
	} item[GRT_RINGSET_ITEMS];
	u64 rows[GRT_RINGSET_ROWS / 64];	/* a bit per row that is in the set */
};

/* To be asked before grt_ringset_has(). */
static inline bool grt_ringset_is_used(const struct grt_ringset *s)
{
	return smp_load_acquire(&s->nr);	/* pairs with grt_ringset_put() */
}

/* @ring: a ring's number, whose low bits are its row, or the row itself. */
static inline bool grt_ringset_has(const struct grt_ringset *s, u32 ring)
{
	u32 row = ring % GRT_RINGSET_ROWS;

	return READ_ONCE(s->rows[row / 64]) >> (row % 64) & 1;
}

/*
 * Adds "17", "gfx" or "0000:03:00.0/gfx".  False: the set is full, or the word is
 * none of these.  One that is in the set already is added no second time.
 */
bool grt_ringset_add(struct grt_ringset *s, const char *word);
/*
 * @from takes the place of @to while events look at it: a row that is in both, or in
 * neither, is so all the time.  @from has met all rings.
 */
void grt_ringset_put(struct grt_ringset *to, const struct grt_ringset *from);

/* What row @row is called from now on: it is in the sets that name it, and in no other. */
void grt_ringset_meet(struct grt_ringset *s, u32 row, const char *device, const char *name);
/* No row has a name any more. */
void grt_ringset_forget(struct grt_ringset *s);

/* "0,gfx" into @to; the length, less than @room. */
size_t grt_ringset_format(const struct grt_ringset *s, char *to, size_t room);

#endif
