// SPDX-License-Identifier: LGPL-2.1
#include "cpu_threads.h"

#include "error.h"

#define MAX_THREADS	(1u << 18)

static struct grt_cpu_thread *find(const struct grt_cpu_threads *t, uint32_t tid)
{
	uint32_t row = grt_keymap_get(&t->rows, tid, 0);

	return row == GRT_NONE ? NULL : grt_vec_at(&t->threads, struct grt_cpu_thread, row);
}

const struct grt_cpu_thread *grt_cpu_threads_find(const struct grt_cpu_threads *t, uint32_t tid)
{
	return find(t, tid);
}

static struct grt_cpu_thread *add(struct grt_cpu_threads *t, uint32_t tid)
{
	struct grt_cpu_thread *thread;
	uint32_t row = grt_vec_count(&t->threads, struct grt_cpu_thread);

	if (row == MAX_THREADS) {
		grt_cpu_threads_free(t);
		row = 0;
	}
	thread = grt_vec_grow(&t->threads, sizeof(*thread));
	if (!thread || grt_keymap_put(&t->rows, tid, 0, row))
		return NULL;
	*thread = (struct grt_cpu_thread){ 0 };
	return thread;
}

int grt_cpu_threads_take(struct grt_cpu_threads *t, struct grt_cpu_event *ev,
			 struct grt_cpu_thread *before)
{
	struct grt_cpu_thread *thread = find(t, ev->tid);

	if (!thread)
		thread = add(t, ev->tid);
	if (!thread)
		return grt_fail_memory();
	*before = *thread;
	if (ev->type == GRT_IOCTL_ENTER) {
		*thread = (struct grt_cpu_thread){
			.enter_ns = ev->ts, .is_inside = true, .is_drm = grt_is_drm_ioctl(ev->cmd),
		};
		return 0;
	}
	if (!(ev->has & GRT_CPU_HAS_DURATION) && thread->is_inside && ev->ts >= thread->enter_ns) {
		ev->duration_ns = ev->ts - thread->enter_ns;
		ev->has |= GRT_CPU_HAS_DURATION;
	}
	thread->is_inside = false;
	return 0;
}

void grt_cpu_threads_free(struct grt_cpu_threads *t)
{
	grt_keymap_free(&t->rows);
	grt_vec_free(&t->threads);
	*t = (struct grt_cpu_threads){ 0 };
}
