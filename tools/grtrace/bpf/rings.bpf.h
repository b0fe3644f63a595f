/* SPDX-License-Identifier: GPL-2.0 */
/* The rings: what they are, and which ring a scheduler or a context has. */
#ifndef GRT_RINGS_BPF_H
#define GRT_RINGS_BPF_H

#include <bpf/bpf_core_read.h>
#include <stddef.h>

#include "record.bpf.h"

#define NO_RING		0	/* not known */
#define NO_PLACE	GRT_BPF_MAX_RINGS
#define CONTEXTS	4096

/*
 * Rings by the address of their scheduler, engine or queue.  When a new one has the address of an old
 * one, its ring gets another number with the same place.  No event says that a ring is gone.  So a new
 * ring whose places are all taken gets that of the ring that was unused for longest.  The lower half of
 * an address is enough to know it again, and the verifier lets us calculate with it.
 */
struct ring_row {
	u32 owner;
	u32 name;	/* calculated from the text: a new name may have the address of an old one, too */
	u32 dev;
	u32 number;	/* 0: not defined yet */
	u32 last;	/* the last number of this place; 0: none */
	u32 used;	/* when a job was last submitted to it: see ring_clock() */
	u32 is_refused;
};

/* Set before the programs are loaded: by names that the user gave, and by engine classes. */
const volatile struct grt_bpf_patterns wanted_rings, wanted_engines;

static struct ring_row rings[GRT_BPF_MAX_RINGS];

/*
 * The ring of a context, direct mapped.  @place has the ring's owner in its upper half and the ring's
 * number in the lower one, to be read at once; 0: the context's jobs use several rings.
 */
struct context_row {
	u64 ctx, place;
	u32 used;	/* when the use of its ring was noted: see ring_clock() */
};

static volatile struct context_row contexts[CONTEXTS];

/* A move that the compiler cannot leave out: only its result is a number for the verifier. */
static __always_inline u32 half(const void *address)
{
	u32 low;

	asm volatile("%0 = %1" : "=w"(low) : "w"((u32)(u64)address));
	return low;
}

/* Where the row of @owner's ring may be. */
static __always_inline u32 ring_place(u32 owner, u32 nth)
{
	return ((owner >> 6) * SPREAD / 65536 + nth) % GRT_BPF_MAX_RINGS;
}

static __always_inline struct ring_row *row_at(u32 place)
{
	return &rings[place % GRT_BPF_MAX_RINGS];
}

/* The number of the ring whose owner has this address, 0 if it is not known. */
static __noinline u32 find_owner(u32 owner)
{
	for (u32 i = 0; i < TRIES; i++) {
		const struct ring_row *row = row_at(ring_place(owner, i));

		if (row->owner == owner)
			return row->number;
	}
	return NO_RING;
}

static __always_inline u32 find_ring(const struct drm_gpu_scheduler *sched)
{
	return find_owner(half(sched));
}

static __always_inline void read_text(char *to, u32 room, const char *from)
{
	if (!from || bpf_probe_read_kernel_str(to, room, from) < 0)
		to[0] = '\0';
}

static __always_inline bool is_wanted_by(const volatile struct grt_bpf_patterns *p,
					 const struct grtrace_ring *ring)
{
	const u64 *words = (const u64 *)ring->name;

	for (u32 i = 0; i < GRT_BPF_MAX_PATTERNS; i++) {
		const volatile struct grt_bpf_pattern *row = &p->rows[i];
		u64 differs = 0;

		if (i >= p->count)
			break;
		for (u32 word = 0; word < GRT_BPF_PATTERN_WORDS; word++)
			differs |= (words[word] ^ row->text[word]) & row->mask[word];
		if (!differs)
			return row->is_wanted;
	}
	return p->is_default_wanted;
}

_Static_assert(offsetof(struct grtrace_ring, device) ==
	       offsetof(struct grtrace_ring, name) + sizeof(((struct grtrace_ring *)0)->name) &&
	       offsetof(struct grtrace_ring, name) % sizeof(u64) == 0, "a pattern");

