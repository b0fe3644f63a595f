/* SPDX-License-Identifier: LGPL-2.1 */
/* The rows that grtrace top shows: rings and processes, with their sums over the last seconds. */
#ifndef GRT_TOP_SUMS_H
#define GRT_TOP_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "hist.h"
#include "model.h"
#include "recent.h"
#include "vec.h"

/* By what processes are sorted, most first: X(NAME, name of the column, text). */
#define GRT_TOP_SORTS(X)						\
	X(GPU,	 gpu,	"time that its jobs ran")			\
	X(WAITED, waited, "time that its jobs waited to begin")		\
	X(TAKEN, taken, "of it, for jobs of others")			\
	X(GIVEN, given, "time that others waited for its jobs")		\
	X(JOBS,	 jobs,	"jobs that were over")				\
	X(FPS,	 fps,	"frames")					\
	X(PID,	 pid,	"number of the process, least first")

enum grt_top_sort {
#define GRT_X(NAME, name, text) GRT_TOP_BY_##NAME,
	GRT_TOP_SORTS(GRT_X)
#undef GRT_X
	GRT_NR_TOP_SORTS
};

const char *grt_top_sort_name(enum grt_top_sort sort);
/* 0 or -EINVAL with a cause that lists them. */
int grt_top_sort_parse(enum grt_top_sort *sort, const char *text);

/* All zeros: all rings and processes. */
struct grt_top_wants {
	enum grt_top_sort sort;
	bool by_cgroup;			/* rows of cgroups instead of processes */
	bool has_ring;			/* only this ring, and what processes did there */
	bool has_process;		/* what this process did on each ring */
	uint32_t ring, process;		/* rows of the names */
	const char *filter;		/* only names with this text in them; NULL: any */
};

struct grt_top_ring {
	uint32_t ring;			/* row of the names */
	const struct grt_recent_ring *recent;
	struct grt_recent_ring_sums sums;
	struct grt_hist wait, exec;	/* owned */
	bool has_load;
	struct grt_ring_load load;	/* now */
};

struct grt_top_user {
	uint32_t process;		/* row of the names; GRT_NONE: not known, or a cgroup */
	uint32_t ring;			/* with wants.has_process; else GRT_NONE */
	uint64_t cgroup;		/* 0: not known */
	struct grt_recent_sums sums;
	bool has_frames;
	uint64_t frames;
};

/* Zeroed memory is empty. */
struct grt_top {
	struct grt_top_wants wants;
	const struct grt_recent *recent;	/* not owned */
	const struct grt_names *names;
	uint64_t from_ns, now_ns;	/* the time of the sums */
	struct grt_vec rings;		/* of struct grt_top_ring */
	struct grt_vec users;		/* of struct grt_top_user; sorted */
	bool knows_cgroups, has_frames;	/* some process has one */
};

/* Replaces the rows by those of now.  0 or -errno with a cause. */
int grt_top_make(struct grt_top *t, struct grt_recent *r, const struct grt_top_wants *wants);
void grt_top_free(struct grt_top *t);

static inline size_t grt_top_rings(const struct grt_top *t)
{
	return grt_vec_count(&t->rings, struct grt_top_ring);
}

static inline const struct grt_top_ring *grt_top_ring_at(const struct grt_top *t, size_t i)
{
	return grt_vec_at(&t->rings, struct grt_top_ring, i);
}

static inline size_t grt_top_users(const struct grt_top *t)
{
	return grt_vec_count(&t->users, struct grt_top_user);
}

static inline const struct grt_top_user *grt_top_user_at(const struct grt_top *t, size_t i)
{
	return grt_vec_at(&t->users, struct grt_top_user, i);
}

#endif /* GRT_TOP_SUMS_H */
