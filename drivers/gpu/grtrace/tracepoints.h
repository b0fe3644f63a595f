/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Adapters, and the tracepoints that they probe, found by name.
 */
#ifndef _GRTRACE_TRACEPOINTS_H
#define _GRTRACE_TRACEPOINTS_H

#include <linux/types.h>

int grt_tracepoints_init(void);
void grt_tracepoints_exit(void);

/*
 * These under the session lock.  At begin kprobes are attached, which not every kernel
 * lets us do: so what the session can tell is known before it says so.
 */
void grt_adapters_begin(void);
/* Feature bits that those that have begun add. */
u64 grt_adapters_features(void);
/* The tracepoints: last, when events are taken. */
void grt_adapters_attach(void);
/* Returns when no probe runs any more. */
void grt_adapters_detach(void);

/* name=value lines for METADATA; returns the length. */
size_t grt_adapters_describe(char *to, size_t room);

#endif
