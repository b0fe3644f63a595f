/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set of rings that the user listed by row or by name.  A name may be listed before a ring
 * with that name appears.
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
	u64 rows[GRT_RINGSET_ROWS / 64];	/* bit per row: its ring is in the set */
};

/* Is the set not empty?  Call it before grt_ringset_has(). */
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
 * Adds a ring: a row, a name or device/name, such as "17", "gfx" or "0000:03:00.0/gfx".
 * False: the set is full, or the word is none of these.  True if it is in the set already.
 */
bool grt_ringset_add(struct grt_ringset *s, const char *word);
/*
 * Replaces @to by @from while events read @to: a row whose bit is the same in both never
 * flickers.  @from must have been matched against all rings.
 */
void grt_ringset_put(struct grt_ringset *to, const struct grt_ringset *from);

/* Row @row gets a ring with that name: sets or clears its bit, as the set lists the ring. */
void grt_ringset_match_row(struct grt_ringset *s, u32 row, const char *device, const char *name);
/* All rows lose their names: keeps the bits of rows that are listed by number only. */
void grt_ringset_clear_names(struct grt_ringset *s);

/* Writes the set to @to, such as "0,gfx"; returns the length, less than @room. */
size_t grt_ringset_format(const struct grt_ringset *s, char *to, size_t room);

#endif
