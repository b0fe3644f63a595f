// SPDX-License-Identifier: LGPL-2.1
#include "rollup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

/* A process is called what it was called last: before that it was often a shell. */
static uint32_t last_name(const struct grt_names *names, uint32_t process)
{
	uint32_t last = process;
	const struct grt_process *own, *p;

	if (process == GRT_NONE)
		return process;
	own = grt_names_process_at(names, process);
	for (uint32_t i = own->sibling; i != process; i = p->sibling) {
		p = grt_names_process_at(names, i);
		if (p->start_ns == own->start_ns && i > last)
			last = i;
	}
	return last;
}

/* Rings of one device, or of one engine, count as the first of them. */
static uint32_t first_ring(const struct grt_names *names, uint32_t ring, bool by_device)
{
	const struct grt_ring *own, *other;

	if (ring == GRT_NONE)
		return ring;
	own = grt_names_ring_at(names, ring);
	for (uint32_t i = 0; i < ring; i++) {
		other = grt_names_ring_at(names, i);
		if (by_device ? !strcmp(own->device, other->device) :
		    own->is_defined == other->is_defined && own->engine == other->engine)
			return i;
	}
	return ring;
}

static void by_ring_process(struct grt_rollup_key *k, const struct grt_names *names)
{
	(void)names;
	*k = (struct grt_rollup_key){ k->ring, k->process, 0, 0 };
}

static void by_ring(struct grt_rollup_key *k, const struct grt_names *names)
{
	(void)names;
	*k = (struct grt_rollup_key){ k->ring, GRT_NONE, 0, 0 };
}

static void by_device(struct grt_rollup_key *k, const struct grt_names *names)
{
	*k = (struct grt_rollup_key){ first_ring(names, k->ring, true), GRT_NONE, 0, 0 };
}

static void by_engine(struct grt_rollup_key *k, const struct grt_names *names)
{
	*k = (struct grt_rollup_key){ first_ring(names, k->ring, false), GRT_NONE, 0, 0 };
}

static void by_process(struct grt_rollup_key *k, const struct grt_names *names)
{
	*k = (struct grt_rollup_key){ GRT_NONE, last_name(names, k->process), 0, 0 };
}

static void by_client(struct grt_rollup_key *k, const struct grt_names *names)
{
	*k = (struct grt_rollup_key){
		GRT_NONE, last_name(names, k->process), k->client_id, 0
	};
}

static void by_ctx(struct grt_rollup_key *k, const struct grt_names *names)
{
	(void)names;
	*k = (struct grt_rollup_key){ GRT_NONE, GRT_NONE, 0, k->ctx };
}

static const struct {
	const char *name, *plural;
	void (*reduce)(struct grt_rollup_key *k, const struct grt_names *names);
} groups[] = {
#define GRT_X(NAME, name, plural, text) [GRT_BY_##NAME] = { #name, #plural, by_##name },
	GRT_GROUPS(GRT_X)
#undef GRT_X
};

const char *grt_group_name(enum grt_group group)
{
	return groups[group].name;
}

const char *grt_group_plural(enum grt_group group)
{
	return groups[group].plural;
}

static uint64_t low_half(const struct grt_rollup_key *k)
{
	return (uint64_t)k->ring << 32 | k->process;
}

/* Only one of them is looked at by any grouping. */
static uint64_t high_half(const struct grt_rollup_key *k)
{
	return k->client_id | k->ctx;
}

/* Of a cache: the tallies of two stages are one. */
#define LINE_BYTES	64
_Static_assert(2 * sizeof(struct grt_tally) == LINE_BYTES &&
	       offsetof(struct grt_rollup_row, tallies) % LINE_BYTES == 0, "tallies fit their lines");

static __attribute__((noinline)) struct grt_rollup_row *row_of(struct grt_rollup *r,
							       const struct grt_rollup_key *key)
{
	uint32_t i = grt_keymap_get(&r->index, low_half(key), high_half(key));
	struct grt_rollup_row *row;

	if (i != GRT_NONE)
		return grt_rollup_at(r, i);
	i = grt_rollup_count(r);
	row = aligned_alloc(LINE_BYTES, (sizeof(*row) + LINE_BYTES - 1) & -LINE_BYTES);
	if (!row || grt_vec_append(&r->rows, &row, sizeof(row))) {
		free(row);
		grt_fail_memory();
		return NULL;
	}
	*row = (struct grt_rollup_row){ .key = *key };
	for (int stage = 0; stage < GRT_NR_STAGES; stage++)
		row->tallies[stage] = GRT_TALLY_NONE;
	return grt_keymap_put(&r->index, low_half(key), high_half(key), i) ? NULL : row;
}

