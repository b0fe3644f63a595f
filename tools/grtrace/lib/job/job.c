// SPDX-License-Identifier: LGPL-2.1
#include <stddef.h>
#include <string.h>

#include "job.h"

/*
 * Stages that are the time between two stamps.  The parts of t_submit_host and t_gpu_wait are not
 * here: they depend on other events, too.
 */
static const struct {
	enum grt_stage stage;
	enum grt_stamp from, to;
} spans[] = {
	{ GRT_STAGE_SUBMIT_HOST, GRT_AT_SUBMIT, GRT_AT_COMMIT },
	{ GRT_STAGE_QUEUE,	 GRT_AT_COMMIT, GRT_AT_START },
	{ GRT_STAGE_EXEC,	 GRT_AT_START,	GRT_AT_END },
	{ GRT_STAGE_HW,		 GRT_AT_COMMIT, GRT_AT_END },
	{ GRT_STAGE_COMPLETE,	 GRT_AT_END,	GRT_AT_COMPLETE },
	{ GRT_STAGE_TOTAL,	 GRT_AT_SUBMIT, GRT_AT_COMPLETE },
};

static const char * const stage_names[] = {
#define GRT_X(NAME, name, text) [GRT_STAGE_##NAME] = #name,
	GRT_STAGES(GRT_X)
	GRT_CPU_STAGES(GRT_X)
#undef GRT_X
};

static const struct {
	uint32_t flag;
	const char *word;
} flag_words[] = {
#define GRT_X(NAME, word, bit, text) { GRT_JOB_##NAME, #word },
	GRT_JOB_FLAGS(GRT_X)
#undef GRT_X
};

#define GRT_X(NAME, word, bit, text) + sizeof(#word)
_Static_assert(0 GRT_JOB_FLAGS(GRT_X) <= GRT_JOB_FLAGS_LEN, "all flags do not fit");
#undef GRT_X

uint64_t grt_first_ns(const uint64_t at_ns[GRT_NR_STAMPS], unsigned int stamps)
{
	uint64_t first_ns = UINT64_MAX;

	for (int i = 0; i < GRT_NR_STAMPS; i++)
		if (stamps >> i & 1 && at_ns[i] < first_ns)
			first_ns = at_ns[i];
	return first_ns;
}

uint64_t grt_last_ns(const uint64_t at_ns[GRT_NR_STAMPS], unsigned int stamps)
{
	uint64_t last_ns = 0;

	for (int i = 0; i < GRT_NR_STAMPS; i++)
		if (stamps >> i & 1 && at_ns[i] > last_ns)
			last_ns = at_ns[i];
	return last_ns;
}

/* If one of two stamps was derived from the other, the time between them is unknown. */
static bool is_made_up(const struct grt_job *job, enum grt_stage stage)
{
	return stage == GRT_STAGE_COMPLETE &&
	       job->flags & (GRT_JOB_INFERRED_END | GRT_JOB_INFERRED_COMPLETE);
}

void grt_job_stages(struct grt_job *job)
{
	bool is_late = grt_job_has(job, GRT_AT_START) && grt_job_has(job, GRT_AT_END) &&
		       job->at_ns[GRT_AT_START] > job->at_ns[GRT_AT_END];

	job->stages = 0;
	for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
		uint64_t from_ns = job->at_ns[spans[i].from];
		uint64_t to_ns = job->at_ns[spans[i].to];

		if (!grt_job_has(job, spans[i].from) || !grt_job_has(job, spans[i].to) ||
		    is_made_up(job, spans[i].stage))
			continue;
		/* If START is after END, it is unknown when the job began. */
		if (to_ns < from_ns || (is_late && spans[i].to == GRT_AT_START)) {
			job->flags |= GRT_JOB_OUT_OF_ORDER;
			continue;
		}
		job->stage_ns[spans[i].stage] = to_ns - from_ns;
		job->stages |= 1u << spans[i].stage;
	}
}

bool grt_job_adds_up(const struct grt_job *job)
{
	const uint16_t all = 1u << GRT_STAGE_SUBMIT_HOST | 1u << GRT_STAGE_QUEUE |
			     1u << GRT_STAGE_EXEC | 1u << GRT_STAGE_COMPLETE |
			     1u << GRT_STAGE_TOTAL;
	const uint64_t *ns = job->stage_ns;

	return (job->stages & all) != all ||
	       ns[GRT_STAGE_TOTAL] == ns[GRT_STAGE_SUBMIT_HOST] + ns[GRT_STAGE_QUEUE] +
				      ns[GRT_STAGE_EXEC] + ns[GRT_STAGE_COMPLETE];
}

const char *grt_blame_reason_name(enum grt_blame_reason reason)
{
	static const char *const names[] = {
#define GRT_X(NAME, name, text) [GRT_BLAME_##NAME] = #name,
		GRT_BLAME_REASONS(GRT_X)
#undef GRT_X
	};

	return names[reason];
}

const char *grt_stage_name(enum grt_stage stage)
{
	return stage_names[stage];
}

const char *grt_job_flags(uint32_t flags, char *buf)
{
	char *p = buf;

	for (size_t i = 0; i < sizeof(flag_words) / sizeof(flag_words[0]); i++) {
		if (!(flags & flag_words[i].flag))
			continue;
		if (p != buf)
			*p++ = '|';
		p = stpcpy(p, flag_words[i].word);
	}
	*p = '\0';
	return buf;
}
