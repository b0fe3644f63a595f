// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs whose timeout is recorded.
 *
 * Whether the scheduler's adapter is loaded does not tell: the kernel may have refused its kprobe.
 * So each timeout that it records is noted.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/grtrace.h>
#include <linux/hash.h>
#include <linux/string.h>

#include "timeouts.h"

#define SLOT_BITS	8

/*
 * Direct mapped.  A newer job replaces an older one, whose timeout is then recorded twice if its
 * driver tells of it after hundreds of others.  The same thread notes a job and takes the note, so
 * the slots need no lock.
 */
static u64 notes[1 << SLOT_BITS];

/* Other jobs have another one, unless their sequence numbers differ by billions; 0 = no job. */
static u64 tag_of(u64 ctx, u64 seqno)
{
	return ctx * GOLDEN_RATIO_32 + seqno;
}

static u64 *slot_of(u64 tag)
{
	return &notes[tag & ((1 << SLOT_BITS) - 1)];
}

void grt_timeouts_forget(void)
{
	memset(notes, 0, sizeof(notes));
}

void grtrace_note_timeout(u64 ctx, u64 seqno)
{
	u64 tag = tag_of(ctx, seqno);

	WRITE_ONCE(*slot_of(tag), tag);
}
EXPORT_SYMBOL_GPL(grtrace_note_timeout);

bool grtrace_take_timeout(u64 ctx, u64 seqno)
{
	u64 tag = tag_of(ctx, seqno);

	if (READ_ONCE(*slot_of(tag)) != tag)
		return false;
	WRITE_ONCE(*slot_of(tag), 0);
	return true;
}
EXPORT_SYMBOL_GPL(grtrace_take_timeout);
