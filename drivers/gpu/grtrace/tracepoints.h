/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Adapters, and the tracepoints that they probe, found by name.
 */
#ifndef _GRTRACE_TRACEPOINTS_H
#define _GRTRACE_TRACEPOINTS_H

#include <linux/types.h>

struct grtrace_adapter;

int grt_tracepoints_init(void);
void grt_tracepoints_exit(void);

/*
 * All of these under the session lock.  begin attaches kprobes, which some kernels refuse, so
 * the features of the session are known before STREAM_INFO is written.  Returns -ENOMEM if a
 * probe is not attached for lack of memory, else 0: what the kernel lacks or refuses is told in
 * the log, and is no failure.  All others are attached in any case.
 */
int grt_adapters_begin(void);
/* Feature bits of the adapters that have begun. */
u64 grt_adapters_features(void);
/* Attaches the tracepoints; call it last, when the session takes events.  Returns likewise. */
int grt_adapters_attach(void);
/* Returns when no probe runs any more. */
void grt_adapters_detach(void);

/* Calls @fn for each adapter; stops at the first result that is not 0, and returns it.  Sleeps. */
int grt_adapters_each(int (*fn)(struct grtrace_adapter *adapter, void *arg), void *arg);

/* name=value lines for METADATA; returns the length. */
size_t grt_adapters_describe(char *to, size_t room);

#endif
