// SPDX-License-Identifier: LGPL-2.1
/*
 * Credits of a ring.  A ring is full when its free credits do not suffice for the most demanding
 * of the jobs that the scheduler could hand over: the scheduler does not let a smaller job pass.
 */
#include <errno.h>

#include "model_private.h"
#include "sorted.h"

/* No real ring changes between full and not full more often while one job waits. */
#define NEAR		8	/* flips */
#define MAX_FLIPS	65536

/* A count that differs so often is wrong.  If it differs less often, an END is on its way. */
#define MAX_MISMATCHES	3

static struct grt_want *want_at(const struct grt_credits *c, size_t i)
{
	return grt_vec_at(&c->wants, struct grt_want, i);
}

/* What the most demanding job asks for, 0 = none there. */
static __attribute__((noinline)) uint32_t most_wanted(const struct grt_credits *c)
{
	for (size_t i = grt_vec_count(&c->wants, struct grt_want); i; i--)
		if (want_at(c, i - 1)->jobs)
			return want_at(c, i - 1)->credits;
	return 0;
}

static void drop(struct grt_credits *c, size_t flips)
{
	grt_deque_drop(&c->flips, flips * sizeof(struct grt_flip));
	c->flips_gone += flips;
}

/* The ring is full from now on, or no longer is. */
static __attribute__((noinline)) int flip(struct grt_credits *c, uint64_t ns)
{
	struct grt_flip *flip;
	size_t n;

	c->is_full = !c->is_full;
	n = grt_deque_count(&c->flips, struct grt_flip);
	if (n && grt_deque_at(&c->flips, struct grt_flip, n - 1)->ns >= ns) {
		/* The last state lasted no time: drops it, and the one before goes on. */
		c->flips.vec.bytes -= sizeof(*flip);
		return 0;
	}
	if (n == MAX_FLIPS) {
		drop(c, n / 2);
		if (c->sure_ns < grt_deque_at(&c->flips, struct grt_flip, 0)->ns)
			c->sure_ns = grt_deque_at(&c->flips, struct grt_flip, 0)->ns;
	}
	flip = grt_vec_grow(&c->flips.vec, sizeof(*flip));
	if (!flip)
		return -ENOMEM;
	*flip = (struct grt_flip){ .ns = ns, .is_full = c->is_full };
	if (n)
		flip->full_ns = grt_credits_full_ns(c, n, ns);
	return 0;
}

static struct grt_level *level_at(struct grt_credits *c, uint32_t nr)
{
	return &c->levels[nr % GRT_LEVELS];
}

static inline bool is_full_at(const struct grt_credits *c, uint32_t in_use, uint32_t wanted)
{
	uint32_t free = c->limit > in_use ? c->limit - in_use : 0;

	return wanted > free;
}

static inline int look(struct grt_credits *c, uint64_t ns)
{
	*level_at(c, c->next_level++) = (struct grt_level){ ns, c->in_use, c->wanted };
	return is_full_at(c, c->in_use, c->wanted) == c->is_full ? 0 : flip(c, ns);
}

/* Takes back the flips after @ns. */
static void undo(struct grt_credits *c, uint64_t ns)
{
	size_t n = grt_deque_count(&c->flips, struct grt_flip);

	while (n && grt_deque_at(&c->flips, struct grt_flip, n - 1)->ns > ns) {
		c->is_full = !c->is_full;
		c->flips.vec.bytes -= sizeof(struct grt_flip);
		n--;
	}
}

/*
 * A job that needs @credits turns out to wait since @ns, which is in the past: works out anew
 * when the ring was full since then.
 */
static __attribute__((noinline)) int revise(struct grt_credits *c, uint32_t credits, uint64_t ns)
{
	uint32_t kept = c->next_level < GRT_LEVELS ? c->next_level : GRT_LEVELS;
	uint32_t first = c->next_level - kept, nr = c->next_level - 1;
	int err = 0;

	while (nr != first && level_at(c, nr)->ns > ns)
		nr--;
	/* It is too long ago: the times up to now may be wrong. */
	if (level_at(c, nr)->ns > ns && kept == GRT_LEVELS) {
		uint64_t now_ns = level_at(c, c->next_level - 1)->ns;

		c->sure_ns = c->sure_ns > now_ns ? c->sure_ns : now_ns;
		return 0;
	}
	undo(c, ns);
	for (; nr != c->next_level && !err; nr++) {
		struct grt_level *level = level_at(c, nr);

		if (level->wanted < credits)
			level->wanted = credits;
		if (is_full_at(c, level->in_use, level->wanted) != c->is_full)
			err = flip(c, level->ns > ns ? level->ns : ns);
	}
	return err;
}

/* Returns the row of jobs that need @credits; adds one if there is none.  NULL without memory. */
static __attribute__((noinline)) struct grt_want *want_of(struct grt_credits *c, uint32_t credits)
{
	size_t n = grt_vec_count(&c->wants, struct grt_want), i = 0;

	while (i < n && want_at(c, i)->credits < credits)
		i++;
	if (i < n && want_at(c, i)->credits == credits)
		return want_at(c, i);
	if (!grt_vec_grow(&c->wants, sizeof(struct grt_want)))
		return NULL;
	memmove(want_at(c, i + 1), want_at(c, i), (n - i) * sizeof(struct grt_want));
	*want_at(c, i) = (struct grt_want){ .credits = credits };
	c->is_mixed |= n > 0;
	return want_at(c, i);
}

