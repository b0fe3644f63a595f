/* SPDX-License-Identifier: LGPL-2.1 */
/* The policies that were active during the recording. */
#ifndef GRT_SINK_POLICIES_H
#define GRT_SINK_POLICIES_H

#include "job_sink.h"
#include "json.h"

/* Prints a line of the headline; nothing for a trace without policies. */
void grt_policy_line(const struct grt_job_out *o);

/* Adds two members to the current object. */
void grt_policies_json(struct grt_json *j, const struct grt_job_out *o);

#endif /* GRT_SINK_POLICIES_H */
