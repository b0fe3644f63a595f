/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Watch lists: keep only the listed contexts and rings, or all others.
 */
#ifndef _GRTRACE_WATCH_H
#define _GRTRACE_WATCH_H

#include "ringset.h"

#define GRT_WATCH_CTXS		128
#define GRT_WATCH_SLOTS		256	/* a power of two, never full */

struct grt_watch {
	u64 is_allow;		/* 1: keep what is listed; 0: keep the rest */
	u64 is_or;		/* 1: being in one of the two lists is enough */
	u32 live;		/* index of the table of contexts in use */
	struct grt_watch_ctxs {
		u32 nr;
		u64 slots[GRT_WATCH_SLOTS];	/* hashed; 0 = free */
	} ctxs[2];
	u64 kept[GRT_WATCH_SLOTS];	/* hashed: contexts that are kept on every ring */
	struct grt_ringset rings;
};

/* Multiplicative hash (2^64 / golden ratio): it spreads neighbouring contexts evenly. */
static __always_inline u32 grt_watch_slot(u64 ctx)
{
	return ctx * 0x9e3779b97f4a7c15ull >> 56;
}

static inline bool grt_watch_has_ctxs(const struct grt_watch *w)
{
	return w->ctxs[READ_ONCE(w->live)].nr;
}

/*
 * True: events of @ctx are kept on every ring.  False: not decided, call grt_watch_refuses().
 * It reads one entry of a table.
 */
static __always_inline bool grt_watch_keeps(const struct grt_watch *w, u64 ctx)
{
	return READ_ONCE(w->kept[grt_watch_slot(ctx)]) == ctx;
}

static inline bool grt_watch_is_used(const struct grt_watch *w)
{
	return grt_watch_has_ctxs(w) || w->rings.nr;
}

/* Adds a context.  False: the list is full, or @ctx is 0.  True if it is listed already. */
bool grt_watch_add_ctx(struct grt_watch *w, u64 ctx);
/*
 * Replaces the contexts of @to by those of @from at once, while events read @to.  Before the
 * next call, wait until events that read the old table are over.
 */
void grt_watch_put_ctxs(struct grt_watch *to, const struct grt_watch *from);

/*
 * Call it before the first use and after each change of the lists or of their mode.  Events
 * that read the lists meanwhile see each context in its old or its new state.
 */
void grt_watch_prepare(struct grt_watch *w);

/*
 * Are events of this context and ring refused?  0 = not known: such an event is refused only
 * if the known part decides.  An empty list decides nothing.
 */
bool grt_watch_refuses(const struct grt_watch *w, u64 ctx, u32 ring);

#endif
