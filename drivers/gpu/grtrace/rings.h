/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ring registry: which number stands for which ring.  Row 0 means "cannot
 * tell".
 */
#ifndef _GRTRACE_RINGS_H
#define _GRTRACE_RINGS_H

#include <linux/types.h>
#include <uapi/linux/grtrace.h>

struct grt_ringset;

int grt_rings_create(void);
void grt_rings_destroy(void);
/* Forgets the rings that were learned; registered ones stay. */
void grt_rings_reset(void);

/* Row @i in order of appearance; false if there is none (yet). */
bool grt_ring_copy(u32 i, struct grtrace_ring *to);
/*
 * Puts a set in the place of one of the policy's or of a rule's, once it has met all rings.
 * Under the session lock.
 */
void grt_rings_put_set(struct grt_ringset *to, struct grt_ringset *from);
/* Engine class of a row. */
unsigned int grt_ring_engine(u32 ring);
/*
 * Makes up row @ring, for events written by hand.  0; -EBUSY if it is taken by
 * a real ring of another engine; -EINVAL if there is no such row.
 */
int grt_ring_make_up(u32 ring, enum grtrace_engine engine);
/* name=value lines for METADATA; returns the length. */
size_t grt_rings_describe(char *to, size_t room);

#endif
