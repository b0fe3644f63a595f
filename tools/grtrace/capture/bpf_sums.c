// SPDX-License-Identifier: GPL-2.0
#include "bpf_sums.h"

#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <linux/grtrace.h>

#include "bpf.h"
#include "definitions.h"
#include "error.h"

static int by_ring(const void *left, const void *right)
{
	const struct grt_bpf_total *a = left, *b = right;
	uint32_t one = a->ring ? a->ring->ring : 0, other = b->ring ? b->ring->ring : 0;

	if (a->ring && b->ring && strcmp(a->ring->name, b->ring->name))
		return strcmp(a->ring->name, b->ring->name);
	if (one != other)
		return one < other ? -1 : 1;
	return a->tgid < b->tgid ? -1 : a->tgid > b->tgid;
}

int grt_bpf_sums_read(int map, const struct grt_capture_defs *defs, struct grt_vec *totals)
{
	struct grt_bpf_sum_key key, *last = NULL;
	struct grt_bpf_total *total;

	for (; !bpf_map_get_next_key(map, last, &key); last = &key) {
		total = grt_vec_grow(totals, sizeof(*total));
		if (!total)
			return grt_fail_memory();
		*total = (struct grt_bpf_total){
			.ring = grt_capture_defs_find_ring(defs, key.ring), .tgid = key.tgid,
		};
		if (bpf_map_lookup_elem(map, &key, &total->sum))
			totals->bytes -= sizeof(*total);
	}
	if (totals->bytes)
		qsort(totals->data, grt_vec_count(totals, struct grt_bpf_total),
		      sizeof(struct grt_bpf_total), by_ring);
	return 0;
}
