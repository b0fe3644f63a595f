/* SPDX-License-Identifier: LGPL-2.1 */
/* The POLICY records of a trace: which policies were in force when. */
#ifndef GRT_POLICY_LOG_H
#define GRT_POLICY_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "vec.h"

#define GRT_MAX_POLICIES	1024	/* changes remembered; others are counted */

struct grt_policy {
	uint64_t since_ns;
	bool is_initial;	/* held before the first event */
	char key[32];
	char value[136];		/* as much of it as fits */
};

struct grt_policy_log {
	struct grt_vec rows;	/* struct grt_policy, in the order of time */
	uint64_t more;		/* records that found no room */
};

/* Splits a text into key and value.  It may lack a NUL at the end, and a '='. */
void grt_policy_split(struct grt_policy *row, const char *text, size_t bytes);

void grt_policy_log_free(struct grt_policy_log *p);

/*
 * Adds a record.  @has_begun: an event came before it; until then, a later value of a key
 * replaces the one before.  @start_ns: of the session.  0 or -errno with a cause.
 */
int grt_policy_log_add(struct grt_policy_log *p, const struct grtrace_policy *rec, bool has_begun,
		       uint64_t start_ns);

static inline size_t grt_policy_log_count(const struct grt_policy_log *p)
{
	return grt_vec_count(&p->rows, struct grt_policy);
}

static inline const struct grt_policy *grt_policy_log_at(const struct grt_policy_log *p, size_t i)
{
	return grt_vec_at(&p->rows, struct grt_policy, i);
}

#endif /* GRT_POLICY_LOG_H */
