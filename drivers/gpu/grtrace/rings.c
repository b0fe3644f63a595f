// SPDX-License-Identifier: GPL-2.0
/*
 * The ring registry.
 *
 * The key of a ring that an adapter finds is (owner, fence context): a new ring may
 * get an old owner's address, but a fence context is never used again.  So each new
 * context takes the slow path once, which checks whether the owner is still the same
 * ring.  owners.c maps owners to rows.
 *
 * The row of a ring that is gone is used again.  A ring with the same name and device takes
 * it at once: for a reader it is the same ring.  Another ring takes it only when no event of
 * the old ring can be read any more (recycle.c), and gets another number, because a recorded
 * trace has both: see grt_ring_row().
 */
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/export.h>
#include <linux/grtrace_hook.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/timekeeping.h>

#include "changes.h"
#include "gpus.h"
#include "known.h"
#include "owners.h"
#include "policy/ringset.h"
#include "recycle.h"
#include "rings.h"
#include "session.h"

#define MAX_ROWS	GRTRACE_MAX_RINGS	/* row 0 means "not known" */
#define LOW_ROWS	(MAX_ROWS / 4)	/* recycle when fewer rows are free */
#define NAME_BITS	6
#define LOST_BITS	8

enum row_kind { ROW_FREE, ROW_LEARNED, ROW_REGISTERED, ROW_MADE_UP };

struct row {
	enum row_kind kind;
	bool is_gone;			/* the ring is gone; the row is still in use */
	bool is_old;			/* see recycle.c */
	struct hlist_node gone_link;	/* of gone rows, by name */
	u32 uses;			/* earlier uses of this row in this session */
	struct grt_place place;
	char hw_name[32];
	char gpu_name[GRT_GPU_NAME];
	struct grtrace_ring def;
};

static struct row *rows;
static unsigned long used[BITS_TO_LONGS(MAX_ROWS)];
static u32 nr_used;
static struct hlist_head gone[1 << NAME_BITS];	/* rows whose ring is gone */
static struct grt_line line;		/* rows in order of appearance */
static const void *lost[1 << LOST_BITS];	/* owners that found no row */
static atomic_t nr_lost;
static DEFINE_RAW_SPINLOCK(rings_lock);

size_t grt_rings_bytes(void)
{
	return MAX_ROWS * sizeof(*rows) + grt_owners_bytes();
}

static bool is_same(const struct grtrace_ring *def, const struct grtrace_ring_desc *desc)
{
	return !strncmp(def->name, desc->name, sizeof(def->name) - 1) &&
	       !strncmp(def->device, desc->device, sizeof(def->device) - 1);
}

/* The number of the first ring with the same hardware ring, else @number. */
static u32 hw_ring_of(u32 number, const struct grtrace_ring_desc *desc)
{
	struct row *other;

	if (!desc->hw_name)
		return number;
	list_for_each_entry(other, &line.places, place.link)
		if (!strcmp(other->hw_name, desc->hw_name) &&
		    !strncmp(other->def.device, desc->device, sizeof(other->def.device) - 1))
			return other->def.hw_ring;
	return number;
}

/* Fills row @row for a new ring, with a number that no other ring had. */
static void fill_row(u32 row, enum row_kind kind, const struct grtrace_ring_desc *desc)
{
	struct row *r = &rows[row];
	u32 number = row + r->uses * MAX_ROWS;

	r->kind = kind;
	r->def = (struct grtrace_ring){
		.hdr.type = GRTRACE_RING,
		.hdr.size = sizeof(r->def),
		.hdr.cpu = raw_smp_processor_id(),
		.hdr.ts = ktime_get_mono_fast_ns(),
		.ring = number,
		.hw_ring = hw_ring_of(number, desc),
		.engine = desc->engine,
		.order = desc->order,
		.credit_limit = desc->credit_limit,
		.pci_id = desc->pci_id,
	};
	strscpy(r->def.name, desc->name, sizeof(r->def.name));
	strscpy(r->def.device, desc->device, sizeof(r->def.device));
	strscpy(r->def.driver, desc->driver, sizeof(r->def.driver));
	strscpy(r->hw_name, desc->hw_name ?: "", sizeof(r->hw_name));
	strscpy(r->gpu_name, desc->gpu_name ?: "", sizeof(r->gpu_name));
	__set_bit(row, used);
	WRITE_ONCE(nr_used, nr_used + 1);
	grt_owners_set_number(row, number);
	grt_listener->ring_added(row, r->def.device, r->def.name);
	grt_line_add(&line, &r->place);
}

static bool is_full(void)
{
	return READ_ONCE(nr_used) == MAX_ROWS;
}

/* The lowest free row, 0 if there is none. */
static u32 free_row(void)
{
	u32 row = find_first_zero_bit(used, MAX_ROWS);

	return row < MAX_ROWS ? row : GRTRACE_NO_RING;
}

