// SPDX-License-Identifier: LGPL-2.1
#include "out_rings.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <linux/grtrace.h>
#include <xxhash.h>

#include "error.h"
#include "import.h"
#include "once.h"
#include "out.h"
#include "ring_kind.h"
#include "ring_name.h"

#define MAX_RINGS	4096

struct driver_name {
	char text[24];
	uint64_t ctx;
	bool is_shared;		/* rings of several GPUs have this name */
};

static void copy(char *to, size_t bytes, struct grt_piece from)
{
	size_t len = from.len < bytes - 1 ? from.len : bytes - 1;

	memset(to, 0, bytes);
	if (len)
		memcpy(to, from.at, len);
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)to[i] < ' ')
			to[i] = '?';
}

static struct grtrace_ring *ring_at(const struct grt_out_rings *t, uint32_t nr)
{
	return grt_vec_at(&t->rows, struct grtrace_ring, nr - 1);
}

/* Hash of the names; with 64 bits, collisions do not happen in practice. */
static uint64_t hash_of(const struct grt_ring_names *names)
{
	return XXH64(names->name.at, names->name.len,
		     XXH64(names->device.at, names->device.len, names->sched));
}

void grt_out_ring_driver(struct grt_out_rings *t, struct grt_piece name, struct grt_piece driver,
			 uint64_t ctx)
{
	uint64_t *row = grt_map_put(&t->drivers, XXH64(name.at, name.len, 0));
	struct driver_name *text;

	if (!row)
		return;
	if (*row) {
		text = grt_vec_at(&t->names, struct driver_name, *row - 1);
		if (text->ctx == GRT_NO_CTX)
			text->ctx = ctx;
		text->is_shared |= ctx != GRT_NO_CTX && text->ctx != ctx;
		return;
	}
	text = grt_vec_grow(&t->names, sizeof(*text));
	if (!text)
		return;
	*text = (struct driver_name){ .ctx = ctx };
	copy(text->text, sizeof(text->text), driver);
	*row = t->names.bytes / sizeof(*text);
}

unsigned int grt_out_rings_shared(const struct grt_out_rings *t)
{
	unsigned int count = 0;

	for (size_t i = 0; i < t->names.bytes / sizeof(struct driver_name); i++)
		count += grt_vec_at(&t->names, struct driver_name, i)->is_shared;
	return count;
}

int grt_import_check_driver(const char *driver)
{
	char names[512], hint[sizeof(names) + 16];

	if (grt_driver_is_known(driver, names, sizeof(names)))
		return 0;
	snprintf(hint, sizeof(hint), "one of:%s", names);
	return grt_fail(EINVAL, hint, "no driver '%s' is known", driver);
}

static struct grt_piece piece_of(const char *text)
{
	return (struct grt_piece){ text, strlen(text) };
}

static void classify(struct grt_out_rings *t, struct grtrace_ring *ring)
{
	const uint64_t *row = grt_map_get(&t->drivers, XXH64(ring->name, strlen(ring->name), 0));
	const struct driver_name *known = row && *row ? grt_vec_at(&t->names, struct driver_name, *row - 1) : NULL;
	bool is_mixed;

	if (!*ring->driver && known)
		memcpy(ring->driver, known->text, sizeof(ring->driver));
	if (!*ring->driver && t->driver)
		copy(ring->driver, sizeof(ring->driver), piece_of(t->driver));
	is_mixed = known && known->is_shared && !*ring->device;
	grt_ring_classify(ring);
	/* Jobs on several GPUs that events do not tell apart are not in order. */
	if (is_mixed)
		ring->order = GRTRACE_ORDER_UNKNOWN;
}

/* The number of the ring that has the same hardware. */
static uint32_t hw_ring(struct grt_out_rings *t, const struct grtrace_ring *ring)
{
	const char *name = grt_ring_hw_name(ring);

	if (name)
		return grt_out_ring(t, piece_of(ring->device), piece_of(ring->driver),
				    piece_of(name));
	return ring->ring;
}

/* While events are recorded, the writer of definitions finds rings that share hardware. */
static void place(struct grt_out_rings *t, struct grtrace_ring *ring)
{
	uint32_t hw;

	if (t->target) {
		t->target->ring(t->target->arg, ring);
		return;
	}
	hw = hw_ring(t, ring);
	ring_at(t, ring->ring)->hw_ring = hw ? hw : ring->ring;
}

