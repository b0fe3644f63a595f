/* SPDX-License-Identifier: GPL-2.0 */
/* How many indirect buffers jobs have, noted before their SUBMIT, as ibs.c of the module does. */
#ifndef GRT_IBS_BPF_H
#define GRT_IBS_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_helpers.h>

#include "choose.bpf.h"

#define IBS_NOTES	256

static struct ibs_note {
	u64 job, num_ibs;
} ibs_notes[IBS_NOTES];

static bool are_ibs_noted;	/* so that others do not pay for it */

/* A mere hash, so that one access tells whether a note is of a job. */
static __always_inline u64 ibs_key(struct job_key job)
{
	return job.ctx << 32 ^ job.seqno;
}

static __always_inline void note_ibs(struct job_key job, u32 num_ibs)
{
	struct ibs_note *note = &ibs_notes[(job.ctx * 31 + job.seqno) % IBS_NOTES];

	note->job = ibs_key(job);
	note->num_ibs = num_ibs;
	are_ibs_noted = true;
}

/* 0 = not known.  Once are_ibs_noted. */
static __always_inline u32 ibs_of(struct job_key job)
{
	const struct ibs_note *note = &ibs_notes[(job.ctx * 31 + job.seqno) % IBS_NOTES];

	return note->job == ibs_key(job) ? note->num_ibs : 0;
}

#endif /* GRT_IBS_BPF_H */
