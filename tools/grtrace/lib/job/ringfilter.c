// SPDX-License-Identifier: LGPL-2.1
#include "ringfilter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key_names.h"

/* The length of a value for which a policy row has room; a longer one may be cut. */
#define MAX_VALUE	134

void grt_ringfilter_policy(struct grt_ringfilter *f, const char *key, const char *value,
			   bool is_initial)
{
	bool is_rings = !strcmp(key, "filter_ring_id");
	char *end;

	if (!is_rings && strcmp(key, "filter_engine_mask"))
		return;
	f->is_odd |= !is_initial || strlen(value) > MAX_VALUE;
	if (is_rings) {
		snprintf(f->rings, sizeof(f->rings), "%s", value);
		if (!strcmp(value, "0") || !strcmp(value, "-1") || !strcmp(value, "all"))
			*f->rings = '\0';
		return;
	}
	if (!strcmp(value, "all"))
		value = "0";
	f->engines = strtoull(value, &end, 0);
	f->is_odd |= *end || end == value;
}


bool grt_ringfilter_keeps(const struct grt_ringfilter *f, const struct grt_ring *ring)
{
	if (f->engines && !(f->engines >> (ring->engine & 63) & 1))
		return false;
	if (!*f->rings)
		return true;
	for (const char *word = f->rings; *word; ) {
		size_t len = strcspn(word, ",");

		if (grt_ring_is(ring, word, len))
			return true;
		word += len + (word[len] == ',');
	}
	return false;
}

bool grt_ringfilter_is_clean(const struct grt_ringfilter *f, struct grt_names *names)
{
	if (f->is_odd || (!*f->rings && !f->engines))
		return false;
	for (size_t i = 0; i < grt_vec_count(&names->rings, struct grt_ring); i++) {
		const struct grt_ring *ring = grt_names_ring_at(names, i);
		bool is_kept = grt_ringfilter_keeps(f, ring);
		uint32_t hw;

		if (ring->hw_ring == ring->id)
			continue;
		hw = grt_names_ring_row(names, ring->hw_ring);
		if (hw == GRT_NONE || grt_ringfilter_keeps(f, grt_names_ring_at(names, hw)) != is_kept)
			return false;
	}
	return true;
}
