// SPDX-License-Identifier: LGPL-2.1
#include "join.h"

#include <errno.h>
#include <stdlib.h>

#include "error.h"

/* Jobs of a ring that are between SUBMIT and the last check of a dependency. */
#define WINDOW		4096

#define MAX_CPUS	4096

struct entity {
	int64_t nth;			/* number of its latest job */
	int64_t early, early_seen;	/* submitted before the trace: all, in this pass */
	uint32_t first, last, at;	/* segments, row + 1; at: that of job nth */
};

/* From job @from on, the entity has context @ctx, and its job n has number n + @delta. */
struct segment {
	int64_t from, learned;		/* learned: the last job that confirmed it */
	uint64_t ctx;			/* 0: not known */
	int64_t delta;
	uint32_t next;
};

static size_t nr_windows(const struct grt_join *j)
{
	return grt_vec_count(&j->windows, struct grt_joined *);
}

static struct entity *entity_at(const struct grt_join *j, uint32_t row)
{
	return grt_vec_at(&j->entity_rows, struct entity, row - 1);
}

static struct segment *segment_at(const struct grt_join *j, uint32_t row)
{
	return grt_vec_at(&j->segments, struct segment, row - 1);
}

/* Row + 1, added if missing; 0 without memory. */
static uint32_t entity_of(struct grt_join *j, uint64_t address)
{
	uint64_t *row = grt_map_put(&j->entities, address);
	struct entity *e;

	if (!row)
		return 0;
	if (!*row) {
		e = grt_vec_grow(&j->entity_rows, sizeof(*e));
		if (!e)
			return 0;
		*e = (struct entity){ 0 };
		*row = grt_vec_count(&j->entity_rows, struct entity);
	}
	return *row;
}

static struct grt_joined *slot_of(struct grt_join *j, uint64_t fence)
{
	uint64_t *row = grt_map_put(&j->fences, fence);
	struct grt_joined *job;

	if (!row)
		return NULL;
	if (!*row) {
		job = grt_vec_grow(&j->jobs, sizeof(*job));
		if (!job)
			return NULL;
		*row = grt_vec_count(&j->jobs, struct grt_joined);
	}
	return grt_vec_at(&j->jobs, struct grt_joined, *row - 1);
}

/* The slot of a number in the window of its ring; NULL if there is none. */
static struct grt_joined *window_at(const struct grt_join *j, uint32_t ring, uint64_t id)
{
	uint32_t row = grt_keymap_get(&j->window_at, ring, 0);

	return row == GRT_NONE ? NULL : *grt_vec_at(&j->windows, struct grt_joined *, row) + id % WINDOW;
}

/* 0 or -ENOMEM.  Memory is used only as far as it is written. */
static int add_window(struct grt_join *j, uint32_t ring)
{
	struct grt_joined *window = calloc(WINDOW, sizeof(*window));

	if (window && !grt_vec_append(&j->windows, &window, sizeof(window)))
		return grt_keymap_put(&j->window_at, ring, 0, nr_windows(j) - 1);
	free(window);
	return -ENOMEM;
}

static void remember_id(struct grt_join *j, const struct grt_joined *job)
{
	if (grt_keymap_get(&j->window_at, job->ring, 0) == GRT_NONE && add_window(j, job->ring)) {
		grt_fail_memory();
		return;
	}
	*window_at(j, job->ring, job->id) = *job;
}

/* Sets the key of a job: as learned in the first pass, or a made-up one. */
static void set_key(struct grt_join *j, struct entity *e, struct grt_joined *job, uint64_t minted)
{
	const struct segment *s;

	if (!e->at)
		e->at = e->first;
	while (e->at && segment_at(j, e->at)->next &&
	       segment_at(j, segment_at(j, e->at)->next)->from <= job->nth)
		e->at = segment_at(j, e->at)->next;
	s = e->at ? segment_at(j, e->at) : NULL;
	if (s && s->ctx && job->nth + s->delta > 0) {
		job->ctx = s->ctx;
		job->seqno = job->nth + s->delta;
	} else {
		job->ctx = minted;
		/* Some jobs ran before the first one that was submitted in the trace. */
		job->seqno = job->nth + e->early;
	}
}

static struct grt_joined *add(struct grt_join *j, uint32_t entity, int64_t nth, uint64_t fence,
			      uint32_t ring, uint64_t id, uint64_t minted)
{
	struct grt_joined *job = slot_of(j, fence);

	if (!job)
		return NULL;
	*job = (struct grt_joined){
		.fence = fence, .id = id, .ring = ring, .entity = entity, .nth = nth,
	};
	set_key(j, entity_at(j, entity), job, minted);
	remember_id(j, job);
	return job;
}

struct grt_joined *grt_join_submit(struct grt_join *j, uint64_t entity, uint64_t fence,
				   uint32_t ring, uint64_t id, uint64_t minted)
{
	uint32_t row = entity_of(j, entity);

	return row ? add(j, row, ++entity_at(j, row)->nth, fence, ring, id, minted) : NULL;
}

