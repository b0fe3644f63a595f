// SPDX-License-Identifier: GPL-2.0
/*
 * Owners of rings.
 *
 * The cache maps (context, owner) to a ring number.  A hit counts only if the row still has
 * that owner, so a torn entry does no harm.
 */
#include <linux/export.h>
#include <linux/grtrace_hook.h>
#include <linux/hash.h>
#include <linux/kernel.h>

#include "owners.h"
#include "rings.h"

#define MAX_ROWS	GRTRACE_MAX_RINGS	/* row 0 means "not known" */
#define CACHE_BITS	15
#define CACHE_WAYS	8		/* entries to search for one context */
#define OWNER_BITS	10

static const void *owners[MAX_ROWS];	/* this and the next two are indexed by row */
static u32 numbers[MAX_ROWS];
static u16 next_owner[MAX_ROWS];
static u16 owner_slots[1 << OWNER_BITS];	/* hash of owner -> row, 0 = empty */
static struct cached {
	u32 number;		/* 0 = empty */
	u32 ctx;		/* its low half */
} cache[1 << CACHE_BITS];

/*
 * The key is both, because a context may have many owners, and an owner many contexts.  The low
 * half of the context is enough: it repeats after four billion contexts, and even then the
 * result is a ring of the same owner.
 */
static __always_inline u32 cache_slot(const void *owner, u64 ctx)
{
	return ((unsigned long)owner + ctx) * GOLDEN_RATIO_64 >> (64 - CACHE_BITS);
}

static __always_inline struct cached *cache_at(u32 slot)
{
	return &cache[slot & ((1 << CACHE_BITS) - 1)];
}

/* Is the ring in this entry?  An empty entry has row 0, whose owner is NULL and never matches. */
static __always_inline bool is_at(const void *owner, u64 ctx, u32 slot, u32 *number)
{
	const struct cached *c = cache_at(slot);

	if (unlikely(READ_ONCE(c->ctx) != (u32)ctx))
		return false;
	*number = READ_ONCE(c->number);
	return likely(READ_ONCE(owners[grt_ring_row(*number)]) == owner);
}

/*
 * Entries are filled in order and stay filled while a session runs, so the first empty entry
 * ends the search.
 */
static noinline u32 find_elsewhere(const void *owner, u64 ctx)
{
	u32 number, slot = cache_slot(owner, ctx);
	unsigned int way;

	for (way = 0; way < CACHE_WAYS - 1 && READ_ONCE(cache_at(slot + way)->number); way++)
		if (is_at(owner, ctx, slot + way + 1, &number))
			return number;
	return GRTRACE_NO_RING;
}

static noinline u32 find_without_ctx(const void *owner, u64 ctx)
{
	return find_elsewhere(owner, ctx) ?: grtrace_ring_of_owner(owner);
}

/* Most contexts are in their first entry, found without a call; @elsewhere searches the others. */
static __always_inline u32 find(const void *owner, u64 ctx,
				u32 (*elsewhere)(const void *owner, u64 ctx))
{
	u32 number;

	if (likely(is_at(owner, ctx, cache_slot(owner, ctx), &number)))
		return number;
	return elsewhere(owner, ctx);
}

u32 grtrace_ring_cached(const void *owner, u64 ctx)
{
	return find(owner, ctx, find_elsewhere);
}
EXPORT_SYMBOL_GPL(grtrace_ring_cached);

u32 grtrace_ring_find(const void *owner, u64 ctx)
{
	return find(owner, ctx, find_without_ctx);
}
EXPORT_SYMBOL_GPL(grtrace_ring_find);

/*
 * Takes no lock.  Two CPUs that write one entry at once may leave a mix; is_at() accepts it only
 * if the number belongs to the right owner.
 */
void grt_owners_cache(const void *owner, u64 ctx, u32 number)
{
	static unsigned int last_victim;
	u32 slot = cache_slot(owner, ctx), other;
	struct cached *to;
	unsigned int way;

	for (way = 0; way < CACHE_WAYS; way++) {
		to = cache_at(slot + way);
		other = READ_ONCE(to->number);
		/* An entry whose ring has no row any more may be overwritten. */
		if (!other || READ_ONCE(numbers[grt_ring_row(other)]) != other)
			break;
	}
	if (way == CACHE_WAYS) {
		way = READ_ONCE(last_victim) + 1;
		WRITE_ONCE(last_victim, way);
		to = cache_at(slot + way % CACHE_WAYS);
	}
	WRITE_ONCE(to->number, number);
	WRITE_ONCE(to->ctx, ctx);
}

static u16 *owner_slot(const void *owner)
{
	return &owner_slots[hash_ptr(owner, OWNER_BITS)];
}

u32 grt_owners_find(const void *owner)
{
	u32 left = MAX_ROWS, row = READ_ONCE(*owner_slot(owner));

	for (; row && left; left--, row = READ_ONCE(next_owner[row]))
		if (READ_ONCE(owners[row]) == owner)
			return row;
	return GRTRACE_NO_RING;
}

void grt_owners_drop(u32 row)
{
	u16 *at = owner_slot(owners[row]);

	if (!owners[row])
		return;
	while (*at != row)
		at = &next_owner[*at];
	WRITE_ONCE(*at, next_owner[row]);
	WRITE_ONCE(owners[row], NULL);
}

void grt_owners_set(u32 row, const void *owner)
{
	u16 *slot = owner_slot(owner);

	WRITE_ONCE(next_owner[row], *slot);
	smp_store_release(&owners[row], owner);	/* after the number: see grtrace_ring_of_owner() */
	smp_store_release(slot, row);		/* pairs with grt_owners_find() */
}

u32 grtrace_ring_of_owner(const void *owner)
{
	u32 row = grt_owners_find(owner);

	/* Pairs with grt_owners_set(). */
	return row && smp_load_acquire(&owners[row]) == owner ? READ_ONCE(numbers[row]) :
								GRTRACE_NO_RING;
}
EXPORT_SYMBOL_GPL(grtrace_ring_of_owner);

void grt_owners_set_number(u32 row, u32 number)
{
	WRITE_ONCE(numbers[row], number);
}

u32 grt_owners_number(u32 row)
{
	return numbers[row];
}

void grt_owners_clear(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cache); i++)
		WRITE_ONCE(cache[i].number, 0);
}

size_t grt_owners_bytes(void)
{
	return sizeof(owners) + sizeof(numbers) + sizeof(next_owner) + sizeof(owner_slots) +
	       sizeof(cache);
}
