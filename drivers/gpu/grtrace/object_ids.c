// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers for the kernel's objects.
 */
#include <linux/bits.h>
#include <linux/hash.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/random.h>
#include <linux/siphash.h>

#include "object_ids.h"

static siphash_key_t secret;

void grt_object_ids_create(void)
{
	get_random_bytes(&secret, sizeof(secret));
}

/* The hash takes longer than the rest of an event, and most events are about few objects. */
#define KNOWN_BITS	4

struct known_id {
	const void *object;
	u64 id;
};

static DEFINE_PER_CPU(struct known_id [1 << KNOWN_BITS], known_ids);

static noinline u64 compute_id(const void *object)
{
	return (siphash_1u64((unsigned long)object, &secret) & GENMASK_ULL(51, 0)) ?: 1;
}

u64 grt_object_id(const void *object)
{
	struct known_id *known;

	if (!object)
		return 0;
	lockdep_assert_irqs_disabled();
	known = this_cpu_ptr(&known_ids[hash_ptr(object, KNOWN_BITS)]);
	if (unlikely(known->object != object)) {
		known->object = object;
		known->id = compute_id(object);
	}
	return known->id;
}
