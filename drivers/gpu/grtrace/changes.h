/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How rules, hooks and rings tell the pipeline that what it decides by has changed,
 * without knowing it.
 */
#ifndef _GRTRACE_CHANGES_H
#define _GRTRACE_CHANGES_H

#include <linux/types.h>

/**
 * struct grt_listener - whom changes are told to
 * @decided:  a rule or a hook comes or goes.  Sleeps, under the session lock.  0, or a
 *	      negative errno: then it stays as it was
 * @ring_met: row @row of the ring table has got its name.  Under the lock of that table,
 *	      interrupts off
 * @rings_forgotten: all rows have lost theirs.  Context as @ring_met
 */
struct grt_listener {
	int (*decided)(void);
	void (*ring_met)(u32 row, const char *device, const char *name);
	void (*rings_forgotten)(void);
};

/* Set once, before there is anything to tell. */
extern const struct grt_listener *grt_listener;

#endif
