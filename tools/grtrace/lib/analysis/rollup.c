// SPDX-License-Identifier: LGPL-2.1
#include "rollup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "error.h"
#include "packed_job.h"

/* A session that runs may name a process after its first jobs: the next one with its pid is it. */
static uint32_t with_name(const struct grt_names *names, uint32_t process)
{
	const struct grt_process *own = grt_names_process_at(names, process);

	return own->comm[0] || own->start_ns || own->sibling < process ? process : own->sibling;
}

uint32_t grt_rollup_last_name(const struct grt_names *names, uint32_t process)
{
	return process == GRT_NONE ? process : grt_names_process_last(names, with_name(names, process));
}

uint32_t grt_rollup_owner(const struct grt_names *names, uint32_t process)
{
	return process == GRT_NONE ? GRT_NONE : grt_names_owner_of(names, with_name(names, process));
}

/* The tables that group rows, besides their keys. */
struct sorting {
	const struct grt_names *names;
	struct grt_vec first;	/* of uint32_t by ring: the first ring of its device, or engine */
};

/* The first ring stands for all rings of its device, or of its engine. */
static int find_first(struct sorting *s, bool by_device)
{
	struct grt_keymap seen = { 0 };
	int err = 0;

	for (uint32_t i = 0; i < grt_vec_count(&s->names->rings, struct grt_ring) && !err; i++) {
		const struct grt_ring *ring = grt_names_ring_at(s->names, i);
		size_t bytes = strlen(ring->device);
		uint64_t a = by_device ? XXH64(ring->device, bytes, 0) : ring->is_defined;
		uint64_t b = by_device ? XXH64(ring->device, bytes, 1) : ring->engine;
		uint32_t first = grt_keymap_get(&seen, a, b);

		if (first == GRT_NONE) {
			first = i;
			err = grt_keymap_put(&seen, a, b, i);
		}
		if (!err)
			err = grt_vec_append(&s->first, &first, sizeof(first));
	}
	grt_keymap_free(&seen);
	return err;
}

static uint32_t first_ring(const struct sorting *s, uint32_t ring)
{
	return ring == GRT_NONE ? ring : *grt_vec_at(&s->first, uint32_t, ring);
}

static void by_ring_process(struct grt_rollup_key *k, const struct sorting *s)
{
	(void)s;
	*k = (struct grt_rollup_key){ k->ring, k->process, 0, 0, 0 };
}

static void by_ring(struct grt_rollup_key *k, const struct sorting *s)
{
	(void)s;
	*k = (struct grt_rollup_key){ k->ring, GRT_NONE, 0, 0, 0 };
}

static void by_device(struct grt_rollup_key *k, const struct sorting *s)
{
	*k = (struct grt_rollup_key){ first_ring(s, k->ring), GRT_NONE, 0, 0, 0 };
}

static void by_engine(struct grt_rollup_key *k, const struct sorting *s)
{
	*k = (struct grt_rollup_key){ first_ring(s, k->ring), GRT_NONE, 0, 0, 0 };
}

static void by_process(struct grt_rollup_key *k, const struct sorting *s)
{
	*k = (struct grt_rollup_key){ GRT_NONE, grt_rollup_last_name(s->names, k->process), 0, 0, 0 };
}

static void by_client(struct grt_rollup_key *k, const struct sorting *s)
{
	*k = (struct grt_rollup_key){
		GRT_NONE, grt_rollup_last_name(s->names, k->process), k->client_id, 0, 0
	};
}

static void by_ctx(struct grt_rollup_key *k, const struct sorting *s)
{
	(void)s;
	*k = (struct grt_rollup_key){ GRT_NONE, GRT_NONE, 0, k->ctx, 0 };
}

/* Of its jobs so far: a process may move. */
static const struct grt_cgroup *cgroup_of(const struct grt_names *names, uint32_t process)
{
	return process == GRT_NONE ? NULL : grt_names_cgroup_of(names, with_name(names, process));
}

