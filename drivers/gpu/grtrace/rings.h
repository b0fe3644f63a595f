/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ring registry: gives each ring a number.  0 means that the ring is not known.
 */
#ifndef _GRTRACE_RINGS_H
#define _GRTRACE_RINGS_H

#include <linux/grtrace_hook.h>
#include <linux/types.h>
#include <uapi/linux/grtrace.h>

#include "line.h"

struct grt_ringset;

/*
 * A ring number is row + GRTRACE_MAX_RINGS * (earlier uses of that row), so in one session no
 * two rings have the same number.
 */
static inline u32 grt_ring_row(u32 ring)
{
	return ring & (GRTRACE_MAX_RINGS - 1);
}

int grt_rings_create(void);
void grt_rings_destroy(void);
/* Drops the rings that adapters found; registered rings stay.  Sleeps. */
void grt_rings_reset(void);

/* Copies the row after @at, in order of appearance, and moves @at; false if there is none yet. */
bool grt_ring_copy(struct grt_line_cursor *at, struct grtrace_ring *to);
/* Is a ring with that name and device in the table? */
bool grt_ring_is_listed(const struct grtrace_ring *def);
/*
 * Replaces the ring set @to of the policy or of a rule by @from, after matching @from against
 * all rings.  Under the session lock.
 */
void grt_rings_put_set(struct grt_ringset *to, struct grt_ringset *from);
/* The engine of a ring that is not known. */
#define GRT_NO_ENGINE	255
/*
 * The definition of a ring, or one with "-" for names if it is not known.  Takes no lock: if the
 * row gets another ring meanwhile, a name may be a mix of both, but it always ends in a NUL.
 */
const struct grtrace_ring *grt_ring_peek(u32 ring);
/* Engine class of a ring. */
unsigned int grt_ring_engine(u32 ring);
/*
 * Creates row @ring for events written by hand.  Returns 0; -EBUSY if the row has a
 * ring with another engine; -EINVAL if there is no such row.
 */
int grt_ring_make_up(u32 ring, enum grtrace_engine engine);
/* Number of rings that found no free row. */
u32 grt_rings_lost(void);
/* Bytes that the table takes. */
size_t grt_rings_bytes(void);
/* name=value lines for METADATA; returns the length. */
size_t grt_rings_describe(char *to, size_t room);

#endif
