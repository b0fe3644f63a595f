// SPDX-License-Identifier: LGPL-2.1
#include "packed_job.h"

#include <stddef.h>

/* The bits of a job: first the bits of its known stages, then these. */
enum {
	IS_CUT = GRT_NR_STAGES, IS_LOSSY, IS_KILLED, IS_INFERRED, IS_NO_HW, IS_FAILED, IS_UNJUDGED,
	HAS_LABELS, IS_BOUND, IS_END_INFERRED
};

static const struct {
	uint32_t flag;
	int bit;
} kept_flags[] = {
	{ GRT_JOB_CUT, IS_CUT }, { GRT_JOB_LOSSY, IS_LOSSY }, { GRT_JOB_KILLED, IS_KILLED },
	{ GRT_JOB_INFERRED_START, IS_INFERRED }, { GRT_JOB_NO_HW, IS_NO_HW },
	{ GRT_JOB_UPPER_BOUND, IS_BOUND }, { GRT_JOB_INFERRED_END, IS_END_INFERRED },
};

#define NR_KEPT_FLAGS	(sizeof(kept_flags) / sizeof(kept_flags[0]))

/* Seven bits a byte, the lowest first; the eighth says that more follow. */
static uint8_t *put_number(uint8_t *to, uint64_t number)
{
	for (; number >> 7; number >>= 7)
		*to++ = number | 0x80;
	*to++ = number;
	return to;
}

static const uint8_t *read_number(const uint8_t *from, uint64_t *number)
{
	unsigned int shift = 0;

	*number = 0;
	do {
		*number |= (uint64_t)(*from & 0x7f) << shift;
		shift += 7;
	} while (*from++ & 0x80);
	return from;
}

uint32_t grt_job_pack(uint8_t *byte, const struct grt_job *job, uint64_t labels)
{
	unsigned int stages = job->flags & GRT_JOB_CUT ? 0 : job->stages;
	uint64_t what = stages | (uint64_t)!!labels << HAS_LABELS |
			(uint64_t)(job->has_status && job->status) << IS_FAILED |
			(uint64_t)!job->has_status << IS_UNJUDGED;
	uint8_t *to;

	for (size_t i = 0; i < NR_KEPT_FLAGS; i++)
		what |= (uint64_t)!!(job->flags & kept_flags[i].flag) << kept_flags[i].bit;
	to = put_number(byte, what);
	for (; stages; stages &= stages - 1)
		to = put_number(to, job->stage_ns[__builtin_ctz(stages)]);
	if (labels)
		to = put_number(to, labels);
	return to - byte;
}

const uint8_t *grt_job_unpack(const uint8_t *byte, struct grt_job *job, uint64_t *labels)
{
	uint64_t what;

	byte = read_number(byte, &what);
	*job = (struct grt_job){
		.stages = what & ((1u << GRT_NR_STAGES) - 1),
		.has_status = !(what >> IS_UNJUDGED & 1),
		.status = what >> IS_FAILED & 1 ? -1 : 0,
	};
	for (size_t i = 0; i < NR_KEPT_FLAGS; i++)
		if (what >> kept_flags[i].bit & 1)
			job->flags |= kept_flags[i].flag;
	for (unsigned int left = job->stages; left; left &= left - 1)
		byte = read_number(byte, &job->stage_ns[__builtin_ctz(left)]);
	*labels = 0;
	if (what >> HAS_LABELS & 1)
		byte = read_number(byte, labels);
	return byte;
}
