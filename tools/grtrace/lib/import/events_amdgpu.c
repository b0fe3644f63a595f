// SPDX-License-Identifier: LGPL-2.1
/* Events of amdgpu.  Its adapter says where each of them fires. */
#include "import_private.h"

/*
 * --- jobs: amdgpu_cs_ioctl() before the scheduler's push, amdgpu_sched_run_job() in run_job ---
 *
 * The kernel's own jobs (page tables, moves of memory) go to the scheduler by amdgpu_job_submit(), which has no event
 * of the driver: only the scheduler's tells of their SUBMIT.
 */

static struct grt_key amdgpu_key(struct grt_import *im, const struct grt_foreign *ev)
{
	static const struct grt_piece none = { "", 0 }, amdgpu = { "amdgpu", 6 };
	struct grt_key key = {
		.ctx = ev->number[GRT_IN_CTX], .seqno = ev->number[GRT_IN_SEQNO], .ring = 0,
		.may_lack_submit = true,
	};

	grt_note(im, GRT_FACT_DRIVER);
	grt_note_job(im, key.ctx);
	if (grt_foreign_has(ev, GRT_IN_RING)) {
		grt_out_ring_driver(&im->rings, ev->piece[GRT_IN_RING], amdgpu, GRT_NO_CTX);
		key.ring = grt_out_ring(&im->rings, none, none, ev->piece[GRT_IN_RING]);
	}
	return key;
}

void grt_on_amdgpu_cs(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_ctx_row *row;
	struct grt_key key;

	if (!grt_foreign_has_key(ev))
		return;
	key = amdgpu_key(im, ev);
	if (grt_foreign_has(ev, GRT_IN_ID))
		grt_join_note(&im->join, key.ring, ev->number[GRT_IN_ID], key.ctx, key.seqno);
	if (im->is_learning) {
		row = grt_ctxs_find(&im->ctxs, key.ctx);
		if (row)
			row->ever_submitted = true;
		return;
	}
	if (!grt_has_scheduler(im))
		grt_put_submit(im, ev, &key);
	else if (grt_foreign_has(ev, GRT_IN_IBS))
		grt_note_ibs(im, &key, ev->number[GRT_IN_IBS]);
}

/* NULL without memory. */
static struct grt_amdgpu_ring *row_of(struct grt_import *im, uint32_t ring)
{
	return grt_keyrow(&im->amdgpu_rings, ring, sizeof(struct grt_amdgpu_ring));
}

/* It does not name the job, which is the next one to run on that ring. */
void grt_on_amdgpu_grab_id(struct grt_import *im, const struct grt_foreign *ev)
{
	static const struct grt_piece none = { "", 0 };
	struct grt_amdgpu_ring *row;

	if (im->is_learning || !grt_foreign_has(ev, GRT_IN_RING))
		return;
	row = row_of(im, grt_out_ring(&im->rings, none, none, ev->piece[GRT_IN_RING]));
	if (!row)
		return;
	row->is_grabbed = true;
	row->vmid = ev->number[GRT_IN_VMID];
}

/* The ring turns to the context of the job that got an address space just before. */
static void put_switch(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key)
{
	struct grt_amdgpu_ring *row = row_of(im, key->ring);
	uint64_t from_ctx;
	struct grtrace_ctx_switch *rec;

	if (!row || !row->is_grabbed || !key->ring)
		return;
	from_ctx = row->ctx;
	row->is_grabbed = false;
	row->ctx = key->ctx;
	if (from_ctx == key->ctx)
		return;
	rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_CTX_SWITCH, sizeof(*rec),
			  GRTRACE_F_UPPER_BOUND);
	if (!rec)
		return;
	rec->ctx = key->ctx;
	rec->seqno = key->seqno;
	rec->ring = key->ring;
	rec->from_ctx = from_ctx;
	rec->vmid = row->vmid;
}

void grt_on_amdgpu_run(struct grt_import *im, const struct grt_foreign *ev)
{
	const struct grt_joined *job;
	struct grt_key key;

	if (!grt_foreign_has_key(ev))
		return;
	key = amdgpu_key(im, ev);
	job = grt_foreign_has(ev, GRT_IN_ID) ?
	      grt_join_id(&im->join, key.ring, ev->number[GRT_IN_ID]) : NULL;
	if (job)
		grt_join_learn(&im->join, job, key.ctx, key.seqno);
	if (im->is_learning)
		return;
	put_switch(im, ev, &key);
	if (!grt_has_scheduler(im))
		grt_put_commit(im, ev, &key);
}

/* --- interrupts and memory --- */

void grt_on_amdgpu_iv(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grtrace_irq *rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_IRQ, sizeof(*rec), 0);

	if (!rec)
		return;
	rec->gpu_stamp = ev->number[GRT_IN_GPU_STAMP];
	rec->ih = ev->number[GRT_IN_IH];
	rec->irq_client = ev->number[GRT_IN_CLIENT];
	rec->irq_source = ev->number[GRT_IN_SOURCE];
	rec->irq_ring = ev->number[GRT_IN_IRQ_RING];
	rec->vmid = ev->number[GRT_IN_VMID];
	rec->pasid = ev->number[GRT_IN_PASID];
	rec->data0 = ev->number[GRT_IN_DATA0];
	rec->data1 = ev->number[GRT_IN_DATA1];
	rec->data2 = ev->number[GRT_IN_DATA2];
	rec->data3 = ev->number[GRT_IN_DATA3];
}

#define CPU_ACCESS	1	/* AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED, amdgpu_drm.h */
#define NOWHERE		UINT32_MAX

/* It names pages.  Where their size is not known, that of the object is not, either. */
void grt_on_amdgpu_bo_create(struct grt_import *im, const struct grt_foreign *ev)
{
	unsigned int flags = ev->number[GRT_IN_FLAGS] & CPU_ACCESS ? GRTRACE_F_VISIBLE : 0;
	struct grtrace_memory *rec = grt_put_memory(im, ev, GRTRACE_MEMORY_CREATE, flags);

	if (!rec)
		return;
	rec->bytes *= im->page_bytes;
	rec->preferred_domains = ev->number[GRT_IN_PREFERRED];
	rec->allowed_domains = ev->number[GRT_IN_ALLOWED];
}

void grt_on_amdgpu_bo_move(struct grt_import *im, const struct grt_foreign *ev)
{
	uint32_t to = ev->number[GRT_IN_TO];
	struct grtrace_memory *rec = grt_put_memory(im, ev, to == NOWHERE ? GRTRACE_MEMORY_DESTROY :
						    GRTRACE_MEMORY_MOVE, 0);

	if (!rec)
		return;
	rec->from_domain = ev->number[GRT_IN_FROM];
	rec->to_domain = to == NOWHERE ? 0 : to;
}
