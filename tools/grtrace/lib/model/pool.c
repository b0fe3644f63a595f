// SPDX-License-Identifier: LGPL-2.1
#include "pool.h"

#include <errno.h>
#include <sys/mman.h>

#include "error.h"

/* No machine has as many jobs in flight; their slots take 16 GiB of address space. */
#define MAX_SLOTS	(1u << 26)

#define STEP_BYTES	((size_t)256 << 10)	/* whole pages, of whatever size */

/* Reserves less where address space is short (ulimit -v). */
static int reserve(struct grt_pool *p)
{
	size_t bytes = (size_t)MAX_SLOTS * sizeof(*p->slots);

	for (; bytes >= STEP_BYTES; bytes /= 2) {
		void *slots = mmap(NULL, bytes, PROT_NONE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (slots == MAP_FAILED)
			continue;
		p->slots = slots;
		p->reserved_bytes = bytes;
		p->free = GRT_NONE;
		return 0;
	}
	return grt_fail_memory();
}

/* Adds memory for one more slot. */
static int grow(struct grt_pool *p)
{
	size_t need = (p->nr_slots + (size_t)1) * sizeof(*p->slots);

	if (!p->slots && reserve(p))
		return -ENOMEM;
	if (need <= p->usable_bytes)
		return 0;
	if (p->usable_bytes + STEP_BYTES > p->reserved_bytes ||
	    mprotect((char *)p->slots + p->usable_bytes, STEP_BYTES, PROT_READ | PROT_WRITE))
		return grt_fail_memory();
	p->usable_bytes += STEP_BYTES;
	return 0;
}

uint32_t grt_pool_get(struct grt_pool *p)
{
	struct grt_slot *slot;
	uint32_t i;

	if (p->slots && p->free != GRT_NONE) {
		i = p->free;
		p->free = grt_pool_at(p, i)->next;
	} else {
		if (grow(p))
			return GRT_NONE;
		i = p->nr_slots++;
	}
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
	struct grt_slot *slot = grt_pool_at(p, i);

	slot->state = GRT_NEW;
	slot->next = p->free;
	p->free = i;
}

void grt_pool_free(struct grt_pool *p)
{
	if (p->slots)
		munmap(p->slots, p->reserved_bytes);
	*p = (struct grt_pool){ 0 };
}
