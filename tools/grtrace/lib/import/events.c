// SPDX-License-Identifier: LGPL-2.1
/* Makes records of events whose meaning and key are known. */
#include <string.h>

#include "import_private.h"
#include "once.h"

#define MAX_MARK	4096
#define MAX_IBS	65536	/* jobs whose indirect buffers are known before their SUBMIT */

/* Kernels number their own clients downwards from the greatest number. */
#define KERNEL_CLIENTS	((uint64_t)-17)

static struct grt_piece piece_of(const struct grt_foreign *ev, enum grt_slot_nr slot)
{
	return grt_foreign_has(ev, slot) ? ev->piece[slot] : (struct grt_piece){ "", 0 };
}

/* A number that the event may lack: then 0. */
static uint64_t number_of(const struct grt_foreign *ev, enum grt_slot_nr slot)
{
	return grt_foreign_has(ev, slot) ? ev->number[slot] : 0;
}

uint32_t grt_ring_of(struct grt_import *im, const struct grt_foreign *ev)
{
	const struct grt_ring_names names = {
		.device = piece_of(ev, GRT_IN_DEVICE), .driver = piece_of(ev, GRT_IN_DRIVER),
		.name = piece_of(ev, GRT_IN_RING), .sched = number_of(ev, GRT_IN_SCHED),
		.credit_limit = number_of(ev, GRT_IN_LIMIT),
	};

	if (grt_foreign_has(ev, GRT_IN_RING))
		return grt_out_ring_named(&im->rings, &names);
	return names.sched ? grt_out_ring_of_sched(&im->rings, names.sched) : 0;
}

struct grt_key grt_key_of(struct grt_import *im, const struct grt_foreign *ev)
{
	return (struct grt_key){
		.ctx = ev->number[GRT_IN_CTX], .seqno = ev->number[GRT_IN_SEQNO],
		.ring = grt_ring_of(im, ev),
	};
}

/* The row of a job's context.  NULL without memory, and for keys that later events may correct. */
static struct grt_ctx_row *job_row(struct grt_import *im, const struct grt_key *key)
{
	struct grt_ctx_row *row;

	if (im->is_learning && (key->is_inferred || key->is_minted))
		return NULL;
	row = grt_ctxs_row(&im->ctxs, key->ctx);
	if (!row)
		return NULL;
	row->is_job = true;
	if (key->ring)
		row->ring = key->ring;
	return row;
}

static unsigned int key_flags(const struct grt_key *key)
{
	return key->is_inferred ? GRTRACE_F_KEY_INFERRED : 0;
}

static unsigned int submit_flags(const struct grt_key *key)
{
	return key_flags(key) | (key->is_late ? GRTRACE_F_UPPER_BOUND : 0) |
	       (key->is_kernel ? GRTRACE_F_KERNEL_JOB : 0);
}

bool grt_is_kernel_thread(const struct grt_foreign *ev)
{
	return number_of(ev, GRT_IN_KERNEL) || !strncmp(ev->comm, "kworker/", 8);
}

/* Whether the kernel submitted the job for itself. */
static bool is_kernel_job(const struct grt_import *im, const struct grt_foreign *ev)
{
	return (grt_foreign_has(ev, GRT_IN_CLIENT) && ev->number[GRT_IN_CLIENT] >= KERNEL_CLIENTS) ||
	       (im->live && grt_foreign_has(ev, GRT_IN_PRIORITY) &&
		ev->number[GRT_IN_PRIORITY] == im->live->kernel_priority) ||
	       grt_is_kernel_thread(ev);
}

static uint32_t credits_of(const struct grt_import *im, const struct grt_foreign *ev)
{
	if (grt_foreign_has(ev, GRT_IN_CREDITS))
		return ev->number[GRT_IN_CREDITS];
	return im->live ? im->live->credits : 0;
}

void grt_note_ibs(struct grt_import *im, const struct grt_key *key, uint32_t num_ibs)
{
	/* Old kernels cut the context to 32 bits. */
	uint32_t ctx = key->ctx;

	if (num_ibs == GRT_NONE)
		return;
	if (im->ibs.used >= MAX_IBS && grt_keymap_get(&im->ibs, ctx, key->seqno) == GRT_NONE) {
		grt_warn_once("more than %d jobs of amdgpu have no SUBMIT yet: how many indirect buffers they have is not "
			      "known", MAX_IBS);
		grt_keymap_free(&im->ibs);
	}
	grt_keymap_set(&im->ibs, ctx, key->seqno, num_ibs);
}

