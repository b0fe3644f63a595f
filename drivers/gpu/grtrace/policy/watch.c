// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/string.h>

#include "watch.h"

enum answer { NO, YES, UNKNOWN };

/* The slot that @ctx has or would get. */
static u32 slot_of(const struct grt_watch_ctxs *list, u64 ctx)
{
	u32 i = grt_watch_slot(ctx);

	while (list->slots[i] && list->slots[i] != ctx)
		i = (i + 1) % GRT_WATCH_SLOTS;
	return i;
}

bool grt_watch_add_ctx(struct grt_watch *w, u64 ctx)
{
	struct grt_watch_ctxs *list = &w->ctxs[w->live];
	u32 i = slot_of(list, ctx);

	if (!ctx)
		return false;
	if (list->slots[i] == ctx)
		return true;
	if (list->nr == GRT_WATCH_CTXS)
		return false;
	list->slots[i] = ctx;
	list->nr++;
	return true;
}

void grt_watch_put_ctxs(struct grt_watch *to, const struct grt_watch *from)
{
	u32 spare = !to->live;

	to->ctxs[spare] = from->ctxs[from->live];
	smp_store_release(&to->live, spare);	/* pairs with is_listed() */
}

/*
 * The value of a free slot of kept[]: a context that no look-up searches in that slot.  It is 0,
 * except in the slot of context 0, which holds 1, because context 1 has another slot.
 */
static u64 nobody_at(u32 slot)
{
	return slot == grt_watch_slot(0);
}

void grt_watch_prepare(struct grt_watch *w)
{
	const struct grt_watch_ctxs *list = &w->ctxs[w->live];
	bool is_enough = w->is_allow && (w->is_or || !w->rings.nr);
	u64 ctx;
	u32 i;

	for (i = 0; i < GRT_WATCH_SLOTS; i++) {
		ctx = is_enough ? list->slots[i] : 0;
		WRITE_ONCE(w->kept[i], ctx ?: nobody_at(i));
	}
}

static enum answer is_listed(const struct grt_watch *w, u64 ctx, u32 ring)
{
	/* Pairs with grt_watch_put_ctxs(). */
	const struct grt_watch_ctxs *list = &w->ctxs[smp_load_acquire(&w->live)];
	bool has_rings = grt_ringset_is_used(&w->rings);
	enum answer of_ctx, of_ring;

	if (!list->nr && !has_rings)
		return UNKNOWN;
	of_ctx = !ctx ? UNKNOWN : list->slots[slot_of(list, ctx)] == ctx ? YES : NO;
	of_ring = !ring ? UNKNOWN : grt_ringset_has(&w->rings, ring) ? YES : NO;
	if (!list->nr)
		return of_ring;
	if (!has_rings || of_ctx == of_ring)
		return of_ctx;
	if (READ_ONCE(w->is_or))
		return of_ctx == YES || of_ring == YES ? YES : UNKNOWN;
	return of_ctx == NO || of_ring == NO ? NO : UNKNOWN;
}

bool grt_watch_refuses(const struct grt_watch *w, u64 ctx, u32 ring)
{
	return is_listed(w, ctx, ring) == (READ_ONCE(w->is_allow) ? NO : YES);
}
