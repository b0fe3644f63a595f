/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Counters that only grow, for a system that collects metrics: times of jobs per device and owner, what
 * owners did on rings, who waited for whom, where the time of rings went.  They are fed while a trace is
 * read, also while that is recorded.
 *
 * An owner is a pod, or who else owns a cgroup: see grt_names_owner_of().  Owners, and rings, that have the same
 * names count as one, because nothing else tells their labels apart.  As in reports, jobs that are cut by
 * the ends of the trace are counted, but their times are in no sum.
 */
#ifndef GRT_METRICS_H
#define GRT_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "idle.h"
#include "job.h"
#include "label_sets.h"
#include "label_texts.h"
#include "late_jobs.h"
#include "vec.h"

struct grt_model;
struct grtrace_hdr;

/* Buckets end at 10 us, and each at 1.41 times the end of the one before, up to 10.5 s; the last one has no end. */
#define GRT_METRIC_BOUNDS	41
uint64_t grt_metric_bound_ns(unsigned int bucket);

/* The latest job of a bucket. */
struct grt_exemplar {
	uint64_t ns;
	uint64_t ctx, seqno;
	uint64_t real_ns;		/* when it was over, CLOCK_REALTIME; 0: not known */
};

/* Zeroed memory is empty. */
struct grt_metric_hist {
	uint64_t counts[GRT_METRIC_BOUNDS + 1];
	uint64_t count, sum_ns;
};

/* Stages that have a histogram.  The first seven are the parts of a total. */
#define GRT_METRIC_STAGES(X)						\
	X(ORDER, order) X(DEP, dep) X(RING, ring) X(SCHED, sched)	\
	X(QUEUE, queue) X(EXEC, exec) X(COMPLETE, complete) X(HW, hw)

enum {
#define GRT_X(STAGE, name) GRT_METRIC_##STAGE,
	GRT_METRIC_STAGES(GRT_X)
#undef GRT_X
	GRT_NR_METRIC_STAGES
};
enum grt_stage grt_metric_stage(unsigned int i);
const char *grt_metric_stage_name(unsigned int i);

/* How a job ended: X(NAME, name, text). */
#define GRT_JOB_RESULTS(X)						\
	X(OK,	   ok,	    "its status is 0")				\
	X(ERROR,   error,   "its status is an error")			\
	X(KILLED,  killed,  "it died with its process, before it ran")	\
	X(CUT,	   cut,	    "the trace began or ended inside it")	\
	X(UNKNOWN, unknown, "its status is not known")

enum grt_job_result {
#define GRT_X(NAME, name, text) GRT_RESULT_##NAME,
	GRT_JOB_RESULTS(GRT_X)
#undef GRT_X
	GRT_NR_JOB_RESULTS
};
const char *grt_job_result_name(enum grt_job_result result);

/* Jobs of an owner on a device. */
struct grt_metric_jobs {
	struct grt_metric_hist total;
	struct grt_exemplar exemplars[GRT_METRIC_BOUNDS + 1];	/* of @total */
};

/* The stages of an owner on a device.  Fewer owners have them, see grt_metrics_limit(). */
struct grt_metric_stages {
	struct grt_metric_hist stages[GRT_NR_METRIC_STAGES];
};

/* Jobs of an owner on a ring. */
struct grt_metric_use {
	uint64_t jobs[GRT_NR_JOB_RESULTS];
	uint64_t exec_ns;
	uint64_t unknown_exec;		/* jobs that ran, but how long is not known, or only how long at most */
	uint64_t hangs;
};

/* States of a ring: of enum grt_idle, GRT_RING_BUSY, and idle without a known cause, which is no part of GRT_IDLE_UNKNOWN here. */
#define GRT_METRIC_UNEXPLAINED	(GRT_RING_BUSY + 1)
#define GRT_METRIC_STATES	(GRT_METRIC_UNEXPLAINED + 1)

