// SPDX-License-Identifier: GPL-2.0
/* Feeds the simulated trace as a reader sees it. */
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

static int feed_policy(struct grt_model *m, uint64_t ns, const char *text)
{
	struct {
		struct grtrace_policy rec;
		char text[SIM_POLICY_LEN];
	} p = {
		.rec.hdr = { .type = GRTRACE_POLICY, .size = sizeof(p), .ts = ns },
	};

	snprintf(p.text, sizeof(p.text), "%s", text);
	return grt_model_feed(m, &p.rec.hdr);
}

/* Feeds the changes of policy up to @ns; *@at counts them. */
static int feed_policies(const struct sim *s, struct grt_model *m, uint32_t *at, uint64_t ns)
{
	char text[SIM_POLICY_LEN];
	uint64_t at_ns;
	int err = 0;

	while (!err && sim_policy(s, *at, text, &at_ns) && at_ns <= ns) {
		err = feed_policy(m, at_ns, text);
		++*at;
	}
	return err;
}

/* Feeds the losses, each at its end. */
static int feed_losses(const struct sim *s, struct grt_model *m, bool *is_told, uint64_t ns)
{
	int err = 0;

	for (uint32_t i = 0; i < s->nr_losses && !err; i++) {
		if (is_told[i] || s->losses[i].to_ns >= ns)
			continue;
		is_told[i] = true;
		err = feed_loss(m, &s->losses[i]);
	}
	return err;
}

/* Threads that wait for jobs: each for every third one, until some events after its COMPLETE. */
#define WAITS_FOR	3
#define MAX_LATE	40	/* events */

static int feed_enter(struct grt_model *m, const struct sim_event *e)
{
	const struct grtrace_sync_wait_enter enter = {
		.hdr = {
			.type = GRTRACE_SYNC_WAIT_ENTER, .size = sizeof(enter), .ts = e->rec.hdr.ts,
			.flags = GRTRACE_F_CPU_WAIT,
		},
		.ctx = e->rec.key.ctx, .seqno = e->rec.key.seqno,
		.tid = 10000 + e->rec.key.ctx * 64 + e->rec.key.seqno,
	};

	return grt_model_feed(m, &enter.hdr);
}

static int feed_exit(struct grt_model *m, const struct sim_event *e, uint64_t ns)
{
	const struct grtrace_sync_wait_exit leave = {
		.hdr = {
			.type = GRTRACE_SYNC_WAIT_EXIT, .size = sizeof(leave), .ts = ns,
			.flags = GRTRACE_F_CPU_WAIT,
		},
		.ctx = e->rec.key.ctx, .seqno = e->rec.key.seqno,
		.tid = 10000 + e->rec.key.ctx * 64 + e->rec.key.seqno,
	};

	return grt_model_feed(m, &leave.hdr);
}

static bool is_awaited(const struct sim_event *e)
{
	return e->rec.hdr.type == GRTRACE_COMPLETE && !e->is_dropped &&
	       (e->rec.key.ctx + e->rec.key.seqno) % WAITS_FOR == 0;
}

/* What threads do before event @i: the wait for a job that completes later begins, and others end. */
static int feed_threads(const struct sim *s, struct grt_model *m, uint32_t i)
{
	int err = is_awaited(&s->events[i]) ? feed_enter(m, &s->events[i]) : 0;

	for (uint32_t k = i > MAX_LATE ? i - MAX_LATE : 0; k < i && !err; k++)
		if (is_awaited(&s->events[k]) && k + 1 + s->events[k].rec.key.seqno * 7 % MAX_LATE == i)
			err = feed_exit(m, &s->events[k], s->events[i].rec.hdr.ts);
	return err;
}

static int feed(const struct sim *s, struct grt_model *m, bool has_threads, sim_watch *watch, void *arg)
{
	bool is_told[SIM_MAX_LOSSES] = { false };
	uint32_t changes = 0;
	int err = feed_definitions(s, m);

	/* The model gets losses in advance, and again at their ends. */
	for (uint32_t i = 0; i < s->nr_losses && !err; i++)
		if (s->losses[i].reason != GRTRACE_FATE_FILTERED_TYPE &&
		    s->losses[i].reason != GRTRACE_FATE_FILTERED_RING)
			err = grt_model_add_loss(m, s->losses[i].from_ns, s->losses[i].to_ns);
	for (uint32_t i = 0; i < s->nr_events && !err; i++) {
		const struct sim_event *e = &s->events[i];

		err = feed_losses(s, m, is_told, e->rec.hdr.ts);
		if (!err)
			err = feed_policies(s, m, &changes, e->rec.hdr.ts);
		if (has_threads && !err)
			err = feed_threads(s, m, i);
		if (!e->is_dropped && !err && watch)
			err = watch(arg, &e->rec.hdr);
		if (!e->is_dropped && !err)
			err = grt_model_feed(m, &e->rec.hdr);
	}
	if (!err)
		err = feed_losses(s, m, is_told, UINT64_MAX);
	return err ? err : grt_model_finish(m);
}

int sim_feed(const struct sim *s, struct grt_model *m)
{
	return feed(s, m, false, NULL, NULL);
}

int sim_feed_watched(const struct sim *s, struct grt_model *m, sim_watch *watch, void *arg)
{
	return feed(s, m, false, watch, arg);
}

int sim_feed_threads(const struct sim *s, struct grt_model *m)
{
	return feed(s, m, true, NULL, NULL);
}
