/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kprobes of adapters: attached while a session runs and their module is there.
 */
#ifndef _GRTRACE_KPROBES_H
#define _GRTRACE_KPROBES_H

#include <linux/types.h>

struct grtrace_adapter;
struct module;

/*
 * Those of @mod, or all that are found when it is NULL.  Under the adapters' lock; all may
 * sleep.
 */
void grt_kprobes_attach(struct grtrace_adapter *adapter, const struct module *mod);
/* Those of @mod, or all when it is NULL.  No handler runs when it returns. */
void grt_kprobes_detach(struct grtrace_adapter *adapter, const struct module *mod);

unsigned int grt_kprobes_attached(const struct grtrace_adapter *adapter);
/* Feature bits that need a kprobe which is not attached. */
u64 grt_kprobes_missing(const struct grtrace_adapter *adapter);

/* name=value lines for METADATA; returns the length. */
size_t grt_kprobes_describe(const struct grtrace_adapter *adapter, char *to,
			    size_t room);

#endif