int grt_credits_want(struct grt_credits *c, uint32_t credits, int jobs, uint64_t ns)
{
	struct grt_want *want = c->wants.data;
	int err = 0;

	if (c->next_level && ns < level_at(c, c->next_level - 1)->ns) {
		err = jobs > 0 ? revise(c, credits, ns) : 0;
		ns = level_at(c, c->next_level - 1)->ns;
	}
	/* Usually all jobs need the same number. */
	if (!want || want->credits != credits)
		want = want_of(c, credits);
	if (!want)
		return -ENOMEM;
	want->jobs += jobs;
	if (credits >= c->wanted)
		c->wanted = want->jobs ? credits : most_wanted(c);
	return err ? err : look(c, ns);
}

/* From now on the count is what the source reports; it is valid if no events are missing. */
static int adopt(struct grt_credits *c, uint32_t in_use, uint64_t ns)
{
	c->is_known = !c->is_lost;
	c->is_adopted = true;
	c->mismatches = 0;
	c->sure_ns = c->is_known ? ns : UINT64_MAX;
	c->agreed_ns = ns;
	c->in_use = in_use;
	return look(c, ns);
}

/*
 * Compares the source's latest report with the count, once all events of that instant are in.  A
 * credit is given back a moment before its END is stamped, so a report may be too low for a
 * moment: a count is wrong only if it differs for longer.
 */
static int compare(struct grt_credits *c, uint64_t ns)
{
	if (!c->has_said || c->said_ns >= ns)
		return 0;
	c->has_said = false;
	if (c->said == c->in_use) {
		c->mismatches = 0;
		return 0;
	}
	if (!c->mismatches++)
		c->agreed_ns = c->said_ns;
	if (c->mismatches < MAX_MISMATCHES || c->said_ns - c->agreed_ns <= GRT_SKEW_NS)
		return 0;
	c->is_lost = true;
	return adopt(c, c->said, c->said_ns);
}

int grt_credits_consume(struct grt_credits *c, uint32_t credits, uint64_t ns)
{
	int err = compare(c, ns);

	if (err)
		return err;
	if (c->usual && c->usual != credits)
		c->is_mixed = true;
	c->usual = credits;
	c->in_use += credits;
	return look(c, ns);
}

int grt_credits_give(struct grt_credits *c, uint32_t credits, uint64_t ns)
{
	int err = compare(c, ns);

	if (err)
		return err;
	/* After a loss: the report of the same time that the count was taken from may have come before this, or behind it. */
	if (c->is_lost && c->is_adopted && (c->is_known ? c->sure_ns : c->agreed_ns) == ns) {
		c->is_known = c->is_adopted = false;
		c->sure_ns = UINT64_MAX;
	}
	c->in_use -= credits < c->in_use ? credits : c->in_use;
	return look(c, ns);
}

/* Events are missing: the count is not valid until the source's reports confirm one. */
void grt_credits_lose(struct grt_credits *c)
{
	c->is_known = c->is_adopted = c->has_said = false;
	c->is_lost = true;
	c->mismatches = 0;
	c->sure_ns = UINT64_MAX;
}

int grt_credits_check(struct grt_credits *c, uint32_t in_use, bool is_submit, uint64_t ns)
{
	/* Two events have the same time: the first one may not have happened first. */
	if (c->is_known && c->is_early && c->sure_ns == ns) {
		c->is_early = false;
		c->in_use = in_use;
		return look(c, ns);
	}
	if (c->is_known) {
		int err = compare(c, ns);

		c->has_said = true;
		c->said = in_use;
		c->said_ns = ns;
		return err;
	}
	/* A count taken over after a loss may be too low, too, until a report confirms it. */
	if (c->is_adopted && in_use == c->in_use) {
		if (ns - c->agreed_ns > GRT_SKEW_NS) {
			c->is_known = true;
			c->sure_ns = ns;
		}
		return 0;
	}
	c->is_early = is_submit;
	return adopt(c, in_use, ns);
}

void grt_credits_drop(struct grt_credits *c, uint64_t ns)
{
	size_t n = grt_deque_count(&c->flips, struct grt_flip), i = 0;

	/* The last flip before @ns says whether the ring was full at @ns. */
	while (i + 1 < n && grt_deque_at(&c->flips, struct grt_flip, i + 1)->ns <= ns)
		i++;
	if (i)
		drop(c, i);
}

uint32_t grt_credits_flips(const struct grt_credits *c)
{
	return c->flips_gone + grt_deque_count(&c->flips, struct grt_flip);
}

size_t grt_credits_flips_until(const struct grt_credits *c, uint64_t ns, uint32_t then)
{
	const struct grt_flip *flips = grt_deque_at(&c->flips, struct grt_flip, 0);
	size_t n = grt_deque_count(&c->flips, struct grt_flip);
	size_t i = then - c->flips_gone;

	/* Some flips may have been taken back, and very old ones dropped. */
	if (i > n)
		i = n;
	/* Nearly always it is one of the next. */
	for (int near = 0; near < NEAR; near++) {
		if (i < n && flips[i].ns <= ns)
			i++;
		else if (i && flips[i - 1].ns > ns)
			i--;
		else
			return i;
	}
	return grt_sorted_behind(flips, n, struct grt_flip, ns, ns);
}

uint64_t grt_credits_full_ns(const struct grt_credits *c, size_t flips, uint64_t ns)
{
	const struct grt_flip *last = grt_deque_at(&c->flips, struct grt_flip, flips ? flips - 1 : 0);

	return last->full_ns + (flips && last->is_full ? ns - last->ns : 0);
}

uint64_t grt_credits_final_ns(const struct grt_credits *c)
{
	const struct grt_level *oldest = &c->levels[c->next_level % GRT_LEVELS];

	return c->next_level < GRT_LEVELS ? 0 : oldest->ns;
}

void grt_credits_free(struct grt_credits *c)
{
	grt_vec_free(&c->wants);
	grt_deque_free(&c->flips);
}
