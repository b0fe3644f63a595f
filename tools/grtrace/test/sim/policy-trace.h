/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace with changes of policy.  CPU 0 has jobs at 0.5, 1.1, 1.4 and 2.4 s after the start of
 * the session, CPU 1 a moment later.  From 1.2 s to 2 s jobs are sampled, so CPU 0 has some
 * dropped jobs; the sub-buffer with the change also has older events.
 */
#ifndef GRT_POLICY_TRACE_H
#define GRT_POLICY_TRACE_H

#include <stdbool.h>

#include "synth.h"

/* Writes the stream of CPU 0 or 1; without @has_loss no job is missing. */
void policy_trace(struct synth *s, uint16_t cpu, bool has_loss);

#endif /* GRT_POLICY_TRACE_H */
