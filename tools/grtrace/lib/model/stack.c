// SPDX-License-Identifier: LGPL-2.1
/* From where jobs were submitted.  Slots have no room for it, and few traces tell it. */
#include "error.h"
#include "model_private.h"

/* Two stacks, as a job has them. */
struct stacks {
	uint32_t kernel, user;
};

/* The row of a stack + 1. */
static uint32_t stack_of(struct grt_model *m, uint64_t number, bool is_unknown)
{
	uint32_t row;

	if (!number)
		return is_unknown ? GRT_NONE : 0;
	row = grt_stack_names_row(&m->names.stacks, number);
	return row == GRT_NONE ? row : row + 1;
}

/* The row of @both in the model's @stack_pairs; GRT_NONE without memory. */
static uint32_t pair_row(struct grt_model *m, const struct stacks *both)
{
	uint32_t row = grt_keymap_get(&m->stack_pair_of, both->kernel, both->user);

	if (row != GRT_NONE)
		return row;
	row = grt_vec_count(&m->stack_pairs, struct stacks);
	if (grt_vec_append(&m->stack_pairs, both, sizeof(*both)) ||
	    grt_keymap_put(&m->stack_pair_of, both->kernel, both->user, row))
		return GRT_NONE;
	return row;
}

int grt_stack_event(struct grt_model *m, const struct grtrace_stack *rec)
{
	uint32_t i = grt_slot_find(m, rec->hdr.flags & GRTRACE_F_SYNTHETIC, rec->ctx, rec->seqno);
	struct grt_slot *slot = i == GRT_NONE ? NULL : grt_slot_at(m, i);
	struct stacks both;
	uint32_t row;

	/* The first one counts, as of all events. */
	if (!slot || slot->state == GRT_GONE || slot->has_stack ||
	    !grt_job_has(&slot->job, GRT_AT_SUBMIT))
		return 0;
	both.kernel = stack_of(m, rec->kernel_stack, rec->hdr.flags & GRTRACE_F_KERNEL_UNKNOWN);
	both.user = stack_of(m, rec->user_stack, rec->hdr.flags & GRTRACE_F_USER_UNKNOWN);
	row = pair_row(m, &both);
	if (row == GRT_NONE || grt_keymap_put(&m->stack_of, i, 0, row))
		return grt_fail_memory();
	slot->has_stack = true;
	return 0;
}

void grt_stack_leave(struct grt_model *m, uint32_t i, struct grt_job *job)
{
	const struct stacks *both = grt_vec_at(&m->stack_pairs, struct stacks,
					       grt_keymap_get(&m->stack_of, i, 0));

	grt_keymap_del(&m->stack_of, i, 0);
	grt_slot_at(m, i)->has_stack = false;
	job->kernel_stack = both->kernel;
	job->user_stack = both->user;
}

void grt_stack_free(struct grt_model *m)
{
	grt_keymap_free(&m->stack_of);
	grt_keymap_free(&m->stack_pair_of);
	grt_vec_free(&m->stack_pairs);
}
