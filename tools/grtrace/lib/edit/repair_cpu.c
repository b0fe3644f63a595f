// SPDX-License-Identifier: LGPL-2.1
/* What repair found, and how many events of each CPU are missing. */
#include "cursor.h"
#include "error.h"
#include "repair_private.h"

void repair_find(struct repair_job *j, enum grt_finding_kind kind, uint64_t offset, uint64_t bytes,
		 uint64_t events)
{
	struct grt_repair *r = j->result;

	r->lost_bytes += bytes;
	if (r->nr_findings < GRT_MAX_FINDINGS)
		r->findings[r->nr_findings] =
			(struct grt_finding){ kind, j->file, offset, bytes, events };
	r->nr_findings++;
}

struct repair_cpu *repair_cpu(struct repair_job *j, uint32_t cpu)
{
	struct repair_cpu blank = { .cpu = cpu };

	if (j->is_from_start)
		grt_account_begin(&blank.account, j->info.start_ns);
	for (size_t i = 0; i < grt_vec_count(&j->cpus, struct repair_cpu); i++)
		if (grt_vec_at(&j->cpus, struct repair_cpu, i)->cpu == cpu)
			return grt_vec_at(&j->cpus, struct repair_cpu, i);
	if (grt_vec_append(&j->cpus, &blank, sizeof(blank)))
		return NULL;
	return grt_vec_at(&j->cpus, struct repair_cpu,
			  grt_vec_count(&j->cpus, struct repair_cpu) - 1);
}

/* Sums the losses that this file caused, that is, the events that were written. */
static uint64_t missing(const struct grtrace_loss *losses, unsigned int count)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < count; i++)
		if (losses[i].reason == GRTRACE_FATE_WRITTEN)
			sum += losses[i].count;
	return sum;
}

static uint64_t count_fates(struct repair_cpu *state, const struct grtrace_hdr *hdr)
{
	const struct grtrace_subbuf *sub = (const void *)hdr;
	const struct grtrace_stream_end *end = (const void *)hdr;
	bool is_end = hdr->type == GRTRACE_STREAM_END;
	struct grtrace_loss losses[GRT_MAX_LOSSES];

	state->has_ended |= is_end;
	return missing(losses,
		       grt_account_fates(&state->account, hdr, is_end ? &end->fates : &sub->fates,
					 is_end ? end->last_cseq : hdr->cseq, false, losses));
}

/* The next account or event counts the events that were left out before it. */
static void close_gap(struct repair_cpu *state)
{
	state->gone = 0;
	state->has_gap = false;
}

int repair_count(struct repair_job *j, uint32_t cpu, const void *data, size_t bytes)
{
	struct repair_cpu *state = repair_cpu(j, cpu);
	struct grt_cursor c = grt_cursor(data, bytes);
	const struct grtrace_hdr *hdr;
	struct grtrace_loss loss;

	if (!state)
		return grt_fail_memory();
	while ((hdr = grt_take_record(&c))) {
		if (hdr->type == GRTRACE_SUBBUF || hdr->type == GRTRACE_STREAM_END) {
			j->result->lost_events += count_fates(state, hdr);
			close_gap(state);
		} else if (hdr->type < GRTRACE_STREAM_BASE) {
			if (grt_account_event(&state->account, hdr, &loss) == GRT_EVENT_AFTER_GAP)
				j->result->lost_events += loss.count;
			close_gap(state);
		}
	}
	return 0;
}
