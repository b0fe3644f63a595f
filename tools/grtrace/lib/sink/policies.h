/* SPDX-License-Identifier: LGPL-2.1 */
/* Under which policies a trace was made. */
#ifndef GRT_SINK_POLICIES_H
#define GRT_SINK_POLICIES_H

#include "job_sink.h"
#include "json.h"

/* A line of the headline; of a trace without any nothing is said. */
void grt_policy_line(const struct grt_job_out *o);

/* Two members of the object that is open. */
void grt_policies_json(struct grt_json *j, const struct grt_job_out *o);

#endif /* GRT_SINK_POLICIES_H */
