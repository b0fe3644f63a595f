/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Sums over jobs, one row per ring and process, per ring, per context and so on.  Jobs that are cut
 * by an end of the trace are counted, but their times are in no sum, because they are not typical.
 *
 * There may be a million rows, most of them with one or two jobs.  So a row first keeps its
 * jobs packed, about 40 bytes each, and changes to sums when these take less memory.
 */
#ifndef GRT_ROLLUP_H
#define GRT_ROLLUP_H

#include <stdbool.h>
#include <stdint.h>

#include "column.h"
#include "hist.h"
#include "keymap.h"
#include "rules.h"
#include "vec.h"

/*
 * What rows stand for: X(NAME, name, plural, text).  Those of GRT_CLIENT_GROUPS stand for a
 * client of the model, or for all that share a part of it.  All groups but clients and contexts are made
 * from the rows per ring and process.
 */
#define GRT_CLIENT_GROUPS(X)								\
	X(RING_PROCESS,	ring_process, ring_processes, "a ring and a process")	\
	X(RING,		ring,	      rings,	      "a ring")			\
	X(DEVICE,	device,	      devices,	      "a GPU")			\
	X(ENGINE,	engine,	      engines,	      "all rings of one kind")	\
	X(PROCESS,	process,      processes,      "a process on all rings")	\
	X(CLIENT,	client,	      clients,	      "an open file of a process") \
	X(CTX,		ctx,	      contexts,	      "a fence context")

#define GRT_GROUPS(X)								\
	GRT_CLIENT_GROUPS(X)							\
	X(CGROUP,	cgroup,	      cgroups,	      "a cgroup")		\
	X(POD,		pod,	      pods,	      "a pod, or who else owns a cgroup")

enum grt_group {
#define GRT_X(NAME, name, plural, text) GRT_BY_##NAME,
	GRT_GROUPS(GRT_X)
#undef GRT_X
	GRT_NR_GROUPS
};

const char *grt_group_name(enum grt_group group);
const char *grt_group_plural(enum grt_group group);

/* Members that a group ignores are GRT_NONE or 0; contexts show what all their jobs share. */
struct grt_rollup_key {
	uint32_t ring;		/* row of the names; the first of a device or engine */
	uint32_t process;	/* row of the names */
	uint64_t client_id;
	uint64_t ctx;
	uint32_t cgroup;	/* row of the names + 1; 0: not known; the first one of its owner */
};

struct grt_rollup_row {
	struct grt_exact_sums tallies[GRT_NR_STAGES];	/* until grt_rollup_close() */
	struct grt_rollup_key key;
	uint64_t jobs;
	uint64_t cut;		/* jobs cut by the trace's ends */
	uint64_t lossy;
	uint64_t failed;	/* status is an error; includes killed jobs */
	uint64_t unjudged;	/* not cut, status unknown; if any, @failed and @killed are unknown */
	uint64_t killed;
	uint64_t inferred;	/* START derived from the ring's order */
	uint64_t bounds;	/* jobs of which only upper bounds are known; see grt_bound_stages() */
	uint64_t total_bounds, exec_bounds;	/* of these: so many totals and execs are in the sums */
	/*
	 * The parts of the total: sums over the jobs whose total is known.  Nearly all jobs
	 * are, so until grt_rollup_close() this holds minus the times of the other jobs.
	 */
	uint64_t share_ns[GRT_NR_STAGES];
	uint64_t unsplit_ns;	/* t_hw where START is not known */
	uint64_t labels[GRT_MAX_RULES];	/* jobs of each rule's label */
	struct grt_hist stages[GRT_NR_STAGES];
};

/* Whether the times of this stage are upper bounds, for some of the jobs: then so are quantiles and sums. */
static inline bool grt_rollup_is_bound(const struct grt_rollup_row *row, enum grt_stage stage)
{
	return (row->total_bounds && grt_flags_bound(GRT_JOB_UPPER_BOUND, stage)) ||
	       (row->exec_bounds && grt_flags_bound(GRT_JOB_UPPER_BOUND | GRT_JOB_INFERRED_END, stage));
}

#define GRT_ROLLUP_RECENT	256
#define GRT_ROLLUP_FETCHED	8

struct grt_rollup {
	enum grt_group group;
	uint32_t quantiles;	/* bit per stage with quantiles; other stages have sums only */
	bool skips_bounds;	/* times that are upper bounds count as not known */
	struct grt_vec rows;	/* of uintptr_t: a struct grt_rollup_row, or one of few jobs */
	struct grt_keymap index;
	struct grt_rollup_row *recent[GRT_ROLLUP_RECENT];	/* by client: row of its latest job */
	/*
	 * Caches cannot hold all buckets.  So a bucket is prefetched, waits here, and is
	 * counted up GRT_ROLLUP_FETCHED values later: reports with quantiles take 7 % less time so.
	 */
	uint64_t *fetched[GRT_ROLLUP_FETCHED];
	uint32_t next_fetched;
	struct grt_rollup_row *shown;	/* owned, from grt_rollup_close() on: see grt_rollup_at() */
};

/* 0 or -errno. */
int grt_rollup_add(struct grt_rollup *r, const struct grt_view *view);

/* Call it after the last job, and before the functions below.  0 or -ENOMEM. */
int grt_rollup_close(struct grt_rollup *r);
void grt_rollup_free(struct grt_rollup *r);

/* Adds up @from's rows, per ring and process, into the group of the empty, closed @to. */
int grt_rollup_regroup(struct grt_rollup *to, const struct grt_rollup *from,
		       const struct grt_names *names);

/* Adds up all rows into the zeroed @row; free it with grt_rollup_row_free(). */
int grt_rollup_all(struct grt_rollup_row *row, const struct grt_rollup *from);
int grt_rollup_row_add(struct grt_rollup_row *to, const struct grt_rollup_row *from);
void grt_rollup_row_free(struct grt_rollup_row *row);

/* The row of a process's last name: before its exec it often had the shell's name. */
uint32_t grt_rollup_last_name(const struct grt_names *names, uint32_t process);

/* As grt_names_owner_of().  A process that is not named yet has the owner of the record that names it later. */
uint32_t grt_rollup_owner(const struct grt_names *names, uint32_t process);

/* Sorts rows by their rings, then by the time of their jobs, most first. */
void grt_rollup_sort(struct grt_rollup *r);

static inline size_t grt_rollup_count(const struct grt_rollup *r)
{
	return grt_vec_count(&r->rows, uintptr_t);
}

/* Row @i of a closed rollup; valid until the next call for @r. */
const struct grt_rollup_row *grt_rollup_at(const struct grt_rollup *r, size_t i);

/* The key of row @i alone: cheaper. */
const struct grt_rollup_key *grt_rollup_key_at(const struct grt_rollup *r, size_t i);

#endif /* GRT_ROLLUP_H */