static struct hlist_head *gone_slot(const char *name)
{
	return &gone[hash_32(full_name_hash(NULL, name, strnlen(name, sizeof(rows->def.name) - 1)),
			     NAME_BITS)];
}

/* Marks a ring as gone.  Its row stays: unread events need it, and more may follow. */
static void mark_gone(u32 row)
{
	struct row *r = &rows[row];

	if (r->is_gone || r->kind != ROW_LEARNED)
		return;
	WRITE_ONCE(r->is_gone, true);
	hlist_add_head(&r->gone_link, gone_slot(r->def.name));
}

/* Clears the marks "gone" and "old". */
static void unmark(u32 row)
{
	struct row *r = &rows[row];

	if (r->is_gone)
		hlist_del(&r->gone_link);
	WRITE_ONCE(r->is_gone, false);
	r->is_old = false;
}

/* The row of a gone ring with the same description, 0 if none. */
static u32 find_gone(const struct grtrace_ring_desc *desc)
{
	struct row *r;

	hlist_for_each_entry(r, gone_slot(desc->name), gone_link)
		if (is_same(&r->def, desc) && r->def.engine == desc->engine &&
		    r->def.order == desc->order && r->def.credit_limit == desc->credit_limit)
			return r - rows;
	return GRTRACE_NO_RING;
}

/* The row of @owner, if it still has that name and device; else 0. */
static u32 known_row(const void *owner, const struct grtrace_ring_desc *desc)
{
	u32 row = grt_owners_find(owner);

	if (row && !is_same(&rows[row].def, desc)) {
		/* A new ring has the address of an old one. */
		grt_owners_drop(row);
		mark_gone(row);
		row = GRTRACE_NO_RING;
	}
	return row;
}

static u32 new_row(const void *owner, const struct grtrace_ring_desc *desc)
{
	u32 row = find_gone(desc);

	if (row) {
		grt_owners_drop(row);
	} else {
		row = free_row();
		if (row)
			fill_row(row, ROW_LEARNED, desc);
	}
	if (row)
		grt_owners_set(row, owner);
	return row;
}

bool grtrace_ring_is_lost(const void *owner)
{
	const void **slot = &lost[hash_ptr(owner, LOST_BITS)];

	if (likely(!is_full()) || grt_owners_find(owner))
		return false;
	/* One owner per hash slot: two that share a slot may be counted more than once. */
	if (READ_ONCE(*slot) != owner) {
		WRITE_ONCE(*slot, owner);
		atomic_inc(&nr_lost);
		grt_recycle_kick();
	}
	return true;
}
EXPORT_SYMBOL_GPL(grtrace_ring_is_lost);

u32 grtrace_ring_match_name(const void *owner, u64 ctx, const char *name)
{
	u32 number = grtrace_ring_of_owner(owner);
	const struct row *r = &rows[grt_ring_row(number)];

	if (!number || READ_ONCE(r->is_gone) || strcmp(r->def.name, name))
		return GRTRACE_NO_RING;
	grt_owners_cache(owner, ctx, number);
	return number;
}
EXPORT_SYMBOL_GPL(grtrace_ring_match_name);

u32 grtrace_ring_match_desc(const void *owner, u64 ctx, const struct grtrace_ring_desc *desc)
{
	u32 row, number = GRTRACE_NO_RING;
	unsigned long flags;

	raw_spin_lock_irqsave(&rings_lock, flags);
	row = known_row(owner, desc);
	if (row) {
		unmark(row);
		number = grt_owners_number(row);
		grt_owners_cache(owner, ctx, number);
	}
	raw_spin_unlock_irqrestore(&rings_lock, flags);
	return number;
}
EXPORT_SYMBOL_GPL(grtrace_ring_match_desc);

u32 grtrace_ring_learn(const void *owner, u64 ctx,
		       const struct grtrace_ring_desc *desc)
{
	u32 row, number = GRTRACE_NO_RING;
	unsigned long flags;

	raw_spin_lock_irqsave(&rings_lock, flags);
	row = known_row(owner, desc) ?: new_row(owner, desc);
	if (row) {
		unmark(row);
		number = grt_owners_number(row);
		grt_owners_cache(owner, ctx, number);
	}
	raw_spin_unlock_irqrestore(&rings_lock, flags);
	if (READ_ONCE(nr_used) > MAX_ROWS - LOW_ROWS)
		grt_recycle_kick();
	return number;
}
EXPORT_SYMBOL_GPL(grtrace_ring_learn);

void grtrace_ring_gone(const void *owner)
{
	unsigned long flags;
	u32 row;

	raw_spin_lock_irqsave(&rings_lock, flags);
	row = grt_owners_find(owner);
	if (row)
		mark_gone(row);
	raw_spin_unlock_irqrestore(&rings_lock, flags);
}
EXPORT_SYMBOL_GPL(grtrace_ring_gone);

