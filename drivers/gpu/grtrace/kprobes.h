/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kprobes of adapters: attached while a session runs and the probed module is loaded, unless
 * there is a tracepoint with the name of the function.
 */
#ifndef _GRTRACE_KPROBES_H
#define _GRTRACE_KPROBES_H

#include <linux/types.h>

struct grtrace_adapter;
struct module;

/*
 * Attaches the kprobes on functions of @mod; NULL = all whose function exists.  Returns
 * -ENOMEM if one is not attached for lack of memory, else 0.  All functions here run under the
 * adapters' lock and may sleep.
 */
int grt_kprobes_attach(struct grtrace_adapter *adapter, const struct module *mod);
/* Detaches the kprobes of @mod, NULL = all.  No handler runs when it returns. */
void grt_kprobes_detach(struct grtrace_adapter *adapter, const struct module *mod);

unsigned int grt_kprobes_attached(const struct grtrace_adapter *adapter);
/* Is the kprobe on function @name attached? */
bool grt_kprobes_have(const struct grtrace_adapter *adapter, const char *name);
/* Feature bits whose kprobe is not attached, and has no tracepoint in its place. */
u64 grt_kprobes_missing(const struct grtrace_adapter *adapter);

/* name=value lines for METADATA; returns the length. */
size_t grt_kprobes_describe(const struct grtrace_adapter *adapter, char *to,
			    size_t room);

#endif
