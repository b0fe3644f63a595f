/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Sums over jobs, one row per ring and process, per ring, per context and so on.  Jobs
 * that the trace's ends cut are counted, but are in no time: what is left of them would
 * not be typical.
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
 * What rows stand for: X(NAME, name, plural, text).  All but clients and contexts are
 * made of the rows per ring and process.
 */
#define GRT_GROUPS(X)								\
	X(RING_PROCESS,	ring_process, ring_processes, "a ring and a process")	\
	X(RING,		ring,	      rings,	      "a ring")			\
	X(DEVICE,	device,	      devices,	      "a GPU")			\
	X(ENGINE,	engine,	      engines,	      "all rings of one kind")	\
	X(PROCESS,	process,      processes,      "a process on all rings")	\
	X(CLIENT,	client,	      clients,	      "an open file of a process") \
	X(CTX,		ctx,	      contexts,	      "a fence context")

enum grt_group {
#define GRT_X(NAME, name, plural, text) GRT_BY_##NAME,
	GRT_GROUPS(GRT_X)
#undef GRT_X
	GRT_NR_GROUPS
};

const char *grt_group_name(enum grt_group group);
const char *grt_group_plural(enum grt_group group);

/* Members that a grouping does not look at are GRT_NONE and 0, or those of its jobs. */
struct grt_rollup_key {
	uint32_t ring;		/* row of the names; the first of a device or engine */
	uint32_t process;	/* row of the names */
	uint64_t client_id;
	uint64_t ctx;
};

struct grt_rollup_row {
	struct grt_tally tallies[GRT_NR_STAGES];	/* until grt_rollup_close() */
	struct grt_rollup_key key;
	uint64_t jobs;
	uint64_t cut;		/* of these, cut by the trace's ends */
	uint64_t lossy;
	uint64_t failed;	/* status is an error; killed ones included */
	uint64_t killed;
	uint64_t inferred;	/* START derived from the ring's order */
	/*
	 * Sums over the jobs whose total is known: its shares.  That is nearly all of them,
	 * so what is kept while jobs are added is, below 0, what is to be left out.
	 */
	uint64_t share_ns[GRT_NR_STAGES];
	uint64_t unsplit_ns;	/* t_hw where START is not known */
	uint64_t labels[GRT_MAX_RULES];	/* jobs of each rule's label */
	struct grt_hist stages[GRT_NR_STAGES];
};

#define GRT_ROLLUP_RECENT	256
#define GRT_ROLLUP_FETCHED	8

struct grt_rollup {
	enum grt_group group;
	uint32_t quantiles;	/* bit per stage: the others have sums only */
	struct grt_vec rows;	/* of struct grt_rollup_row * */
	struct grt_keymap index;
	struct grt_rollup_row *recent[GRT_ROLLUP_RECENT];	/* by party: of its latest job */
	/*
	 * Buckets are too many for the caches: these are on their way from memory, and are
	 * counted up when as many more were asked for.
	 */
	uint64_t *fetched[GRT_ROLLUP_FETCHED];
	uint32_t next_fetched;
};

/* 0 or -errno. */
int grt_rollup_add(struct grt_rollup *r, const struct grt_view *view);

/* All jobs are in: before anything of it is looked at. */
void grt_rollup_close(struct grt_rollup *r);
void grt_rollup_free(struct grt_rollup *r);

/* Adds up @from's rows, per ring and process, into the empty @to by its group. */
int grt_rollup_regroup(struct grt_rollup *to, const struct grt_rollup *from,
		       const struct grt_names *names);

/* The same over everything, into the zeroed @row, for grt_rollup_row_free(). */
int grt_rollup_all(struct grt_rollup_row *row, const struct grt_rollup *from);
int grt_rollup_row_add(struct grt_rollup_row *to, const struct grt_rollup_row *from);
void grt_rollup_row_free(struct grt_rollup_row *row);

/* Rows in the order of their rings, then by the time their jobs took, most first. */
void grt_rollup_sort(struct grt_rollup *r);

static inline size_t grt_rollup_count(const struct grt_rollup *r)
{
	return grt_vec_count(&r->rows, struct grt_rollup_row *);
}

static inline struct grt_rollup_row *grt_rollup_at(const struct grt_rollup *r, size_t i)
{
	return *grt_vec_at(&r->rows, struct grt_rollup_row *, i);
}

#endif /* GRT_ROLLUP_H */
