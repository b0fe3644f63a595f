/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hooks of extension modules: one place each, in the order in which they are asked.
 */
#ifndef _GRTRACE_HOOKS_H
#define _GRTRACE_HOOKS_H

#include <linux/grtrace_hook.h>
#include <linux/jump_label.h>

/* On while the hook at that place is to be called. */
extern struct static_key_false grt_hook_on[GRTRACE_NR_HOOKS];
/* On while a monitor wants to know of drops. */
DECLARE_STATIC_KEY_FALSE(grt_monitored);

/* By place; those whose key is on are there.  Look with interrupts off. */
extern struct grtrace_hook *grt_hooks[GRTRACE_NR_HOOKS];

static __always_inline const struct grtrace_hook *grt_hook_at(enum grtrace_hook_place place)
{
	return READ_ONCE(grt_hooks[place]);
}

/* Tells the monitor, whose key is on, of an event that was dropped.  Interrupts off. */
void grt_hook_dropped(u32 ring, u16 type, enum grtrace_fate fate);

/* Of those that are on.  Under the session lock. */
bool grt_hooks_any(void);
bool grt_hooks_need_jobs(void);

/* Around a session, under its lock: pins the modules, and lets them go. */
void grt_hooks_begin(void);
/* Their keys, once readers are of the new session. */
void grt_hooks_note(void);
/* They may write a last time. */
void grt_hooks_stopping(void);
void grt_hooks_end(void);

/* name=value lines for METADATA; returns the length. */
size_t grt_hooks_describe(char *to, size_t room);

#endif