/* The indirect buffers of a job at its SUBMIT, 0 = not known. */
static uint32_t take_ibs(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key)
{
	uint32_t ctx = key->ctx, noted = grt_keymap_get(&im->ibs, ctx, key->seqno);

	if (noted != GRT_NONE)
		grt_keymap_del(&im->ibs, ctx, key->seqno);
	if (grt_foreign_has(ev, GRT_IN_IBS))
		return ev->number[GRT_IN_IBS];
	return noted == GRT_NONE ? 0 : noted;
}

void grt_put_submit(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key)
{
	unsigned int flags = submit_flags(key) | (is_kernel_job(im, ev) ? GRTRACE_F_KERNEL_JOB : 0);
	uint32_t num_ibs = take_ibs(im, ev, key);
	bool is_detailed = num_ibs || grt_foreign_has(ev, GRT_IN_COMMAND);
	struct grt_ctx_row *row = job_row(im, key);
	struct grtrace_submit *rec;

	grt_note(im, GRT_FACT_SUBMIT);
	if (row)
		row->ends_late = key->ends_late;
	im->inferred_keys += key->is_inferred;
	rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_SUBMIT,
			  is_detailed ? sizeof(*rec) : GRTRACE_SUBMIT_BYTES, flags);
	if (!rec)
		return;
	if (is_detailed) {
		rec->num_ibs = num_ibs;
		rec->command = number_of(ev, GRT_IN_COMMAND);
	}
	rec->ctx = key->ctx;
	rec->seqno = key->seqno;
	rec->ring = key->ring;
	rec->tid = ev->tid;
	rec->tgid = grt_out_tgid(&im->procs, ev);
	rec->credits = credits_of(im, ev);
	rec->hw_credits = number_of(ev, GRT_IN_HW_CREDITS);
	rec->queue_depth = number_of(ev, GRT_IN_QUEUED);
	rec->client_id = number_of(ev, GRT_IN_CLIENT);
	grt_out_procs_name(&im->procs, rec->tgid, ev);
}

/* Whether the file has no SUBMIT of any job of the context, and its events are of kinds that may tell of none. */
static bool lacks_submit(const struct grt_import *im, const struct grt_key *key, const struct grt_ctx_row *row)
{
	if (grt_learns(im))
		return false;
	if (key->may_lack_submit)
		return row && !row->ever_submitted;
	return grt_has_scheduler(im) && !im->facts[GRT_FACT_SUBMIT] && !(im->module_types >> GRTRACE_SUBMIT & 1);
}

void grt_put_commit(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key)
{
	struct grt_ctx_row *row = job_row(im, key);
	struct grtrace_commit *rec;

	if (row) {
		row->committed = row->has_committed && row->committed > key->seqno ?
				 row->committed : key->seqno;
		row->has_committed = true;
	}
	rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_COMMIT, sizeof(*rec),
			  key_flags(key) | (lacks_submit(im, key, row) ? GRTRACE_F_NO_SUBMIT : 0));
	if (!rec)
		return;
	rec->ctx = key->ctx;
	rec->seqno = key->seqno;
	rec->ring = key->ring;
	rec->credits = credits_of(im, ev);
	rec->hw_credits = number_of(ev, GRT_IN_HW_CREDITS);
	rec->queue_depth = number_of(ev, GRT_IN_QUEUED);
}

void grt_put_start(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key,
		   uint64_t ts, unsigned int flags)
{
	struct grtrace_start *rec = grt_out_add(&im->out, ev->cpu, ts, GRTRACE_START,
						sizeof(*rec), flags | key_flags(key));

	if (!rec)
		return;
	rec->ctx = key->ctx;
	rec->seqno = key->seqno;
	rec->ring = key->ring;
}

/* END and COMPLETE have the same fields at the same offsets. */
_Static_assert(offsetof(struct grtrace_end, ring) == offsetof(struct grtrace_complete, ring) &&
	       offsetof(struct grtrace_end, status) == offsetof(struct grtrace_complete, status),
	       "one function fills both");

static void *put_over(struct grt_import *im, const struct grt_foreign *ev,
		      const struct grt_key *key, unsigned int type, size_t bytes, int32_t status,
		      unsigned int flags)
{
	bool is_known = status != GRT_NO_STATUS;
	struct grtrace_complete *rec;

	if (!is_known)
		flags |= GRTRACE_F_NO_STATUS;
	rec = grt_out_add(&im->out, ev->cpu, ev->ts, type, bytes, flags | key_flags(key));
	if (!rec)
		return NULL;
	rec->ctx = key->ctx;
	rec->seqno = key->seqno;
	rec->ring = key->ring;
	rec->status = is_known ? status : 0;
	return rec;
}

static void put_end(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key,
		    int32_t status, unsigned int flags)
{
	struct grtrace_end *rec = put_over(im, ev, key, GRTRACE_END, sizeof(*rec), status, flags);

	if (rec && number_of(ev, GRT_IN_STAMPED) && (int64_t)number_of(ev, GRT_IN_STAMP) > 0)
		rec->hw_done_ns = ev->number[GRT_IN_STAMP];
}

