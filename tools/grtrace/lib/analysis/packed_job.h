/* SPDX-License-Identifier: LGPL-2.1 */
/* What a table counts of a job, in few bytes: its stages, some flags, its status and labels. */
#ifndef GRT_PACKED_JOB_H
#define GRT_PACKED_JOB_H

#include <stdint.h>

#include "job.h"

/* The longest packed job: its bits, its stages and its labels, ten bytes each at most. */
#define GRT_PACKED_JOB_MAX	((1 + GRT_NR_STAGES + 1) * 10)

/* Returns the bytes written.  Leaves out the stages of a job that is cut. */
uint32_t grt_job_pack(uint8_t *byte, const struct grt_job *job, uint64_t labels);

/* Returns where the next job is.  All else in @job is 0. */
const uint8_t *grt_job_unpack(const uint8_t *byte, struct grt_job *job, uint64_t *labels);

#endif /* GRT_PACKED_JOB_H */
