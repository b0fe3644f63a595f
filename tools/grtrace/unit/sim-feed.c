// SPDX-License-Identifier: GPL-2.0
/* The simulated trace as a reader sees it. */
#include <string.h>

#include "sim-check.h"

static int feed_ring(const struct sim *s, struct grt_model *m, uint32_t r)
{
	const struct sim_ring *ring = &s->rings[r];
	struct grtrace_ring rec = {
		.hdr = { .type = GRTRACE_RING, .size = sizeof(rec) },
		.ring = r + 1, .hw_ring = ring->hw + 1, .engine = GRTRACE_ENGINE_OTHER,
		.order = ring->order, .credit_limit = ring->credit_limit, .driver = "simulator",
	};

	memcpy(rec.name, ring->name, strlen(ring->name));
	snprintf(rec.device, sizeof(rec.device), "device%u", ring->device);
	return grt_model_feed(m, &rec.hdr);
}

static int feed_process(struct grt_model *m, uint32_t tgid)
{
	struct grtrace_process rec = {
		.hdr = { .type = GRTRACE_PROCESS, .size = sizeof(rec) }, .tgid = tgid,
	};

	snprintf(rec.comm, sizeof(rec.comm), "process%u", tgid);
	return grt_model_feed(m, &rec.hdr);
}

static int feed_definitions(const struct sim *s, struct grt_model *m)
{
	struct grtrace_stream_info info = {
		.hdr = { .type = GRTRACE_STREAM_INFO, .size = sizeof(info) },
		.magic = GRTRACE_STREAM_MAGIC, .version = GRTRACE_FORMAT_VERSION,
		.features = 1 << GRTRACE_FEATURE_DEPENDENCIES | 1 << GRTRACE_FEATURE_RECOVERY |
			    1 << GRTRACE_FEATURE_CLIENT_ID,
		.cpus = s->nr_cpus,
	};
	int err = grt_model_feed(m, &info.hdr);

	for (uint32_t r = 0; r < s->nr_rings && !err; r++)
		err = feed_ring(s, m, r);
	for (uint32_t c = 0; c < s->nr_ctxs && !err; c++)
		err = feed_process(m, s->ctxs[c].tgid);
	return err;
}

static int feed_loss(struct grt_model *m, const struct sim_loss *loss)
{
	struct grtrace_loss rec = {
		.hdr = { .type = GRTRACE_LOSS, .size = sizeof(rec), .ts = loss->to_ns },
		.reason = loss->reason, .count = 1,
		.from_ns = loss->from_ns, .to_ns = loss->to_ns,
	};

	return grt_model_feed(m, &rec.hdr);
}

int sim_feed(const struct sim *s, struct grt_model *m)
{
	uint32_t losses = 0;
	int err = feed_definitions(s, m);

	/* Losses are known beforehand, and told again where they end. */
	for (uint32_t i = 0; i < s->nr_losses && !err; i++)
		err = grt_model_add_loss(m, s->losses[i].from_ns, s->losses[i].to_ns);
	for (uint32_t i = 0; i < s->nr_events && !err; i++) {
		const struct sim_event *e = &s->events[i];

		while (losses < s->nr_losses && s->losses[losses].to_ns < e->rec.hdr.ts && !err)
			err = feed_loss(m, &s->losses[losses++]);
		if (!e->is_dropped && !err)
			err = grt_model_feed(m, &e->rec.hdr);
	}
	while (losses < s->nr_losses && !err)
		err = feed_loss(m, &s->losses[losses++]);
	return err ? err : grt_model_finish(m);
}
