// SPDX-License-Identifier: LGPL-2.1
#include "frame_tops.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"

#define MAX_TOPS	64

struct grt_frame_top {
	uint64_t from_ns, to_ns;	/* what counts of it */
	struct grt_frame_life *life;	/* owned */
};

static size_t nr_tops(const struct grt_frame_tops *t)
{
	return grt_vec_count(&t->rows, struct grt_frame_top);
}

static struct grt_frame_top *top_at(const struct grt_frame_tops *t, size_t i)
{
	return grt_vec_at(&t->rows, struct grt_frame_top, i);
}

static void drop_first(struct grt_frame_tops *t, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(top_at(t, i)->life);
	t->rows.bytes -= count * sizeof(struct grt_frame_top);
	if (count && t->rows.bytes)
		memmove(t->rows.data, top_at(t, count), t->rows.bytes);
}

int grt_frame_tops_settle(struct grt_frame_tops *t, struct grt_frame_cell *cell, uint64_t ns)
{
	size_t done = 0;
	int err = 0;

	for (; done < nr_tops(t) && top_at(t, done)->from_ns < ns && !err; done++) {
		struct grt_frame_top *top = top_at(t, done);
		uint64_t to_ns = top->to_ns < ns ? top->to_ns : ns;

		err = grt_frame_pieces_add(&cell->pieces, top->life, top->from_ns, to_ns, true);
		top->from_ns = to_ns;
		if (to_ns < top->to_ns)
			break;
	}
	drop_first(t, done);
	return err;
}

/* The time from @ns on is taken over. */
static void give_over(struct grt_frame_tops *t, uint64_t ns)
{
	while (nr_tops(t) && top_at(t, nr_tops(t) - 1)->from_ns >= ns) {
		free(top_at(t, nr_tops(t) - 1)->life);
		t->rows.bytes -= sizeof(struct grt_frame_top);
	}
	if (nr_tops(t) && top_at(t, nr_tops(t) - 1)->to_ns > ns)
		top_at(t, nr_tops(t) - 1)->to_ns = ns;
}

int grt_frame_tops_add(struct grt_frame_tops *t, struct grt_frame_cell *cell, const struct grt_frame_life *life,
		       uint64_t from_ns)
{
	struct grt_frame_top top = { from_ns, life->stay.complete_ns, NULL };
	int err = 0;

	if (top.from_ns >= top.to_ns)
		return 0;
	give_over(t, from_ns);
	if (nr_tops(t) == MAX_TOPS)
		err = grt_frame_tops_settle(t, cell, top_at(t, MAX_TOPS / 2)->from_ns);
	top.life = err ? NULL : grt_frame_life_copy(life);
	if (top.life && !grt_vec_append(&t->rows, &top, sizeof(top)))
		return 0;
	free(top.life);
	return grt_fail_memory();
}

void grt_frame_tops_free(struct grt_frame_tops *t)
{
	drop_first(t, nr_tops(t));
	grt_vec_free(&t->rows);
}
