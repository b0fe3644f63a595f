// SPDX-License-Identifier: LGPL-2.1
#include "account.h"

#include "input.h"

static void make_loss(struct grtrace_loss *loss, const struct grt_account *a,
		      const struct grtrace_hdr *at, uint32_t reason, uint64_t count)
{
	/*
	 * A full buffer accepts no event until a sub-buffer is free again, and the events of a cut
	 * are missing at its place: both kinds are missing right after the last event.  All other
	 * fates may have met events anywhere since the previous account.
	 */
	bool is_gap = reason == GRTRACE_FATE_BUFFER_FULL || reason == GRTRACE_FATE_WRITTEN;

	*loss = (struct grtrace_loss){
		.hdr = {
			.type = GRTRACE_LOSS,
			.size = sizeof(*loss),
			.cpu = at->cpu,
			.ts = at->ts,
			.cseq = a->last_cseq,
		},
		.reason = reason,
		.count = count,
		.from_ns = is_gap ? a->last_ns : a->fates_ns,
		.to_ns = at->ts,
	};
}

void grt_account_begin(struct grt_account *a, uint64_t start_ns)
{
	a->has_fates = a->has_cseq = true;
	a->last_ns = a->fates_ns = start_ns;
}

enum grt_verdict grt_account_event(struct grt_account *a, const struct grtrace_hdr *ev,
				   struct grtrace_loss *loss)
{
	enum grt_verdict verdict = GRT_EVENT_NEXT;

	/* Without event counts no gap can be seen. */
	if (!ev->cseq)
		goto out;
	if (a->has_cseq && ev->cseq <= a->last_cseq)
		return GRT_EVENT_REPEATED;
	if (a->has_cseq && ev->cseq > a->last_cseq + 1) {
		make_loss(loss, a, ev, GRTRACE_FATE_WRITTEN, ev->cseq - a->last_cseq - 1);
		verdict = GRT_EVENT_AFTER_GAP;
	}
	if (!a->has_cseq)
		a->first_cseq = ev->cseq - 1;
	a->last_cseq = ev->cseq;
	a->has_cseq = true;
out:
	a->last_ns = ev->ts;
	return verdict;
}

static const __u64 *members(const struct grtrace_fates *fates)
{
	return &fates->written;
}

static bool adds_up(const struct grtrace_fates *fates)
{
	uint64_t sum = 0;

	for (int i = 0; i < GRTRACE_NR_FATES; i++)
		sum += members(fates)[i];
	return sum == fates->seen;
}

unsigned int grt_account_fates(struct grt_account *a, const struct grtrace_hdr *hdr,
			       const struct grtrace_fates *fates, uint64_t cseq,
			       bool is_first, struct grtrace_loss *losses)
{
	unsigned int count = 0;

	if (!adds_up(fates) || fates->written != cseq)
		a->is_odd = true;
	/* Data that was read twice: older fates than the last account say nothing new. */
	if (a->has_fates && fates->seen < a->fates.seen)
		return 0;
	if (a->has_cseq && cseq > a->last_cseq)
		make_loss(&losses[count++], a, hdr, GRTRACE_FATE_WRITTEN, cseq - a->last_cseq);
	/*
	 * Without a previous account and without the session's start, the fates cover time before
	 * this trace, in which nothing is missing.
	 */
	if (a->has_fates || is_first)
		for (int i = GRTRACE_FATE_WRITTEN + 1; i < GRTRACE_NR_FATES; i++)
			if (members(fates)[i] > members(&a->fates)[i] && !(GRTRACE_KEPT_FATES >> i & 1))
				make_loss(&losses[count++], a, hdr, i,
					  members(fates)[i] - members(&a->fates)[i]);
	a->fates = *fates;
	a->fates_ns = hdr->ts;
	a->fates_cseq = cseq;
	a->has_fates = a->has_account = true;
	if (!a->has_cseq)
		a->first_cseq = cseq;
	if (!a->has_cseq || cseq > a->last_cseq)
		a->last_cseq = cseq;
	a->has_cseq = true;
	if (hdr->ts > a->last_ns)
		a->last_ns = hdr->ts;
	return count;
}

void grt_account_skip(struct grt_account *a, const struct grt_input_skip *skip)
{
	a->last_cseq = skip->last_cseq;
	a->has_cseq = true;
	if (skip->last_ns > a->last_ns)
		a->last_ns = skip->last_ns;
}
