/* SPDX-License-Identifier: LGPL-2.1 */
/* Shared by the files of merge. */
#ifndef GRT_MERGE_PRIVATE_H
#define GRT_MERGE_PRIVATE_H

#include <linux/grtrace.h>

#include "compose.h"
#include "input.h"
#include "merge.h"
#include "peers.h"
#include "remap.h"
#include "stream.h"

/* One trace and its current position. */
struct merge_trace {
	struct grt_merge_input *in;
	struct grt_stream *stream;	/* owned */
	const struct grtrace_hdr *head;	/* next record; NULL: at the end */
	uint64_t head_ns;		/* its time in the merged trace */
	struct grt_vec defs;		/* definitions that come before its first event */
	struct grtrace_stream_info info;
	struct grt_peers peers;
	struct grt_remap remap;
	int nr;				/* number of the trace, from 1 */
	/* Files of the same recording that are merged, too. */
	const struct merge_trace *before;	/* the last one before it; NULL: none */
	bool has_behind;
	bool is_cut;			/* a slice: may lack events of its session */
	bool has_begun;			/* an event was merged */
	bool has_cut_device;		/* a device has a shorter name now, and a warning said so */
	uint64_t last_ns;		/* time of its last event in the merged trace */
};

/* The last event on a CPU of the merged trace. */
struct merge_cpu {
	int nr;				/* number of its trace; 0: none */
	uint64_t over;			/* a bit per trace that was followed by another one */
	struct grtrace_hdr last;	/* its header in its own trace */
	uint64_t last_hash;		/* hash of the bytes behind the header */
};

struct merge_job {
	struct grt_merge *m;
	struct merge_trace *traces;	/* owned */
	struct grt_compose compose;
	struct grt_vec cpus;		/* struct merge_cpu */
	struct grt_vec rings;		/* struct merge_ring */
	uint32_t last_ring;
};

/* merge_align.c: finds boots and shifts times.  0 or -errno with a cause. */
int merge_align(struct merge_job *j);

/* merge_defs.c: merges what comes before the events.  0 or -errno with a cause. */
int merge_definitions(struct merge_job *j);
int merge_ring(struct merge_job *j, struct merge_trace *t, const struct grtrace_ring *rec);

/* The value of a line of @t's METADATA; false if there is no such line. */
bool merge_metadata_value(const struct merge_trace *t, const char *key, char *value, size_t room);

#endif /* GRT_MERGE_PRIVATE_H */