static void by_cgroup(struct grt_rollup_key *k, const struct sorting *s)
{
	const struct grt_cgroup *c = cgroup_of(s->names, k->process);

	*k = (struct grt_rollup_key){ GRT_NONE, GRT_NONE, 0, 0, 0 };
	if (c)
		k->cgroup = c - grt_cgroup_names_at(&s->names->cgroups, 0) + 1;
}

/* A cgroup without a path belongs to nobody who is known. */
static void by_pod(struct grt_rollup_key *k, const struct sorting *s)
{
	/* GRT_NONE + 1 is 0: not known. */
	*k = (struct grt_rollup_key){
		GRT_NONE, GRT_NONE, 0, 0, grt_rollup_owner(s->names, k->process) + 1
	};
}

static const struct {
	const char *name, *plural;
	void (*reduce)(struct grt_rollup_key *k, const struct sorting *s);
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

/* No group looks at two of them: the others are 0. */
static uint64_t high_half(const struct grt_rollup_key *k)
{
	return k->client_id | k->ctx | k->cgroup;
}

#define LINE_BYTES	64	/* a cache line: the tallies of two stages */
_Static_assert(2 * sizeof(struct grt_exact_sums) == LINE_BYTES &&
	       offsetof(struct grt_rollup_row, tallies) % LINE_BYTES == 0,
	       "tallies fit their lines");

/*
 * The first jobs of a row, packed; see grt_job_pack().
 */
struct few {
	struct grt_rollup_key key;
	uint16_t jobs, bytes;
	uint8_t byte[];
};

#define FEW_HEAD	offsetof(struct few, byte)	/* its size, without the padding */
#define FEW_BYTES	1024	/* less than a row takes */
#define LEAST_BYTES	2	/* of a packed job with a time */

/* The lowest bit of an address marks a row of few jobs. */
static struct few *few_at(const struct grt_rollup *r, size_t i)
{
	uintptr_t entry = *grt_vec_at(&r->rows, uintptr_t, i);

	return entry & 1 ? (struct few *)(entry - 1) : NULL;
}

static struct grt_rollup_row *row_at(const struct grt_rollup *r, size_t i)
{
	return (struct grt_rollup_row *)*grt_vec_at(&r->rows, uintptr_t, i);
}

static void set_few(struct grt_rollup *r, size_t i, struct few *few)
{
	*grt_vec_at(&r->rows, uintptr_t, i) = (uintptr_t)few + 1;
}

const struct grt_rollup_key *grt_rollup_key_at(const struct grt_rollup *r, size_t i)
{
	const struct few *few = few_at(r, i);

	return few ? &few->key : &row_at(r, i)->key;
}

static void init_row(struct grt_rollup_row *row, const struct grt_rollup_key *key)
{
	*row = (struct grt_rollup_row){ .key = *key };
	for (int stage = 0; stage < GRT_NR_STAGES; stage++)
		row->tallies[stage] = GRT_SUMS_NONE;
}

/* Empties a row that may have times; keeps the memory of its times. */
static void empty_row(struct grt_rollup_row *row, const struct grt_rollup_key *key)
{
	struct grt_hist stages[GRT_NR_STAGES];

	memcpy(stages, row->stages, sizeof(stages));
	init_row(row, key);
	memcpy(row->stages, stages, sizeof(stages));
	for (int stage = 0; stage < GRT_NR_STAGES; stage++)
		grt_hist_empty(&row->stages[stage]);
}

static struct grt_rollup_row *new_row(const struct grt_rollup_key *key)
{
	struct grt_rollup_row *row;

	row = aligned_alloc(LINE_BYTES, (sizeof(*row) + LINE_BYTES - 1) & -LINE_BYTES);
	if (row)
		init_row(row, key);
	else
		grt_fail_memory();
	return row;
}

/* The number of @key's row, made without jobs if there is none; GRT_NONE without memory. */
static uint32_t number_of(struct grt_rollup *r, const struct grt_rollup_key *key)
{
	uint32_t i = grt_keymap_get(&r->index, low_half(key), high_half(key));
	struct few *few;
	uintptr_t entry;

	if (i != GRT_NONE)
		return i;
	i = grt_rollup_count(r);
	few = calloc(1, sizeof(*few));
	entry = (uintptr_t)few + 1;
	if (!few || grt_vec_append(&r->rows, &entry, sizeof(entry))) {
		free(few);
		grt_fail_memory();
		return GRT_NONE;
	}
	few->key = *key;
	return grt_keymap_put(&r->index, low_half(key), high_half(key), i) ? GRT_NONE : i;
}

/* Appends packed jobs to row @i, a row of few.  0 or -ENOMEM. */
static int append(struct grt_rollup *r, uint32_t i, const uint8_t *byte, uint32_t bytes,
		  uint32_t jobs)
{
	struct few *few = few_at(r, i);

	few = realloc(few, FEW_HEAD + few->bytes + bytes);
	if (!few)
		return grt_fail_memory();
	memcpy(&few->byte[few->bytes], byte, bytes);
	few->bytes += bytes;
	few->jobs += jobs;
	set_few(r, i, few);
	return 0;
}

static void count_fetched(uint64_t *bucket)
{
	if (bucket)
		++*bucket;
}

static int place_time(struct grt_rollup *r, struct grt_hist *h, uint64_t ns)
{
	uint64_t **fetched, *bucket;
	int err = grt_hist_place(h, ns, &bucket);

	if (!bucket)
		return err;
	fetched = &r->fetched[r->next_fetched++ % GRT_ROLLUP_FETCHED];
	__builtin_prefetch(bucket, 1);
	count_fetched(*fetched);
	*fetched = bucket;
	return 0;
}

/* The stages of the job whose times count: a bit per stage. */
static unsigned int stages_of(const struct grt_rollup *r, const struct grt_job *job)
{
	return r->skips_bounds ? job->stages & ~grt_bound_stages(job->flags) : job->stages;
}

static int add_times(struct grt_rollup *r, struct grt_rollup_row *row, const struct grt_job *job)
{
	unsigned int stages = stages_of(r, job);
	bool has_total = stages >> GRT_STAGE_TOTAL & 1;

	for (int stage = 0; stage < GRT_NR_STAGES; stage++)
		if (stages >> stage & 1)
			grt_exact_sums_add(&row->tallies[stage], &row->stages[stage],
					   job->stage_ns[stage]);
	for (unsigned int left = has_total ? 0 : stages; left; left &= left - 1)
		row->share_ns[__builtin_ctz(left)] -= job->stage_ns[__builtin_ctz(left)];
	for (unsigned int left = stages & r->quantiles; left; left &= left - 1) {
		int stage = __builtin_ctz(left);
		int err = place_time(r, &row->stages[stage], job->stage_ns[stage]);

		if (err)
			return err;
	}
	if (has_total && stages >> GRT_STAGE_HW & 1 && !(stages >> GRT_STAGE_EXEC & 1) && !(job->flags & GRT_JOB_NO_HW))
		row->unsplit_ns += job->stage_ns[GRT_STAGE_HW];
	return 0;
}

static void count_bounds(const struct grt_rollup *r, struct grt_rollup_row *row, const struct grt_job *job)
{
	row->bounds++;
	if (r->skips_bounds)
		return;
	row->total_bounds++;
	row->exec_bounds += !!(job->flags & GRT_JOB_INFERRED_END);
}

static int count_job(struct grt_rollup *r, struct grt_rollup_row *row, const struct grt_job *job,
		     uint64_t labels)
{
	row->jobs++;
	if (job->flags & (GRT_JOB_CUT | GRT_JOB_LOSSY | GRT_JOB_KILLED)) {
		row->cut += !!(job->flags & GRT_JOB_CUT);
		row->lossy += !!(job->flags & GRT_JOB_LOSSY);
		row->killed += !!(job->flags & GRT_JOB_KILLED);
	}
	row->inferred += !!(job->flags & GRT_JOB_INFERRED_START);
	if (job->flags & GRT_JOB_UPPER_BOUND && !(job->flags & GRT_JOB_CUT))
		count_bounds(r, row, job);
	row->failed += job->has_status && job->status;
	row->unjudged += !job->has_status && !(job->flags & GRT_JOB_CUT);
	for (; labels; labels &= labels - 1)
		row->labels[__builtin_ctzll(labels)]++;
	return job->flags & GRT_JOB_CUT ? 0 : add_times(r, row, job);
}

static int count_few(struct grt_rollup *r, struct grt_rollup_row *row, const struct few *few)
{
	const uint8_t *byte = few->byte;
	int err = 0;

	for (uint32_t i = 0; i < few->jobs && !err; i++) {
		struct grt_job job;
		uint64_t labels;

		byte = grt_job_unpack(byte, &job, &labels);
		err = count_job(r, row, &job, labels);
	}
	return err;
}

/* Changes row @i to sums; NULL without memory. */
static struct grt_rollup_row *sum_up(struct grt_rollup *r, uint32_t i)
{
	struct few *few = few_at(r, i);
	struct grt_rollup_row *row;

	if (!few)
		return row_at(r, i);
	row = new_row(&few->key);
	if (!row)
		return NULL;
	*grt_vec_at(&r->rows, uintptr_t, i) = (uintptr_t)row;
	if (count_few(r, row, few))
		row = NULL;
	free(few);
	return row;
}

/* Keeps in the key of a context's row what all its jobs have in common. */
static void keep_common(struct grt_rollup_key *key, bool is_first, const struct grt_job *job)
{
	if (is_first) {
		key->ring = job->ring;
		key->process = job->process;
		key->client_id = job->client_id;
	}
	if (key->ring != job->ring)
		key->ring = GRT_NONE;
	if (key->process != job->process)
		key->process = GRT_NONE;
	if (key->client_id != job->client_id)
		key->client_id = 0;
}

/* The row for a job.  NULL with *err 0: the job was added to a row of few. */
static __attribute__((noinline)) struct grt_rollup_row *
find_row(struct grt_rollup *r, const struct grt_view *view, int *err)
{
	const struct grt_job *job = view->job;
	struct grt_rollup_key key = { job->ring, job->process, job->client_id, job->ctx, 0 };
	const struct sorting sorting = { .names = view->names };
	uint8_t byte[GRT_PACKED_JOB_MAX];
	struct grt_rollup_row *row;
	uint32_t i, bytes;
	struct few *few;

	groups[r->group].reduce(&key, &sorting);
	i = number_of(r, &key);
	*err = i == GRT_NONE ? -ENOMEM : 0;
	if (*err)
		return NULL;
	few = few_at(r, i);
	if (!few)
		return row_at(r, i);
	bytes = grt_job_pack(byte, job, view->labels);
	if (few->bytes + bytes <= FEW_BYTES) {
		if (r->group == GRT_BY_CTX)
			keep_common(&few->key, !few->jobs, job);
		*err = append(r, i, byte, bytes, 1);
		return NULL;
	}
	row = sum_up(r, i);
	*err = row ? 0 : -ENOMEM;
	return row;
}

int grt_rollup_add(struct grt_rollup *r, const struct grt_view *view)
{
	const struct grt_job *job = view->job;
	struct grt_rollup_row **recent = &r->recent[job->client % GRT_ROLLUP_RECENT];
	struct grt_rollup_row *row = *recent;
	int err;

	/* Mostly the row is that of the client's latest job. */
	if (r->group != GRT_BY_RING_PROCESS || !row || row->key.ring != job->ring ||
	    row->key.process != job->process) {
		row = find_row(r, view, &err);
		if (!row)
			return err;
		*recent = row;
	}
	if (r->group == GRT_BY_CTX)
		keep_common(&row->key, false, job);
	return count_job(r, row, job, view->labels);
}

static void close_row(struct grt_rollup_row *row)
{
	for (int stage = 0; stage < GRT_NR_STAGES; stage++) {
		grt_hist_add_sums(&row->stages[stage], &row->tallies[stage]);
		row->share_ns[stage] += row->stages[stage].sum;
	}
}

/* Reserves all memory that a row of few jobs needs: grt_rollup_at() cannot fail. */
static int make_shown(struct grt_rollup *r)
{
	static const struct grt_rollup_key nobody;
	int err = 0;

	r->shown = new_row(&nobody);
	if (!r->shown)
		return -ENOMEM;
	for (int stage = 0; stage < GRT_NR_STAGES && !err; stage++)
		err = grt_hist_reserve(&r->shown->stages[stage], FEW_BYTES / LEAST_BYTES);
	return err;
}

static void count_all_fetched(struct grt_rollup *r)
{
	for (int i = 0; i < GRT_ROLLUP_FETCHED; i++) {
		count_fetched(r->fetched[i]);
		r->fetched[i] = NULL;
	}
}

int grt_rollup_close(struct grt_rollup *r)
{
	count_all_fetched(r);
	for (size_t i = 0; i < grt_rollup_count(r); i++)
		if (!few_at(r, i))
			close_row(row_at(r, i));
	return make_shown(r);
}

const struct grt_rollup_row *grt_rollup_at(const struct grt_rollup *r, size_t i)
{
	const struct few *few = few_at(r, i);
	struct grt_rollup sums = { .quantiles = r->quantiles, .skips_bounds = r->skips_bounds };

	if (!few)
		return row_at(r, i);
	empty_row(r->shown, &few->key);
	count_few(&sums, r->shown, few);
	close_row(r->shown);
	return r->shown;
}

int grt_rollup_row_add(struct grt_rollup_row *to, const struct grt_rollup_row *from)
{
	to->jobs += from->jobs;
	to->cut += from->cut;
	to->lossy += from->lossy;
	to->killed += from->killed;
	to->inferred += from->inferred;
	to->bounds += from->bounds;
	to->total_bounds += from->total_bounds;
	to->exec_bounds += from->exec_bounds;
	to->failed += from->failed;
	to->unjudged += from->unjudged;
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

/* Changes row @nr to closed sums; NULL without memory. */
static struct grt_rollup_row *sum_up_closed(struct grt_rollup *r, uint32_t nr)
{
	bool is_open = few_at(r, nr);
	struct grt_rollup_row *row = sum_up(r, nr);

	if (row && is_open)
		close_row(row);
	return row;
}

static int regroup_row(struct grt_rollup *to, const struct grt_rollup *from, size_t i,
		       const struct sorting *sorting)
{
	struct grt_rollup_key key = *grt_rollup_key_at(from, i);
	const struct few *few = few_at(from, i), *old;
	struct grt_rollup_row *row;
	uint32_t nr;

	groups[to->group].reduce(&key, sorting);
	nr = number_of(to, &key);
	if (nr == GRT_NONE)
		return -ENOMEM;
	old = few_at(to, nr);
	if (few && old && old->bytes + few->bytes <= FEW_BYTES)
		return append(to, nr, few->byte, few->bytes, few->jobs);
	row = sum_up_closed(to, nr);
	return row ? grt_rollup_row_add(row, grt_rollup_at(from, i)) : -ENOMEM;
}

int grt_rollup_regroup(struct grt_rollup *to, const struct grt_rollup *from,
		       const struct grt_names *names)
{
	struct sorting sorting = { .names = names };
	int err = 0;

	to->quantiles = from->quantiles;
	to->skips_bounds = from->skips_bounds;
	if (to->group == GRT_BY_DEVICE || to->group == GRT_BY_ENGINE)
		err = find_first(&sorting, to->group == GRT_BY_DEVICE);
	for (size_t i = 0; i < grt_rollup_count(from) && !err; i++)
		err = regroup_row(to, from, i, &sorting);
	grt_vec_free(&sorting.first);
	return err;
}

int grt_rollup_all(struct grt_rollup_row *row, const struct grt_rollup *from)
{
	static const struct grt_rollup_key nobody = { GRT_NONE, GRT_NONE, 0, 0, 0 };
	struct grt_rollup sums = { .quantiles = from->quantiles, .skips_bounds = from->skips_bounds };
	struct grt_rollup_row *rest = new_row(&nobody);
	int err = rest ? 0 : -ENOMEM;

	row->key = nobody;
	for (size_t i = 0; i < grt_rollup_count(from) && !err; i++)
		err = few_at(from, i) ? count_few(&sums, rest, few_at(from, i)) :
					grt_rollup_row_add(row, row_at(from, i));
	count_all_fetched(&sums);
	if (!err) {
		close_row(rest);
		err = grt_rollup_row_add(row, rest);
	}
	if (rest)
		grt_rollup_row_free(rest);
	free(rest);
	return err;
}

void grt_rollup_row_free(struct grt_rollup_row *row)
{
	for (int i = 0; i < GRT_NR_STAGES; i++)
		grt_hist_free(&row->stages[i]);
}

/* The sort key of a row. */
struct place {
	const struct grt_rollup_key *key;
	unsigned __int128 total;
};

static struct place place_of(const struct grt_rollup *r, uintptr_t entry)
{
	const struct grt_rollup_row *row;
	const struct few *few;
	struct place place;
	const uint8_t *byte;

	if (!(entry & 1)) {
		row = (const struct grt_rollup_row *)entry;
		return (struct place){ &row->key, row->stages[GRT_STAGE_TOTAL].sum };
	}
	few = (const struct few *)(entry - 1);
	byte = few->byte;
	place = (struct place){ .key = &few->key };
	for (uint32_t i = 0; i < few->jobs; i++) {
		struct grt_job job;
		uint64_t labels;

		byte = grt_job_unpack(byte, &job, &labels);
		if (stages_of(r, &job) >> GRT_STAGE_TOTAL & 1)
			place.total += job.stage_ns[GRT_STAGE_TOTAL];
	}
	return place;
}

static int compare_rows(const void *a, const void *b, void *arg)
{
	struct place x = place_of(arg, *(const uintptr_t *)a), y = place_of(arg, *(const uintptr_t *)b);

	/* Rows of contexts are not sorted by ring. */
	if (!x.key->ctx && x.key->ring != y.key->ring)
		return x.key->ring < y.key->ring ? -1 : 1;
	if (x.total != y.total)
		return x.total > y.total ? -1 : 1;
	if (x.key->process != y.key->process)
		return x.key->process < y.key->process ? -1 : 1;
	return (high_half(x.key) > high_half(y.key)) - (high_half(x.key) < high_half(y.key));
}

void grt_rollup_sort(struct grt_rollup *r)
{
	/* Sorting moves the rows, so the index is wrong now.  Nothing is added after sorting. */
	grt_keymap_free(&r->index);
	if (r->rows.bytes)
		qsort_r(r->rows.data, grt_rollup_count(r), sizeof(uintptr_t), compare_rows, r);
}

void grt_rollup_free(struct grt_rollup *r)
{
	for (size_t i = 0; i < grt_rollup_count(r); i++) {
		struct few *few = few_at(r, i);

		if (!few)
			grt_rollup_row_free(row_at(r, i));
		free(few ? (void *)few : row_at(r, i));
	}
	if (r->shown)
		grt_rollup_row_free(r->shown);
	free(r->shown);
	grt_vec_free(&r->rows);
	grt_keymap_free(&r->index);
}
