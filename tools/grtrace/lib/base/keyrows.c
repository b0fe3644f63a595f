// SPDX-License-Identifier: LGPL-2.1
#include "keyrows.h"

#include <string.h>

#include "error.h"

void *grt_keyrow(struct grt_keyrows *t, uint64_t key, size_t bytes)
{
	uint32_t nr = grt_keymap_get(&t->at, key, 0);
	void *row;

	if (nr != GRT_NONE)
		return (char *)t->rows.data + nr * bytes;
	row = grt_vec_grow(&t->rows, bytes);
	if (!row || grt_keymap_put(&t->at, key, 0, t->rows.bytes / bytes - 1)) {
		t->rows.bytes -= row ? bytes : 0;
		grt_fail_memory();
		return NULL;
	}
	return memset(row, 0, bytes);
}

void grt_keyrows_free(struct grt_keyrows *t)
{
	grt_keymap_free(&t->at);
	grt_vec_free(&t->rows);
}
