// SPDX-License-Identifier: GPL-2.0
/* Chooses jobs by their process: once, at SUBMIT.  All other events of a job follow that choice. */
#include <errno.h>

#include "choice.h"
#include "error.h"
#include "tracefs_private.h"

/* Types whose ctx and seqno, if not 0, name a job; as the module has them. */
#define OF_A_JOB								\
	(1u << GRTRACE_SUBMIT | 1u << GRTRACE_COMPLETE | 1u << GRTRACE_CTX_SWITCH |	\
	 1u << GRTRACE_COMMIT | 1u << GRTRACE_START | 1u << GRTRACE_END |		\
	 1u << GRTRACE_IRQ | 1u << GRTRACE_SYNC_WAIT_ENTER |			\
	 1u << GRTRACE_SYNC_WAIT_EXIT | 1u << GRTRACE_ERROR | 1u << GRTRACE_DEPENDENCY)

/* All of them begin like SUBMIT. */
#define BEGINS_LIKE_SUBMIT(type)						\
	_Static_assert(offsetof(struct grtrace_##type, ctx) ==			\
		       offsetof(struct grtrace_submit, ctx) &&			\
		       offsetof(struct grtrace_##type, seqno) ==		\
		       offsetof(struct grtrace_submit, seqno), #type)
BEGINS_LIKE_SUBMIT(complete);
BEGINS_LIKE_SUBMIT(ctx_switch);
BEGINS_LIKE_SUBMIT(commit);
BEGINS_LIKE_SUBMIT(start);
BEGINS_LIKE_SUBMIT(end);
BEGINS_LIKE_SUBMIT(irq);
BEGINS_LIKE_SUBMIT(sync_wait_enter);
BEGINS_LIKE_SUBMIT(sync_wait_exit);
BEGINS_LIKE_SUBMIT(error);
BEGINS_LIKE_SUBMIT(dependency);

static bool is_chosen_process(struct grt_tracefs *t, uint32_t tgid)
{
	const struct grt_capture_choice *choice = t->options.choice;

	return tgid == choice->tgid ||
	       (choice->has_children && grt_tasks_descends(&t->tasks, tgid, choice->tgid));
}

static bool choose_job(struct grt_tracefs *t, const struct grtrace_submit *submit)
{
	/* The current process does not own a kernel job. */
	if (submit->hdr.flags & GRTRACE_F_KERNEL_JOB || !is_chosen_process(t, submit->tgid))
		return false;
	if (grt_keymap_get(&t->jobs, submit->ctx, submit->seqno) == GRT_NONE &&
	    grt_keymap_put(&t->jobs, submit->ctx, submit->seqno, 0))
		t->err = grt_fail_memory();
	return true;
}

bool grt_tracefs_chooses(struct grt_tracefs *t, const struct grtrace_hdr *hdr)
{
	const struct grtrace_submit *ev = (const void *)hdr;

	if (!t->options.choice->has_process || hdr->type >= 32 || !(OF_A_JOB >> hdr->type & 1) || !ev->ctx)
		return true;
	if (hdr->type == GRTRACE_SUBMIT)
		return choose_job(t, ev);
	if (grt_keymap_get(&t->jobs, ev->ctx, ev->seqno) == GRT_NONE)
		return false;
	if (hdr->type == GRTRACE_COMPLETE)
		grt_keymap_del(&t->jobs, ev->ctx, ev->seqno);
	return true;
}
