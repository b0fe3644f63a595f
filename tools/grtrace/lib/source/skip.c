// SPDX-License-Identifier: LGPL-2.1
#include "skip.h"

/* A sub-buffer may have several extents.  If it has more than this, it is read. */
#define MAX_STEPS	64

static bool is_idle(const struct grt_skip *s, const struct grt_extent *e)
{
	return e->is_plain && (e->last_ts < s->from_ns || e->first_ts >= s->to_ns);
}

/* Reads the account at the start of @e; false if no sub-buffer begins there. */
static bool account_at(const struct grt_skip *s, const struct grt_extent *e,
		       struct grtrace_subbuf *sub)
{
	return s->peek(s->arg, e, sub, sizeof(*sub)) && sub->hdr.type == GRTRACE_SUBBUF &&
	       sub->hdr.size >= sizeof(*sub);
}

/* Whether exactly @events lie between two accounts and none was lost. */
static bool is_whole(const struct grtrace_subbuf *a, const struct grtrace_subbuf *b, uint64_t events)
{
	const __u64 *from = &a->fates.written, *to = &b->fates.written;

	for (int i = GRTRACE_FATE_WRITTEN + 1; i < GRTRACE_NR_FATES; i++)
		if (from[i] != to[i])
			return false;
	return a->session_id == b->session_id && b->hdr.cseq - a->hdr.cseq == events &&
	       b->fates.written - a->fates.written == events &&
	       b->fates.seen - a->fates.seen == events && a->fates.written == a->hdr.cseq;
}

static uint64_t count_events(const struct grt_extent *e, size_t from, size_t to)
{
	uint64_t events = 0;

	for (; from < to; from++)
		events += e[from].events;
	return events;
}

size_t grt_skip_from(const struct grt_skip *s, const struct grt_extent *e, size_t i, size_t end,
		     struct grtrace_subbuf *at)
{
	struct grtrace_subbuf behind;
	size_t far = i, k;

	/* Never skip the last extent: it has the end of the stream. */
	while (far + 1 < end && is_idle(s, &e[far]))
		far++;
	if (far == i || !account_at(s, &e[i], at))
		return i;
	/*
	 * Skip as far as possible.  If something was lost on the way, try half the distance, until
	 * the loss is behind the end.
	 */
	for (; far > i; far = i + (far - i) / 2) {
		for (k = far; k > i && far - k < MAX_STEPS; k--)
			if (account_at(s, &e[k], &behind))
				break;
		if (k > i && far - k < MAX_STEPS && is_whole(at, &behind, count_events(e, i, k)))
			return k;
	}
	return i;
}
