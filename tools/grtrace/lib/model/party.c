// SPDX-License-Identifier: LGPL-2.1
#include "party.h"

uint32_t grt_parties_get(struct grt_parties *p, const struct grt_party *party)
{
	uint64_t rows = (uint64_t)party->ring << 32 | party->process;
	uint32_t i = grt_keymap_get(&p->index, rows, party->client_id);

	if (i != GRT_NONE)
		return i;
	i = grt_vec_count(&p->rows, struct grt_party);
	if (grt_vec_append(&p->rows, party, sizeof(*party)) ||
	    grt_keymap_put(&p->index, rows, party->client_id, i))
		return GRT_NONE;
	return i;
}

void grt_parties_free(struct grt_parties *p)
{
	grt_vec_free(&p->rows);
	grt_keymap_free(&p->index);
}
