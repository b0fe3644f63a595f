// SPDX-License-Identifier: LGPL-2.1
#include "ring_kind.h"

#include <stdio.h>
#include <string.h>

#include <linux/grtrace_rings.h>

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static const struct driver_order {
	const char *driver;
	enum grtrace_order order;
} driver_orders[] = {
#define ROW(driver, order) { driver, GRTRACE_ORDER_##order },
	GRTRACE_DRIVER_ORDERS(ROW)
#undef ROW
};

static const struct name_engine {
	const char *prefix;
	enum grtrace_engine engine;
} name_engines[] = {
#define ROW(prefix, engine) { prefix, GRTRACE_ENGINE_##engine },
	GRTRACE_NAME_ENGINES(ROW)
#undef ROW
};

static const struct shared_ring {
	const char *driver, *name, *hw_name;
} shared_rings[] = {
#define ROW(driver, name, hw_name) { driver, name, hw_name },
	GRTRACE_SHARED_RINGS(ROW)
#undef ROW
};

static const char *const own_queue_drivers[] = {
#define ROW(driver) driver,
	GRTRACE_OWN_QUEUE_DRIVERS(ROW)
#undef ROW
};

static const char *const coalescing_drivers[] = {
#define ROW(driver) driver,
	GRTRACE_COALESCING_DRIVERS(ROW)
#undef ROW
};

static const char *const fenceless_drivers[] = {
#define ROW(driver) driver,
	GRTRACE_FENCELESS_DRIVERS(ROW)
#undef ROW
};

static const struct sched_name {
	const char *start, *driver;
} sched_names[] = {
#define ROW(start, driver) { start, driver },
	GRTRACE_SCHED_NAMES(ROW)
#undef ROW
};

static const char *const fence_drivers[] = {
#define ROW(driver) driver,
	GRTRACE_FENCE_DRIVERS(ROW)
#undef ROW
};

void grt_ring_classify(struct grtrace_ring *ring)
{
	ring->order = GRTRACE_ORDER_UNKNOWN;
	for (size_t i = 0; i < COUNT(driver_orders); i++)
		if (!strcmp(ring->driver, driver_orders[i].driver))
			ring->order = driver_orders[i].order;
	ring->engine = GRTRACE_ENGINE_OTHER;
	for (size_t i = 0; i < COUNT(name_engines); i++)
		if (!strncmp(ring->name, name_engines[i].prefix, strlen(name_engines[i].prefix))) {
			ring->engine = name_engines[i].engine;
			break;
		}
}

const char *grt_ring_hw_name(const struct grtrace_ring *ring)
{
	for (size_t i = 0; i < COUNT(shared_rings); i++)
		if (!strcmp(ring->driver, shared_rings[i].driver) &&
		    !strcmp(ring->name, shared_rings[i].name))
			return shared_rings[i].hw_name;
	return NULL;
}

static bool is_listed(const char *const *drivers, size_t count, const char *driver)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(driver, drivers[i]))
			return true;
	return false;
}

bool grt_driver_has_own_queue(const char *driver)
{
	return is_listed(own_queue_drivers, COUNT(own_queue_drivers), driver);
}

bool grt_driver_coalesces(const char *driver)
{
	return is_listed(coalescing_drivers, COUNT(coalescing_drivers), driver);
}

bool grt_driver_is_known(const char *driver, char *names, size_t room)
{
	size_t used = 0;

	for (size_t i = 0; i < COUNT(driver_orders); i++)
		if (!strcmp(driver, driver_orders[i].driver))
			return true;
	for (size_t i = 0; i < COUNT(fence_drivers); i++) {
		if (!strcmp(driver, fence_drivers[i]))
			return true;
		if (used < room)
			used += snprintf(names + used, room - used, " %s", fence_drivers[i]);
	}
	return false;
}

bool grt_driver_is_fenceless(const char *driver)
{
	return is_listed(fenceless_drivers, COUNT(fenceless_drivers), driver);
}

/*
 * If no interrupt came, amdgpu looks at its fences AMDGPU_FENCE_JIFFIES_TIMEOUT, which is HZ / 2, after it gave a job
 * to an idle ring or saw the job before end: amdgpu_fence.c.  The time is up to one jiffy short, which is 10 ms at
 * most.  It is up to 40 ms late: the kernel groups timers of that length by 8 jiffies, of 4 ms each.
 */
bool grt_driver_looks_itself(const char *driver, uint64_t ns)
{
	return !strcmp(driver, "amdgpu") && ns >= 490000000 && ns <= 540000000;
}

const char *grt_sched_driver(const char *name, size_t len)
{
	for (size_t i = 0; i < COUNT(sched_names); i++) {
		size_t start = strlen(sched_names[i].start);

		if (len > start && !memcmp(name, sched_names[i].start, start) && name[start] >= '0' &&
		    name[start] <= '9')
			return sched_names[i].driver;
	}
	return NULL;
}
