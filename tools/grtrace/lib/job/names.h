/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The trace's definitions: rings, processes and their names over time, their cgroups, the machines, and
 * the name=value lines of METADATA.
 */
#ifndef GRT_NAMES_H
#define GRT_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "cgroup_names.h"
#include "keymap.h"
#include "machine_names.h"
#include "namemap.h"
#include "stack_names.h"
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
 * A process under one name and in one cgroup.  A process that changed one of them has several
 * rows.  A tgid that was used again belongs to several processes.
 */
struct grt_process {
	uint32_t tgid;		/* 0: the kernel */
	uint32_t sibling;	/* the next row of the same tgid; the last row has the first */
	uint64_t start_ns;	/* 0: not known */
	uint32_t cgroup;	/* its row; GRT_NONE: not known */
	uint32_t pidns;		/* inode of its pid namespace; 0: not known */
	char comm[17];		/* "": not known */
};

/* Rings are numbered from 1 on, so the rings of most machines are found without a search. */
#define GRT_LOW_RINGS	64

struct grt_names {
	struct grt_vec rings, processes, aliases;
	struct grt_keymap ring_rows;
	struct grt_namemap rings_called;	/* how many rings have this name */
	struct grt_keymap aliases_of;	/* tgid to the root of its tree of aliases */
	struct grt_keymap row_of_name;	/* only of processes with many names */
	struct grt_keymap last_rows;	/* only of tgids with several rows: see grt_names_process_last() */
	uint32_t low_rings[GRT_LOW_RINGS];	/* row + 1 of the ring @id, 0 = ask the map */
	char *metadata;		/* owned, NULL if none */
	struct grt_stack_names stacks;
	struct grt_cgroup_names cgroups;
	struct grt_machine_names machines;
};

void grt_names_free(struct grt_names *n);

/* Take a definition.  0 or -errno. */
int grt_names_ring(struct grt_names *n, const struct grtrace_ring *rec);
int grt_names_process(struct grt_names *n, const struct grtrace_process *rec);
int grt_names_metadata(struct grt_names *n, const struct grtrace_metadata *rec);

/*
 * Returns the row of ring @id; adds one for a new ring.  GRT_NONE for ring 0, without memory, or
 * if the trace names more rings than any machine has.
 */
uint32_t grt_names_ring_row(struct grt_names *n, uint32_t id);

/* Row of process @tgid under the name it had at @ts_ns; GRT_NONE without memory. */
uint32_t grt_names_process_row(struct grt_names *n, uint32_t tgid, uint64_t ts_ns);

/* The same, but a process that no definition names gets no row: GRT_NONE. */
uint32_t grt_names_process_find(const struct grt_names *n, uint32_t tgid, uint64_t ts_ns);

/* The last row of the process that has row @process: its latest new name or cgroup. */
uint32_t grt_names_process_last(const struct grt_names *n, uint32_t process);

/* The driver of a device, as its rings say; "": not known. */
const char *grt_names_driver(const struct grt_names *n, const char *device);

static inline const struct grt_ring *grt_names_ring_at(const struct grt_names *n, uint32_t row)
{
	return grt_vec_at(&n->rings, struct grt_ring, row);
}

static inline const struct grt_process *grt_names_process_at(const struct grt_names *n,
							     uint32_t row)
{
	return grt_vec_at(&n->processes, struct grt_process, row);
}

/* The cgroup of a process, NULL: not known.  @process: a row, or GRT_NONE. */
static inline const struct grt_cgroup *grt_names_cgroup_of(const struct grt_names *n, uint32_t process)
{
	uint32_t row = process == GRT_NONE ? GRT_NONE : grt_names_process_at(n, process)->cgroup;

	return row == GRT_NONE ? NULL : grt_cgroup_names_at(&n->cgroups, row);
}

/*
 * The owner of a process, as a number that all its processes share: the row of the owner's first cgroup.
 * GRT_NONE: not known.  @process: a row, or GRT_NONE.
 */
static inline uint32_t grt_names_owner_of(const struct grt_names *n, uint32_t process)
{
	const struct grt_cgroup *c = grt_names_cgroup_of(n, process);

	return c && c->text ? c->first : GRT_NONE;
}

#endif /* GRT_NAMES_H */
