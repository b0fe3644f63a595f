/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hooks of extension modules: one place each, in the order in which they are asked.
 */
#ifndef _GRTRACE_HOOKS_H
#define _GRTRACE_HOOKS_H

#include <linux/grtrace_hook.h>
#include <linux/jump_label.h>
#include <linux/static_call.h>

/* On while the hook at that place is to be called. */
extern struct static_key_false grt_hook_on[GRTRACE_NR_HOOKS];

/* By place; those whose key is on are there.  Look with interrupts off. */
extern struct grtrace_hook *grt_hooks[GRTRACE_NR_HOOKS];

static __always_inline const struct grtrace_hook *grt_hook_at(enum grtrace_hook_place place)
{
	return READ_ONCE(grt_hooks[place]);
}

/* Functions of the hooks, patched into the callers: a pointer would cost a retpoline per job. */
enum grtrace_verdict grt_hook_submit(struct grtrace_job_state *job);
void grt_hook_complete(struct grtrace_job_state *job);
DECLARE_STATIC_CALL(grt_filter_submit, grt_hook_submit);
DECLARE_STATIC_CALL(grt_filter_complete, grt_hook_complete);
DECLARE_STATIC_CALL(grt_sampler_submit, grt_hook_submit);
DECLARE_STATIC_CALL(grt_sampler_complete, grt_hook_complete);
DECLARE_STATIC_CALL(grt_aggregator_submit, grt_hook_submit);
DECLARE_STATIC_CALL(grt_aggregator_complete, grt_hook_complete);

/* Of those that are on.  Under the session lock. */
bool grt_hooks_any(void);
/* Of those that decide or sum up. */
bool grt_hooks_judge(void);
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