static void put_complete(struct grt_import *im, const struct grt_foreign *ev,
			 const struct grt_key *key, int32_t status, unsigned int flags)
{
	put_over(im, ev, key, GRTRACE_COMPLETE, sizeof(struct grtrace_complete), status, flags);
}

_Static_assert(sizeof(struct grtrace_sync_wait_enter) == sizeof(struct grtrace_sync_wait_exit) &&
	       offsetof(struct grtrace_sync_wait_enter, tid) ==
	       offsetof(struct grtrace_sync_wait_exit, tid),
	       "one function fills both");

void grt_put_wait(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key,
		  unsigned int type, unsigned int flags)
{
	struct grtrace_sync_wait_enter *rec = grt_out_add(&im->out, ev->cpu, ev->ts, type, sizeof(*rec),
							  GRTRACE_F_CPU_WAIT | flags);

	if (!rec)
		return;
	rec->ctx = key->ctx;
	rec->seqno = key->seqno;
	rec->ring = key->ring;
	rec->tid = ev->tid;
	rec->tgid = grt_out_tgid(&im->procs, ev);
	grt_out_procs_name(&im->procs, rec->tgid, ev);
}

void grt_note_job(struct grt_import *im, uint64_t ctx)
{
	struct grt_ctx_row *row = grt_ctxs_row(&im->ctxs, ctx);

	if (row)
		row->is_job = true;
}

void grt_note_signaled(struct grt_ctx_row *row, uint64_t seqno)
{
	if (!row->ever_signaled && (!row->has_signaled || seqno < row->first_signaled))
		row->first_signaled = seqno;
	if (!row->has_signaled || seqno > row->signaled)
		row->signaled = seqno;
	row->has_signaled = true;
}

/* Without COMPLETE events, END is used for both: waiters see the end then or later. */
void grt_put_end(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key,
		 int32_t status, unsigned int flags)
{
	struct grt_ctx_row *row = job_row(im, key);

	grt_note(im, GRT_FACT_END);
	grt_note(im, GRT_FACT_OVER);
	put_end(im, ev, key, status, flags);
	if (im->is_learning || im->facts[GRT_FACT_COMPLETE])
		return;
	if (row)
		grt_note_signaled(row, key->seqno);
	put_complete(im, ev, key, status, GRTRACE_F_INFERRED | (flags & GRTRACE_F_UPPER_BOUND));
}

/* Without END events, COMPLETE is used for both: the hardware was done then or earlier. */
void grt_put_complete(struct grt_import *im, const struct grt_foreign *ev,
		      const struct grt_key *key, int32_t status, unsigned int flags)
{
	struct grt_ctx_row *row = job_row(im, key);

	if (row && row->ends_late)
		flags |= GRTRACE_F_UPPER_BOUND;
	grt_note(im, GRT_FACT_COMPLETE);
	if (!im->is_learning && !im->facts[GRT_FACT_END] && !(flags & GRTRACE_F_UPPER_BOUND) &&
	    row && row->has_committed && row->committed >= key->seqno)
		put_end(im, ev, key, status, GRTRACE_F_INFERRED);
	if (row)
		grt_note_signaled(row, key->seqno);
	put_complete(im, ev, key, status, flags);
}

/* The trace does not show fences that were signalled before it began. */
static bool is_signaled(const struct grt_ctx_row *dep, uint64_t seqno)
{
	if (dep->has_signaled && seqno <= dep->signaled)
		return true;
	return dep->ever_signaled && seqno < dep->first_signaled;
}

/* The flags of dependency (@ctx, @seqno) of a job, as far as fences show them. */
static unsigned int relate(struct grt_import *im, const struct grt_key *key, uint64_t *ctx,
			   uint64_t seqno)
{
	const struct grt_ctx_row *dep = grt_ctxs_find(&im->ctxs, *ctx), *next;
	const struct grt_ctx_row *own = grt_ctxs_find(&im->ctxs, key->ctx);
	unsigned int flags = 0;
	bool is_over;

	/* Each entity has two contexts: one for "scheduled", and the next one for "finished". */
	next = dep && dep->is_job ? NULL : grt_ctxs_find(&im->ctxs, *ctx + 1);
	if (next && next->is_job) {
		*ctx = next->ctx;
		dep = next;
		flags |= GRTRACE_F_PIPELINED;
	}
	if (*ctx == key->ctx)
		return GRTRACE_F_SELF;
	if (!dep || !dep->is_job)
		flags |= GRTRACE_F_FOREIGN;
	else if (own && own->ring && own->ring == dep->ring)
		flags |= GRTRACE_F_PIPELINED;
	is_over = dep && is_signaled(dep, seqno);
	if (flags & GRTRACE_F_PIPELINED)
		is_over |= dep->has_committed && seqno <= dep->committed;
	return flags | (is_over ? GRTRACE_F_SIGNALED : 0);
}