static __always_inline bool is_refused_ring(u32 number)
{
	return number != NO_RING && row_at(number - 1)->is_refused;
}

/* Begins the definition of a ring; NULL: no room. */
static __always_inline struct grtrace_ring *begin_ring(u32 number)
{
	struct grtrace_ring *ring = reserve(own_counters(), sizeof(*ring), false);

	if (!ring)
		return NULL;
	ring->ring = number;
	return ring;
}

static __always_inline void name_device(struct grtrace_ring *ring, struct device *dev)
{
	const char *text;

	if (!dev)
		return;
	text = BPF_CORE_READ(dev, init_name);
	read_text(ring->device, sizeof(ring->device), text ? text : BPF_CORE_READ(dev, kobj.name));
	text = BPF_CORE_READ(dev, driver, name);
	read_text(ring->driver, sizeof(ring->driver), text ? text : BPF_CORE_READ(dev, bus, name));
}

static __always_inline void end_ring(struct grtrace_ring *ring, u32 number)
{
	if (chooses_rings)
		row_at(number - 1)->is_refused =
			!is_wanted_by(&wanted_rings, ring) || !is_wanted_by(&wanted_engines, ring);
	submit(own_counters(), ring, GRTRACE_RING, sizeof(*ring), 0);
}

static __noinline int define_ring(const struct drm_gpu_scheduler *sched, u32 number)
{
	struct grtrace_ring *ring = begin_ring(number);

	if (!ring)
		return 0;
	ring->credit_limit = bpf_core_field_exists(sched->credit_limit) ?
			     BPF_CORE_READ(sched, credit_limit) :
			     BPF_CORE_READ(sched, hw_submission_limit);
	read_text(ring->name, sizeof(ring->name), BPF_CORE_READ(sched, name));
	name_device(ring, BPF_CORE_READ(sched, dev));
	end_ring(ring, number);
	return 1;
}

#define NAME_WORDS	(sizeof(((struct grtrace_ring *)0)->name) / sizeof(u64))

/* A number that differs where names differ, as far as a definition has them. */
static __always_inline u32 name_of(const char *name)
{
	u64 words[NAME_WORDS] = { 0 }, sum = 0;

	read_text((char *)words, sizeof(words), name);
	for (u32 i = 0; i < NAME_WORDS; i++)
		sum = (sum ^ words[i]) * 0x9e3779b97f4a7c15ull + (sum >> 32);
	return sum >> 32;
}

/* Counts steps of 1024 ticks: 1 to 10 seconds, as the kernel is configured. */
static __always_inline u32 ring_clock(void)
{
	return bpf_jiffies64() >> 10;
}

/* Gives @address the place of a ring that was unused for a second at least; NO_PLACE: there is none. */
static __noinline u32 evict(u32 address)
{
	u32 now = ring_clock(), most = 1, place = NO_PLACE;
	struct ring_row *row;

	for (u32 i = 0; i < TRIES; i++) {
		u32 at = ring_place(address, i), idle = now - row_at(at)->used;

		if (idle > most) {
			most = idle;
			place = at;
		}
	}
	row = row_at(place);
	/* Another CPU may want it, too. */
	if (place == NO_PLACE || __sync_val_compare_and_swap(&row->used, now - most, now) != now - most)
		return NO_PLACE;
	/* Until the new ring is defined, its jobs have no ring rather than the old one. */
	row->number = 0;
	row->owner = address;
	return place;
}

/* The place of @address, which is given one if it has none; NO_PLACE: there is no room. */
static __always_inline u32 take_place(u32 address)
{
	for (u32 i = 0; i < TRIES; i++) {
		u32 place = ring_place(address, i);
		struct ring_row *row = row_at(place);
		u32 owner = row->owner;

		if (!owner)
			owner = __sync_val_compare_and_swap(&row->owner, 0, address);
		if (!owner || owner == address)
			return place;
	}
	return evict(address);
}

