/* SPDX-License-Identifier: LGPL-2.1 */
/* Jobs by call stack. */
#ifndef GRT_SINK_STACKS_H
#define GRT_SINK_STACKS_H

#include "job_sink.h"
#include "report_table.h"

/* The table of all weights, for CSV and JSON. */
void grt_report_stacks(struct grt_report_table *s, const struct grt_job_out *o);

/* Lines for flamegraph.pl and the like: "comm;main;draw 17", weighted with o->stack_weight. */
void grt_stacks_folded(const struct grt_job_out *o);

#endif /* GRT_SINK_STACKS_H */
