// SPDX-License-Identifier: LGPL-2.1
#include "entry.h"

#include <errno.h>

#include "error.h"

/*
 * Direct mapped: a thread whose place another thread took has no entry, so the stage of its job is
 * not known.
 */
#define THREADS	16384

struct entry {
	uint64_t ns;
	uint32_t tid;
};

static struct entry *entry_of(const struct grt_entries *e, uint32_t tid)
{
	return grt_vec_at(&e->threads, struct entry, tid % THREADS);
}

void grt_entries_free(struct grt_entries *e)
{
	grt_vec_free(&e->threads);
	grt_vec_free(&e->jobs);
}

int grt_entries_feed(struct grt_entries *e, const struct grtrace_ioctl *rec)
{
	static const struct entry nobody;

	/* Written by hand: not what a thread did. */
	if (rec->hdr.flags & GRTRACE_F_SYNTHETIC || !rec->tid)
		return 0;
	if (!e->threads.bytes &&
	    grt_vec_reach(&e->threads, THREADS - 1, &nobody, sizeof(nobody)))
		return grt_fail_memory();
	*entry_of(e, rec->tid) = (struct entry){ .ns = rec->hdr.ts, .tid = rec->tid };
	return 0;
}

int grt_entries_submit(struct grt_entries *e, uint32_t slot, uint32_t tid)
{
	static const uint64_t unknown;

	if (!e->threads.bytes)
		return 0;
	if (grt_vec_reach(&e->jobs, slot, &unknown, sizeof(unknown)))
		return grt_fail_memory();
	*grt_vec_at(&e->jobs, uint64_t, slot) =
		tid && entry_of(e, tid)->tid == tid ? entry_of(e, tid)->ns : 0;
	return 0;
}

uint64_t grt_entries_ns(const struct grt_entries *e, uint32_t slot)
{
	return slot < grt_vec_count(&e->jobs, uint64_t) ? *grt_vec_at(&e->jobs, uint64_t, slot) : 0;
}
