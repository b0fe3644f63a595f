// SPDX-License-Identifier: LGPL-2.1
/* Tells whoever watches the rings what they did. */
#include "model_private.h"

struct grt_ring_stretch grt_watch_stretch(const struct grt_model *m, const struct grt_ring_state *t,
					  const struct grt_stretch *s)
{
	struct grt_span span = grt_in_window(m, s->from_ns, s->to_ns);

	return (struct grt_ring_stretch){
		.from_ns = span.from_ns, .to_ns = span.to_ns, .ctx = s->ctx, .seqno = s->seqno,
		.ring = t->ring, .client = s->client, .state = s->state,
		.is_unexplained = s->is_unexplained,
	};
}

void grt_watch_tell(struct grt_model *m, const struct grt_ring_state *t, const struct grt_stretch *s)
{
	const struct grt_ring_stretch told = grt_watch_stretch(m, t, s);
	int err;

	if (!m->watch || told.from_ns == told.to_ns || t->is_synthetic || s->state > GRT_LINE_BUSY)
		return;
	err = m->watch(m->watch_arg, &told);
	if (err)
		m->err = err;
}

void grt_watch_begin(struct grt_model *m, const struct grt_ring_state *t)
{
	struct grt_stretch s = {
		.from_ns = m->totals.first_ns, .client = GRT_NONE, .state = GRT_IDLE_UNKNOWN,
	};

	while (m->watch && s.from_ns < t->since_ns) {
		const struct grt_span *asleep = grt_losses_from(&m->asleep, s.from_ns);

		s.to_ns = t->since_ns;
		if (asleep && asleep->from_ns <= s.from_ns) {
			s.from_ns = asleep->to_ns;
			continue;
		}
		if (asleep && asleep->from_ns < s.to_ns)
			s.to_ns = asleep->from_ns;
		grt_watch_tell(m, t, &s);
		s.from_ns = s.to_ns;
	}
}
