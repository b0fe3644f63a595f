// SPDX-License-Identifier: GPL-2.0
/*
 * Rings of earlier sessions.
 */
#include <linux/mm.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "known.h"

#define MAX_KNOWN	256

struct known {
	struct grtrace_ring ring;
	char gpu_name[GRT_GPU_NAME];
};

static struct known *known;
static u32 nr_known;
static DEFINE_RAW_SPINLOCK(known_lock);

static void drop(u32 i)
{
	memmove(&known[i], &known[i + 1], (--nr_known - i) * sizeof(*known));
}

static bool is_same(const struct grtrace_ring *a, const struct grtrace_ring *b)
{
	return !strcmp(a->name, b->name) && !strcmp(a->device, b->device);
}

void grt_known_add(const struct grtrace_ring *ring, const char *gpu_name)
{
	unsigned long flags;
	u32 i;

	raw_spin_lock_irqsave(&known_lock, flags);
	for (i = 0; i < nr_known && !is_same(&known[i].ring, ring); i++)
		;
	if (i == MAX_KNOWN)
		drop(0);
	else if (i < nr_known)
		drop(i);
	known[nr_known].ring = *ring;
	strscpy(known[nr_known].gpu_name, gpu_name, sizeof(known->gpu_name));
	nr_known++;
	raw_spin_unlock_irqrestore(&known_lock, flags);
}

bool grt_known_copy(u32 i, struct grtrace_ring *ring, char *gpu_name)
{
	unsigned long flags;
	bool is_there;

	raw_spin_lock_irqsave(&known_lock, flags);
	is_there = i < nr_known;
	if (is_there) {
		*ring = known[i].ring;
		if (gpu_name)
			strscpy(gpu_name, known[i].gpu_name, GRT_GPU_NAME);
	}
	raw_spin_unlock_irqrestore(&known_lock, flags);
	return is_there;
}

/* "etnaviv-gpu" is the driver of module etnaviv. */
bool grt_known_is_driver(const char *driver, const char *module)
{
	for (; *module; driver++, module++)
		if (*driver != *module && !(*driver == '-' && *module == '_'))
			return false;
	return !*driver || *driver == '-' || *driver == '_';
}

void grt_known_remove(const char *module)
{
	unsigned long flags;
	u32 i;

	raw_spin_lock_irqsave(&known_lock, flags);
	for (i = nr_known; i--; )
		if (grt_known_is_driver(known[i].ring.driver, module))
			drop(i);
	raw_spin_unlock_irqrestore(&known_lock, flags);
}

int grt_known_create(void)
{
	known = kvcalloc(MAX_KNOWN, sizeof(*known), GFP_KERNEL);
	return known ? 0 : -ENOMEM;
}

void grt_known_destroy(void)
{
	kvfree(known);
}
