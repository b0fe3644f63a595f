// SPDX-License-Identifier: GPL-2.0
#include "bpf_take.h"

#include <errno.h>
#include <string.h>

#include <linux/grtrace.h>

#include "capture.h"
#include "error.h"

int grt_bpf_take(struct grt_bpf_taker *t, struct grt_vec *to)
{
	struct grtrace_hdr *hdr = (void *)(t->buffer + (t->taken & (t->bytes - 1)));
	size_t size;

	if (!t->buffer || t->taken == __atomic_load_n(&t->counters->head, __ATOMIC_ACQUIRE) ||
	    !__atomic_load_n((uint64_t *)hdr, __ATOMIC_ACQUIRE))
		return 0;
	size = hdr->size;
	if (size < sizeof(*hdr) || size > GRT_BPF_MAX_RECORD || size % 8)
		return grt_fail(EBADMSG, NULL, "the BPF buffer of CPU %u has bytes that are no record",
				t->cpu);
	hdr->cpu = t->cpu;
	if (grt_vec_append(to, hdr, size))
		return grt_fail_memory();
	/* Clears it before the programs may use its place again. */
	memset(hdr, 0, size);
	t->taken += size;
	__atomic_store_n(&t->counters->limit, t->taken + t->bytes - GRT_BPF_SLACK, __ATOMIC_RELEASE);
	return 1;
}
