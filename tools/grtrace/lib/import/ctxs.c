// SPDX-License-Identifier: LGPL-2.1
#include "ctxs.h"

#include <string.h>

struct grt_ctx_row *grt_ctxs_find(const struct grt_ctxs *t, uint64_t ctx)
{
	const uint64_t *row = grt_map_get(&t->rows_of, (uint32_t)ctx);

	return row && *row ? grt_vec_at(&t->rows, struct grt_ctx_row, *row - 1) : NULL;
}

struct grt_ctx_row *grt_ctxs_row(struct grt_ctxs *t, uint64_t ctx)
{
	uint64_t *nr = grt_map_put(&t->rows_of, (uint32_t)ctx);
	struct grt_ctx_row *row;

	if (!nr)
		return NULL;
	if (!*nr) {
		row = grt_vec_grow(&t->rows, sizeof(*row));
		if (!row)
			return NULL;
		*row = (struct grt_ctx_row){ .ctx = ctx };
		*nr = grt_vec_count(&t->rows, struct grt_ctx_row);
	}
	row = grt_vec_at(&t->rows, struct grt_ctx_row, *nr - 1);
	if (ctx > row->ctx)
		row->ctx = ctx;
	if (ctx > t->greatest)
		t->greatest = ctx;
	return row;
}

uint64_t grt_ctxs_mint(struct grt_ctxs *t, uint64_t key)
{
	uint64_t *ctx = grt_map_put(&t->minted, key);

	if (!ctx)
		return 0;
	if (!*ctx) {
		if (t->next_minted <= t->greatest)
			t->next_minted = t->greatest + 1;
		*ctx = t->next_minted++;
	}
	return *ctx;
}

void grt_ctxs_rewind(struct grt_ctxs *t)
{
	for (size_t i = 0; i < grt_vec_count(&t->rows, struct grt_ctx_row); i++) {
		struct grt_ctx_row *row = grt_vec_at(&t->rows, struct grt_ctx_row, i);

		row->ever_signaled |= row->has_signaled;
		row->has_signaled = row->has_committed = false;
		row->signaled = row->committed = 0;
		row->ring = 0;
	}
	/* The next pass mints contexts above the greatest one, which is known by then. */
	grt_map_free(&t->minted);
	t->next_minted = 0;
}

void grt_ctxs_free(struct grt_ctxs *t)
{
	grt_map_free(&t->rows_of);
	grt_map_free(&t->minted);
	grt_vec_free(&t->rows);
}
