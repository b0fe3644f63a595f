/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef GRT_WHY_PRIVATE_H
#define GRT_WHY_PRIVATE_H

#include "keymap.h"
#include "root_sums.h"
#include "vec.h"
#include "why.h"

/* A job of the chain.  Until it is found, only its key is known. */
struct grt_link {
	struct grt_job job;		/* its charges are owned */
	unsigned int depth;
	bool is_found, is_told, is_open;	/* is_open: its lines are being written now */
	bool is_too_long;		/* found, but it waited for too much to keep it */
};

struct grt_why {
	uint64_t ctx, seqno;
	struct grt_vec chain;		/* of struct grt_link; first the job that was asked for */
	struct grt_keymap chain_rows;
	uint32_t missing;		/* jobs of the chain not found yet */
	size_t pieces;			/* of the jobs of the chain, but the first one */
	bool progress;			/* this pass found something */
	struct grt_job *recent;		/* a ring buffer; charges are owned, NULL: slot unused */
	struct grt_keymap recent_rows;
	uint32_t next_recent;
	struct grt_vec lines;		/* of struct grt_why_line */
	struct grt_roots roots;		/* until the job is found */
	bool has_roots;			/* @root_rows are those of the job */
	struct grt_root_keys root_keys;	/* their rows are those of @root_rows */
	struct grt_vec root_rows;	/* of struct grt_why_root */
	struct grt_vec hops;		/* of struct grt_why_hop */
	bool has_more_hops;
	uint64_t below, above;		/* seqnos of the nearest jobs of the context */
	bool has_below, has_above;
};

int grt_why_want(struct grt_why *w, uint64_t ctx, uint64_t seqno, unsigned int depth);
int grt_why_no_job(const struct grt_why *w);

/* why_short.c: for each job of the first pass, and once all jobs of the chain are there. */
int grt_why_note_roots(struct grt_why *w, const struct grt_job *job);
int grt_why_make_short(struct grt_why *w);

/*
 * The job as it is told.  What a job in flight did so far counts only if the trace ends in a snapshot:
 * the page for the browser does not know it of a trace that was cut.
 */
static inline struct grt_job grt_why_told(const struct grt_job *job)
{
	struct grt_job told = *job;

	if (!job->inflight.is_at_snapshot)
		told.inflight = (struct grt_inflight){ 0 };
	return told;
}

/* Whether the charge is for a job's fence: that job belongs to the chain, too. */
static inline bool grt_why_leads_on(const struct grt_charge *c)
{
	return c->reason == GRT_BLAME_FENCE && c->client != GRT_NONE && c->ctx;
}

#endif /* GRT_WHY_PRIVATE_H */
