/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace whose policy changes, for tests.  CPU 0 has jobs at 0.5, 1.1, 1.4 and 2.4 s after
 * the start of the session, CPU 1 a moment later.  From 1.2 s to 2 s jobs are sampled, and
 * CPU 0 lost some by it; the sub-buffer in which that begins holds older events, too.
 */
#ifndef GRT_POLICY_TRACE_H
#define GRT_POLICY_TRACE_H

#include <stdbool.h>

#include "synth.h"

/* The stream of one CPU, 0 or 1; without @has_loss all jobs are there. */
void policy_trace(struct synth *s, uint16_t cpu, bool has_loss);

#endif /* GRT_POLICY_TRACE_H */
