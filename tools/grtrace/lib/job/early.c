// SPDX-License-Identifier: LGPL-2.1
#include "early.h"

#include "error.h"

void grt_early_free(struct grt_early *e)
{
	grt_vec_free(&e->records);
	e->next = 0;
}

int grt_early_add(struct grt_early *e, const struct grtrace_hdr *rec)
{
	return grt_vec_append(&e->records, rec, rec->size) ? grt_fail_memory() : 0;
}

const struct grtrace_hdr *grt_early_take(struct grt_early *e, uint64_t ns)
{
	const struct grtrace_hdr *rec = (void *)((char *)e->records.data + e->next);

	if (e->next == e->records.bytes || rec->ts >= ns)
		return NULL;
	e->next += rec->size;
	return rec;
}
