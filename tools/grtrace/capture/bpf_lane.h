/* SPDX-License-Identifier: GPL-2.0 */
/* The buffer that BPF programs fill on one CPU, read as a raw stream. */
#ifndef GRT_BPF_LANE_H
#define GRT_BPF_LANE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf_take.h"
#include "lane.h"
#include "vec.h"

struct grt_bpf_cpu;
struct grt_capture_defs;
struct grt_capture_stacks;

struct grt_bpf_lane {
	struct grt_capture_lane stream;
	struct grt_bpf_taker taker;

	struct grt_vec pending;		/* records, as the programs wrote them */
	struct grt_vec order;		/* places of records in @pending, by time */
	uint64_t lost, refused;		/* the programs' counts at the last account */
	uint64_t missed, missed_put;	/* events that no program saw, part of the lost ones: known, in the last account */
	uint64_t safe_ns;		/* all records with an earlier time are complete */
	uint64_t told_ns;		/* until when the next two count; 0: not asked */
	uint64_t told_refused, told_lost;
	enum grtrace_fate refused_fate;	/* of refused events: see choose.bpf.h; WRITTEN: none are */
	struct grt_capture_stacks *stacks;	/* not owned; of all lanes */
	bool is_stopped;
};

void grt_bpf_lane_open(struct grt_bpf_lane *l, uint32_t cpu, uint8_t *buffer, size_t bytes,
		       struct grt_bpf_cpu *counters, enum grtrace_fate refused_fate, struct grt_capture_defs *defs);
void grt_bpf_lane_close(struct grt_bpf_lane *l);

/* Notes how many events were refused and lost until @now_ns: a CPU may record no event that could tell it. */
void grt_bpf_lane_tell(struct grt_bpf_lane *l, uint64_t now_ns);

/* As in struct grt_live_ops.  The stream ends once @is_stopped is set and all is read. */
ssize_t grt_bpf_lane_read(struct grt_bpf_lane *l, void *to, size_t room);

#endif /* GRT_BPF_LANE_H */
