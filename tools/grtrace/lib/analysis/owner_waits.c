// SPDX-License-Identifier: LGPL-2.1
#include "owner_waits.h"

#include <stdlib.h>

#include "error.h"

/* The first cgroup of the owner of a client; GRT_NONE: not known. */
static uint32_t owner_of(const struct grt_model *model, uint32_t client)
{
	return client == GRT_NONE ? GRT_NONE :
	       grt_names_owner_of(grt_model_names(model), grt_model_client(model, client)->process);
}

int grt_owner_waits_add(struct grt_owner_waits *w, const struct grt_owner_wait *new)
{
	uint64_t who = (uint64_t)new->victim << 32 | new->culprit;
	uint64_t how = (uint64_t)new->kind << 1 | new->has_culprit;
	uint32_t i = grt_keymap_get(&w->index, who, how);
	struct grt_owner_wait *row;

	if (i == GRT_NONE) {
		if (grt_keymap_put(&w->index, who, how, grt_owner_waits_count(w)) ||
		    grt_vec_append(&w->rows, new, sizeof(*new)))
			return grt_fail_memory();
		return 0;
	}
	row = grt_vec_at(&w->rows, struct grt_owner_wait, i);
	if (__builtin_add_overflow(row->ns, new->ns, &row->ns))
		row->ns = UINT64_MAX;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct grt_owner_wait *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	if (x->victim != y->victim)
		return x->victim < y->victim ? -1 : 1;
	if (x->culprit != y->culprit)
		return x->culprit < y->culprit ? -1 : 1;
	return x->kind - y->kind;
}

void grt_owner_waits_sort(struct grt_owner_waits *w)
{
	if (w->rows.bytes)
		qsort(w->rows.data, grt_owner_waits_count(w), sizeof(struct grt_owner_wait), compare);
}

int grt_owner_waits_make(struct grt_owner_waits *w, const struct grt_matrix *m, const struct grt_model *model)
{
	int err = 0;

	for (size_t i = 0; i < grt_matrix_count(m) && !err; i++) {
		const struct grt_matrix_row *from = grt_matrix_at(m, i);
		struct grt_owner_wait row = {
			.victim = owner_of(model, from->victim),
			.culprit = owner_of(model, from->culprit),
			.has_culprit = from->culprit != GRT_NONE,
			.kind = from->kind, .ns = from->ns,
		};

		err = grt_owner_waits_add(w, &row);
	}
	grt_owner_waits_sort(w);
	return err;
}

void grt_owner_waits_free(struct grt_owner_waits *w)
{
	grt_vec_free(&w->rows);
	grt_keymap_free(&w->index);
}
