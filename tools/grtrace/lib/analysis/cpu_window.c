// SPDX-License-Identifier: LGPL-2.1
#include "cpu_window.h"

#include <stdlib.h>

#include "error.h"

static bool is_before(const struct grt_cpu_place *a, const struct grt_cpu_place *b)
{
	return a->ns < b->ns || (a->ns == b->ns && a->nth < b->nth);
}

static int take_slot(struct grt_cpu_window *w, uint32_t *slot)
{
	if (w->free.bytes) {
		w->free.bytes -= sizeof(*slot);
		*slot = *(uint32_t *)((char *)w->free.data + w->free.bytes);
		return 0;
	}
	*slot = grt_vec_count(&w->slots, struct grt_cpu_event);
	return grt_vec_grow(&w->slots, sizeof(struct grt_cpu_event)) ? 0 : grt_fail_memory();
}

static int put_in_heap(struct grt_cpu_window *w, const struct grt_cpu_place *place)
{
	size_t i = grt_vec_count(&w->heap, struct grt_cpu_place);
	struct grt_cpu_place *all;

	if (!grt_vec_grow(&w->heap, sizeof(*place)))
		return grt_fail_memory();
	for (all = w->heap.data; i && is_before(place, &all[(i - 1) / 2]); i = (i - 1) / 2)
		all[i] = all[(i - 1) / 2];
	all[i] = *place;
	return 0;
}

static void drop_top(struct grt_cpu_window *w)
{
	size_t n = grt_vec_count(&w->heap, struct grt_cpu_place) - 1, i = 0, next;
	struct grt_cpu_place *all = w->heap.data;

	while ((next = 2 * i + 1) < n) {
		next += next + 1 < n && is_before(&all[next + 1], &all[next]);
		if (!is_before(&all[next], &all[n]))
			break;
		all[i] = all[next];
		i = next;
	}
	all[i] = all[n];
	w->heap.bytes = n * sizeof(*all);
}

static struct grt_cpu_place *queued(const struct grt_cpu_window *w, size_t i)
{
	return &w->queue[(w->first + i) % GRT_CPU_WINDOW];
}

int grt_cpu_window_put(struct grt_cpu_window *w, const struct grt_cpu_event *ev)
{
	struct grt_cpu_place place = { .ns = ev->ts, .nth = w->nth++ };
	int err = take_slot(w, &place.slot);

	if (err)
		return err;
	*grt_vec_at(&w->slots, struct grt_cpu_event, place.slot) = *ev;
	if (!w->queue)
		w->queue = malloc(GRT_CPU_WINDOW * sizeof(*w->queue));
	if (!w->queue)
		return grt_fail_memory();
	if (w->count && queued(w, w->count - 1)->ns > ev->ts)
		return put_in_heap(w, &place);
	*queued(w, w->count++) = place;
	return 0;
}

void grt_cpu_window_take(struct grt_cpu_window *w, struct grt_cpu_event *ev)
{
	const struct grt_cpu_place *top = w->heap.bytes ? w->heap.data : NULL;
	uint32_t slot;

	if (top && (!w->count || is_before(top, queued(w, 0)))) {
		slot = top->slot;
		drop_top(w);
	} else {
		slot = queued(w, 0)->slot;
		w->first = (w->first + 1) % GRT_CPU_WINDOW;
		w->count--;
	}
	*ev = *grt_vec_at(&w->slots, struct grt_cpu_event, slot);
	/* Without memory a slot stays unused; the caller fails soon after. */
	grt_vec_append(&w->free, &slot, sizeof(slot));
}

void grt_cpu_window_free(struct grt_cpu_window *w)
{
	grt_vec_free(&w->slots);
	grt_vec_free(&w->free);
	grt_vec_free(&w->heap);
	free(w->queue);
	*w = (struct grt_cpu_window){ 0 };
}
