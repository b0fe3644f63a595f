/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules, hooks and rings notify the pipeline of changes through this interface, so that they
 * do not depend on it.
 */
#ifndef _GRTRACE_CHANGES_H
#define _GRTRACE_CHANGES_H

#include <linux/types.h>

/**
 * struct grt_listener - callbacks for changes
 * @decided:  a rule or a hook was added or removed.  Sleeps, under the session lock.  Returns
 *	      0, or a negative errno: the caller then undoes its change
 * @ring_added: row @row of the ring table got its name.  Under the lock of that table,
 *	      interrupts off
 * @rings_cleared: all rows lost their names.  Context as @ring_added
 */
struct grt_listener {
	int (*decided)(void);
	void (*ring_added)(u32 row, const char *device, const char *name);
	void (*rings_cleared)(void);
};

/* Set once, before the first change. */
extern const struct grt_listener *grt_listener;

#endif
