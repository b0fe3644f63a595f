// SPDX-License-Identifier: GPL-2.0
/*
 * Owners of rings.
 *
 * The cache holds (context, owner) -> number, and a hit counts only if the row still has
 * that owner: a torn entry therefore cannot mislead.
 */
#include <linux/export.h>
#include <linux/grtrace_hook.h>
#include <linux/hash.h>
#include <linux/kernel.h>

#include "owners.h"
#include "rings.h"

#define MAX_ROWS	GRTRACE_MAX_RINGS	/* row 0 is "cannot tell" */
#define CACHE_BITS	15
#define CACHE_WAYS	8		/* places that one context may stand in */
#define OWNER_BITS	10

static const void *owners[MAX_ROWS];	/* by row, as the next two */
static u32 numbers[MAX_ROWS];
static u16 next_owner[MAX_ROWS];
static u16 owner_slots[1 << OWNER_BITS];	/* hash of owner -> row, 0 = empty */
static struct cached {
	u32 number;		/* 0 = empty */
	u32 ctx;		/* its low half */
} cache[1 << CACHE_BITS];

/*
 * An entity may be served by many owners, and an owner serves many entities.  Of a context
 * half is enough: the other half changes after four billion contexts, and even then the
 * answer is a row of this very owner.
 */
static __always_inline u32 cache_slot(const void *owner, u64 ctx)
{
	return ((unsigned long)owner + ctx) * GOLDEN_RATIO_64 >> (64 - CACHE_BITS);
}

static __always_inline struct cached *cache_at(u32 slot)
{
	return &cache[slot & ((1 << CACHE_BITS) - 1)];
}

/* Is it there?  Owners are never NULL, so what is found is a ring. */
static __always_inline bool is_at(const void *owner, u64 ctx, u32 slot, u32 *number)
{
	const struct cached *c = cache_at(slot);

	if (unlikely(READ_ONCE(c->ctx) != (u32)ctx))
		return false;
	*number = READ_ONCE(c->number);
	return likely(READ_ONCE(owners[grt_ring_row(*number)]) == owner);
}

/* Places fill in order, and stay filled while a session runs: behind an empty one is nothing. */
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
	return find_elsewhere(owner, ctx) ?: grtrace_ring_of(owner);
}

/* Most are where they belong, and found without a call; @elsewhere looks for the others. */
static __always_inline u32 find(const void *owner, u64 ctx,
				u32 (*elsewhere)(const void *owner, u64 ctx))
{
	u32 number;

	if (likely(is_at(owner, ctx, cache_slot(owner, ctx), &number)))
		return number;
	return elsewhere(owner, ctx);
}

u32 grtrace_ring_met(const void *owner, u64 ctx)
{
	return find(owner, ctx, find_elsewhere);
}
EXPORT_SYMBOL_GPL(grtrace_ring_met);

u32 grtrace_ring_find(const void *owner, u64 ctx)
{
	return find(owner, ctx, find_without_ctx);
}
EXPORT_SYMBOL_GPL(grtrace_ring_find);

/*
 * Without a lock: an entry that two CPUs write at once may be half of each, and counts only
 * if it is right by chance.
 */
void grt_owners_remember(const void *owner, u64 ctx, u32 number)
{
	static unsigned int last_victim;
	u32 slot = cache_slot(owner, ctx), other;
	struct cached *to;
	unsigned int way;

	for (way = 0; way < CACHE_WAYS; way++) {
		to = cache_at(slot + way);
		other = READ_ONCE(to->number);
		/* What has no row any more is as good as empty. */
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
	smp_store_release(&owners[row], owner);	/* so is the number: see grtrace_ring_of() */
	smp_store_release(slot, row);		/* pairs with grt_owners_find() */
}

u32 grtrace_ring_of(const void *owner)
{
	u32 row = grt_owners_find(owner);

	/* Pairs with grt_owners_set(). */
	return row && smp_load_acquire(&owners[row]) == owner ? READ_ONCE(numbers[row]) :
								GRTRACE_NO_RING;
}
EXPORT_SYMBOL_GPL(grtrace_ring_of);

void grt_owners_set_number(u32 row, u32 number)
{
	WRITE_ONCE(numbers[row], number);
}

u32 grt_owners_number(u32 row)
{
	return numbers[row];
}

void grt_owners_forget(void)
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
