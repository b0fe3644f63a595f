// SPDX-License-Identifier: GPL-2.0
#include "sim-file.h"

#include <stdlib.h>
#include <string.h>

#include "synth.h"

static void begin(const struct sim *s, struct synth *cpu, uint16_t nr)
{
	struct grtrace_stream_info *info;
	struct grtrace_ring *row;
	char name[16];

	synth_begin(cpu, nr);
	info = synth_find(cpu, GRTRACE_STREAM_INFO, 0);
	info->features |= 1u << GRTRACE_FEATURE_DEPENDENCIES | 1u << GRTRACE_FEATURE_RECOVERY |
			  1u << GRTRACE_FEATURE_CLIENT_ID | 1u << GRTRACE_FEATURE_GLOBAL_SEQ;
	for (uint32_t r = 0; r < s->nr_rings; r++) {
		synth_ring(cpu, r + 1, s->rings[r].name, SYNTH_START);
		row = synth_find(cpu, GRTRACE_RING, r);
		row->hw_ring = s->rings[r].hw + 1;
		row->order = s->rings[r].order;
		row->credit_limit = s->rings[r].credit_limit;
		row->device[0] += s->rings[r].device;
	}
	for (uint32_t c = 0; c < s->nr_ctxs; c++) {
		snprintf(name, sizeof(name), "process%u", s->ctxs[c].tgid);
		synth_process(cpu, s->ctxs[c].tgid, name, SYNTH_START);
	}
	synth_subbuf(cpu, SYNTH_START);
}

static uint32_t reason_at(const struct sim *s, uint64_t ns)
{
	for (uint32_t i = 0; i < s->nr_losses; i++)
		if (ns >= s->losses[i].from_ns && ns <= s->losses[i].to_ns)
			return s->losses[i].reason;
	return s->nr_losses ? s->losses[0].reason : GRTRACE_FATE_WRITTEN;
}

static void take(const struct sim *s, struct synth *cpu, const struct sim_event *e, uint64_t *gone)
{
	const struct grtrace_hdr *rec = &e->rec.hdr;
	struct grtrace_hdr *copy;

	if (e->is_dropped) {
		uint32_t reason = reason_at(s, rec->ts);

		if (reason == GRTRACE_FATE_WRITTEN)
			return;
		synth_lose(cpu, reason, 1);
		++*gone;
		return;
	}
	if (*gone)
		synth_subbuf(cpu, SYNTH_START + rec->ts);
	*gone = 0;
	copy = synth_event(cpu, rec->type, SYNTH_START + rec->ts);
	copy->flags = rec->flags;
	memcpy(copy + 1, rec + 1, copy->size - sizeof(*rec));
	/* Times in the payload are on the same clock. */
	if (rec->type == GRTRACE_END && ((struct grtrace_end *)copy)->hw_done_ns)
		((struct grtrace_end *)copy)->hw_done_ns += SYNTH_START;
	if (rec->type == GRTRACE_FENCE_SIGNALED &&
	    ((struct grtrace_fence_signaled *)copy)->signaled_ns)
		((struct grtrace_fence_signaled *)copy)->signaled_ns += SYNTH_START;
}

/* Writes the changes of policy up to @ns to the stream of every CPU; *@at counts them. */
static void put_policies(const struct sim *s, struct synth *cpus, uint32_t *at, uint64_t ns)
{
	char text[SIM_POLICY_LEN];
	uint64_t at_ns;

	while (sim_policy(s, *at, text, &at_ns) && at_ns <= ns) {
		for (uint32_t i = 0; i < s->nr_cpus; i++)
			synth_policy(&cpus[i], text, SYNTH_START + at_ns);
		++*at;
	}
}

void sim_write(const struct sim *s, struct grt_vec *out)
{
	struct synth cpus[SIM_CPUS];
	uint32_t policies = 0;
	uint64_t gseq = 0, last_ns = 0, gone[SIM_CPUS] = { 0 };

	for (uint32_t i = 0; i < s->nr_cpus; i++) {
		begin(s, &cpus[i], i);
		cpus[i].gseq = &gseq;
	}
	for (uint32_t i = 0; i < s->nr_events; i++) {
		uint16_t cpu = s->events[i].rec.hdr.cpu;

		put_policies(s, cpus, &policies, s->events[i].rec.hdr.ts);
		take(s, &cpus[cpu], &s->events[i], &gone[cpu]);
		last_ns = s->events[i].rec.hdr.ts;
	}
	for (uint32_t i = 0; i < s->nr_cpus; i++) {
		synth_end(&cpus[i], SYNTH_START + last_ns);
		if (grt_vec_append(out, cpus[i].bytes.data, cpus[i].bytes.bytes))
			abort();
		synth_free(&cpus[i]);
	}
}
