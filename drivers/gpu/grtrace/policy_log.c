// SPDX-License-Identifier: GPL-2.0
/*
 * POLICY records: the history of the settings.
 *
 * During a session records are only added, back to back in chunks that stay until module
 * exit.  A store-release of end publishes a record, so readers take no lock.
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
#include "policy_log.h"
#include "session.h"

#define CHUNK_BYTES	(64 * 1024U)
#define MAX_CHUNKS	64	/* 64 Ki records of common length */

static u8 *chunks[MAX_CHUNKS];
static u32 end;			/* bytes used, counted over all chunks */
static u32 nr_lost;

static u8 *place(u32 at)
{
	return chunks[at / CHUNK_BYTES] + at % CHUNK_BYTES;
}

/* The place for a record of @bytes, which never crosses a chunk; NULL if there is no room. */
static struct grtrace_policy *room_for(size_t bytes, u32 *at)
{
	u32 rest = CHUNK_BYTES - *at % CHUNK_BYTES;

	if (bytes > rest) {
		/* A size of 0 sends readers to the next chunk.  At least a header fits here. */
		((struct grtrace_hdr *)place(*at))->size = 0;
		*at += rest;
	}
	if (*at / CHUNK_BYTES == MAX_CHUNKS)
		return NULL;
	if (!chunks[*at / CHUNK_BYTES])
		chunks[*at / CHUNK_BYTES] = kvmalloc(CHUNK_BYTES, GFP_KERNEL);
	return chunks[*at / CHUNK_BYTES] ? (void *)place(*at) : NULL;
}

void grt_policy_log_add_at(u64 ts, const char *key, const char *value)
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
	/* The value of a word is 0. */
	if (kstrtou64(value, 0, &number))
		number = 0;
	rec->hdr.type = GRTRACE_POLICY;
	rec->hdr.size = bytes;
	rec->hdr.cpu = raw_smp_processor_id();
	rec->value = number;
	scnprintf((char *)(rec + 1), bytes - sizeof(*rec), "%s=%s", key, value);
	rec->hdr.ts = ts ? ts : ktime_get_mono_fast_ns();
	smp_store_release(&end, at + bytes);	/* pairs with grt_policy_log_copy() */
	/*
	 * Order the record before the change itself.  An event that the change affects is
	 * published later still, so its reader finds the record.
	 */
	smp_wmb();
}

void grt_policy_log_add(const char *key, const char *value)
{
	grt_policy_log_add_at(0, key, value);
}

void grtrace_policy_note(const char *key, const char *value)
{
	mutex_lock(&grt_session.lock);
	grt_policy_log_add(key, value);
	mutex_unlock(&grt_session.lock);
}
EXPORT_SYMBOL_GPL(grtrace_policy_note);

size_t grt_policy_log_copy(u32 *at, void *to)
{
	u32 until = smp_load_acquire(&end);	/* pairs with grt_policy_log_add_at() */
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

u32 grt_policy_log_lost(void)
{
	return READ_ONCE(nr_lost);
}

void grt_policy_log_reset(void)
{
	end = 0;
	nr_lost = 0;
}

void grt_policy_log_destroy(void)
{
	int i;

	for (i = 0; i < MAX_CHUNKS; i++)
		kvfree(chunks[i]);
}
