/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For test modules that call the tracepoints of a driver whose hardware is not there, with objects
 * made by hand: what reads these objects cannot tell the difference.  Each such module includes
 * this once.
 */
#ifndef _GRTRACE_FIRE_H
#define _GRTRACE_FIRE_H

#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

/* A tracepoint; @tp is NULL if the driver was built without it. */
struct fire_point {
	const char *name;
	struct tracepoint *tp;
};

/* Where to look for points: set by fire_find() while it runs. */
static struct {
	const char *driver;
	struct fire_point *points;
	unsigned int nr;
} fire_wanted;

static inline int fire_look(struct notifier_block *nb, unsigned long action, void *data)
{
	struct module *mod = ((struct tp_module *)data)->mod;

	if (action != MODULE_STATE_COMING || strcmp(mod->name, fire_wanted.driver))
		return NOTIFY_OK;
	for (unsigned int i = 0; i < mod->num_tracepoints; i++) {
		struct tracepoint *tp = tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]);

		for (unsigned int k = 0; k < fire_wanted.nr; k++)
			if (!strcmp(tp->name, fire_wanted.points[k].name))
				fire_wanted.points[k].tp = tp;
	}
	return NOTIFY_OK;
}

/* Finds the points of @driver, which must be loaded.  Returns how many it has. */
static inline unsigned int fire_find(const char *driver, struct fire_point *points,
				     unsigned int nr)
{
	static struct notifier_block finder = { .notifier_call = fire_look };
	unsigned int found = 0;

	fire_wanted.driver = driver;
	fire_wanted.points = points;
	fire_wanted.nr = nr;
	/* Registering calls fire_look() once for each module that is loaded already. */
	register_tracepoint_module_notifier(&finder);
	unregister_tracepoint_module_notifier(&finder);
	for (unsigned int k = 0; k < nr; k++)
		found += !!points[k].tp;
	return found;
}

/*
 * Calls all probes of a tracepoint, as the driver would.  Every argument fits a register, and a
 * probe ignores those that it does not have.
 */
static inline void fire_call(const struct fire_point *point, unsigned long a, unsigned long b,
			     unsigned long c, unsigned long d)
{
	int (*call)(void *data, unsigned long a, unsigned long b, unsigned long c, unsigned long d);

	if (!point->tp)
		return;
	call = (void *)point->tp->iterator;
	preempt_disable();
	call(NULL, a, b, c, d);
	preempt_enable();
}

/* Stores @value at @offset of @object. */
#define fire_put(object, offset, value) \
	(*(typeof(value) *)((char *)(object) + (offset)) = (value))

#endif
