// SPDX-License-Identifier: LGPL-2.1
/*
 * Events of probes that read what the scheduler's own events leave out: the state of the fences
 * that jobs wait for, errors, timeouts and resets.  The rules are those of the module's bridge.
 */
#include <errno.h>

#include "import_private.h"

/* Whose fence a dependency is, and of which job. */
struct dependency {
	struct grt_key key;
	uint64_t sched;		/* of the job that waits; 0: not known */
	bool is_job, is_scheduled;
};

static bool find_dependency(struct grt_import *im, const struct grt_foreign *ev,
			    struct dependency *dep)
{
	uint64_t ops = ev->number[GRT_IN_DEP_OPS];
	const struct grt_joined *job;

	grt_learn_ops(im, ev);
	dep->sched = ev->number[GRT_IN_SCHED];
	if (grt_foreign_has_key(ev)) {
		dep->key = grt_key_of(im, ev);
	} else {
		job = grt_job_of_id(im, ev);
		if (!job)
			return false;
		dep->key = grt_key_of_job(job);
		dep->sched = grt_out_sched_of_ring(&im->rings, dep->key.ring);
	}
	dep->is_scheduled = ops && ops == im->live->scheduled_ops;
	dep->is_job = dep->is_scheduled || (ops && ops == im->live->finished_ops);
	return true;
}

/* Decides as drm_sched_entity_add_dependency_cb() will. */
static unsigned int depend_flags(const struct grt_import *im, const struct grt_foreign *ev,
				 const struct dependency *dep)
{
	uint64_t dep_ctx = ev->number[GRT_IN_DEP_CTX], own_ctx = dep->key.ctx;
	uint64_t other = ev->number[dep->is_scheduled ? GRT_IN_DEP_SCHED2 : GRT_IN_DEP_SCHED];
	unsigned int flags = dep->is_job ? 0 : GRTRACE_F_FOREIGN;
	bool is_done = ev->number[GRT_IN_DEP_DONE];

	if (dep_ctx == own_ctx || dep_ctx + 1 == own_ctx) {
		flags = GRTRACE_F_SELF;
	} else if (dep->is_job && dep->sched && other == dep->sched &&
		   !ev->number[GRT_IN_DEP_ALONE] &&
		   (im->live->errors_pipeline || !ev->number[GRT_IN_DEP_ERR])) {
		flags = GRTRACE_F_PIPELINED;
		if (!dep->is_scheduled)
			is_done = ev->number[GRT_IN_DEP_DONE2];
	}
	if (is_done)
		return flags | GRTRACE_F_SIGNALED;
	return flags & GRTRACE_F_SELF ? flags : flags | GRTRACE_F_BLOCKED;
}

/* A scheduled fence counts as its job, whose context is the next one. */
static void put_depend(struct grt_import *im, const struct grt_foreign *ev,
		       const struct dependency *dep, unsigned int flags)
{
	grt_put_dependency_as(im, ev, &dep->key, ev->number[GRT_IN_DEP_CTX] + dep->is_scheduled,
			      flags);
}

/* A file has no first event that names the functions of fences; contexts must do. */
static bool has_state(const struct grt_import *im, const struct grt_foreign *ev)
{
	return im->live && grt_foreign_has(ev, GRT_IN_DEP_OPS);
}

void grt_on_job_depend(struct grt_import *im, const struct grt_foreign *ev)
{
	struct dependency dep;

	if (!has_state(im, ev)) {
		grt_on_wait_dep(im, ev);
		return;
	}
	if (!find_dependency(im, ev, &dep))
		return;
	if (!dep.is_job)
		grt_await_foreign(im, ev);
	put_depend(im, ev, &dep, GRTRACE_F_POPPED | depend_flags(im, ev, &dep));
}

/* Whether it blocks is decided later. */
void grt_on_job_declare(struct grt_import *im, const struct grt_foreign *ev)
{
	struct dependency dep;

	if (!has_state(im, ev)) {
		grt_on_add_dep(im, ev);
		return;
	}
	if (!find_dependency(im, ev, &dep))
		return;
	if (!dep.is_job)
		grt_await_foreign(im, ev);
	put_depend(im, ev, &dep, GRTRACE_F_DECLARED |
		   (depend_flags(im, ev, &dep) & ~GRTRACE_F_BLOCKED));
}

