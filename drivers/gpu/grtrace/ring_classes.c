// SPDX-License-Identifier: GPL-2.0
/*
 * Classifies rings by driver and name.
 */
#include <linux/export.h>
#include <linux/grtrace.h>
#include <linux/grtrace_rings.h>
#include <linux/kernel.h>
#include <linux/string.h>

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

static const struct shared_hw {
	const char *driver, *name, *hw_name;
} shared_hws[] = {
#define ROW(driver, name, hw_name) { driver, name, hw_name },
	GRTRACE_SHARED_RINGS(ROW)
#undef ROW
};

void grtrace_ring_classify(struct grtrace_ring_desc *desc)
{
	unsigned int i;

	desc->order = GRTRACE_ORDER_UNKNOWN;
	for (i = 0; i < ARRAY_SIZE(driver_orders); i++)
		if (!strcmp(desc->driver, driver_orders[i].driver))
			desc->order = driver_orders[i].order;

	desc->engine = GRTRACE_ENGINE_OTHER;
	for (i = 0; i < ARRAY_SIZE(name_engines); i++) {
		if (strstarts(desc->name, name_engines[i].prefix)) {
			desc->engine = name_engines[i].engine;
			break;
		}
	}

	desc->hw_name = NULL;
	for (i = 0; i < ARRAY_SIZE(shared_hws); i++)
		if (!strcmp(desc->driver, shared_hws[i].driver) &&
		    !strcmp(desc->name, shared_hws[i].name))
			desc->hw_name = shared_hws[i].hw_name;
}
EXPORT_SYMBOL_GPL(grtrace_ring_classify);