static uint32_t find_or_add(struct grt_out_rings *t, const struct grt_ring_names *names)
{
	uint64_t *nr = grt_map_put(&t->index, hash_of(names));
	size_t count = grt_vec_count(&t->rows, struct grtrace_ring);
	struct grtrace_ring ring;

	if (!nr)
		return 0;
	if (!*nr && count == MAX_RINGS)
		grt_warn_once("there are more than %d rings: that of further jobs is not known", MAX_RINGS);
	if (*nr || count == MAX_RINGS)
		return *nr;
	ring = (struct grtrace_ring){
		.hdr = { .type = GRTRACE_RING, .size = sizeof(ring) }, .ring = count + 1,
		.credit_limit = names->credit_limit,
	};
	copy(ring.name, sizeof(ring.name), names->name);
	copy(ring.device, sizeof(ring.device), names->device);
	copy(ring.driver, sizeof(ring.driver), names->driver);
	classify(t, &ring);
	if (grt_vec_append(&t->rows, &ring, sizeof(ring)))
		return 0;
	*nr = ring.ring;
	place(t, &ring);
	return ring.ring;
}

uint32_t grt_out_ring_named(struct grt_out_rings *t, const struct grt_ring_names *names)
{
	uint32_t nr = find_or_add(t, names);
	uint64_t *of_sched = names->sched ? grt_map_put(&t->scheds, names->sched) : NULL;

	if (of_sched)
		*of_sched = nr;
	return nr;
}

uint32_t grt_out_ring(struct grt_out_rings *t, struct grt_piece device, struct grt_piece driver,
		      struct grt_piece name)
{
	const struct grt_ring_names names = { .device = device, .driver = driver, .name = name };

	return grt_out_ring_named(t, &names);
}

void grt_out_ring_engine(struct grt_out_rings *t, uint32_t nr, uint32_t engine)
{
	ring_at(t, nr)->engine = engine;
}

uint32_t grt_out_ring_of_sched(const struct grt_out_rings *t, uint64_t sched)
{
	const uint64_t *nr = grt_map_get(&t->scheds, sched);

	return nr ? *nr : 0;
}

uint64_t grt_out_sched_of_ring(const struct grt_out_rings *t, uint32_t nr)
{
	for (size_t i = grt_map_count(&t->scheds); nr && i--; )
		if (grt_map_at(&t->scheds, i)->value == nr)
			return grt_map_at(&t->scheds, i)->key;
	return 0;
}

uint32_t grt_out_ring_after(const struct grt_out_rings *t, uint32_t nr, struct grt_piece name)
{
	char text[sizeof(((struct grtrace_ring *)0)->name)];

	copy(text, sizeof(text), name);
	while (++nr <= grt_vec_count(&t->rows, struct grtrace_ring))
		if (!strcmp(ring_at(t, nr)->name, text))
			return nr;
	return 0;
}

int grt_out_rings_define(const struct grt_out_rings *t, struct grt_vec *defs, uint64_t ts)
{
	for (uint32_t nr = 1; nr <= grt_vec_count(&t->rows, struct grtrace_ring); nr++) {
		struct grtrace_ring ring = *ring_at(t, nr);

		ring.hdr.ts = ts;
		if (!*ring.device)
			memcpy(ring.device, GRT_RING_UNKNOWN, sizeof(GRT_RING_UNKNOWN));
		if (!*ring.driver)
			memcpy(ring.driver, GRT_RING_UNKNOWN, sizeof(GRT_RING_UNKNOWN));
		if (grt_vec_append(defs, &ring, sizeof(ring)))
			return -ENOMEM;
	}
	return 0;
}

void grt_out_rings_rewind(struct grt_out_rings *t)
{
	t->rows.bytes = 0;
	grt_map_free(&t->index);
	grt_map_free(&t->scheds);
}

void grt_out_rings_free(struct grt_out_rings *t)
{
	grt_vec_free(&t->rows);
	grt_vec_free(&t->names);
	grt_map_free(&t->drivers);
	grt_map_free(&t->index);
	grt_map_free(&t->scheds);
}

bool grt_out_ring_is_fenceless(const struct grt_out_rings *t, uint32_t nr)
{
	return grt_driver_is_fenceless(ring_at(t, nr)->driver);
}