void grt_on_job_block(struct grt_import *im, const struct grt_foreign *ev)
{
	unsigned int flags = GRTRACE_F_BLOCKED;
	struct dependency dep;

	if (!has_state(im, ev)) {
		grt_on_unschedulable(im, ev);
		return;
	}
	if (!find_dependency(im, ev, &dep))
		return;
	if (!dep.is_job)
		flags |= GRTRACE_F_FOREIGN;
	else if (dep.is_scheduled)
		flags |= GRTRACE_F_PIPELINED;
	put_depend(im, ev, &dep, flags);
}

void grt_on_fence_end(struct grt_import *im, const struct grt_foreign *ev)
{
	const struct grt_ctx_row *row;
	struct grt_key key;

	if (!im->live) {
		grt_on_fence_signaled(im, ev);
		return;
	}
	if (!im->live->finished_ops || ev->number[GRT_IN_OPS] != im->live->finished_ops) {
		if (grt_virtio_signaled(im, ev, grt_status_of(ev)))
			return;
		row = grt_ctxs_find(&im->ctxs, ev->number[GRT_IN_CTX]);
		/* Jobs of other drivers than those with a scheduler. */
		if (row && row->is_job)
			grt_on_fence_signaled(im, ev);
		else
			grt_foreign_ends(im, ev, grt_status_of(ev));
		return;
	}
	key = grt_key_of(im, ev);
	row = grt_ctxs_find(&im->ctxs, key.ctx);
	key.ring = row ? row->ring : 0;
	grt_put_complete(im, ev, &key, grt_status_of(ev), 0);
}

/* The fence is signalled next on this CPU, with interrupts off. */
void grt_on_fence_error(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_last *last = grt_join_cpu(&im->join, ev->cpu);

	if (!last)
		return;
	last->failed_ctx = ev->number[GRT_IN_CTX];
	last->failed_seqno = ev->number[GRT_IN_SEQNO];
	last->error = grt_status_of(ev);
}

/*
 * The scheduler's timeout fired.  The first pending job is the one that runs; if there is none, its
 * fields are those of something else, which does not name this scheduler.
 */
void grt_on_ring_timeout(struct grt_import *im, const struct grt_foreign *ev)
{
	uint64_t sched = ev->number[GRT_IN_WORK] - ev->number[GRT_IN_WORK_AT];
	bool has_job = grt_foreign_has_key(ev) && sched && ev->number[GRT_IN_SCHED] == sched;

	grt_note(im, GRT_FACT_TIMEOUT);
	if (has_job)
		grt_note_timeout(im, ev);
	grt_note_handler(im, ev, sched);
	grt_put_error(im, ev, sched, has_job, GRTRACE_ERROR_TIMEOUT, -ETIME);
}

/* A ring is stopped for a reset; its event names the guilty job, or none. */
void grt_on_ring_reset(struct grt_import *im, const struct grt_foreign *ev)
{
	grt_forget_handler(im, ev->number[GRT_IN_SCHED]);
	grt_put_error(im, ev, ev->number[GRT_IN_SCHED],
		  grt_foreign_has_key(ev) && ev->number[GRT_IN_JOB], GRTRACE_ERROR_RESET, 0);
}

void grt_on_ring_recovered(struct grt_import *im, const struct grt_foreign *ev)
{
	grt_forget_handler(im, ev->number[GRT_IN_SCHED]);
	grt_put_error(im, ev, ev->number[GRT_IN_SCHED], false, GRTRACE_ERROR_RECOVERED, 0);
}

/* A driver has handled a timeout, perhaps without stopping and starting the scheduler. */
void grt_on_ring_handled(struct grt_import *im, const struct grt_foreign *ev)
{
	uint64_t sched = grt_take_handler(im, ev);

	if (sched)
		grt_put_error(im, ev, sched, false, GRTRACE_ERROR_RECOVERED, 0);
}
