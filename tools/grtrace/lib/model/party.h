/* SPDX-License-Identifier: LGPL-2.1 */
/* Parties by number: each is kept once. */
#ifndef GRT_PARTY_H
#define GRT_PARTY_H

#include "job.h"
#include "keymap.h"
#include "vec.h"

struct grt_parties {
	struct grt_vec rows;	/* of struct grt_party */
	struct grt_keymap index;
};

/* Its number, new if need be; GRT_NONE without memory. */
uint32_t grt_parties_get(struct grt_parties *p, const struct grt_party *party);
void grt_parties_free(struct grt_parties *p);

static inline const struct grt_party *grt_parties_at(const struct grt_parties *p, uint32_t i)
{
	return grt_vec_at(&p->rows, struct grt_party, i);
}

#endif /* GRT_PARTY_H */
