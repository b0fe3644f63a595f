// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers for the kernel's objects.
 */
#include <linux/bits.h>
#include <linux/random.h>
#include <linux/siphash.h>

#include "object_ids.h"

static siphash_key_t secret;

void grt_object_ids_create(void)
{
	get_random_bytes(&secret, sizeof(secret));
}

u64 grt_object_id(const void *object)
{
	if (!object)
		return 0;
	return (siphash_1u64((unsigned long)object, &secret) & GENMASK_ULL(51, 0)) ?: 1;
}