u32 grtrace_ring_register(const struct grtrace_ring_desc *desc)
{
	u32 row, number = GRTRACE_NO_RING;
	unsigned long flags;

	raw_spin_lock_irqsave(&rings_lock, flags);
	row = free_row();
	if (row) {
		fill_row(row, ROW_REGISTERED, desc);
		number = grt_owners_number(row);
	}
	raw_spin_unlock_irqrestore(&rings_lock, flags);
	if (!row)
		atomic_inc(&nr_lost);
	return number;
}
EXPORT_SYMBOL_GPL(grtrace_ring_register);

void grtrace_ring_unregister(u32 ring)
{
	u32 row = grt_ring_row(ring);
	unsigned long flags;

	raw_spin_lock_irqsave(&rings_lock, flags);
	if (row && rows[row].kind == ROW_REGISTERED && grt_owners_number(row) == ring) {
		rows[row].kind = ROW_LEARNED;
		mark_gone(row);
	}
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
	/* A row that was used before would get a number above MAX_ROWS, not @ring. */
	if (ring && rows[ring].kind == ROW_FREE && !rows[ring].uses)
		fill_row(ring, ROW_MADE_UP, &desc);
	else if (ring && (grt_owners_number(ring) != ring || rows[ring].def.engine != engine))
		err = -EBUSY;
	raw_spin_unlock_irqrestore(&rings_lock, flags);
	return err;
}

/* Frees the row; its count of uses stays. */
static void clear_row(u32 row)
{
	struct row *r = &rows[row];

	unmark(row);
	r->kind = ROW_FREE;
	grt_owners_drop(row);
	grt_owners_set_number(row, 0);
	__clear_bit(row, used);
	WRITE_ONCE(nr_used, nr_used - 1);
}

/* Keeps the rings that still exist for the file rings, until each has a job again. */
static void note_known(void)
{
	struct grt_line_cursor at = { };
	char gpu_name[GRT_GPU_NAME];
	struct grtrace_ring ring;
	struct grt_place *place;
	bool is_there;

	do {
		is_there = false;
		raw_spin_lock_irq(&rings_lock);
		place = grt_line_next(&line, &at);
		if (place) {
			const struct row *r = container_of(place, struct row, place);

			is_there = r->kind == ROW_LEARNED && !r->is_gone;
			ring = r->def;
			strscpy(gpu_name, r->gpu_name, sizeof(gpu_name));
		}
		raw_spin_unlock_irq(&rings_lock);
		if (is_there)
			grt_known_add(&ring, gpu_name);
	} while (place);
}

void grt_rings_reset(void)
{
	struct row *r, *next;
	u32 row;

	note_known();
	raw_spin_lock_irq(&rings_lock);
	grt_listener->rings_cleared();
	list_for_each_entry_safe(r, next, &line.places, place.link) {
		if (r->kind == ROW_REGISTERED) {
			grt_listener->ring_added(r - rows, r->def.device, r->def.name);
			continue;
		}
		clear_row(r - rows);
		grt_line_remove(&r->place);
	}
	for (row = 1; row < MAX_ROWS; row++)
		if (rows[row].kind == ROW_FREE)
			rows[row].uses = 0;
	memset(lost, 0, sizeof(lost));
	atomic_set(&nr_lost, 0);
	raw_spin_unlock_irq(&rings_lock);
	grt_owners_clear();
}

bool grt_ring_copy(struct grt_line_cursor *at, struct grtrace_ring *to)
{
	struct grt_place *place;
	unsigned long flags;

	raw_spin_lock_irqsave(&rings_lock, flags);
	place = grt_line_next(&line, at);
	if (place)
		*to = container_of(place, struct row, place)->def;
	raw_spin_unlock_irqrestore(&rings_lock, flags);
	return place;
}

bool grt_ring_is_listed(const struct grtrace_ring *def)
{
	struct row *r;
	bool is_listed = false;

	raw_spin_lock_irq(&rings_lock);
	list_for_each_entry(r, &line.places, place.link)
		if (!strcmp(r->def.name, def->name) && !strcmp(r->def.device, def->device))
			is_listed = true;
	raw_spin_unlock_irq(&rings_lock);
	return is_listed;
}

bool grtrace_ring_describe(u32 ring, struct grtrace_ring *to)
{
	u32 row = grt_ring_row(ring);
	unsigned long flags;
	bool is_there;

	raw_spin_lock_irqsave(&rings_lock, flags);
	is_there = row && rows[row].kind != ROW_FREE && grt_owners_number(row) == ring;
	if (is_there)
		*to = rows[row].def;
	raw_spin_unlock_irqrestore(&rings_lock, flags);
	return is_there;
}
EXPORT_SYMBOL_GPL(grtrace_ring_describe);

