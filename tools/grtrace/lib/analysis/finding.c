// SPDX-License-Identifier: LGPL-2.1
#include "finding.h"

#include <string.h>

/* Causes that a user can do something about; a starved ring just has no work. */
static const enum grt_idle causes[] = {
	GRT_IDLE_DEPENDENCY, GRT_IDLE_SCHEDULER, GRT_IDLE_HARDWARE, GRT_IDLE_RECOVERY,
};

static uint64_t mean_exec(const struct grt_summary *s, const struct grt_client *client)
{
	const struct grt_rollup *rows = &s->groups[GRT_BY_RING_PROCESS];

	for (size_t i = 0; i < grt_rollup_count(rows); i++) {
		const struct grt_rollup_key *key = grt_rollup_key_at(rows, i);

		if (key->ring == client->ring && key->process == client->process)
			return grt_hist_mean(&grt_rollup_at(rows, i)->stages[GRT_STAGE_EXEC]);
	}
	return 0;
}

static void find_culprit(const struct grt_summary *s, struct grt_finding *f)
{
	const struct grt_idle_row *row;

	f->client = GRT_NONE;
	for (size_t i = 0; (row = grt_model_idle_row(s->model, i)); i++) {
		if (row->ring != f->ring || row->cause != f->cause || row->ns <= f->culprit_ns ||
		    (row->client == GRT_NONE && !row->ctx))
			continue;
		f->culprit_ns = row->ns;
		f->client = row->client;
		f->ctx = row->ctx;
		f->seqno = row->seqno;
	}
	if (f->client != GRT_NONE)
		f->exec_ns = mean_exec(s, grt_model_client(s->model, f->client));
}

static bool is_idle(const struct grt_ring_use *use, struct grt_finding *f)
{
	f->ns = 0;
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		if (use->idle_ns[causes[i]] <= f->ns)
			continue;
		f->ns = use->idle_ns[causes[i]];
		f->cause = causes[i];
	}
	return (unsigned __int128)f->ns * 100 >=
	       (unsigned __int128)f->wall_ns * GRT_FINDING_MIN_IDLE;
}

static bool is_full(const struct grt_ring_use *use, const struct grt_rollup_row *row,
		    struct grt_finding *f)
{
	const uint64_t *ns = row->share_ns;

	f->is_full = true;
	f->ns = use->busy_ns;
	f->total_ns = ns[GRT_STAGE_TOTAL];
	f->behind_ns = ns[GRT_STAGE_ORDER] + ns[GRT_STAGE_RING] + ns[GRT_STAGE_QUEUE];
	return (unsigned __int128)f->ns * 100 >=
	       (unsigned __int128)f->wall_ns * GRT_FINDING_MIN_BUSY &&
	       (unsigned __int128)f->behind_ns * 100 >=
	       (unsigned __int128)f->total_ns * GRT_FINDING_MIN_BEHIND && f->total_ns;
}

/* Keeps the greatest findings, sorted. */
static unsigned int put(struct grt_finding *found, unsigned int count, const struct grt_finding *f)
{
	unsigned int i = count;

	if (count == GRT_MAX_FINDINGS && f->ns <= found[count - 1].ns)
		return count;
	if (count == GRT_MAX_FINDINGS)
		i--;
	for (; i && found[i - 1].ns < f->ns; i--)
		found[i] = found[i - 1];
	found[i] = *f;
	return count < GRT_MAX_FINDINGS ? count + 1 : count;
}

unsigned int grt_findings(const struct grt_summary *s, struct grt_finding found[GRT_MAX_FINDINGS])
{
	const struct grt_rollup *rings = &s->groups[GRT_BY_RING];
	const struct grt_names *names = grt_model_names(s->model);
	unsigned int count = 0;

	for (size_t i = 0; i < grt_rollup_count(rings); i++) {
		const struct grt_rollup_row *row = grt_rollup_at(rings, i);
		const struct grt_ring_use *use = grt_model_ring_use(s->model, row->key.ring);
		struct grt_finding f = {
			.ring = row->key.ring, .wall_ns = grt_model_wall_ns(s->model),
		};

		if (f.ring == GRT_NONE || !f.wall_ns ||
		    grt_names_ring_at(names, f.ring)->order != GRTRACE_ORDER_FIFO)
			continue;
		if (is_idle(use, &f) || is_full(use, row, &f))
			count = put(found, count, &f);
	}
	for (unsigned int i = 0; i < count; i++)
		if (!found[i].is_full)
			find_culprit(s, &found[i]);
	return count;
}
