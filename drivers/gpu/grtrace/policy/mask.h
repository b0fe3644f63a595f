/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which events are wanted at all: masks of types and engine classes, one ring.
 */
#ifndef _GRTRACE_MASK_H
#define _GRTRACE_MASK_H

#include <linux/jump_label.h>
#include <linux/types.h>
#include <uapi/linux/grtrace.h>

/* 0 in a member: all pass. */
struct grt_mask {
	u64 types;	/* bit N: type N */
	u64 engines;	/* bit N: engine class N */
	u64 ring;
};

extern struct grt_mask grt_mask;

/* On only while a member of grt_mask is not 0. */
DECLARE_STATIC_KEY_FALSE(grtrace_masked);

/* After a change of grt_mask.  May sleep. */
void grt_mask_apply(void);

/* Engine class of a row of the ring registry; rings.c. */
unsigned int grt_ring_engine(u32 ring);

/*
 * The fate of an event of @type on @ring as far as the masks go.  An event whose
 * ring is not known, or that has none, passes those of engine and ring.
 */
enum grtrace_fate grt_mask_fate(u16 type, u32 ring);

#endif
