/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ring registry: which number stands for which ring.  0 means "cannot tell".
 */
#ifndef _GRTRACE_RINGS_H
#define _GRTRACE_RINGS_H

#include <linux/grtrace_hook.h>
#include <linux/types.h>
#include <uapi/linux/grtrace.h>

#include "line.h"

struct grt_ringset;

/*
 * A number is a row of the table, below GRTRACE_MAX_RINGS, and how often that row was used
 * again: no number stands for two rings in one session.
 */
static inline u32 grt_ring_row(u32 ring)
{
	return ring & (GRTRACE_MAX_RINGS - 1);
}

int grt_rings_create(void);
void grt_rings_destroy(void);
/* Forgets the rings that were learned; registered ones stay.  Sleeps. */
void grt_rings_reset(void);

/* The next row behind @at, in order of appearance; false if there is none (yet). */
bool grt_ring_copy(struct grt_line_cursor *at, struct grtrace_ring *to);
/* Is a ring of that name and device in the table? */
bool grt_ring_is_met(const struct grtrace_ring *def);
/*
 * Puts a set in the place of one of the policy's or of a rule's, once it has met all rings.
 * Under the session lock.
 */
void grt_rings_put_set(struct grt_ringset *to, struct grt_ringset *from);
/* Engine class of a ring. */
unsigned int grt_ring_engine(u32 ring);
/*
 * Makes up row @ring, for events written by hand.  0; -EBUSY if it is taken by
 * a real ring of another engine; -EINVAL if there is no such row.
 */
int grt_ring_make_up(u32 ring, enum grtrace_engine engine);
/* Rings that found no row. */
u32 grt_rings_lost(void);
/* Bytes that the table takes. */
size_t grt_rings_bytes(void);
/* name=value lines for METADATA; returns the length. */
size_t grt_rings_describe(char *to, size_t room);

#endif
