// SPDX-License-Identifier: LGPL-2.1
/* Collects the jobs of a chain; why_line.c makes the lines. */
#include "why.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "piece.h"
#include "why_private.h"

#define RECENT		16384	/* jobs kept because another job may have waited for them */
#define RECENT_PIECES	64	/* a job that waited for more is found by another pass */
#define MAX_WANTED	4096	/* jobs of one chain */
#define MAX_PIECES	(1u << 20)	/* of these, but the first one */

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
	grt_root_keys_free(&w->root_keys);
	grt_keymap_free(&w->chain_rows);
	grt_keymap_free(&w->recent_rows);
	free(w);
}

struct copy {
	struct grt_vec pieces;	/* of struct grt_charge */
	size_t max;
};

static int copy_piece(void *arg, const struct grt_charge *piece)
{
	struct copy *copy = arg;

	if (grt_vec_count(&copy->pieces, struct grt_charge) == copy->max)
		return -E2BIG;
	return grt_vec_append(&copy->pieces, piece, sizeof(*piece));
}

/*
 * Copies a job with the pieces of its wait between @from_ns and @to_ns as its charges.  On success these are
 * never NULL: that marks a slot as used.  -E2BIG: they are more than @max.
 */
static int copy_job(struct grt_job *to, const struct grt_job *from, uint64_t from_ns, uint64_t to_ns, size_t max)
{
	struct grt_job job = grt_why_told(from);
	struct copy copy = { .max = max };
	int err = grt_vec_reserve(&copy.pieces, 1);

	if (!err)
		err = grt_pieces_walk(&job, from_ns, to_ns, copy_piece, &copy);
	if (err) {
		grt_vec_free(&copy.pieces);
		return err == -E2BIG ? err : grt_fail_memory();
	}
	/* What a job in flight waited for so far is its wait here. */
	job.nr_charges = grt_vec_count(&copy.pieces, struct grt_charge);
	job.inflight.nr_charges = job.inflight.nr_pieces = job.nr_pieces = 0;
	job.charges = copy.pieces.data;
	job.pieces = NULL;
	*to = job;
	return 0;
}

/* The same for a job of @recent. */
static int copy_recent(struct grt_job *to, const struct grt_job *from)
{
	size_t bytes = from->nr_charges * sizeof(*from->charges);
	struct grt_charge *charges = malloc(bytes + 1);

	if (!charges)
		return grt_fail_memory();
	if (bytes)
		memcpy(charges, from->charges, bytes);
	*to = *from;
	to->charges = charges;
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
		err = copy_recent(&link.job, &w->recent[recent]);
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
	err = copy_job(slot, job, 0, UINT64_MAX, RECENT_PIECES);
	if (err == -E2BIG)
		return 0;
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

/* Of all jobs but the first one, only the time counts in which that one waited. */
static int copy_link(struct grt_why *w, uint32_t row, const struct grt_job *job)
{
	const struct grt_job *first = grt_why_job(w);
	struct grt_link *link = grt_vec_at(&w->chain, struct grt_link, row);
	int err;

	if (row)
		err = copy_job(&link->job, job, grt_job_first_ns(first), UINT64_MAX, MAX_PIECES - w->pieces);
	else
		err = copy_job(&link->job, job, 0, UINT64_MAX, SIZE_MAX);
	link->is_found = !err;
	link->is_too_long = err == -E2BIG;
	if (row && !err)
		w->pieces += link->job.nr_charges;
	return err == -E2BIG ? 0 : err;
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
	if (link->is_found || link->is_too_long)
		return 0;
	err = copy_link(w, row, job);
	if (err)
		return err;
	w->missing--;
	w->progress = true;
	return add_job(w, row);
}

int grt_why_early(struct grt_why *w, const struct grt_job *job)
{
	struct grt_job told = grt_why_told(job);

	return w->has_roots ? 0 : grt_roots_add(&w->roots, &told);
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
