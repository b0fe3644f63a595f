// SPDX-License-Identifier: GPL-2.0
/*
 * The ring registry.
 *
 * A ring that an adapter meets is known by (owner, fence context): an owner's
 * address may be used again by another ring, but a fence context never is.  So a
 * new context always takes the slow path once, which sees whether the owner is
 * still what it was.  The cache holds context -> row, and a hit counts only if
 * the row still has that owner: a torn entry therefore cannot mislead.
 */
#include <linux/export.h>
#include <linux/grtrace_hook.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "police.h"
#include "policy/ringset.h"
#include "rings.h"
#include "session.h"

#define MAX_ROWS	GRTRACE_MAX_RINGS	/* row 0 is "cannot tell" */
#define CACHE_BITS	12
#define CACHE_WAYS	4	/* places that one context may stand in */

enum row_kind { ROW_FREE, ROW_LEARNED, ROW_REGISTERED, ROW_MADE_UP };

struct row {
	enum row_kind kind;
	char hw_name[32];
	struct grtrace_ring def;
};

struct cached {
	u64 ctx;
	u32 row;
};

static struct row *rows;
static const void *owners[MAX_ROWS];	/* by row; apart, because the hot path reads it */
static struct cached cache[1 << CACHE_BITS];
static u16 *order;		/* rows in order of appearance */
static u32 nr_order;
static DEFINE_RAW_SPINLOCK(rings_lock);

int grt_rings_create(void)
{
	rows = kvcalloc(MAX_ROWS, sizeof(*rows), GFP_KERNEL);
	order = kvcalloc(MAX_ROWS, sizeof(*order), GFP_KERNEL);
	if (rows && order)
		return 0;
	grt_rings_destroy();
	return -ENOMEM;
}

void grt_rings_destroy(void)
{
	kvfree(rows);
	kvfree(order);
}

/* A scheduler takes two contexts per entity: the low bit says nothing. */
static struct cached *cache_slot(u64 ctx, unsigned int way)
{
	return &cache[((ctx >> 1) + way) & ((1 << CACHE_BITS) - 1)];
}

unsigned int grt_ring_engine(u32 ring)
{
	return ring < MAX_ROWS ? READ_ONCE(rows[ring].def.engine) : GRTRACE_ENGINE_OTHER;
}

static u32 find_in_way(const void *owner, u64 ctx, unsigned int way)
{
	const struct cached *c = cache_slot(ctx, way);
	u32 row;

	if (unlikely(READ_ONCE(c->ctx) != ctx))
		return GRTRACE_NO_RING;
	row = READ_ONCE(c->row);
	return likely(READ_ONCE(owners[row]) == owner) ? row : GRTRACE_NO_RING;
}

static noinline u32 find_elsewhere(const void *owner, u64 ctx)
{
	unsigned int way;
	u32 row = GRTRACE_NO_RING;

	for (way = 1; way < CACHE_WAYS && !row; way++)
		row = find_in_way(owner, ctx, way);
	return row;
}

u32 grtrace_ring_find(const void *owner, u64 ctx)
{
	u32 row = find_in_way(owner, ctx, 0);

	return likely(row) ? row : find_elsewhere(owner, ctx);
}
EXPORT_SYMBOL_GPL(grtrace_ring_find);

/* Under rings_lock.  An evicted context is merely learned again. */
static void remember(u64 ctx, u32 row)
{
	struct cached *c = cache_slot(ctx, 0);
	unsigned int way;

	for (way = 0; way < CACHE_WAYS; way++) {
		if (!cache_slot(ctx, way)->ctx) {
			c = cache_slot(ctx, way);
			break;
		}
	}
	WRITE_ONCE(c->row, row);
	WRITE_ONCE(c->ctx, ctx);
}

static bool is_same(const struct grtrace_ring *def, const struct grtrace_ring_desc *desc)
{
	return !strncmp(def->name, desc->name, sizeof(def->name) - 1) &&
	       !strncmp(def->device, desc->device, sizeof(def->device) - 1);
}

