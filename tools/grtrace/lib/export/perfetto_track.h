/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Tracks: what events are drawn on.  The number of a track is made from what it is of, so nothing
 * is remembered about tracks but which of them were described.
 */
#ifndef GRT_PERFETTO_TRACK_H
#define GRT_PERFETTO_TRACK_H

#include "names.h"
#include "perfetto_packet.h"

enum grt_pf_track {
	GRT_PF_GPU = 1, GRT_PF_RING, GRT_PF_JOBS, GRT_PF_IDLES, GRT_PF_TROUBLE, GRT_PF_QUEUED,
	GRT_PF_ON_RING, GRT_PF_GAUGE, GRT_PF_PROCESSES, GRT_PF_THREAD, GRT_PF_FRAMES,
	GRT_PF_CPU, GRT_PF_WAITS, GRT_PF_LOST, GRT_PF_DISPLAY, GRT_PF_CRTC, GRT_PF_KERNEL,
	GRT_PF_THREADS, GRT_PF_MACHINE,
};

/* Tracks are siblings in this order: see sibling_order_rank. */
struct grt_pf_track_info {
	uint64_t parent;		/* 0: none */
	const char *name;		/* may have any bytes */
	const char *description;	/* NULL: none */
	const char *unit;		/* a counter of this unit; NULL: no counter */
	int32_t rank;
	bool is_one;			/* not drawn as one with siblings of the same name */
};

/* The number of a track: @a and @b say what it is of.  Never 0. */
uint64_t grt_pf_track_id(enum grt_pf_track kind, uint64_t a, uint64_t b);

/* Describes the track unless it was described already. */
void grt_pf_track_describe(struct grt_pf_out *o, uint64_t track,
			   const struct grt_pf_track_info *info);

/*
 * The track of a process, or of a thread of it; @tid 0: of the process.  The kernel, and threads of
 * processes that are not known, are below tracks of their own.
 */
uint64_t grt_pf_process_track(struct grt_pf_out *o, const struct grt_names *names, uint32_t tgid,
			      uint32_t process);
uint64_t grt_pf_thread_track(struct grt_pf_out *o, const struct grt_names *names, uint32_t tgid,
			     uint32_t tid);

/* The number of the name of process @row as name of events, defined where needed. */
uint64_t grt_pf_process_name(struct grt_pf_out *o, const struct grt_names *names, uint32_t row);

/* The number of a context of the process in @row, or 0: no process is known. */
uint64_t grt_pf_context(struct grt_pf_out *o, const struct grt_names *names, uint32_t row);

/*
 * Slices of one track must nest.  These are tracks side by side, of one name; a stretch of time
 * goes to the one that was free for the shortest time.  Stretches come in the order of their ends.
 */
#define GRT_PF_LANES	64

struct grt_pf_lanes {
	uint64_t free_ns[GRT_PF_LANES];	/* each lane is free from then on */
	uint32_t count;			/* lanes that were used */
};

/* A lane that is free in [@from_ns, @to_ns]; GRT_NONE: all were in use then. */
uint32_t grt_pf_lane(struct grt_pf_lanes *l, uint64_t from_ns, uint64_t to_ns);

#endif /* GRT_PERFETTO_TRACK_H */
