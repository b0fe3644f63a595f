/* SPDX-License-Identifier: LGPL-2.1 */
/* What was kept when: the POLICY records of a trace. */
#ifndef GRT_POLICY_H
#define GRT_POLICY_H

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

struct grt_policies {
	struct grt_vec rows;	/* struct grt_policy, as they came: in the order of time */
	uint64_t more;		/* that found no room */
};

/* The key and value of a text that may not end, and may have no '='. */
void grt_policy_split(struct grt_policy *row, const char *text, size_t bytes);

void grt_policies_free(struct grt_policies *p);

/*
 * Takes a record.  @has_begun: an event came before it; until then a key's later value takes
 * the place of the one before.  @start_ns: of the session.  0 or -errno with a cause.
 */
int grt_policies_take(struct grt_policies *p, const struct grtrace_policy *rec, bool has_begun,
		      uint64_t start_ns);

static inline size_t grt_policies_count(const struct grt_policies *p)
{
	return grt_vec_count(&p->rows, struct grt_policy);
}

static inline const struct grt_policy *grt_policies_at(const struct grt_policies *p, size_t i)
{
	return grt_vec_at(&p->rows, struct grt_policy, i);
}

#endif /* GRT_POLICY_H */
