// SPDX-License-Identifier: LGPL-2.1
/* Collects the jobs of a chain; why_line.c makes the lines. */
#include "why.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "why_private.h"

#define RECENT		16384	/* jobs kept because another job may have waited for them */
#define MAX_WANTED	4096	/* jobs of one chain */

struct grt_why *grt_why_create(uint64_t ctx, uint64_t seqno)
{
	struct grt_why *w = calloc(1, sizeof(*w));

	if (!w) {
		grt_fail_memory();
		return NULL;
	}
	w->ctx = ctx;
	w->seqno = seqno;
	w->recent = calloc(RECENT, sizeof(*w->recent));
	if (!w->recent || grt_why_want(w, ctx, seqno, 0)) {
		grt_fail_memory();
		grt_why_destroy(w);
		return NULL;
	}
	return w;
}

static void drop(struct grt_why *w, struct grt_job *job)
{
	if (!job->charges)
		return;
	grt_keymap_del(&w->recent_rows, job->ctx, job->seqno);
	free((void *)job->charges);
	job->charges = NULL;
}

void grt_why_destroy(struct grt_why *w)
{
	if (!w)
		return;
	for (size_t i = 0; w->recent && i < RECENT; i++)
		free((void *)w->recent[i].charges);
	for (size_t i = 0; i < grt_vec_count(&w->chain, struct grt_link); i++)
		free((void *)grt_vec_at(&w->chain, struct grt_link, i)->job.charges);
	free(w->recent);
	grt_vec_free(&w->chain);
	grt_vec_free(&w->lines);
	grt_vec_free(&w->root_rows);
	grt_vec_free(&w->hops);
	grt_roots_free(&w->roots);
	grt_keymap_free(&w->chain_rows);
	grt_keymap_free(&w->recent_rows);
	free(w);
}

/* On success charges are never NULL: that marks a slot as used. */
static int copy_job(struct grt_job *to, const struct grt_job *from)
{
	struct grt_job job = grt_why_told(from);
	size_t bytes = grt_job_all_charges(&job) * sizeof(*job.charges);
	struct grt_charge *charges = malloc(bytes + 1);

	if (!charges)
		return grt_fail_memory();
	if (bytes)
		memcpy(charges, job.charges, bytes);
	/* What a job in flight waited for so far is its wait here. */
	job.nr_charges = grt_job_all_charges(&job);
	job.inflight.nr_charges = 0;
	job.charges = charges;
	*to = job;
	return 0;
}

/* Wants the jobs whose fences the found job of @row waited for. */
static int add_job(struct grt_why *w, uint32_t row)
{
	const struct grt_link *link = grt_vec_at(&w->chain, struct grt_link, row);
	unsigned int depth = link->depth;
	int err = 0;

	if (depth >= GRT_WHY_DEPTH)
		return 0;
	for (uint32_t i = 0; i < link->job.nr_charges && !err; i++) {
		const struct grt_charge *c = &link->job.charges[i];

		if (!grt_why_leads_on(c))
			continue;
		err = grt_why_want(w, c->ctx, c->seqno, depth + 1);
		link = grt_vec_at(&w->chain, struct grt_link, row);	/* it may have moved */
	}
	return err;
}

/* Recurses through add_job(), up to GRT_WHY_DEPTH. */
int grt_why_want(struct grt_why *w, uint64_t ctx, uint64_t seqno, unsigned int depth)
{
	uint32_t row = grt_vec_count(&w->chain, struct grt_link), recent;
	struct grt_link link = { .job.ctx = ctx, .job.seqno = seqno, .depth = depth };
	int err;

	if (grt_keymap_get(&w->chain_rows, ctx, seqno) != GRT_NONE || row == MAX_WANTED)
		return 0;
	recent = grt_keymap_get(&w->recent_rows, ctx, seqno);
	if (recent != GRT_NONE) {
		err = copy_job(&link.job, &w->recent[recent]);
		if (err)
			return err;
		link.is_found = true;
	}
	err = grt_vec_append(&w->chain, &link, sizeof(link));
	if (err) {
		free((void *)link.job.charges);
		return err;
	}
	err = grt_keymap_put(&w->chain_rows, ctx, seqno, row);
	if (!link.is_found)
		w->missing++;
	return err || !link.is_found ? err : add_job(w, row);
}

static int keep_recent(struct grt_why *w, const struct grt_job *job)
{
	struct grt_job *slot = &w->recent[w->next_recent];
	int err;

	/* If a key comes twice, the first job counts. */
	if (grt_keymap_get(&w->recent_rows, job->ctx, job->seqno) != GRT_NONE)
		return 0;
	drop(w, slot);
	err = copy_job(slot, job);
	if (!err)
		err = grt_keymap_put(&w->recent_rows, job->ctx, job->seqno, w->next_recent);
	w->next_recent = (w->next_recent + 1) % RECENT;
	return err;
}

static void note_neighbour(struct grt_why *w, const struct grt_job *job)
{
	if (job->ctx != w->ctx)
		return;
	if (job->seqno < w->seqno && (!w->has_below || job->seqno > w->below)) {
		w->has_below = true;
		w->below = job->seqno;
	}
	if (job->seqno > w->seqno && (!w->has_above || job->seqno < w->above)) {
		w->has_above = true;
		w->above = job->seqno;
	}
}

int grt_why_add(struct grt_why *w, const struct grt_job *job)
{
	uint32_t row = grt_keymap_get(&w->chain_rows, job->ctx, job->seqno);
	struct grt_link *link;
	int err = grt_why_note_roots(w, job);

	if (err)
		return err;
	note_neighbour(w, job);
	if (row == GRT_NONE)
		return keep_recent(w, job);
	link = grt_vec_at(&w->chain, struct grt_link, row);
	if (link->is_found)
		return 0;
	err = copy_job(&link->job, job);
	if (err)
		return err;
	link->is_found = true;
	w->missing--;
	w->progress = true;
	return add_job(w, row);
}

bool grt_why_wants_more(struct grt_why *w)
{
	bool wants = w->missing && w->progress;

	w->progress = false;
	return wants;
}

int grt_why_no_job(const struct grt_why *w)
{
	char hint[128];

	if (!w->has_below && !w->has_above)
		return grt_fail(ENOENT, "--per-ctx lists the contexts",
				"no job of context %" PRIu64 " in this trace", w->ctx);
	if (w->has_below && w->has_above)
		snprintf(hint, sizeof(hint), "the nearest jobs are %" PRIu64 ":%" PRIu64
			 " and %" PRIu64 ":%" PRIu64, w->ctx, w->below, w->ctx, w->above);
	else
		snprintf(hint, sizeof(hint), "the nearest job is %" PRIu64 ":%" PRIu64, w->ctx,
			 w->has_below ? w->below : w->above);
	return grt_fail(ENOENT, hint, "no job %" PRIu64 ":%" PRIu64 " in this trace", w->ctx,
			w->seqno);
}

bool grt_why_nearest(const struct grt_why *w, uint64_t *ctx, uint64_t *seqno)
{
	bool is_below = w->has_below && (!w->has_above || w->seqno - w->below <= w->above - w->seqno);

	*ctx = w->ctx;
	*seqno = is_below ? w->below : w->above;
	return w->has_below || w->has_above;
}

const struct grt_job *grt_why_job(const struct grt_why *w)
{
	return &grt_vec_at(&w->chain, struct grt_link, 0)->job;
}