/*
 * Returns the row of the ring whose owner, @name and device these are; NULL: no room.  Sets *@number to 0
 * if the ring is defined, else to the number with which it has to be defined first.  Name and device are
 * compared because a new owner may have the address of an old one.
 */
static __always_inline struct ring_row *take_row(u32 address, u32 name, u32 dev, u32 *number)
{
	u32 place = take_place(address);
	struct ring_row *row = row_at(place);

	if (place == NO_PLACE) {
		note_lack(GRT_BPF_LACKS_RINGS);
		return NULL;
	}
	row->used = ring_clock();
	if (row->number && row->name == name && row->dev == dev)
		*number = 0;
	else
		*number = row->last ? row->last + GRT_BPF_MAX_RINGS : place + 1;
	return row;
}

/* The last step: the ring of @row is defined. */
static __always_inline u32 keep_row(struct ring_row *row, u32 name, u32 dev, u32 number)
{
	row->dev = dev;
	row->name = name;
	row->last = number;
	row->number = number;
	return number;
}

/* The number of @sched's ring; a new one is defined first. */
static __noinline u32 learn_ring(struct drm_gpu_scheduler *sched)
{
	u32 name = name_of(sched->name), dev = half(sched->dev), number;
	struct ring_row *row = take_row(half(sched), name, dev, &number);

	if (!row)
		return NO_RING;
	if (!number)
		return row->number;
	return define_ring(sched, number) ? keep_row(row, name, dev, number) : NO_RING;
}

static __always_inline volatile struct context_row *context_row(u64 ctx)
{
	return &contexts[ctx % CONTEXTS];
}

/* Another CPU may be reading: the row is nobody's while it changes. */
static __always_inline void set_context(u64 ctx, u64 place)
{
	volatile struct context_row *row = context_row(ctx);

	row->ctx = 0;
	row->place = place;
	row->used = ring_clock();
	row->ctx = ctx;
}

/* Learns the ring of a context that is new, that changed its scheduler, or whose ring lost its place. */
static __noinline u32 learn_context(u64 ctx, struct drm_gpu_scheduler *sched)
{
	u32 owner = half(sched), ring = learn_ring(sched);
	volatile struct context_row *row = context_row(ctx);
	bool uses_others = row->ctx == ctx && row->place >> 32 != owner;

	set_context(ctx, uses_others ? 0 : (u64)owner << 32 | ring);
	return ring;
}

/* The ring in @ctx's row if its owner is the same; else 0. */
static __always_inline u32 ring_in_row(u64 ctx, u32 owner)
{
	volatile struct context_row *row = context_row(ctx);
	u64 place = row->place;

	return row->ctx == ctx && place >> 32 == owner ? (u32)place : NO_RING;
}

/* Notes that @ctx uses @ring.  Returns @ring, or NO_RING if another ring has its place now. */
static __noinline u32 note_ring(u64 ctx, u32 ring)
{
	struct ring_row *row = row_at(ring - 1);

	if (row->number != ring)
		return NO_RING;
	row->used = context_row(ctx)->used = ring_clock();
	return ring;
}

/* For SUBMIT: as ring_in_row(), and notes the use.  A ring that lost its place has to be learned again: NO_RING. */
static __always_inline u32 use_ring_in_row(u64 ctx, u32 owner)
{
	u32 ring = ring_in_row(ctx, owner);

	return ring && context_row(ctx)->used != ring_clock() ? note_ring(ctx, ring) : ring;
}

static __always_inline u32 ring_of(u64 ctx, const struct drm_gpu_scheduler *sched)
{
	u32 ring = ring_in_row(ctx, half(sched));

	return ring ? ring : find_ring(sched);
}

/* COMPLETE has only the fence, from which programs cannot go on to the scheduler. */
static __always_inline u32 ring_of_context(u64 ctx)
{
	volatile struct context_row *row = context_row(ctx);
	u32 ring = row->place;

	return row->ctx == ctx ? ring : NO_RING;
}

#endif /* GRT_RINGS_BPF_H */
