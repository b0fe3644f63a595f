/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hooks of extension modules: one per place, called in the order of the places.
 */
#ifndef _GRTRACE_HOOKS_H
#define _GRTRACE_HOOKS_H

#include <linux/grtrace_hook.h>
#include <linux/jump_label.h>
#include <linux/static_call.h>

/* By place: on while the hook there is called. */
extern struct static_key_false grt_hook_on[GRTRACE_NR_HOOKS];

/* By place; not NULL while its key is on.  Read it with interrupts off. */
extern struct grtrace_hook *grt_hooks[GRTRACE_NR_HOOKS];

static __always_inline const struct grtrace_hook *grt_hook_at(enum grtrace_hook_place place)
{
	return READ_ONCE(grt_hooks[place]);
}

/* The hooks' functions as static calls: a pointer would cost a retpoline per job. */
enum grtrace_verdict grt_hook_submit(struct grtrace_job_state *job);
void grt_hook_complete(struct grtrace_job_state *job);
DECLARE_STATIC_CALL(grt_filter_submit, grt_hook_submit);
DECLARE_STATIC_CALL(grt_filter_complete, grt_hook_complete);
DECLARE_STATIC_CALL(grt_sampler_submit, grt_hook_submit);
DECLARE_STATIC_CALL(grt_sampler_complete, grt_hook_complete);
DECLARE_STATIC_CALL(grt_aggregator_submit, grt_hook_submit);
DECLARE_STATIC_CALL(grt_aggregator_complete, grt_hook_complete);

/* Is any hook on?  Under the session lock, as the next two. */
bool grt_hooks_any(void);
/* Is any hook on that decides about jobs or sums them up? */
bool grt_hooks_judge(void);
/* Is any hook on that needs tracked jobs? */
bool grt_hooks_need_jobs(void);

/* Session start, under its lock: pins the modules. */
void grt_hooks_begin(void);
/* Notes the hooks' keys; call it after grt_transport_begin(). */
void grt_hooks_note(void);
/* Session stop: hooks may write for the last time. */
void grt_hooks_stopping(void);
/* The session has stopped: unpins the modules. */
void grt_hooks_end(void);

/* name=value lines for METADATA; returns the length. */
size_t grt_hooks_describe(char *to, size_t room);

#endif
