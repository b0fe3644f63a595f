/* SPDX-License-Identifier: LGPL-2.1 */
/* Sums over several traces, mostly of several machines: per trace, per owner of processes, and who waited for whom. */
#ifndef GRT_FLEET_H
#define GRT_FLEET_H

#include <stdbool.h>
#include <stdint.h>

#include "cgroup_names.h"
#include "hist.h"
#include "namemap.h"
#include "owner_waits.h"
#include "summary.h"
#include "vec.h"

/* A sum that is too great is UINT64_MAX. */
struct grt_fleet_sums {
	uint64_t jobs, cut, failed, unjudged;
	uint64_t waited_ns, others_ns;	/* @others_ns: the part of it for jobs of other owners */
	uint64_t unsure_ns;		/* the part of it for which it is not known whose jobs these were */
	struct grt_hist total, exec;	/* of jobs of which it is known */
	uint64_t bounds;		/* jobs of which only upper bounds are known */
	uint64_t total_bounds, exec_bounds;	/* so many are in these */
};

struct grt_fleet_trace {
	char *name, *host;		/* owned; host may be "" */
	uint64_t wall_ns, devices, hung;
	uint64_t lost;			/* events */
	bool is_lost_known;
	struct grt_fleet_sums sums;
};

/* An owner of processes: a pod, or who else owns a cgroup. */
struct grt_fleet_owner {
	enum grt_owner kind;
	char *name;			/* owned; NULL: the owner is not known */
	uint64_t traces;		/* in which it has jobs */
	struct grt_fleet_sums sums;
};

/* Zeroed memory is empty. */
struct grt_fleet {
	struct grt_vec traces;		/* of struct grt_fleet_trace */
	struct grt_vec owners;		/* of struct grt_fleet_owner */
	struct grt_vec by_time;		/* of uint32_t: owners, most GPU time first; after grt_fleet_sort() */
	struct grt_owner_waits waits;	/* victim and culprit are rows of @owners */
	struct grt_fleet_sums all;
	struct grt_namemap owner_rows;
};

/* The summary must have groups per pod, and blame. */
#define GRT_FLEET_GROUPS	(1u << GRT_BY_POD)

/* Adds the trace of summary @s.  @host: its machine, if no definition in it names one.  0 or -errno with a cause. */
int grt_fleet_add(struct grt_fleet *f, const char *name, const struct grt_summary *s);

/* Sorts traces by host, owners and waits by their time.  Add nothing afterwards.  0 or -errno with a cause. */
int grt_fleet_sort(struct grt_fleet *f);
void grt_fleet_free(struct grt_fleet *f);

static inline size_t grt_fleet_traces(const struct grt_fleet *f)
{
	return grt_vec_count(&f->traces, struct grt_fleet_trace);
}

static inline size_t grt_fleet_owners(const struct grt_fleet *f)
{
	return grt_vec_count(&f->owners, struct grt_fleet_owner);
}

static inline const struct grt_fleet_owner *grt_fleet_owner_at(const struct grt_fleet *f, uint32_t row)
{
	return grt_vec_at(&f->owners, struct grt_fleet_owner, row);
}

#endif /* GRT_FLEET_H */