struct grt_joined *grt_join_commit(struct grt_join *j, uint64_t entity, uint64_t fence,
				   uint32_t ring, uint64_t id, uint64_t minted)
{
	struct grt_joined *job = grt_join_fence(j, fence);
	struct entity *e;
	uint32_t row;

	if (job && job->id == id)
		return job;
	row = entity_of(j, entity);
	if (!row)
		return NULL;
	e = entity_at(j, row);
	e->early_seen++;
	/* The second pass knows how many early jobs there are, and numbers them up to 0. */
	return add(j, row, j->is_second ? e->early_seen - e->early : 0, fence, ring, id, minted);
}

struct grt_joined *grt_join_fence(const struct grt_join *j, uint64_t fence)
{
	const uint64_t *row = grt_map_get(&j->fences, fence);

	if (!row || !*row)
		return NULL;
	return grt_vec_at(&j->jobs, struct grt_joined, *row - 1);
}

struct grt_joined *grt_join_id(const struct grt_join *j, uint32_t ring, uint64_t id)
{
	struct grt_joined *job = window_at(j, ring, id);

	return job && job->ctx && job->id == id ? job : NULL;
}

void grt_join_note(struct grt_join *j, uint32_t ring, uint64_t id, uint64_t ctx, uint64_t seqno)
{
	const struct grt_joined job = { .ctx = ctx, .seqno = seqno, .ring = ring, .id = id };

	remember_id(j, &job);
}

static void add_segment(struct grt_join *j, struct entity *e, const struct segment *s)
{
	if (grt_vec_append(&j->segments, s, sizeof(*s)))
		return;
	if (e->last)
		segment_at(j, e->last)->next = grt_vec_count(&j->segments, struct segment);
	else
		e->first = grt_vec_count(&j->segments, struct segment);
	e->last = grt_vec_count(&j->segments, struct segment);
}

void grt_join_learn(struct grt_join *j, const struct grt_joined *job, uint64_t ctx, uint64_t seqno)
{
	struct entity *e = job->entity ? entity_at(j, job->entity) : NULL;
	struct segment *last = e && e->last ? segment_at(j, e->last) : NULL;
	struct segment s = {
		.from = job->nth, .learned = job->nth, .ctx = ctx, .delta = seqno - job->nth,
	};

	/* Fence numbers have 32 bits; a damaged one must not overflow a sum. */
	if (seqno > INT64_MAX / 2)
		return;
	if (!e || j->is_second || job->nth <= 0 || (last && job->nth <= last->learned))
		return;
	if (last && last->ctx == ctx && last->delta == s.delta) {
		last->learned = job->nth;
		return;
	}
	/* A new entity at the same address: its jobs count from 1. */
	if (last && last->ctx != ctx && job->nth - (int64_t)seqno >= last->learned) {
		s.from = job->nth - (int64_t)seqno + 1;
	} else if (last && last->learned + 1 < job->nth) {
		/* Some jobs in between were not seen, it is not known where. */
		const struct segment hole = { .from = last->learned + 1, .learned = job->nth - 1 };

		add_segment(j, e, &hole);
	}
	add_segment(j, e, &s);
}

void grt_join_rename(struct grt_join *j, struct grt_joined *job, uint64_t ctx, uint64_t seqno)
{
	job->ctx = ctx;
	job->seqno = seqno;
	remember_id(j, job);
}

struct grt_last *grt_join_cpu(struct grt_join *j, uint32_t cpu)
{
	static const struct grt_last none;

	if (cpu >= MAX_CPUS || grt_vec_reach(&j->cpus, cpu, &none, sizeof(none)))
		return NULL;
	return grt_vec_at(&j->cpus, struct grt_last, cpu);
}

static void forget_windows(struct grt_join *j)
{
	for (size_t i = 0; i < nr_windows(j); i++)
		free(*grt_vec_at(&j->windows, struct grt_joined *, i));
	j->windows.bytes = 0;
	grt_keymap_free(&j->window_at);
}

void grt_join_rewind(struct grt_join *j)
{
	for (size_t i = 0; i < grt_vec_count(&j->entity_rows, struct entity); i++) {
		struct entity *e = grt_vec_at(&j->entity_rows, struct entity, i);

		e->early = e->early_seen;
		e->nth = e->early_seen = 0;
		e->at = 0;
	}
	grt_map_free(&j->fences);
	forget_windows(j);
	j->jobs.bytes = j->cpus.bytes = 0;
	j->is_second = true;
}

void grt_join_free(struct grt_join *j)
{
	grt_map_free(&j->entities);
	grt_map_free(&j->fences);
	grt_vec_free(&j->entity_rows);
	grt_vec_free(&j->segments);
	grt_vec_free(&j->jobs);
	forget_windows(j);
	grt_vec_free(&j->windows);
	grt_vec_free(&j->cpus);
}