/* The first row whose hardware it shares, else itself. */
static u32 hw_ring_of(u32 row, const struct grtrace_ring_desc *desc)
{
	u32 i;

	for (i = 0; desc->hw_name && i < nr_order; i++) {
		const struct row *other = &rows[order[i]];

		if (!strcmp(other->hw_name, desc->hw_name) &&
		    !strncmp(other->def.device, desc->device,
			     sizeof(other->def.device) - 1))
			return other->def.hw_ring;
	}
	return row;
}

/* Under rings_lock. */
static void fill_row(u32 row, enum row_kind kind, const struct grtrace_ring_desc *desc)
{
	struct row *r = &rows[row];

	r->kind = kind;
	r->def = (struct grtrace_ring){
		.hdr.type = GRTRACE_RING,
		.hdr.size = sizeof(r->def),
		.hdr.cpu = raw_smp_processor_id(),
		.hdr.ts = ktime_get_mono_fast_ns(),
		.ring = row,
		.hw_ring = hw_ring_of(row, desc),
		.engine = desc->engine,
		.order = desc->order,
		.credit_limit = desc->credit_limit,
	};
	strscpy(r->def.name, desc->name, sizeof(r->def.name));
	strscpy(r->def.device, desc->device, sizeof(r->def.device));
	strscpy(r->def.driver, desc->driver, sizeof(r->def.driver));
	strscpy(r->hw_name, desc->hw_name ?: "", sizeof(r->hw_name));
	grt_police_meet(row, r->def.device, r->def.name);
	order[nr_order] = row;
	smp_store_release(&nr_order, nr_order + 1);	/* pairs with grt_ring_copy() */
}

/* Under rings_lock.  The lowest free row, 0 if there is none. */
static u32 free_row(void)
{
	u32 row;

	for (row = 1; row < MAX_ROWS; row++)
		if (rows[row].kind == ROW_FREE)
			return row;
	return GRTRACE_NO_RING;
}

u32 grtrace_ring_of(const void *owner)
{
	u32 i, nr = smp_load_acquire(&nr_order);	/* pairs with fill_row() */

	for (i = 0; i < nr; i++)
		if (READ_ONCE(owners[order[i]]) == owner)
			return order[i];
	return GRTRACE_NO_RING;
}
EXPORT_SYMBOL_GPL(grtrace_ring_of);

u32 grtrace_ring_learn(const void *owner, u64 ctx,
		       const struct grtrace_ring_desc *desc)
{
	unsigned long flags;
	u32 i, row = GRTRACE_NO_RING;

	raw_spin_lock_irqsave(&rings_lock, flags);
	for (i = 0; i < nr_order; i++) {
		if (owners[order[i]] != owner)
			continue;
		if (is_same(&rows[order[i]].def, desc))
			row = order[i];
		else	/* the address lives on, the ring does not */
			WRITE_ONCE(owners[order[i]], NULL);
	}
	if (!row) {
		row = free_row();
		if (row) {
			fill_row(row, ROW_LEARNED, desc);
			WRITE_ONCE(owners[row], owner);
		}
	}
	if (row)
		remember(ctx, row);
	raw_spin_unlock_irqrestore(&rings_lock, flags);
	return row;
}
EXPORT_SYMBOL_GPL(grtrace_ring_learn);

u32 grtrace_ring_register(const struct grtrace_ring_desc *desc)
{
	unsigned long flags;
	u32 row;

	raw_spin_lock_irqsave(&rings_lock, flags);
	row = free_row();
	if (row)
		fill_row(row, ROW_REGISTERED, desc);
	raw_spin_unlock_irqrestore(&rings_lock, flags);
	return row;
}
EXPORT_SYMBOL_GPL(grtrace_ring_register);

