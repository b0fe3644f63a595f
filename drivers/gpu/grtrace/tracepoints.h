/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Adapters, and the tracepoints that they probe, found by name.
 */
#ifndef _GRTRACE_TRACEPOINTS_H
#define _GRTRACE_TRACEPOINTS_H

#include <linux/types.h>

int grt_tracepoints_init(void);
void grt_tracepoints_exit(void);

/* Under the session lock: probes are attached only between these two. */
void grt_adapters_attach(void);
/* Returns when no probe runs any more. */
void grt_adapters_detach(void);

/* Feature bits that the adapters loaded now add. */
u64 grt_adapters_features(void);
/* name=value lines for METADATA; returns the length. */
size_t grt_adapters_describe(char *to, size_t room);

#endif
