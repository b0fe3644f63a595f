/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Watch lists: only these contexts and rings, or all but these.
 */
#ifndef _GRTRACE_WATCH_H
#define _GRTRACE_WATCH_H

#include "ringset.h"

#define GRT_WATCH_CTXS		128
#define GRT_WATCH_SLOTS		256	/* a power of two, never full */

struct grt_watch {
	u64 is_allow;		/* 1: what is listed is kept; 0: all else is */
	u64 is_or;		/* it is enough to be in one of two lists */
	u32 live;		/* which of the two tables of contexts holds */
	struct grt_watch_ctxs {
		u32 nr;
		u64 slots[GRT_WATCH_SLOTS];	/* hashed; 0 = free */
	} ctxs[2];
	u64 kept[GRT_WATCH_SLOTS];	/* hashed: contexts that are kept, whatever their ring */
	struct grt_ringset rings;
};

/* A few bits of the product of @ctx and 2^64 / the golden ratio spread neighbours evenly. */
static __always_inline u32 grt_watch_slot(u64 ctx)
{
	return ctx * 0x9e3779b97f4a7c15ull >> 56;
}

static inline bool grt_watch_has_ctxs(const struct grt_watch *w)
{
	return w->ctxs[w->live].nr;
}

/* Whether @ctx is kept for certain, at one look.  False: ask grt_watch_refuses(). */
static __always_inline bool grt_watch_keeps(const struct grt_watch *w, u64 ctx)
{
	return READ_ONCE(w->kept[grt_watch_slot(ctx)]) == ctx;
}

static inline bool grt_watch_is_used(const struct grt_watch *w)
{
	return w->ctxs[w->live].nr || w->rings.nr;
}

/* False: no room, or 0.  One that is listed already is added no second time. */
bool grt_watch_add_ctx(struct grt_watch *w, u64 ctx);
/*
 * The contexts of @from take the place of those of @to, at once, while events look at
 * them.  Before the next time all these must have gone.
 */
void grt_watch_put_ctxs(struct grt_watch *to, const struct grt_watch *from);

/*
 * After a change of the lists or of how they are used, and before the first use.  Events may
 * look meanwhile: for them a context is kept as before, or as it is now.
 */
void grt_watch_prepare(struct grt_watch *w);

/*
 * Whether events of this context and ring are refused.  0: not known; then they are
 * refused only if that does not matter.  An empty list says nothing.
 */
bool grt_watch_refuses(const struct grt_watch *w, u64 ctx, u32 ring);

#endif
