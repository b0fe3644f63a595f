/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Puts events of CPUs in order that are a little out of order, because a tracer writes the buffer
 * of one CPU after that of another.  It holds at most GRT_CPU_WINDOW events: more than a second of
 * any recording.  It counts events and not time, so one wrong stamp does no harm.
 */
#ifndef GRT_CPU_WINDOW_H
#define GRT_CPU_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu_event.h"
#include "vec.h"

#define GRT_CPU_WINDOW	(1u << 17)

struct grt_cpu_place {
	uint64_t ns, nth;	/* nth: equal times stay in the order of the file */
	uint32_t slot;
};

/* Zeroed memory is an empty window. */
struct grt_cpu_window {
	struct grt_vec slots;		/* struct grt_cpu_event */
	struct grt_vec free;		/* uint32_t: slots without an event */
	struct grt_cpu_place *queue;	/* owned: a ring of events that came in order */
	size_t first, count;		/* in @queue */
	struct grt_vec heap;		/* struct grt_cpu_place: the others, earliest first */
	uint64_t nth;
};

static inline size_t grt_cpu_window_count(const struct grt_cpu_window *w)
{
	return w->count + grt_vec_count(&w->heap, struct grt_cpu_place);
}

/* Adds an event to a window that is not full.  0 or -errno with a cause. */
int grt_cpu_window_put(struct grt_cpu_window *w, const struct grt_cpu_event *ev);

/* Takes the earliest event out of a window that is not empty. */
void grt_cpu_window_take(struct grt_cpu_window *w, struct grt_cpu_event *ev);

void grt_cpu_window_free(struct grt_cpu_window *w);

#endif /* GRT_CPU_WINDOW_H */