/* The row of a job; a party's was mostly found before. */
static struct grt_rollup_row *row_of_job(struct grt_rollup *r, const struct grt_view *view)
{
	const struct grt_job *job = view->job;
	struct grt_rollup_key key = { job->ring, job->process, job->client_id, job->ctx };
	struct grt_rollup_row **recent = &r->recent[job->party % GRT_ROLLUP_RECENT];

	if (r->group == GRT_BY_RING_PROCESS && *recent && (*recent)->key.ring == job->ring &&
	    (*recent)->key.process == job->process)
		return *recent;
	groups[r->group].reduce(&key, view->names);
	*recent = row_of(r, &key);
	return *recent;
}

static void count_fetched(uint64_t *bucket)
{
	if (bucket)
		++*bucket;
}

void grt_rollup_close(struct grt_rollup *r)
{
	for (int i = 0; i < GRT_ROLLUP_FETCHED; i++) {
		count_fetched(r->fetched[i]);
		r->fetched[i] = NULL;
	}
	for (size_t i = 0; i < grt_rollup_count(r); i++) {
		struct grt_rollup_row *row = grt_rollup_at(r, i);

		for (int stage = 0; stage < GRT_NR_STAGES; stage++) {
			grt_hist_take(&row->stages[stage], &row->tallies[stage]);
			row->share_ns[stage] += row->stages[stage].sum;
		}
	}
}

static int place_time(struct grt_rollup *r, struct grt_hist *h, uint64_t ns)
{
	uint64_t *bucket = grt_hist_bucket(h, ns);
	uint64_t **fetched = &r->fetched[r->next_fetched++ % GRT_ROLLUP_FETCHED];

	if (!bucket)
		return -ENOMEM;
	__builtin_prefetch(bucket, 1);
	count_fetched(*fetched);
	*fetched = bucket;
	return 0;
}

static int add_times(struct grt_rollup *r, struct grt_rollup_row *row, const struct grt_job *job)
{
	bool has_total = grt_job_knows(job, GRT_STAGE_TOTAL);

	for (int stage = 0; stage < GRT_NR_STAGES; stage++)
		if (grt_job_knows(job, stage))
			grt_tally_add(&row->tallies[stage], &row->stages[stage],
				      job->stage_ns[stage]);
	for (unsigned int left = has_total ? 0 : job->stages; left; left &= left - 1)
		row->share_ns[__builtin_ctz(left)] -= job->stage_ns[__builtin_ctz(left)];
	for (unsigned int left = job->stages & r->quantiles; left; left &= left - 1) {
		int stage = __builtin_ctz(left);
		int err = place_time(r, &row->stages[stage], job->stage_ns[stage]);

		if (err)
			return err;
	}
	if (has_total && grt_job_knows(job, GRT_STAGE_HW) &&
	    !grt_job_knows(job, GRT_STAGE_EXEC) && !(job->flags & GRT_JOB_NO_HW))
		row->unsplit_ns += job->stage_ns[GRT_STAGE_HW];
	return 0;
}

/* What all jobs of a context have in common is worth showing. */
static void keep_common(struct grt_rollup_row *row, const struct grt_job *job)
{
	if (!row->jobs) {
		row->key.ring = job->ring;
		row->key.process = job->process;
		row->key.client_id = job->client_id;
	}
	if (row->key.ring != job->ring)
		row->key.ring = GRT_NONE;
	if (row->key.process != job->process)
		row->key.process = GRT_NONE;
	if (row->key.client_id != job->client_id)
		row->key.client_id = 0;
}