const struct grtrace_ring *grt_ring_peek(u32 ring)
{
	static const struct grtrace_ring unknown = {
		.engine = GRT_NO_ENGINE, .name = "-", .device = "-", .driver = "-",
	};
	u32 row = grt_ring_row(ring);

	return row && grt_owners_number(row) == ring ? &rows[row].def : &unknown;
}

u32 grt_rings_lost(void)
{
	return atomic_read(&nr_lost);
}

unsigned int grt_ring_engine(u32 ring)
{
	return READ_ONCE(rows[grt_ring_row(ring)].def.engine);
}

static bool mark_old(void)
{
	struct row *r;
	u32 nr = 0;

	raw_spin_lock_irq(&rings_lock);
	list_for_each_entry(r, &line.places, place.link) {
		r->is_old = r->is_gone && nr_used > MAX_ROWS - LOW_ROWS;
		nr += r->is_old;
	}
	raw_spin_unlock_irq(&rings_lock);
	return nr;
}

/* Needs no grace period: without the lock, rows are found only by number. */
static void unlink_old(void)
{
	struct row *r, *next;

	raw_spin_lock_irq(&rings_lock);
	list_for_each_entry_safe(r, next, &line.places, place.link) {
		if (!r->is_old)
			continue;
		grt_line_remove(&r->place);
		clear_row(r - rows);
		r->uses++;
	}
	raw_spin_unlock_irq(&rings_lock);
}

static void match_row(struct grt_ringset *set, const struct grtrace_ring *ring)
{
	grt_ringset_match_row(set, grt_ring_row(ring->ring), ring->device, ring->name);
}

void grt_rings_put_set(struct grt_ringset *to, struct grt_ringset *from)
{
	bool has_table = grt_session.dir;	/* parameters may be set without it */
	struct grt_line_cursor at = { };
	struct grtrace_ring ring;
	struct grt_place *place;

	lockdep_assert_held(&grt_session.lock);
	while (has_table && grt_ring_copy(&at, &ring))
		match_row(from, &ring);
	raw_spin_lock_irq(&rings_lock);
	/* Rings that were added meanwhile. */
	while (has_table && (place = grt_line_next(&line, &at)))
		match_row(from, &container_of(place, struct row, place)->def);
	grt_ringset_put(to, from);
	raw_spin_unlock_irq(&rings_lock);
}

/* The GPUs of this session's rings, then those of earlier sessions' rings. */
size_t grt_rings_describe(char *to, size_t room)
{
	struct grt_gpus gpus = { .to = to, .room = room };
	struct grtrace_ring known;
	char gpu_name[GRT_GPU_NAME];
	struct row *r;
	u32 i;

	raw_spin_lock_irq(&rings_lock);
	list_for_each_entry(r, &line.places, place.link)
		grt_gpus_add(&gpus, &r->def, r->gpu_name);
	raw_spin_unlock_irq(&rings_lock);
	for (i = 0; grt_known_copy(i, &known, gpu_name); i++)
		grt_gpus_add(&gpus, &known, gpu_name);
	return gpus.at;
}

/* A driver is unloaded: its rings are gone, even if no session runs to see it. */
static int module_changes(struct notifier_block *nb, unsigned long state, void *data)
{
	const struct module *mod = data;
	struct row *r;

	if (state != MODULE_STATE_GOING)
		return NOTIFY_OK;
	grt_known_remove(mod->name);
	raw_spin_lock_irq(&rings_lock);
	list_for_each_entry(r, &line.places, place.link)
		if (grt_known_is_driver(r->def.driver, mod->name))
			mark_gone(r - rows);
	raw_spin_unlock_irq(&rings_lock);
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = { .notifier_call = module_changes };

static const struct grt_recycled recycled = { .mark_old = mark_old, .unlink_old = unlink_old };

int grt_rings_create(void)
{
	int err;

	rows = kvcalloc(MAX_ROWS, sizeof(*rows), GFP_KERNEL);
	if (!rows)
		return -ENOMEM;
	err = grt_recycle_create();
	if (err)
		goto free_rows;
	err = grt_known_create();
	if (err)
		goto destroy_recycle;
	err = register_module_notifier(&module_notifier);
	if (err)
		goto destroy_known;
	grt_line_reset(&line);
	__set_bit(0, used);
	nr_used = 1;
	grt_recycle_serve(GRT_RECYCLE_RINGS, &recycled);
	return 0;

destroy_known:
	grt_known_destroy();
destroy_recycle:
	grt_recycle_destroy();
free_rows:
	kvfree(rows);
	return err;
}

void grt_rings_destroy(void)
{
	unregister_module_notifier(&module_notifier);
	grt_known_destroy();
	grt_recycle_destroy();
	kvfree(rows);
}
