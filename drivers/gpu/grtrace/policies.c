// SPDX-License-Identifier: GPL-2.0
/*
 * What was kept when.
 *
 * Records are only ever added during a session, back to back in chunks that stay until
 * the module goes, and published by a release of end: readers take no lock.
 */
#include <linux/export.h>
#include <linux/grtrace_hook.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <uapi/linux/grtrace.h>

#include "defs.h"
#include "policies.h"
#include "session.h"

#define CHUNK_BYTES	(64 * 1024U)
#define MAX_CHUNKS	64	/* 64 Ki records of common length */

static u8 *chunks[MAX_CHUNKS];
static u32 end;			/* of the records, chunks being one behind the other */
static u32 nr_lost;

static u8 *place(u32 at)
{
	return chunks[at / CHUNK_BYTES] + at % CHUNK_BYTES;
}

/* Where a record of @bytes goes, which never crosses a chunk; NULL if there is no room. */
static struct grtrace_policy *room_for(size_t bytes, u32 *at)
{
	u32 rest = CHUNK_BYTES - *at % CHUNK_BYTES;

	if (bytes > rest) {
		/* Readers go on behind it; a record is never shorter than a header. */
		((struct grtrace_hdr *)place(*at))->size = 0;
		*at += rest;
	}
	if (*at / CHUNK_BYTES == MAX_CHUNKS)
		return NULL;
	if (!chunks[*at / CHUNK_BYTES])
		chunks[*at / CHUNK_BYTES] = kvmalloc(CHUNK_BYTES, GFP_KERNEL);
	return chunks[*at / CHUNK_BYTES] ? (void *)place(*at) : NULL;
}

void grt_policy_note_at(u64 ts, const char *key, const char *value)
{
	size_t len = strlen(key) + strlen(value) + 2, bytes;
	struct grtrace_policy *rec;
	u64 number = 0;
	u32 at = end;

	lockdep_assert_held(&grt_session.lock);
	if (grt_session.state != GRT_RUNNING)
		return;
	bytes = min_t(size_t, ALIGN(sizeof(*rec) + len, 8), GRT_DEF_MAX);
	rec = room_for(bytes, &at);
	if (!rec) {
		WRITE_ONCE(nr_lost, nr_lost + 1);
		return;
	}
	memset(rec, 0, bytes);
	/* A word is no number: 0. */
	if (kstrtou64(value, 0, &number))
		number = 0;
	rec->hdr.type = GRTRACE_POLICY;
	rec->hdr.size = bytes;
	rec->hdr.cpu = raw_smp_processor_id();
	rec->value = number;
	scnprintf((char *)(rec + 1), bytes - sizeof(*rec), "%s=%s", key, value);
	rec->hdr.ts = ts ? ts : ktime_get_mono_fast_ns();
	smp_store_release(&end, at + bytes);	/* pairs with grt_policy_copy() */
	/*
	 * Before whatever applies the change: the event that it concerns is published
	 * behind that, and who takes it up looks here afterwards.
	 */
	smp_wmb();
}

void grt_policy_note(const char *key, const char *value)
{
	grt_policy_note_at(0, key, value);
}

void grtrace_policy_note(const char *key, const char *value)
{
	mutex_lock(&grt_session.lock);
	grt_policy_note(key, value);
	mutex_unlock(&grt_session.lock);
}
EXPORT_SYMBOL_GPL(grtrace_policy_note);

size_t grt_policy_copy(u32 *at, void *to)
{
	u32 until = smp_load_acquire(&end);	/* pairs with grt_policy_note_at() */
	const struct grtrace_hdr *hdr;

	if (*at >= until)
		return 0;
	hdr = (void *)place(*at);
	if (!hdr->size) {
		*at = round_down(*at, CHUNK_BYTES) + CHUNK_BYTES;
		hdr = (void *)place(*at);
	}
	memcpy(to, hdr, hdr->size);
	*at += hdr->size;
	return hdr->size;
}

u32 grt_policies_lost(void)
{
	return READ_ONCE(nr_lost);
}

void grt_policies_reset(void)
{
	end = 0;
	nr_lost = 0;
}

void grt_policies_destroy(void)
{
	int i;

	for (i = 0; i < MAX_CHUNKS; i++)
		kvfree(chunks[i]);
}
