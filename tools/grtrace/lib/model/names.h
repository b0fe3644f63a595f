/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The trace's definitions: rings, processes and their names over time, and the
 * name=value lines of METADATA.
 */
#ifndef GRT_NAMES_H
#define GRT_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "keymap.h"
#include "vec.h"

struct grt_ring {
	uint32_t id;		/* as in the records, never 0 */
	uint32_t hw_ring;	/* id of the ring whose hardware it shares, or @id */
	uint32_t engine;	/* enum grtrace_engine */
	uint32_t order;		/* enum grtrace_order */
	uint32_t credit_limit;
	bool is_defined;	/* a RING row was seen; else all but @id is a guess */
	char name[33];
	char device[33];
	char driver[25];
};

/*
 * A process under one name and in one cgroup: who changed one of them has several rows, and
 * a tgid that was used again belongs to several processes.
 */
struct grt_process {
	uint32_t tgid;		/* 0: the kernel */
	uint32_t sibling;	/* the next row of that tgid, in a circle */
	uint64_t start_ns;	/* 0: not known */
	uint64_t cgroup_id;	/* 0: not known */
	char comm[17];		/* "": not known */
};

/* Rings are numbered from 1 on: those of most machines are found without a search. */
#define GRT_LOW_RINGS	64

struct grt_names {
	struct grt_vec rings, processes, aliases;
	struct grt_keymap ring_rows, newest_alias;
	uint32_t low_rings[GRT_LOW_RINGS];	/* row + 1 of the ring of that id, 0 = ask the map */
	char *metadata;		/* owned, NULL if none */
};

void grt_names_free(struct grt_names *n);

/* Take a definition.  0 or -errno. */
int grt_names_ring(struct grt_names *n, const struct grtrace_ring *rec);
int grt_names_process(struct grt_names *n, const struct grtrace_process *rec);
int grt_names_metadata(struct grt_names *n, const struct grtrace_metadata *rec);

/*
 * Row of ring @id, made if need be.  GRT_NONE for ring 0, without memory, and
 * when the trace names more rings than any machine has.
 */
uint32_t grt_names_ring_row(struct grt_names *n, uint32_t id);

/* Row of process @tgid under the name it had at @ts_ns; GRT_NONE without memory. */
uint32_t grt_names_process_row(struct grt_names *n, uint32_t tgid, uint64_t ts_ns);

static inline const struct grt_ring *grt_names_ring_at(const struct grt_names *n, uint32_t row)
{
	return grt_vec_at(&n->rings, struct grt_ring, row);
}

static inline const struct grt_process *grt_names_process_at(const struct grt_names *n,
							     uint32_t row)
{
	return grt_vec_at(&n->processes, struct grt_process, row);
}

#endif /* GRT_NAMES_H */
