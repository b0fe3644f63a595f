// SPDX-License-Identifier: LGPL-2.1
#include "pool.h"

#include <errno.h>
#include <sys/mman.h>

#include "error.h"

/* No machine has as many jobs in flight; their slots take 16 GiB of address space. */
#define MAX_SLOTS	(1u << 26)

#define BLOCK_SLOTS	1024u
#define BLOCK_BYTES	(BLOCK_SLOTS * sizeof(struct grt_slot))	/* whole pages, of whatever size */

/* Reserves less where address space is short (ulimit -v). */
static int reserve(struct grt_pool *p)
{
	size_t bytes = (size_t)MAX_SLOTS * sizeof(*p->slots);

	for (; bytes >= BLOCK_BYTES; bytes /= 2) {
		void *slots = mmap(NULL, bytes, PROT_NONE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (slots == MAP_FAILED)
			continue;
		p->slots = slots;
		p->reserved_bytes = bytes;
		p->open = p->spare = GRT_NONE;
		return 0;
	}
	return grt_fail_memory();
}

static struct grt_pool_block *block_at(const struct grt_pool *p, uint32_t block)
{
	return grt_vec_at(&p->blocks, struct grt_pool_block, block);
}

static void open_block(struct grt_pool *p, uint32_t block)
{
	block_at(p, block)->next_open = p->open;
	block_at(p, block)->is_open = true;
	p->open = block;
}

/* Adds memory for one more block. */
static int grow(struct grt_pool *p)
{
	const struct grt_pool_block blank = { .free = GRT_NONE };
	uint32_t block = grt_vec_count(&p->blocks, struct grt_pool_block);
	size_t at = block * BLOCK_BYTES;

	if (!p->slots && reserve(p))
		return -ENOMEM;
	if (at + BLOCK_BYTES > p->reserved_bytes ||
	    mprotect((char *)p->slots + at, BLOCK_BYTES, PROT_READ | PROT_WRITE) ||
	    grt_vec_append(&p->blocks, &blank, sizeof(blank)))
		return grt_fail_memory();
	p->nr_slots += BLOCK_SLOTS;
	open_block(p, block);
	return 0;
}

/* A free slot of the first open block. */
static uint32_t take(struct grt_pool *p)
{
	struct grt_pool_block *b = block_at(p, p->open);
	uint32_t i = b->free;

	if (i != GRT_NONE)
		b->free = grt_pool_at(p, i)->next;
	else
		i = p->open * BLOCK_SLOTS + b->fresh++;
	if (!b->used++ && p->spare == p->open)
		p->spare = GRT_NONE;
	if (b->free == GRT_NONE && b->fresh == BLOCK_SLOTS) {
		b->is_open = false;
		p->open = b->next_open;
	}
	return i;
}

/* No slot of the block is used.  One such block keeps its memory, as jobs come and go. */
static void give_back(struct grt_pool *p, uint32_t block)
{
	struct grt_pool_block *b = block_at(p, block);

	if (p->spare == GRT_NONE) {
		p->spare = block;
		return;
	}
	/* Memory that was given back reads as zeros: slots without a job. */
	if (madvise((char *)p->slots + block * BLOCK_BYTES, BLOCK_BYTES, MADV_DONTNEED))
		return;
	b->free = GRT_NONE;
	b->fresh = 0;
}

uint32_t grt_pool_skip(const struct grt_pool *p, uint32_t i)
{
	while (i < p->nr_slots && !block_at(p, i / BLOCK_SLOTS)->used)
		i += BLOCK_SLOTS - i % BLOCK_SLOTS;
	return i;
}

uint32_t grt_pool_get(struct grt_pool *p)
{
	struct grt_slot *slot;
	uint32_t i;

	if ((!p->slots || p->open == GRT_NONE) && grow(p))
		return GRT_NONE;
	i = take(p);
	slot = grt_pool_at(p, i);
	*slot = (struct grt_slot){
		.next = GRT_NONE, .held_next = GRT_NONE,
		.ctx = GRT_NONE, .ctx_prev = GRT_NONE, .ctx_next = GRT_NONE,
		.hwq = GRT_NONE, .hwq_prev = GRT_NONE, .hwq_next = GRT_NONE,
		.ring_state = GRT_NONE, .ready_prev = GRT_NONE, .ready_next = GRT_NONE,
		.deps = GRT_NONE, .waiters = GRT_NONE, .dep_client = GRT_NONE,
		.age_prev = GRT_NONE, .age_next = GRT_NONE,
	};
	return i;
}

void grt_pool_put(struct grt_pool *p, uint32_t i)
{
	struct grt_pool_block *b = block_at(p, i / BLOCK_SLOTS);
	struct grt_slot *slot = grt_pool_at(p, i);

	slot->state = GRT_NEW;
	slot->next = b->free;
	b->free = i;
	if (!b->is_open)
		open_block(p, i / BLOCK_SLOTS);
	if (!--b->used)
		give_back(p, i / BLOCK_SLOTS);
}

void grt_pool_free(struct grt_pool *p)
{
	if (p->slots)
		munmap(p->slots, p->reserved_bytes);
	grt_vec_free(&p->blocks);
	*p = (struct grt_pool){ 0 };
}
