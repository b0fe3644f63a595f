/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The time that it takes to write an event: every Nth event of a CPU is timed, from just
 * after interrupts go off until just before they are on again.
 */
#ifndef _GRTRACE_COST_H
#define _GRTRACE_COST_H

#include <linux/jump_label.h>

#include "counters.h"

/* N: 0 = off, or a power of two. */
extern u64 grt_cost_sample;
/* On only while grt_cost_sample is not 0. */
DECLARE_STATIC_KEY_FALSE(grt_cost_timed);

bool grt_cost_is_allowed(u64 sample);
/* After a change of grt_cost_sample, and before grt_pipeline_apply().  May sleep. */
void grt_cost_apply(void);

/* Call them before and after an event of CPU @c, interrupts off. */
void grt_cost_begin(struct grt_cpu *c);
void grt_cost_end(struct grt_cpu *c);

#endif
