// SPDX-License-Identifier: GPL-2.0
#include "tally.h"

#include <stdlib.h>
#include <string.h>

#include "cursor.h"
#include "describe.h"
#include "error.h"

int grt_tally_create(struct grt_tally *t, unsigned int lanes)
{
	*t = (struct grt_tally){ .lanes = lanes };
	t->accounts = calloc(lanes, sizeof(*t->accounts));
	return t->accounts ? 0 : grt_fail_memory();
}

void grt_tally_destroy(struct grt_tally *t)
{
	grt_map_free(&t->seen);
	free(t->accounts);
}

unsigned int grt_tally_uncounted(const struct grt_tally *t)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < t->lanes; i++)
		count += t->accounts[i].has_cseq && !grt_account_is_counted(&t->accounts[i]);
	return count;
}

static void add_losses(struct grt_tally *t, const struct grtrace_loss *losses,
		       unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		if (GRT_LOST_REASONS >> losses[i].reason & 1)
			t->lost += losses[i].count;
}

static void add_fates(struct grt_tally *t, struct grt_account *a, const struct grtrace_hdr *hdr)
{
	const struct grtrace_subbuf *sub = (const void *)hdr;
	const struct grtrace_stream_end *end = (const void *)hdr;
	struct grtrace_loss losses[GRT_MAX_LOSSES];
	unsigned int count;

	if (hdr->type == GRTRACE_SUBBUF)
		count = grt_account_fates(a, hdr, &sub->fates, hdr->cseq,
					  !sub->index && !hdr->cseq, losses);
	else
		count = grt_account_fates(a, hdr, &end->fates, end->last_cseq,
					  !a->has_cseq && !end->last_cseq, losses);
	add_losses(t, losses, count);
}

static int add_event(struct grt_tally *t, struct grt_account *a, const struct grtrace_hdr *hdr)
{
	const struct grtrace_submit *submit = (const void *)hdr;
	struct grtrace_loss loss;

	if (grt_account_event(a, hdr, &loss) == GRT_EVENT_AFTER_GAP)
		add_losses(t, &loss, 1);
	if (!t->events++ || hdr->ts < t->first_ns)
		t->first_ns = hdr->ts;
	if (hdr->ts > t->last_ns)
		t->last_ns = hdr->ts;
	if (hdr->type != GRTRACE_SUBMIT)
		return 0;
	t->jobs++;
	if (!t->is_lean && !(hdr->flags & GRTRACE_F_KERNEL_JOB) && !grt_map_put(&t->seen, submit->tgid))
		return grt_fail_memory();
	t->processes = grt_map_count(&t->seen);
	return 0;
}

int grt_tally_run(struct grt_tally *t, unsigned int lane, const struct grt_run *run)
{
	struct grt_cursor c = grt_cursor(run->data, run->bytes);
	struct grt_account *a = &t->accounts[lane];
	const struct grtrace_hdr *hdr;
	int err = 0;

	while (run->is_defs && !t->snapshot.hdr.size && (hdr = grt_take_record(&c)))
		if (hdr->type == GRTRACE_SNAPSHOT && hdr->size >= sizeof(t->snapshot))
			memcpy(&t->snapshot, hdr, sizeof(t->snapshot));
	if (run->is_defs)
		return 0;
	while (!err && (hdr = grt_take_record(&c))) {
		if (hdr->type < GRTRACE_STREAM_BASE)
			err = add_event(t, a, hdr);
		else if (hdr->type == GRTRACE_SUBBUF || hdr->type == GRTRACE_STREAM_END)
			add_fates(t, a, hdr);
	}
	return err;
}
