/* SPDX-License-Identifier: GPL-2.0 */
/* The rings: what they are, and which ring a scheduler or a context has. */
#ifndef GRT_RINGS_BPF_H
#define GRT_RINGS_BPF_H

#include <bpf/bpf_core_read.h>
#include <stddef.h>

#include "record.bpf.h"

#define NO_RING		0	/* not known */
#define CONTEXTS	4096

/*
 * Rings by the scheduler's address.  When a new scheduler has the address of an old one, its ring
 * gets another number with the same place.  The lower half of an address is enough to know it
 * again, and the verifier lets us calculate with it.
 */
struct ring_row {
	u32 sched, name, dev, number;
	u32 is_refused;
};

/* Set before the programs are loaded: by names that the user gave, and by engine classes. */
const volatile struct grt_bpf_patterns wanted_rings, wanted_engines;

static struct ring_row rings[GRT_BPF_MAX_RINGS];
__u64 rings_lost;

/*
 * The ring of a context, direct mapped.  @place has the scheduler in its upper half and the ring's
 * number in the lower one, to be read at once; 0: the context's jobs use several rings.
 */
struct context_row {
	u64 ctx, place;
};

static volatile struct context_row contexts[CONTEXTS];

/* A move that the compiler cannot leave out: only its result is a number for the verifier. */
static __always_inline u32 half(const void *address)
{
	u32 low;

	asm volatile("%0 = %1" : "=w"(low) : "w"((u32)(u64)address));
	return low;
}

static __always_inline struct ring_row *ring_place(u32 sched, u32 nth)
{
	return &rings[((sched >> 6) * SPREAD / 65536 + nth) % GRT_BPF_MAX_RINGS];
}

/* The number of @sched's ring, 0 if it is not known. */
static __noinline u32 find_ring(const struct drm_gpu_scheduler *sched)
{
	for (u32 i = 0; i < TRIES; i++) {
		const struct ring_row *row = ring_place(half(sched), i);

		if (row->sched == half(sched))
			return row->number;
	}
	return NO_RING;
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
	return number != NO_RING && rings[(number - 1) % GRT_BPF_MAX_RINGS].is_refused;
}

static __noinline int define_ring(const struct drm_gpu_scheduler *sched, u32 number)
{
	u32 cpu = bpf_get_smp_processor_id();
	struct grt_bpf_cpu *c = counters_of(cpu);
	struct grtrace_ring *ring;
	struct device *dev = BPF_CORE_READ(sched, dev);
	const char *text;

	ring = reserve(cpu, c, sizeof(*ring), false);
	if (!ring)
		return 0;
	__builtin_memset(&ring->ring, 0, sizeof(*ring) - sizeof(ring->hdr));
	ring->ring = number;
	ring->credit_limit = bpf_core_field_exists(sched->credit_limit) ?
			     BPF_CORE_READ(sched, credit_limit) :
			     BPF_CORE_READ(sched, hw_submission_limit);
	read_text(ring->name, sizeof(ring->name), BPF_CORE_READ(sched, name));
	if (dev) {
		text = BPF_CORE_READ(dev, init_name);
		read_text(ring->device, sizeof(ring->device),
			  text ? text : BPF_CORE_READ(dev, kobj.name));
		text = BPF_CORE_READ(dev, driver, name);
		read_text(ring->driver, sizeof(ring->driver),
			  text ? text : BPF_CORE_READ(dev, bus, name));
	}
	if (chooses_rings)
		rings[(number - 1) % GRT_BPF_MAX_RINGS].is_refused =
			!is_wanted_by(&wanted_rings, ring) || !is_wanted_by(&wanted_engines, ring);
	submit(cpu, c, ring, GRTRACE_RING, sizeof(*ring), 0);
	return 1;
}

/*
 * The number of @sched's ring; a new one is defined first.  Name and device are compared, too: a
 * new scheduler may have the address of an old one.
 */
static __noinline u32 learn_ring(struct drm_gpu_scheduler *sched)
{
	u32 name = half(sched->name), dev = half(sched->dev);

	for (u32 i = 0; i < TRIES; i++) {
		struct ring_row *row = ring_place(half(sched), i);
		u32 number, owner = row->sched;

		if (!owner)
			owner = __sync_val_compare_and_swap(&row->sched, 0, half(sched));
		if (owner && owner != half(sched))
			continue;
		if (row->name == name && row->dev == dev)
			return row->number;
		number = row->number ? row->number + GRT_BPF_MAX_RINGS : row - rings + 1;
		if (!define_ring(sched, number))
			return NO_RING;
		row->number = number;
		row->dev = dev;
		row->name = name;
		return number;
	}
	__sync_fetch_and_add(&rings_lost, 1);
	return NO_RING;
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
	row->ctx = ctx;
}

/* A context that is new, or that uses another scheduler than before. */
static __noinline u32 learn_context(u64 ctx, struct drm_gpu_scheduler *sched)
{
	u32 ring = learn_ring(sched);

	set_context(ctx, context_row(ctx)->ctx == ctx ? 0 : (u64)half(sched) << 32 | ring);
	return ring;
}

/* The ring in @ctx's row if @sched is the scheduler there, too; else 0. */
static __always_inline u32 ring_in_row(u64 ctx, const struct drm_gpu_scheduler *sched)
{
	volatile struct context_row *row = context_row(ctx);
	u64 place = row->place;

	return row->ctx == ctx && place >> 32 == half(sched) ? (u32)place : NO_RING;
}

static __always_inline u32 ring_of_submit(u64 ctx, struct drm_gpu_scheduler *sched)
{
	u32 ring = ring_in_row(ctx, sched);

	return ring ? ring : learn_context(ctx, sched);
}

static __always_inline u32 ring_of(u64 ctx, const struct drm_gpu_scheduler *sched)
{
	u32 ring = ring_in_row(ctx, sched);

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