int grt_rollup_add(struct grt_rollup *r, const struct grt_view *view)
{
	const struct grt_job *job = view->job;
	struct grt_rollup_row *row = row_of_job(r, view);

	if (!row)
		return -ENOMEM;
	if (r->group == GRT_BY_CTX)
		keep_common(row, job);
	row->jobs++;
	if (job->flags & (GRT_JOB_CUT | GRT_JOB_LOSSY | GRT_JOB_KILLED)) {
		row->cut += !!(job->flags & GRT_JOB_CUT);
		row->lossy += !!(job->flags & GRT_JOB_LOSSY);
		row->killed += !!(job->flags & GRT_JOB_KILLED);
	}
	row->inferred += !!(job->flags & GRT_JOB_INFERRED_START);
	row->failed += job->has_status && job->status;
	for (uint64_t labels = view->labels; labels; labels &= labels - 1)
		row->labels[__builtin_ctzll(labels)]++;
	return job->flags & GRT_JOB_CUT ? 0 : add_times(r, row, job);
}

int grt_rollup_row_add(struct grt_rollup_row *to, const struct grt_rollup_row *from)
{
	to->jobs += from->jobs;
	to->cut += from->cut;
	to->lossy += from->lossy;
	to->killed += from->killed;
	to->inferred += from->inferred;
	to->failed += from->failed;
	to->unsplit_ns += from->unsplit_ns;
	for (int i = 0; i < GRT_MAX_RULES; i++)
		to->labels[i] += from->labels[i];
	for (int i = 0; i < GRT_NR_STAGES; i++) {
		int err = grt_hist_merge(&to->stages[i], &from->stages[i]);

		if (err)
			return err;
		to->share_ns[i] += from->share_ns[i];
	}
	return 0;
}

int grt_rollup_regroup(struct grt_rollup *to, const struct grt_rollup *from,
		       const struct grt_names *names)
{
	to->quantiles = from->quantiles;
	for (size_t i = 0; i < grt_rollup_count(from); i++) {
		struct grt_rollup_key key = grt_rollup_at(from, i)->key;
		struct grt_rollup_row *row;
		int err;

		groups[to->group].reduce(&key, names);
		row = row_of(to, &key);
		err = row ? grt_rollup_row_add(row, grt_rollup_at(from, i)) : -ENOMEM;
		if (err)
			return err;
	}
	return 0;
}

int grt_rollup_all(struct grt_rollup_row *row, const struct grt_rollup *from)
{
	row->key = (struct grt_rollup_key){ GRT_NONE, GRT_NONE, 0, 0 };
	for (size_t i = 0; i < grt_rollup_count(from); i++) {
		int err = grt_rollup_row_add(row, grt_rollup_at(from, i));

		if (err)
			return err;
	}
	return 0;
}

void grt_rollup_row_free(struct grt_rollup_row *row)
{
	for (int i = 0; i < GRT_NR_STAGES; i++)
		grt_hist_free(&row->stages[i]);
}

static int compare_rows(const void *a, const void *b)
{
	const struct grt_rollup_row *x = *(struct grt_rollup_row * const *)a;
	const struct grt_rollup_row *y = *(struct grt_rollup_row * const *)b;
	const struct grt_hist *p = &x->stages[GRT_STAGE_TOTAL], *q = &y->stages[GRT_STAGE_TOTAL];

	/* Contexts share rings, but are no part of them. */
	if (!x->key.ctx && x->key.ring != y->key.ring)
		return x->key.ring < y->key.ring ? -1 : 1;
	if (p->sum != q->sum)
		return p->sum > q->sum ? -1 : 1;
	if (x->key.process != y->key.process)
		return x->key.process < y->key.process ? -1 : 1;
	return (high_half(&x->key) > high_half(&y->key)) - (high_half(&x->key) < high_half(&y->key));
}

void grt_rollup_sort(struct grt_rollup *r)
{
	/* The rows move, so the index goes: nothing is added after sorting. */
	grt_keymap_free(&r->index);
	if (r->rows.bytes)
		qsort(r->rows.data, grt_rollup_count(r), sizeof(struct grt_rollup_row *),
		      compare_rows);
}

void grt_rollup_free(struct grt_rollup *r)
{
	for (size_t i = 0; i < grt_rollup_count(r); i++) {
		grt_rollup_row_free(grt_rollup_at(r, i));
		free(grt_rollup_at(r, i));
	}
	grt_vec_free(&r->rows);
	grt_keymap_free(&r->index);
}
