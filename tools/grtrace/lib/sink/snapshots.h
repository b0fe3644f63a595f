/* SPDX-License-Identifier: LGPL-2.1 */
/* Why a flight recorder took the snapshot that this trace is. */
#ifndef GRT_SNAPSHOTS_H
#define GRT_SNAPSHOTS_H

#include "job_sink.h"
#include "json.h"

/* A line for each snapshot, nothing for a trace that is none. */
void grt_snapshot_lines(const struct grt_job_out *o);

/* A section of the first screen: what the kernel and devices said around the latest one. */
void grt_snapshot_notes(const struct grt_job_out *o);
void grt_snapshots_json(struct grt_json *j, const struct grt_job_out *o);

#endif /* GRT_SNAPSHOTS_H */