void grtrace_ring_unregister(u32 ring)
{
	unsigned long flags;

	/* Its events may still be read: the next session forgets it. */
	raw_spin_lock_irqsave(&rings_lock, flags);
	if (ring && ring < MAX_ROWS && rows[ring].kind == ROW_REGISTERED)
		rows[ring].kind = ROW_LEARNED;
	raw_spin_unlock_irqrestore(&rings_lock, flags);
}
EXPORT_SYMBOL_GPL(grtrace_ring_unregister);

int grt_ring_make_up(u32 ring, enum grtrace_engine engine)
{
	struct grtrace_ring_desc desc = {
		.device = "emit", .driver = "emit", .engine = engine,
	};
	unsigned long flags;
	char name[16];
	int err = 0;

	if (ring >= MAX_ROWS)
		return -EINVAL;
	snprintf(name, sizeof(name), "ring%u", ring);
	desc.name = name;
	raw_spin_lock_irqsave(&rings_lock, flags);
	if (ring && rows[ring].kind == ROW_FREE)
		fill_row(ring, ROW_MADE_UP, &desc);
	else if (ring && rows[ring].def.engine != engine)
		err = -EBUSY;
	raw_spin_unlock_irqrestore(&rings_lock, flags);
	return err;
}

void grt_rings_reset(void)
{
	u32 i, kept = 0;

	raw_spin_lock_irq(&rings_lock);
	grt_police_forget();
	for (i = 0; i < nr_order; i++) {
		u32 row = order[i];

		if (rows[row].kind == ROW_REGISTERED) {
			grt_police_meet(row, rows[row].def.device, rows[row].def.name);
			order[kept++] = row;
			continue;
		}
		WRITE_ONCE(owners[row], NULL);
		memset(&rows[row], 0, sizeof(rows[row]));
	}
	smp_store_release(&nr_order, kept);	/* pairs with grt_ring_copy() */
	memset(cache, 0, sizeof(*cache) << CACHE_BITS);
	raw_spin_unlock_irq(&rings_lock);
}

bool grt_ring_copy(u32 i, struct grtrace_ring *to)
{
	if (i >= smp_load_acquire(&nr_order))	/* pairs with fill_row() */
		return false;
	*to = rows[order[i]].def;
	return true;
}

/* @set meets the rings from *@i on, in order of appearance. */
static void meet_rings(struct grt_ringset *set, u32 *i)
{
	struct grtrace_ring ring;

	for (; grt_ring_copy(*i, &ring); ++*i)
		grt_ringset_meet(set, ring.ring, ring.device, ring.name);
}

void grt_rings_put_set(struct grt_ringset *to, struct grt_ringset *from)
{
	bool has_table = grt_session.dir;	/* not yet, or no more, as a parameter */
	u32 i = 0;

	lockdep_assert_held(&grt_session.lock);
	if (has_table)
		meet_rings(from, &i);
	raw_spin_lock_irq(&rings_lock);
	if (has_table)
		meet_rings(from, &i);	/* those that came meanwhile */
	grt_ringset_put(to, from);
	raw_spin_unlock_irq(&rings_lock);
}

/* A ring's driver, once each. */
size_t grt_rings_describe(char *to, size_t room)
{
	struct grtrace_ring ring, other;
	size_t at = 0;
	u32 i, j;

	for (i = 0; grt_ring_copy(i, &ring); i++) {
		for (j = 0; j < i && grt_ring_copy(j, &other); j++)
			if (!strcmp(ring.device, other.device))
				break;
		if (j == i)
			at += scnprintf(to + at, room - at, "gpu.%s=%s\n",
					ring.device, ring.driver);
	}
	return at;
}

bool grtrace_ring_describe(u32 ring, struct grtrace_ring *to)
{
	u32 i, nr = smp_load_acquire(&nr_order);	/* pairs with fill_row() */

	for (i = 0; i < nr; i++) {
		if (order[i] != ring)
			continue;
		*to = rows[ring].def;
		return true;
	}
	return false;
}
EXPORT_SYMBOL_GPL(grtrace_ring_describe);
