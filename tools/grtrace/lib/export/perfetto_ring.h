/* SPDX-License-Identifier: LGPL-2.1 */
/* Rings and GPUs of a trace in Perfetto's format. */
#ifndef GRT_PERFETTO_RING_H
#define GRT_PERFETTO_RING_H

#include "perfetto_track.h"

/* Of a machine with more GPUs, the last one stands for all others, and is called so. */
#define GRT_PF_MAX_GPUS	256

struct grt_pf_gpu {
	char device[33], driver[25];
};

struct grt_pf_ring {
	uint32_t id;		/* as in the records; 0: not known */
	uint32_t row;		/* of the names; GRT_NONE: not defined yet */
	uint32_t gpu;
	uint32_t index;		/* its number in this export */
	uint64_t track;
	struct grt_pf_lanes lanes;	/* of jobs */
	uint64_t hidden;	/* jobs for which there was no lane */
	uint32_t queued, on_ring, shown_queued, shown_on_ring;
	bool has_counted;	/* the counters have a value in the trace */
};

/* Zeroed memory is empty. */
struct grt_pf_rings {
	struct grt_vec rings;	/* struct grt_pf_ring */
	struct grt_keymap rows;	/* by id */
	struct grt_vec gpus;	/* struct grt_pf_gpu */
};

/*
 * The ring with this id, with its tracks described.  NULL without memory; o->err is set then.  Valid
 * until the next call.
 */
struct grt_pf_ring *grt_pf_ring(struct grt_pf_rings *r, struct grt_pf_out *o,
				const struct grt_names *names, uint32_t id);

/* The number of the ring as a queue of the hardware, defined where needed. */
uint64_t grt_pf_ring_spec(const struct grt_pf_ring *ring, struct grt_pf_out *o,
			  const struct grt_names *names);

/* A track below the ring's: of @kind and number @lane, with this name. */
uint64_t grt_pf_ring_track(const struct grt_pf_ring *ring, struct grt_pf_out *o,
			   enum grt_pf_track kind, uint32_t lane);

/*
 * The number of the GPU at this PCI address, with its track described; 0: not known, which is the only
 * GPU if there is one.
 */
uint32_t grt_pf_gpu(struct grt_pf_rings *r, struct grt_pf_out *o, const struct grt_names *names,
		    uint32_t pci_address);

/* The counter of a gauge of enum grtrace_gauge: of a ring, or of GPU @gpu as a whole if @ring is NULL. */
uint64_t grt_pf_gauge_track(const struct grt_pf_ring *ring, uint32_t gpu, struct grt_pf_out *o,
			    uint32_t gauge);

static inline struct grt_pf_ring *grt_pf_ring_at(const struct grt_pf_rings *r, size_t i)
{
	return grt_vec_at(&r->rings, struct grt_pf_ring, i);
}

static inline size_t grt_pf_ring_count(const struct grt_pf_rings *r)
{
	return grt_vec_count(&r->rings, struct grt_pf_ring);
}

void grt_pf_rings_free(struct grt_pf_rings *r);

#endif /* GRT_PERFETTO_RING_H */