/* All rings of one device and name. */
struct grt_metric_rings {
	uint64_t ns[GRT_METRIC_STATES];		/* by state; never less than before */
	uint64_t seen_ns[GRT_METRIC_STATES];	/* as it looks now */
	uint64_t waiting, on_ring;		/* jobs there now */
	bool has_load;				/* these are known, of all the rings */
};

struct grt_metrics {
	/* The caller's. */
	bool with_synthetic;		/* jobs written by hand count */
	bool has_late;			/* names may come later: the trace is read while it is recorded */

	/* Sums: each has label sets and, by row, values. */
	struct grt_label_sets job_sets;		/* device, owner */
	struct grt_vec jobs;			/* of struct grt_metric_jobs */
	struct grt_label_sets stage_sets;	/* the same */
	struct grt_vec stages;			/* of struct grt_metric_stages */
	struct grt_label_sets use_sets;		/* ring, owner */
	struct grt_vec uses;			/* of struct grt_metric_use */
	struct grt_label_sets wait_sets;	/* owner, whom it waited for, enum grt_blame_reason */
	struct grt_vec waits;			/* of uint64_t: ns */
	struct grt_label_sets ring_sets;	/* ring */
	struct grt_vec rings;			/* of struct grt_metric_rings */
	struct grt_label_texts owners;		/* name of its kind, namespace, pod or other name */
	struct grt_label_texts places;		/* device, ring; of a device alone, "" for the ring */
	uint64_t last_ns;			/* the latest event; 0: there is none */

	/* Private. */
	struct grt_model *model;		/* not owned */
	uint64_t now_ns;			/* nothing earlier will come */
	struct grt_late_jobs late;
	struct grt_vec owner_of;		/* of uint32_t, by cgroup: number of its owner, GRT_NONE: not asked yet */
	struct grt_vec place_of;		/* of struct ring_place, by ring of the model */
	uint64_t ring_records;			/* how many RING records came */
	struct grt_vec times;			/* of struct place_times, by number in @places */
	bool has_realtime;
	uint64_t realtime_ahead_ns;		/* CLOCK_REALTIME, less the trace's clock; wraps around */
};

/* What is in the keys of label sets: numbers in @places and @owners; GRT_NONE: not known. */
static inline uint32_t grt_metric_place(const struct grt_label_key *k)	/* a ring or a device */
{
	return k->a >> 32;
}

static inline uint32_t grt_metric_owner(const struct grt_label_key *k)
{
	return (uint32_t)k->a;
}

static inline uint32_t grt_metric_by(const struct grt_label_key *k)	/* of @wait_sets: the other owner */
{
	return k->a >> 32;
}

#define GRT_METRIC_NOBODY	(GRT_NONE - 1)	/* it was no job that was waited for */

/* Limits each family to @cap label sets.  Call it once, before the first pass. */
void grt_metrics_limit(struct grt_metrics *m, uint32_t cap);

/* A pass over the trace begins with @model.  0 or -errno with a cause. */
int grt_metrics_begin(struct grt_metrics *m, struct grt_model *model);
/* These are for struct grt_replay_ops; events must be watched.  0 or -errno with a cause. */
int grt_metrics_record(struct grt_metrics *m, const struct grtrace_hdr *rec);
int grt_metrics_job(struct grt_metrics *m, const struct grt_job *job);
/* While a session runs: nothing earlier than @now_ns will come. */
void grt_metrics_pass(struct grt_metrics *m, uint64_t now_ns);
void grt_metrics_free(struct grt_metrics *m);

/* At @ns of the trace's clock, CLOCK_REALTIME was @real_ns. */
void grt_metrics_set_realtime(struct grt_metrics *m, uint64_t ns, uint64_t real_ns);
bool grt_metrics_realtime(const struct grt_metrics *m, uint64_t ns, uint64_t *real_ns);

/*
 * Before the sums are read: adds jobs that waited for a name, and what rings seem to do now.  0 or -errno with a
 * cause.
 */
int grt_metrics_look(struct grt_metrics *m);

#endif /* GRT_METRICS_H */
