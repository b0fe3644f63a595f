/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hooks of extension modules: one place each, in the order in which they are asked.
 */
#ifndef _GRTRACE_HOOKS_H
#define _GRTRACE_HOOKS_H

#include <linux/grtrace_hook.h>
#include <linux/jump_label.h>

extern struct static_key_false grt_hook_on[GRTRACE_NR_HOOKS];

void __grt_hook_ask(enum grtrace_hook_place place, struct grtrace_seen *ev);

/* What the hook there makes of it.  Interrupts off. */
static __always_inline void grt_hook_ask(enum grtrace_hook_place place, struct grtrace_seen *ev)
{
	if (static_branch_unlikely(&grt_hook_on[place]))
		__grt_hook_ask(place, ev);
}

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

#endif
