// SPDX-License-Identifier: LGPL-2.1
#include "globals.h"

#include "heap.h"

/* Numbers have 32 bits and begin anew. Here they go on, from the first one of an engine. */
#define FIRST	(1ull << 32)

struct row {
	struct grt_global_request request;
	bool is_there;			/* the engine has it, so it may be preempted and give its number back */
};

struct engine {
	uint64_t latest;		/* number of its latest request; 0: there was none */
	struct grt_heap due;		/* open requests, by number; the id is a row of @rows */
	struct grt_vec rows;		/* struct row, in the order in which they came */
	uint32_t newest;		/* requests in earlier rows that the engine had are over, or have been preempted */
};

struct progress {
	uint64_t there, over;		/* greatest seqno that an engine has, and that is over; 0: none */
};

/* 0 is the number of a request that has none yet; the greatest one, which is as rare, is a mark of the map. */
static bool is_number(uint32_t global)
{
	return global && global != GRT_NONE;
}

void grt_globals_learn(struct grt_globals *t, uint64_t ctx, uint64_t seqno, uint32_t global)
{
	if (is_number(global))
		grt_keymap_set(&t->known, ctx, seqno, global);
}

static uint64_t unwrap(const struct engine *e, uint32_t global)
{
	return e->latest + (int64_t)(int32_t)(global - (uint32_t)e->latest);
}

static void put(struct engine *e, const struct row *row, uint32_t global)
{
	e->latest = e->latest ? unwrap(e, global) : FIRST + global;
	if (!grt_heap_count(&e->due)) {
		e->rows.bytes = 0;
		e->newest = 0;
	}
	if (!grt_vec_append(&e->rows, row, sizeof(*row)))
		grt_heap_put(&e->due, e->latest, grt_vec_count(&e->rows, struct row) - 1);
}

void grt_globals_open(struct grt_globals *t, uint32_t ring, uint64_t ctx, uint64_t seqno, uint32_t global, bool is_there)
{
	uint32_t known = grt_keymap_get(&t->known, ctx, seqno);
	struct progress *progress = grt_keyrow(&t->ctxs, ctx, sizeof(*progress));
	struct engine *e = grt_keyrow(&t->engines, ring, sizeof(*e));

	if (progress && is_there && seqno > progress->there)
		progress->there = seqno;
	/* With another number it will be preempted, and come again. */
	if (e && is_number(known) && (!is_there || known == global))
		put(e, &(struct row){ { ctx, seqno }, is_there }, known);
}

void grt_globals_preempted(struct grt_globals *t, uint32_t ring)
{
	struct engine *e = grt_keyrow(&t->engines, ring, sizeof(*e));

	if (e)
		e->newest = grt_vec_count(&e->rows, struct row);
}

void grt_globals_over(struct grt_globals *t, uint64_t ctx, uint64_t seqno)
{
	struct progress *progress = grt_keyrow(&t->ctxs, ctx, sizeof(*progress));

	if (progress && seqno > progress->over)
		progress->over = seqno;
}

static bool is_over(struct grt_globals *t, const struct grt_global_request *request)
{
	const struct progress *progress = grt_keyrow(&t->ctxs, request->ctx, sizeof(*progress));

	return progress && progress->over >= request->seqno;
}

/*
 * An engine gives numbers in ascending order.  So a request had been preempted, and has no number now, if a later one
 * got the same number or a lower one.
 */
static bool was_preempted(const struct engine *e, uint32_t nr)
{
	const struct row *row = grt_vec_at(&e->rows, struct row, nr);

	return row->is_there && nr < e->newest;
}

/* The row of the open request that is due first; of several with one number, the one that came last.  Removes them. */
static uint32_t take_first(struct engine *e)
{
	uint64_t number = grt_heap_first(&e->due)->ns;
	uint32_t nr = 0;
	const struct grt_due *due;

	while ((due = grt_heap_first(&e->due)) && due->ns == number) {
		nr = due->id > nr ? due->id : nr;
		grt_heap_pop(&e->due);
	}
	e->newest = nr > e->newest ? nr : e->newest;
	return nr;
}

bool grt_globals_next(struct grt_globals *t, uint32_t ring, uint32_t global, struct grt_global_request *request)
{
	struct engine *e = grt_keyrow(&t->engines, ring, sizeof(*e));
	const struct grt_due *due;

	while (e && (due = grt_heap_first(&e->due)) && due->ns <= unwrap(e, global)) {
		uint32_t nr = take_first(e);

		*request = grt_vec_at(&e->rows, struct row, nr)->request;
		if (!was_preempted(e, nr) && !is_over(t, request))
			return true;
	}
	return false;
}

bool grt_globals_has_later(struct grt_globals *t, const struct grt_global_request *request)
{
	const struct progress *progress = grt_keyrow(&t->ctxs, request->ctx, sizeof(*progress));

	return progress && progress->there > request->seqno;
}

void grt_globals_free(struct grt_globals *t)
{
	for (size_t i = 0; i < grt_vec_count(&t->engines.rows, struct engine); i++) {
		struct engine *e = grt_vec_at(&t->engines.rows, struct engine, i);

		grt_heap_free(&e->due);
		grt_vec_free(&e->rows);
	}
	grt_keyrows_free(&t->engines);
	grt_keyrows_free(&t->ctxs);
	grt_keymap_free(&t->known);
}
