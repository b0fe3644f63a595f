/* SPDX-License-Identifier: LGPL-2.1 */
/* The ioctl that each thread is in. */
#ifndef GRT_CPU_THREADS_H
#define GRT_CPU_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu_event.h"
#include "keymap.h"
#include "vec.h"

struct grt_cpu_thread {
	uint64_t enter_ns;
	bool is_inside;		/* entered, not left */
	bool is_drm;
};

/*
 * Zeroed memory has no threads.  Memory is bounded: a recording with more threads than any machine
 * has makes it forget all of them.
 */
struct grt_cpu_threads {
	struct grt_keymap rows;
	struct grt_vec threads;		/* struct grt_cpu_thread */
};

/* A thread that was seen before, or NULL. */
const struct grt_cpu_thread *grt_cpu_threads_find(const struct grt_cpu_threads *t, uint32_t tid);

/*
 * Learns from the next event in time.  An EXIT without a duration gets the time since its ENTER,
 * and *@thread is the thread before the event.  0 or -errno with a cause.
 */
int grt_cpu_threads_take(struct grt_cpu_threads *t, struct grt_cpu_event *ev,
			 struct grt_cpu_thread *thread);

void grt_cpu_threads_free(struct grt_cpu_threads *t);

#endif /* GRT_CPU_THREADS_H */
