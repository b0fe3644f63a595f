/* SPDX-License-Identifier: GPL-2.0 */
/* Takes records out of the buffer that BPF programs fill on one CPU. */
#ifndef GRT_BPF_TAKE_H
#define GRT_BPF_TAKE_H

#include <stddef.h>
#include <stdint.h>

#include "vec.h"

struct grt_bpf_cpu;

struct grt_bpf_taker {
	uint8_t *buffer;		/* shared with the programs: see capture.h; NULL: none */
	size_t bytes;			/* its size, a power of two */
	struct grt_bpf_cpu *counters;	/* shared, too */
	uint32_t cpu;
	uint64_t taken;			/* bytes so far */
};

/*
 * Appends the next record to @to.  Returns 1; 0 if there is none that is complete; else -errno
 * with a cause.
 */
int grt_bpf_take(struct grt_bpf_taker *t, struct grt_vec *to);

#endif /* GRT_BPF_TAKE_H */
