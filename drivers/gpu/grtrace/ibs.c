// SPDX-License-Identifier: GPL-2.0
/*
 * How many indirect buffers jobs have.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/grtrace.h>
#include <linux/hash.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "ibs.h"
#include "pipeline.h"

#define SLOT_BITS	8
#define COUNT_BITS	16

DEFINE_STATIC_KEY_FALSE(grt_ibs_noted);

/*
 * Direct mapped.  A job and its count are one word, to be read and written at once: the lower bits
 * are the count, the others are of the job.  A newer job replaces an older one, whose SUBMIT then
 * has no count.
 */
static u64 notes[1 << SLOT_BITS];

/* Other jobs have another one, unless their sequence numbers differ by billions. */
static u64 job_bits(u64 ctx, u64 seqno)
{
	return (ctx * GOLDEN_RATIO_32 + seqno) << COUNT_BITS;
}

static u64 *slot_of(u64 job)
{
	return &notes[job >> COUNT_BITS & ((1 << SLOT_BITS) - 1)];
}

void grt_ibs_begin(void)
{
	memset(notes, 0, sizeof(notes));
	grt_key_set(&grt_ibs_noted, true);
}

void grt_ibs_end(void)
{
	grt_key_set(&grt_ibs_noted, false);
}

void grtrace_note_ibs(u64 ctx, u64 seqno, u32 num_ibs)
{
	u64 job = job_bits(ctx, seqno);

	WRITE_ONCE(*slot_of(job), job | min(num_ibs, (1u << COUNT_BITS) - 1));
}
EXPORT_SYMBOL_GPL(grtrace_note_ibs);

u32 grt_ibs_of(u64 ctx, u64 seqno)
{
	u64 job = job_bits(ctx, seqno), note = READ_ONCE(*slot_of(job));

	return note >> COUNT_BITS == job >> COUNT_BITS ? note & ((1 << COUNT_BITS) - 1) : 0;
}
