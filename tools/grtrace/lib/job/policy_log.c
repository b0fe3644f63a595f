// SPDX-License-Identifier: LGPL-2.1
#include "policy_log.h"

#include <stdio.h>
#include <string.h>

#include "error.h"

/* Keys that only the start of a session reads: a change does not affect the session that runs. */
static const char *const start_keys[] = { "buffer_size", "global_seq" };

static bool waits_for_start(const struct grt_policy *row, uint64_t start_ns)
{
	for (size_t i = 0; i < sizeof(start_keys) / sizeof(start_keys[0]); i++)
		if (!strcmp(row->key, start_keys[i]))
			return row->since_ns > start_ns;
	return false;
}

void grt_policy_log_free(struct grt_policy_log *p)
{
	grt_vec_free(&p->rows);
}

void grt_policy_split(struct grt_policy *row, const char *text, size_t bytes)
{
	size_t len = strnlen(text, bytes);
	const char *sign = memchr(text, '=', len);
	size_t key = sign ? (size_t)(sign - text) : len;

	snprintf(row->key, sizeof(row->key), "%.*s", (int)key, text);
	snprintf(row->value, sizeof(row->value), "%.*s", sign ? (int)(len - key - 1) : 0,
		 sign ? sign + 1 : "");
}

/* The row with the key's value before the first event; NULL: there is none yet. */
static struct grt_policy *find_initial(const struct grt_policy_log *p, const char *key)
{
	for (size_t i = 0; i < grt_policy_log_count(p); i++) {
		struct grt_policy *row = grt_vec_at(&p->rows, struct grt_policy, i);

		if (row->is_initial && !strcmp(row->key, key))
			return row;
	}
	return NULL;
}

int grt_policy_log_add(struct grt_policy_log *p, const struct grtrace_policy *rec, bool has_begun,
		       uint64_t start_ns)
{
	struct grt_policy row = { .since_ns = rec->hdr.ts, .is_initial = !has_begun }, *before;

	grt_policy_split(&row, (const char *)(rec + 1), rec->hdr.size - sizeof(*rec));
	if (waits_for_start(&row, start_ns))
		return 0;
	before = has_begun ? NULL : find_initial(p, row.key);
	if (before) {
		*before = row;
		return 0;
	}
	if (grt_policy_log_count(p) == GRT_MAX_POLICIES) {
		p->more++;
		return 0;
	}
	return grt_vec_append(&p->rows, &row, sizeof(row)) ? grt_fail_memory() : 0;
}
