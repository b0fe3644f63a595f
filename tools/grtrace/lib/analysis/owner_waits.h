/* SPDX-License-Identifier: LGPL-2.1 */
/* Who waited for whom, by the owners of their cgroups: pods, containers, Slurm jobs, units. */
#ifndef GRT_OWNER_WAITS_H
#define GRT_OWNER_WAITS_H

#include <stdint.h>

#include "keymap.h"
#include "matrix.h"
#include "model.h"
#include "vec.h"

struct grt_owner_wait {
	/* The first cgroup of the owner, a row of the names; GRT_NONE: the owner is not known.  See also fleet.h. */
	uint32_t victim, culprit;
	bool has_culprit;	/* a client; else it waited for nobody's job */
	uint8_t kind;		/* as in the matrix */
	uint64_t ns;		/* UINT64_MAX: or more */
};

/* Zeroed memory is empty. */
struct grt_owner_waits {
	struct grt_vec rows;		/* of struct grt_owner_wait, most time first */
	struct grt_keymap index;
};

/* Adds a wait to the row of its victim, culprit and kind.  0 or -errno with a cause. */
int grt_owner_waits_add(struct grt_owner_waits *w, const struct grt_owner_wait *wait);

/* Puts most time first.  Add nothing afterwards. */
void grt_owner_waits_sort(struct grt_owner_waits *w);

/* Adds up and sorts all rows of @m, a closed matrix of @model.  0 or -errno with a cause. */
int grt_owner_waits_make(struct grt_owner_waits *w, const struct grt_matrix *m, const struct grt_model *model);
void grt_owner_waits_free(struct grt_owner_waits *w);

static inline size_t grt_owner_waits_count(const struct grt_owner_waits *w)
{
	return grt_vec_count(&w->rows, struct grt_owner_wait);
}

static inline const struct grt_owner_wait *grt_owner_waits_at(const struct grt_owner_waits *w, size_t i)
{
	return grt_vec_at(&w->rows, struct grt_owner_wait, i);
}

#endif /* GRT_OWNER_WAITS_H */
