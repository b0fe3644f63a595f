// SPDX-License-Identifier: GPL-2.0
#include "policy-trace.h"

#define MS(n)	(SYNTH_START + (n) * 1000000ull)

static void job(struct synth *s, unsigned int nth, uint64_t ms)
{
	synth_job(s, 7 + s->cpu, nth, 1 + s->cpu, 100, MS(ms + 10 * s->cpu));
}

void policy_trace(struct synth *s, uint16_t cpu, bool has_loss)
{
	struct grtrace_stream_info *info;

	synth_begin(s, cpu);
	info = synth_find(s, GRTRACE_STREAM_INFO, 0);
	info->features |= 1u << GRTRACE_FEATURE_DEPENDENCIES;
	synth_ring(s, 1, "gfx", SYNTH_START);
	synth_ring(s, 2, "copy", SYNTH_START);
	synth_process(s, 100, "game", SYNTH_START);
	synth_policy(s, "buffer_size=65536", SYNTH_START);
	synth_policy(s, "level=standard", SYNTH_START);
	synth_subbuf(s, MS(500));
	job(s, 1, 500);
	/* All changes until the reader came for the next sub-buffer. */
	synth_policy(s, "sample=25", MS(1200));
	synth_policy(s, "buffer_size=131072", MS(1250));
	synth_subbuf(s, MS(1000));
	job(s, 2, 1100);
	if (has_loss && !cpu)
		synth_lose(s, GRTRACE_FATE_SAMPLED, 12);
	job(s, 3, 1400);
	synth_policy(s, "sample=100", MS(2000));
	synth_subbuf(s, MS(2300));
	job(s, 4, 2400);
	synth_end(s, MS(2500));
}
