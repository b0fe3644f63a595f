// SPDX-License-Identifier: LGPL-2.1
/* The short answer: the roots of a job's time, and the chain down to the greatest of them. */
#include <errno.h>
#include <stdlib.h>

#include "charge_sum.h"
#include "error.h"
#include "why_private.h"

static int add_root(struct grt_why *w, const struct grt_root_span *s, bool is_own)
{
	bool has_key = s->kind == GRT_ROOT_HANG || s->kind == GRT_ROOT_FOREIGN;
	const struct grt_root_key key = {
		.ctx = has_key ? s->ctx : 0, .seqno = has_key ? s->seqno : 0, .client = s->client,
		.kind = s->kind + (is_own ? GRT_NR_ROOTS : 0),
	};
	uint32_t row = grt_root_key_row(&w->root_keys, &key);
	const struct grt_why_root none = {
		.kind = s->kind, .is_own = is_own, .client = s->client, .ctx = s->ctx, .seqno = s->seqno,
	};

	if (row == GRT_NONE || (row == grt_why_root_count(w) &&
				grt_vec_append(&w->root_rows, &none, sizeof(none))))
		return grt_fail_memory();
	grt_vec_at(&w->root_rows, struct grt_why_root, row)->ns += s->to_ns - s->from_ns;
	return 0;
}

static int add_wait(void *arg, const struct grt_root_span *s)
{
	return add_root(arg, s, false);
}

static int add_life(void *arg, const struct grt_root_span *s)
{
	return add_root(arg, s, true);
}

int grt_why_note_roots(struct grt_why *w, const struct grt_job *job)
{
	struct grt_job told = grt_why_told(job);
	int err;

	if (w->has_roots)
		return 0;
	err = grt_roots_add(&w->roots, &told);
	if (err || job->ctx != w->ctx || job->seqno != w->seqno)
		return err;
	w->has_roots = true;
	err = grt_roots_walk(&w->roots, false, add_wait, w);
	return err ? err : grt_roots_walk(&w->roots, true, add_life, w);
}

void grt_why_warn(const struct grt_why *w)
{
	grt_roots_warn(&w->roots);
}

static int compare_roots(const void *a, const void *b)
{
	const struct grt_why_root *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return x->is_own != y->is_own ? x->is_own - y->is_own : x->kind - y->kind;
}

/* The job of a fence, if it is known. */
static const struct grt_job *job_of(const struct grt_why *w, uint64_t ctx, uint64_t seqno)
{
	uint32_t row = grt_keymap_get(&w->chain_rows, ctx, seqno);
	const struct grt_link *link;

	if (row == GRT_NONE)
		return NULL;
	link = grt_vec_at(&w->chain, struct grt_link, row);
	return link->is_found ? &link->job : NULL;
}

/* How long a job ran between @from_ns and @to_ns, or was on its ring if START is not known. */
static uint64_t ran_ns(const struct grt_job *job, uint64_t from_ns, uint64_t to_ns)
{
	bool has_exec = grt_job_knows(job, GRT_STAGE_EXEC);
	uint64_t start_ns = job->at_ns[has_exec ? GRT_AT_START : GRT_AT_COMMIT];
	uint64_t end_ns = job->at_ns[GRT_AT_END];

	if (job->inflight.run_ns) {
		start_ns = job->inflight.run_ns;
		end_ns = job->inflight.until_ns;
	} else if (!has_exec && !grt_job_knows(job, GRT_STAGE_HW)) {
		return 0;
	}
	if (from_ns < start_ns)
		from_ns = start_ns;
	if (to_ns > end_ns)
		to_ns = end_ns;
	return from_ns < to_ns ? to_ns - from_ns : 0;
}

/* Goes from the job down to what it waited for longest, and so on, while that waited itself. */
static int make_chain(struct grt_why *w)
{
	const struct grt_job *job = &grt_vec_at(&w->chain, struct grt_link, 0)->job;
	uint64_t from_ns = 0, to_ns = UINT64_MAX;

	while (job && grt_vec_count(&w->hops, struct grt_why_hop) < GRT_WHY_HOPS) {
		struct grt_why_hop hop = { .job = job };
		uint64_t until_ns;
		int err = grt_charge_greatest(job, from_ns, to_ns, true, &hop.wait, &until_ns);

		if (err)
			return err;
		hop.ran_ns = ran_ns(job, from_ns, to_ns);
		hop.is_to_end = grt_job_has(job, GRT_AT_END) && job->at_ns[GRT_AT_END] <= to_ns;
		hop.is_run = hop.ran_ns >= hop.wait.ns;
		if (!hop.ran_ns && !hop.wait.ns)
			return 0;
		if (grt_vec_append(&w->hops, &hop, sizeof(hop)))
			return grt_fail_memory();
		if (hop.is_run || !grt_why_leads_on(&hop.wait))
			return 0;
		from_ns = hop.wait.from_ns;
		to_ns = until_ns;
		job = job_of(w, hop.wait.ctx, hop.wait.seqno);
	}
	w->has_more_hops = job;
	return 0;
}

int grt_why_make_short(struct grt_why *w)
{
	if (w->root_rows.bytes)
		qsort(w->root_rows.data, grt_why_root_count(w), sizeof(struct grt_why_root),
		      compare_roots);
	return make_chain(w);
}

size_t grt_why_root_count(const struct grt_why *w)
{
	return grt_vec_count(&w->root_rows, struct grt_why_root);
}

const struct grt_why_root *grt_why_root(const struct grt_why *w, size_t i)
{
	return grt_vec_at(&w->root_rows, struct grt_why_root, i);
}

size_t grt_why_hop_count(const struct grt_why *w)
{
	return grt_vec_count(&w->hops, struct grt_why_hop);
}

const struct grt_why_hop *grt_why_hop(const struct grt_why *w, size_t i)
{
	return grt_vec_at(&w->hops, struct grt_why_hop, i);
}

bool grt_why_has_more_hops(const struct grt_why *w)
{
	return w->has_more_hops;
}
