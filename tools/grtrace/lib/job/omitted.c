// SPDX-License-Identifier: LGPL-2.1
#include "omitted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*
 * The module reports a change before it applies it, which takes a moment: code is patched on all
 * CPUs.  During this time, the policy before may still decide.
 */
#define APPLY_NS	1000000000ull

#define MAX_CHANGES	1024	/* that are remembered */

/*
 * The module keeps 4 MiB of POLICY records and drops later ones.  A trace with this many, of any
 * key, may lack some.
 */
#define MAX_POLICIES	8192

#define TYPE(NAME)	(1ull << GRTRACE_##NAME)
#define ALL_TYPES	((1ull << GRTRACE_NR_EVENTS) - 1)

/*
 * What a mask of types can leave out.  TRACE_EVENT and STACK come only where somebody asked for them, so
 * no mask leaves them out, and those of older traces lack their bits.
 */
#define MASKED_TYPES	(ALL_TYPES & ~(TYPE(TRACE_EVENT) | TYPE(STACK)))
#define FIRST_TYPES	(TYPE(TRACE_EVENT) - 1)	/* those that all modules know: newer ones follow */

#define MINIMAL		(TYPE(SUBMIT) | TYPE(COMPLETE) | TYPE(ERROR) | TYPE(JOB) | TYPE(WINDOW))
#define NORMAL		(MINIMAL | TYPE(COMMIT) | TYPE(START) | TYPE(END) | TYPE(DEPENDENCY) | \
			 TYPE(FENCE_SIGNALED) | TYPE(CTX_SWITCH) | TYPE(MARK) | TYPE(SUSPEND))

const uint64_t grt_level_types[GRT_NR_LEVELS] = { 0, MINIMAL, NORMAL, ALL_TYPES };

static const char *const level_names[GRT_NR_LEVELS] = { "off", "minimal", "normal", "verbose" };

#define JOB_TYPES	(TYPE(SUBMIT) | TYPE(COMMIT) | TYPE(START) | TYPE(END) | TYPE(COMPLETE) | TYPE(ERROR))
#define DEP_TYPES	(TYPE(DEPENDENCY) | TYPE(FENCE_SIGNALED))
#define THREAD_TYPES	(TYPE(SYNC_WAIT_ENTER) | TYPE(SYNC_WAIT_EXIT) | TYPE(CPU_SWITCH) |	\
			 TYPE(CPU_WAKE))
/*
 * Types of which only the event itself or a flag of its job is used.  SUSPEND is one: the
 * module's clock stands still during sleep.
 */
#define OTHER_TYPES	(MASKED_TYPES & ~(JOB_TYPES | DEP_TYPES | THREAD_TYPES | TYPE(MEMORY)))

enum { BY_TYPE, BY_LEVEL, NR_WAYS };

struct change {
	uint64_t ns;
	uint8_t kinds[NR_WAYS];		/* left out from then on */
};

static struct change *change_at(const struct grt_omitted *o, size_t i)
{
	return grt_vec_at(&o->changes, struct change, i);
}

static size_t count_changes(const struct grt_omitted *o)
{
	return grt_vec_count(&o->changes, struct change);
}

void grt_omitted_init(struct grt_omitted *o)
{
	*o = (struct grt_omitted){ .lost_ns = UINT64_MAX };
}

void grt_omitted_free(struct grt_omitted *o)
{
	grt_vec_free(&o->changes);
}

void grt_omitted_distrust(struct grt_omitted *o)
{
	o->lost_ns = 0;
}

static uint8_t kinds_without(uint64_t kept)
{
	uint64_t out = MASKED_TYPES & ~kept;

	return (out & JOB_TYPES ? GRT_KIND_JOB : 0) |
	       (out & DEP_TYPES ? GRT_KIND_DEP : 0) | (out & THREAD_TYPES ? GRT_KIND_THREAD : 0) |
	       (out & OTHER_TYPES ? GRT_KIND_OTHER : 0) |
	       (out & TYPE(MEMORY) ? GRT_KIND_MEMORY : 0);
}

/* False: it is no number, so anything may be left out. */
static bool parse(const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	return end != text && !*end && !errno;
}

static uint8_t kinds_of_mask(const char *text)
{
	uint64_t mask, known = FIRST_TYPES;

	if (!strcasecmp(text, "all"))
		return 0;
	if (!parse(text, &mask))
		return GRT_KIND_JOB | GRT_KIND_MEMORY;
	/* A module without the newest types has no bits of them, and left none of them out. */
	while (known < mask)
		known = known << 1 | 1;
	return mask ? kinds_without(mask | ~known) : 0;
}

static uint8_t kinds_of_level(const char *text)
{
	uint64_t level;

	for (level = 0; level < GRT_NR_LEVELS; level++)
		if (!strcasecmp(text, level_names[level]))
			return kinds_without(grt_level_types[level]);
	if (!parse(text, &level) || level >= GRT_NR_LEVELS)
		return GRT_KIND_JOB | GRT_KIND_MEMORY;
	return kinds_without(grt_level_types[level]);
}

int grt_omitted_policy(struct grt_omitted *o, const char *key, const char *value, uint64_t ns)
{
	int way = !strcmp(key, "filter_type_mask") ? BY_TYPE :
		  !strcmp(key, "level") ? BY_LEVEL : NR_WAYS;
	size_t n = count_changes(o);
	struct change c = { .ns = ns };

	if (++o->policies == MAX_POLICIES && ns < o->lost_ns)
		o->lost_ns = ns;
	if (way == NR_WAYS)
		return 0;
	/* Time ran back: the trace is damaged. */
	if (n == MAX_CHANGES || (n && ns < change_at(o, n - 1)->ns)) {
		if (ns < o->lost_ns)
			o->lost_ns = ns;
		return 0;
	}
	if (n)
		memcpy(c.kinds, change_at(o, n - 1)->kinds, sizeof(c.kinds));
	c.kinds[way] = way == BY_TYPE ? kinds_of_mask(value) : kinds_of_level(value);
	return grt_vec_append(&o->changes, &c, sizeof(c));
}

unsigned int grt_omitted_now(const struct grt_omitted *o)
{
	size_t n = count_changes(o);

	return n ? change_at(o, n - 1)->kinds[BY_TYPE] | change_at(o, n - 1)->kinds[BY_LEVEL] : 0;
}

bool grt_omitted_in(const struct grt_omitted *o, uint32_t fate, unsigned int kinds,
		    uint64_t from_ns, uint64_t to_ns, uint64_t *since_ns)
{
	int way = fate == GRTRACE_FATE_FILTERED_TYPE ? BY_TYPE : BY_LEVEL;
	uint64_t early_ns = from_ns > APPLY_NS ? from_ns - APPLY_NS : 0;
	bool is_any = false;

	if (to_ns >= o->lost_ns) {
		*since_ns = from_ns;
		return kinds & (GRT_KIND_JOB | GRT_KIND_MEMORY);
	}
	/* From the latest change back to the one that was in force at the beginning. */
	for (size_t i = count_changes(o); i; i--) {
		const struct change *c = change_at(o, i - 1);

		if (c->ns <= to_ns && c->kinds[way] & kinds) {
			*since_ns = c->ns > from_ns ? c->ns : from_ns;
			is_any = true;
		}
		if (c->ns <= early_ns)
			break;
	}
	return is_any;
}