void grt_put_dependency_as(struct grt_import *im, const struct grt_foreign *ev,
			   const struct grt_key *key, uint64_t dep_ctx, unsigned int flags)
{
	struct grtrace_dependency *rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_DEPENDENCY,
						     sizeof(*rec), flags | key_flags(key));

	if (!rec)
		return;
	rec->ctx = key->ctx;
	rec->seqno = key->seqno;
	rec->dep_ctx = dep_ctx;
	rec->dep_seqno = ev->number[GRT_IN_DEP_SEQNO];
}

void grt_put_dependency(struct grt_import *im, const struct grt_foreign *ev,
			const struct grt_key *key, unsigned int flags)
{
	uint64_t dep_ctx = ev->number[GRT_IN_DEP_CTX], dep_seqno = ev->number[GRT_IN_DEP_SEQNO];
	struct grt_ctx_row *dep;

	grt_note(im, GRT_FACT_DEPENDENCY);
	/* The stub fence, which is always signalled. */
	if (!dep_ctx && !dep_seqno)
		return;
	job_row(im, key);
	dep = grt_ctxs_row(&im->ctxs, dep_ctx);
	if (!dep)
		return;
	dep->is_dep = true;
	flags |= relate(im, key, &dep_ctx, dep_seqno);
	if (flags & GRTRACE_F_POPPED && !(flags & (GRTRACE_F_SIGNALED | GRTRACE_F_SELF)))
		flags |= GRTRACE_F_BLOCKED;
	grt_put_dependency_as(im, ev, key, dep_ctx, flags);
}

void grt_put_mark(struct grt_import *im, const struct grt_foreign *ev, struct grt_piece text)
{
	size_t most = im->live ? GRTRACE_MARK_MAX : MAX_MARK;
	size_t len = text.len < most ? text.len : most;
	struct grtrace_mark *rec;

	while (len && (text.at[len - 1] == '\n' || !text.at[len - 1]))
		len--;
	/* At least one NUL, and a multiple of 8. */
	rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_MARK,
			  sizeof(*rec) + (len / 8 + 1) * 8, 0);
	if (!rec)
		return;
	rec->tid = ev->tid;
	rec->tgid = grt_out_tgid(&im->procs, ev);
	memcpy(rec + 1, text.at, len);
	grt_out_procs_name(&im->procs, rec->tgid, ev);
}

/* No address of the kernel gets into a trace: objects are numbered as they come. */
static uint64_t object_number(struct grt_import *im, const struct grt_foreign *ev, enum grt_slot_nr slot)
{
	uint64_t *number;

	if (!grt_foreign_has(ev, slot) || !ev->number[slot])
		return 0;
	number = grt_map_put(&im->objects, ev->number[slot]);
	if (number && !*number)
		*number = grt_map_count(&im->objects);
	return number ? *number : 0;
}

bool grt_foreign_says(const struct grt_foreign *ev, enum grt_slot_nr slot, uint64_t mask, const char *word)
{
	if (grt_foreign_has(ev, slot))
		return ev->number[slot] & mask;
	return memmem(ev->text.at, ev->text.len, word, strlen(word));
}

struct grtrace_memory *grt_put_memory(struct grt_import *im, const struct grt_foreign *ev,
				      enum grtrace_memory_op op, unsigned int flags)
{
	struct grtrace_memory *rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_MEMORY,
						 sizeof(*rec), flags);

	if (!rec)
		return NULL;
	rec->op = op;
	rec->object_id = object_number(im, ev, GRT_IN_OBJECT);
	rec->vm_id = object_number(im, ev, GRT_IN_VM);
	rec->offset_bytes = number_of(ev, GRT_IN_OFFSET);
	rec->bytes = number_of(ev, GRT_IN_BYTES);
	rec->tgid = grt_out_tgid(&im->procs, ev);
	grt_out_procs_name(&im->procs, rec->tgid, ev);
	return rec;
}

void grt_import_free_tables(struct grt_import *im)
{
	grt_keyrows_free(&im->engines);
	grt_globals_free(&im->globals);
	grt_keyrows_free(&im->amdgpu_rings);
	grt_keyrows_free(&im->sched_rings);
	grt_keyrows_free(&im->virtio.queues);
	grt_keymap_free(&im->timeouts);
	grt_keymap_free(&im->ibs);
	grt_map_free(&im->handlers);
}
