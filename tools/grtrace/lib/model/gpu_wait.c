// SPDX-License-Identifier: LGPL-2.1
/* Waits inside a job, as its driver reports them. */
#include <errno.h>

#include "model_private.h"

/* Returns the waits of job @i; adds an empty entry if there is none.  NULL without memory. */
static struct grt_gpu_wait *wait_of(struct grt_model *m, uint32_t i)
{
	uint32_t row = m->free_gpu_wait;
	struct grt_gpu_wait *wait;

	if (grt_slot_at(m, i)->has_gpu_wait)
		return grt_vec_at(&m->gpu_waits, struct grt_gpu_wait,
				  grt_keymap_get(&m->gpu_wait_of, i, 0));
	if (row == GRT_NONE) {
		row = grt_vec_count(&m->gpu_waits, struct grt_gpu_wait);
		if (!grt_vec_grow(&m->gpu_waits, sizeof(*wait)))
			return NULL;
	} else {
		m->free_gpu_wait = grt_vec_at(&m->gpu_waits, struct grt_gpu_wait, row)->next_free;
	}
	if (grt_keymap_put(&m->gpu_wait_of, i, 0, row))
		return NULL;
	grt_slot_at(m, i)->has_gpu_wait = true;
	wait = grt_vec_at(&m->gpu_waits, struct grt_gpu_wait, row);
	*wait = (struct grt_gpu_wait){ 0 };
	return wait;
}

struct grt_gpu_wait grt_gpu_wait_remove(struct grt_model *m, uint32_t i)
{
	uint32_t row = grt_keymap_get(&m->gpu_wait_of, i, 0);
	struct grt_gpu_wait *wait = grt_vec_at(&m->gpu_waits, struct grt_gpu_wait, row);

	grt_keymap_del(&m->gpu_wait_of, i, 0);
	grt_slot_at(m, i)->has_gpu_wait = false;
	wait->next_free = m->free_gpu_wait;
	m->free_gpu_wait = row;
	return *wait;
}

/* An event of a wait inside a job. */
int grt_gpu_wait_event(struct grt_model *m, const struct grtrace_job_key *rec)
{
	bool is_synthetic = rec->hdr.flags & GRTRACE_F_SYNTHETIC;
	uint32_t i = grt_slot_find(m, is_synthetic, rec->ctx, rec->seqno);
	struct grt_gpu_wait *wait;

	if (i == GRT_NONE || !(rec->hdr.flags & GRTRACE_F_GPU_WAIT))
		return 0;
	wait = wait_of(m, i);
	if (!wait)
		return -ENOMEM;
	if (rec->hdr.type == GRTRACE_SYNC_WAIT_ENTER) {
		wait->from_ns = rec->hdr.ts;
	} else if (wait->from_ns) {
		wait->ns += rec->hdr.ts - wait->from_ns;
		wait->from_ns = 0;
		wait->is_over = true;
	}
	return 0;
}
