/* SPDX-License-Identifier: LGPL-2.1 */
/* The inside of an import, for the files of this folder only. */
#ifndef GRT_IMPORT_INSIDE_H
#define GRT_IMPORT_INSIDE_H

#include "ctxs.h"
#include "foreign.h"
#include "join.h"
#include "lanes.h"
#include "out_procs.h"
#include "out_rings.h"

/* What an event tells: X(NAME).  Counted in the first pass, to choose in the second. */
#define GRT_TELLS(X)	\
	X(SCHED)	/* of jobs, by the scheduler */ \
	X(DRIVER)	/* of jobs, by drivers: maybe the same ones */ \
	X(END)		\
	X(COMPLETE)	\
	X(OVER)		/* when jobs, or fences, are over, in whatever way */ \
	X(DEPENDENCY)	\
	X(ADD)		/* i915: requests are added */ \
	X(MSM_SUBMIT)	\
	X(EMIT)		/* fences of GPUs are given to the hardware */

enum grt_tell {
#define GRT_X(NAME) GRT_TELL_##NAME,
	GRT_TELLS(GRT_X)
#undef GRT_X
	GRT_NR_TELLS
};

struct grt_import {
	struct grt_lanes out;
	struct grt_ctxs ctxs;
	struct grt_join join;
	struct grt_out_rings rings;
	struct grt_out_procs procs;
	bool is_learning;		/* the first of two passes: nothing is written */
	bool keeps_marks;
	uint64_t tells[GRT_NR_TELLS];	/* of the first pass */
	uint64_t seen;			/* events read */
	uint64_t foreign;		/* of these, of no kind that is known */
	uint64_t gpu;			/* of these, of GPUs */
	uint64_t late;			/* out of order on their CPU */
	uint64_t unjoined;		/* without a key, and none was found */
	uint64_t inferred_keys;		/* jobs */
};

/* A job's key, and how it was come by. */
struct grt_key {
	uint64_t ctx, seqno;
	uint32_t ring;		/* 0: not known */
	bool is_inferred;	/* from addresses and the order of jobs */
	bool is_minted;		/* the context is no fence's */
};

static inline void grt_tell(struct grt_import *im, enum grt_tell tell)
{
	if (im->is_learning)
		im->tells[tell]++;
}

/* Kinds of events: what to take from them, and who takes it.  See kinds.c. */
typedef void grt_take_fn(struct grt_import *im, const struct grt_foreign *ev);

#define GRT_MAX_TEMPLATES	5

struct grt_event_kind {
	const char *name;
	grt_take_fn *take;
	bool is_gpu;
	const char *fields;	/* of its record: "slot:field slot:field" */
	const char *templates[GRT_MAX_TEMPLATES];	/* of its text, the first that fits */
};

extern const struct grt_event_kind grt_event_kinds[];
extern const size_t grt_nr_event_kinds;

bool grt_event_kind_is(const struct grt_event_kind *kind, struct grt_piece name);

/* The kind of this name, NULL for events of no meaning here. */
const struct grt_event_kind *grt_event_kind_find(struct grt_piece name);

/* events.c: records out of what was understood */
void grt_put_submit(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key);
void grt_put_commit(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key);
void grt_put_start(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key,
		   uint64_t ts, unsigned int flags);
void grt_put_end(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key,
		 int32_t status, unsigned int flags);
void grt_put_complete(struct grt_import *im, const struct grt_foreign *ev,
		      const struct grt_key *key, int32_t status, unsigned int flags);
void grt_put_dependency(struct grt_import *im, const struct grt_foreign *ev,
			const struct grt_key *key, unsigned int flags);
void grt_put_mark(struct grt_import *im, const struct grt_foreign *ev, struct grt_piece text);

/* Fences of the context are of jobs. */
void grt_note_job(struct grt_import *im, uint64_t ctx);

/* A fence of the context is signalled, and so is every one before it. */
void grt_note_signaled(struct grt_ctx_row *row, uint64_t seqno);

/* The ring that the slots of @ev name, 0 if they name none. */
uint32_t grt_ring_of(struct grt_import *im, const struct grt_foreign *ev);

/* The key that the slots of @ev hold. */
struct grt_key grt_key_of(struct grt_import *im, const struct grt_foreign *ev);

/* take_*.c: one per kind, named in kinds.c */
grt_take_fn grt_take_sched_submit, grt_take_sched_commit, grt_take_sched_end;
grt_take_fn grt_take_wait_dep, grt_take_add_dep, grt_take_unschedulable;
grt_take_fn grt_take_fence_init, grt_take_fence_emit, grt_take_fence_signaled;
grt_take_fn grt_take_fence_wait_start, grt_take_fence_wait_end;
grt_take_fn grt_take_amdgpu_cs, grt_take_amdgpu_run;
grt_take_fn grt_take_i915_add, grt_take_i915_queue, grt_take_i915_execute;
grt_take_fn grt_take_i915_in, grt_take_i915_out, grt_take_i915_retire;
grt_take_fn grt_take_virtio_queue, grt_take_virtio_response;
grt_take_fn grt_take_msm_submit, grt_take_msm_flush, grt_take_msm_retired;
grt_take_fn grt_take_v3d_submit, grt_take_v3d_irq;
grt_take_fn grt_take_switch, grt_take_wakeup, grt_take_vblank, grt_take_frequency;
grt_take_fn grt_take_print;

#endif /* GRT_IMPORT_INSIDE_H */
