/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Which kinds of events the policies of a trace leave out, and when.
 *
 * An account of fates says how many events a level or a type mask left out.  It does not say
 * of which types they were.  POLICY records say which levels and masks were in force.
 * Together they say what may be missing: where a mask leaves out nothing but MARKs, all jobs
 * are whole.
 */
#ifndef GRT_OMITTED_H
#define GRT_OMITTED_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "vec.h"

/* Kinds, by what is unknown without them.  A set of them has a bit each. */
enum grt_kind {
	GRT_KIND_JOB	= 1 << 0,	/* the order of jobs, START, busy and idle */
	GRT_KIND_DEP	= 1 << 1,	/* what jobs wait for before they are handed over */
	GRT_KIND_THREAD	= 1 << 2,	/* which threads wait, and which run */
	GRT_KIND_OTHER	= 1 << 3,	/* nothing that the model derives */
	GRT_KIND_MEMORY	= 1 << 4,	/* which memory there is */
	GRT_KIND_ANY	= (1 << 5) - 1,
};

#define GRT_NR_LEVELS	4

/* Event types of a level, bit N is type N; the same as in the module. */
extern const uint64_t grt_level_types[GRT_NR_LEVELS];

struct grt_omitted {
	struct grt_vec changes;	/* of struct change, in the order of time */
	uint64_t policies;	/* records so far */
	uint64_t lost_ns;	/* it is unknown what holds from then on; UINT64_MAX = never */
};

void grt_omitted_init(struct grt_omitted *o);
void grt_omitted_free(struct grt_omitted *o);

/* The policies are of several traces, and each holds for one of them: they explain nothing. */
void grt_omitted_distrust(struct grt_omitted *o);

/* Takes "key=value", in force from @ns on; other keys are ignored.  0 or -ENOMEM. */
int grt_omitted_policy(struct grt_omitted *o, const char *key, const char *value, uint64_t ns);

/* The kinds that are left out from the latest change on. */
unsigned int grt_omitted_now(const struct grt_omitted *o);

/*
 * Whether events of @kinds may have met @fate, FILTERED_TYPE or FILTERED_LEVEL, somewhere
 * in [@from_ns, @to_ns], and the first instant there at which that is so.
 */
bool grt_omitted_in(const struct grt_omitted *o, uint32_t fate, unsigned int kinds,
		    uint64_t from_ns, uint64_t to_ns, uint64_t *since_ns);

#endif /* GRT_OMITTED_H */
