// SPDX-License-Identifier: LGPL-2.1
#include "diff.h"

#include <stdlib.h>

#include "diff_private.h"
#include "error.h"

const char *grt_change_name(enum grt_change change)
{
	static const char *const names[] = {
#define GRT_X(NAME, name, text) #name,
		GRT_CHANGES(GRT_X)
#undef GRT_X
	};

	return names[change];
}

const char *grt_diff_scope_name(enum grt_diff_scope scope)
{
	static const char *const names[] = {
#define GRT_X(NAME, name, text) #name,
		GRT_DIFF_SCOPES(GRT_X)
#undef GRT_X
	};

	return names[scope];
}

#define SOME_JOBS	(GRT_LOST_REASONS | 1u << GRTRACE_FATE_SAMPLED | 1u << GRTRACE_FATE_AGGREGATED | \
		 1u << GRTRACE_FATE_RATE_LIMITED | 1u << GRTRACE_FATE_BACKPRESSURE)

/* Jobs may be missing: lost, or left out one by one. */
static bool has_losses(const struct grt_model_totals *t)
{
	return t->uncounted || grt_diff_fates(t, SOME_JOBS);
}

static void look_at_runs(struct grt_diff *d)
{
	for (int side = 0; side < GRT_NR_SIDES; side++) {
		d->blocks[side] = UINT32_MAX;
		for (unsigned int run = 0; run < d->side[side].nr_runs; run++) {
			const struct grt_summary *s = d->side[side].runs[run];
			unsigned int blocks = grt_time_blocks_count(&s->blocks);

			d->has_losses[side] |= has_losses(grt_model_totals(s->model));
			if (blocks < d->blocks[side])
				d->blocks[side] = blocks;
		}
	}
}

int grt_diff_make(struct grt_diff *d, const struct grt_diff_wants *wants,
		  const struct grt_diff_side *side)
{
	struct grt_diff_members *m = calloc(1, sizeof(*m));
	int err;

	*d = (struct grt_diff){ .wants = *wants, .side = { side[GRT_BEFORE], side[GRT_AFTER] } };
	if (!m)
		return grt_fail_memory();
	look_at_runs(d);
	err = grt_diff_match(d, m);
	if (!err)
		err = grt_diff_judge(d, m);
	if (!err)
		err = grt_diff_find_troubles(d);
	grt_diff_members_free(m);
	free(m);
	return err;
}

void grt_diff_free(struct grt_diff *d)
{
	for (size_t i = 0; i < grt_diff_count(d); i++)
		free(grt_diff_at(d, i)->values);
	grt_vec_free(&d->groups);
	grt_vec_free(&d->troubles);
	*d = (struct grt_diff){ .comparisons = 0 };
}
