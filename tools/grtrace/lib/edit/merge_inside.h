/* SPDX-License-Identifier: LGPL-2.1 */
/* Shared by the parts of merge; nobody else includes it. */
#ifndef GRT_MERGE_INSIDE_H
#define GRT_MERGE_INSIDE_H

#include <linux/grtrace.h>

#include "compose.h"
#include "input.h"
#include "merge.h"
#include "remap.h"
#include "stream.h"

/* One trace, and where it stands. */
struct merge_trace {
	struct grt_merge_input *in;
	struct grt_stream *stream;	/* owned */
	const struct grtrace_hdr *head;	/* next to be taken; NULL: at the end */
	uint64_t head_ns;		/* its time in the merged trace */
	struct grt_vec defs;		/* before its first event */
	struct grtrace_stream_info info;
	struct grt_remap remap;
	int nr;				/* of it, from 1 */
	bool is_cut;			/* a slice: may lack what its session has */
	bool has_begun;			/* an event was taken */
	uint64_t last_ns;		/* of the last one, in the merged trace */
};

/* Who wrote last on a CPU of the merged trace. */
struct merge_cpu {
	int nr;				/* of the trace; 0: nobody */
	uint64_t over;			/* bit per trace: another came after it */
	struct grtrace_hdr last;	/* as it was in its trace */
	uint64_t last_hash;		/* of what stands behind the header */
};

struct merge_job {
	struct grt_merge *m;
	struct merge_trace *traces;	/* owned */
	struct grt_compose compose;
	struct grt_vec cpus;		/* struct merge_cpu */
	struct grt_vec rings;		/* struct merge_ring */
	uint32_t last_ring;
};

/* merge_align.c: boots and times.  0 or -errno with a cause. */
int merge_align(struct merge_job *j);

/* merge_defs.c: what is before the events.  0 or -errno with a cause. */
int merge_definitions(struct merge_job *j);
int merge_ring(struct merge_job *j, struct merge_trace *t, const struct grtrace_ring *rec);

/* The value of a line of @t's METADATA; false if there is none. */
bool merge_metadata_value(const struct merge_trace *t, const char *key, char *value, size_t room);

#endif /* GRT_MERGE_INSIDE_H */
