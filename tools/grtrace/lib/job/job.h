/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * A job: its stamps, the stages between them, its outcome, and what is not known
 * about it.  An unknown time is absent (its bit is clear), never 0.
 */
#ifndef GRT_JOB_H
#define GRT_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stamps, in the order of a job's life: X(NAME, name). */
#define GRT_STAMPS(X)		\
	X(SUBMIT,	submit)	\
	X(COMMIT,	commit)	\
	X(START,	start)	\
	X(END,		end)	\
	X(COMPLETE,	complete)

enum grt_stamp {
#define GRT_X(NAME, name) GRT_AT_##NAME,
	GRT_STAMPS(GRT_X)
#undef GRT_X
	GRT_NR_STAMPS
};

/* Stages, in the order of the per-job columns: X(NAME, name, text). */
#define GRT_STAGES(X)								\
	X(ORDER,       t_order,	      "behind an earlier job of its context")	\
	X(DEP,	       t_dep,	      "a dependency was not signalled")		\
	X(RING,	       t_ring,	      "no free credits on the ring")		\
	X(SCHED,       t_sched,	      "could have been handed over and was not") \
	X(SUBMIT_HOST, t_submit_host, "SUBMIT to COMMIT")			\
	X(QUEUE,       t_queue,	      "COMMIT to START")			\
	X(EXEC,	       t_exec,	      "START to END")				\
	X(HW,	       t_hw,	      "COMMIT to END")				\
	X(GPU_WAIT,    t_gpu_wait,    "waits inside the job")			\
	X(COMPLETE,    t_complete,    "END to COMPLETE")			\
	X(TOTAL,       total,	      "SUBMIT to COMPLETE")

/* Stages that only events of CPUs show, outside the total: X(NAME, name, text). */
#define GRT_CPU_STAGES(X)							\
	X(SCHED_CPU,   t_sched_cpu,   "of t_sched: the thread of the scheduler waited for a CPU") \
	X(WAKE,	       t_wake,	      "COMPLETE until a thread that waited for it was on a CPU") \
	X(IOCTL,       t_ioctl,	      "entry of its ioctl to SUBMIT")

enum grt_stage {
#define GRT_X(NAME, name, text) GRT_STAGE_##NAME,
	GRT_STAGES(GRT_X)
	GRT_CPU_STAGES(GRT_X)
#undef GRT_X
	GRT_NR_STAGES
};

/* What to know about a job before its numbers are used: X(NAME, word, bit, text). */
#define GRT_JOB_FLAGS(X)							\
	X(CUT,		  cut,		   0, "the trace began or ended inside it") \
	X(LOSSY,	  lossy,	   1, "something about it was lost")	\
	X(PARTIAL,	  partial,	   2, "events are missing though none was lost") \
	X(OUT_OF_ORDER,	  out_of_order,	   3, "its events contradict each other") \
	X(REPEATED,	  repeated,	   4, "an event came twice; the first counts") \
	X(INFERRED_START, inferred_start,  5, "its START was derived, not seen") \
	X(UPPER_BOUND,	  upper_bound,	   6, "it was complete then or before")	\
	X(NO_HW,	  no_hw,	   7, "no fence of the hardware: nothing ran there, or nobody tells when it ended")	\
	X(KILLED,	  killed,	   8, "it died with its process, before it ran") \
	X(KERNEL_JOB,	  kernel_job,	   9, "the kernel's own")		\
	X(SYNTHETIC,	  synthetic,	  10, "written by hand")		\
	X(PREEMPTED,	  preempted,	  11, "the ring turned to another context while it ran") \
	X(INFERRED_KEY,	  inferred_key,	  12, "its key was derived, from addresses")	\
	X(INFERRED_END,	  inferred_end,	  13, "its END was derived, from its COMPLETE, a later job or the order of answers") \
	X(INFERRED_COMPLETE, inferred_complete, 14, "its COMPLETE was derived, from its END") \
	X(HUNG,		  hung,		  15, "its timeout fired, or its ring was reset for it") \
	X(RULE1,	  rule1,	  16, "rule 1 held, of those in force when it was recorded") \
	X(RULE2,	  rule2,	  17, "rule 2 held")			\
	X(RULE3,	  rule3,	  18, "rule 3 held")			\
	X(RULE4,	  rule4,	  19, "rule 4 held")			\
	X(RULE5,	  rule5,	  20, "rule 5 held")			\
	X(RULE6,	  rule6,	  21, "rule 6 held")			\
	X(RULE7,	  rule7,	  22, "rule 7 held")			\
	X(RULE8,	  rule8,	  23, "rule 8 held")			\
	X(MEMORY_MOVE,	  memory_move,	  24, "the kernel submitted it right behind a MOVE of memory") \
	X(NO_SUBMIT,	  no_submit,	  25, "the source has no SUBMIT of its context: it tells none of the kernel's jobs, or none at all")

enum grt_job_flag {
#define GRT_X(NAME, word, bit, text) GRT_JOB_##NAME = 1u << (bit),
	GRT_JOB_FLAGS(GRT_X)
#undef GRT_X
};

/*
 * The client of a job, as blame names it: ring, process and client.  The first two are rows of
 * the names; GRT_NONE and client 0: not known.  A model keeps each client once; its number is
 * valid as long as the model.
 */
struct grt_client {
	uint32_t ring, process;
	uint64_t client_id;
};

/* How a job was held up: X(NAME, name, text).  The last two are nobody's fault. */
#define GRT_BLAME_REASONS(X)								\
	X(FENCE,     fence,	"waited for a fence")				\
	X(RING,	     ring,	"another job had the ring")			\
	X(RECOVERY,  recovery,	"the ring was being reset")			\
	X(SCHEDULER, scheduler,	"it was ready, but the scheduler did not hand it over") \
	X(UNKNOWN,   unknown,	"events are missing, or nobody was seen there")

enum grt_blame_reason {
#define GRT_X(NAME, name, text) GRT_BLAME_##NAME,
	GRT_BLAME_REASONS(GRT_X)
#undef GRT_X
	GRT_NR_BLAME_REASONS
};

/*
 * A part of a job's wait, and who is to blame for it.  There is one for each client and @reason; a piece
 * of a wait looks the same, see piece.h.
 */
struct grt_charge {
	uint64_t from_ns;	/* its first instant */
	uint64_t ns;		/* how long in all */
	uint64_t ctx, seqno;	/* the first job or fence in the way; 0:0: none */
	uint32_t client;		/* whose job; GRT_NONE: no job, or not known whose */
	uint8_t reason;	/* enum grt_blame_reason */
	uint8_t stage;		/* of the waiting job, at from_ns */
	bool is_foreign;	/* of a piece: the fence belongs to no job */
	bool is_hung;		/* of a piece: the job that had the ring hung */
};

/*
 * What events show of a job.  Nothing more is kept of a job in flight, because there may be a
 * million of them.  Fields that each event needs come first.
 */
#define GRT_LIFE								\
	uint64_t ctx;								\
	uint64_t seqno;								\
	uint32_t ring;		/* row of the ring table, GRT_NONE: not known */ \
	uint32_t client;		/* itself; GRT_NONE without memory */		\
	uint32_t process;	/* row of the process table, GRT_NONE: not known */ \
	uint32_t tid;		/* 0: not known */				\
	uint32_t credits;	/* 0: not known */				\
	int32_t status;		/* only when has_status */			\
	uint32_t flags;		/* GRT_JOB_* */					\
	uint16_t stages;	/* bit per stage that is known */		\
	uint8_t stamps;		/* bit per stamp that is known */		\
	bool has_status;							\
	uint64_t at_ns[GRT_NR_STAMPS];						\
	uint64_t client_id;	/* 0: not known */				\
	/* The dependency that ended last; 0:0: none, or not known. */		\
	uint64_t dep_ctx, dep_seqno;						\
	uint64_t hw_done_ns;	/* as END said; 0: not known */

struct grt_life {
	GRT_LIFE
};

struct grt_piece;

/* A job that is in flight when the trace ends. */
struct grt_inflight {
	uint64_t until_ns;	/* the end of the trace; 0: it is over, or may be: events are missing */
	uint64_t run_ns;	/* since when it runs; 0: it does not, or that is not known */
	uint64_t hang_ctx, hang_seqno;	/* the job that hung and has to be over first; 0:0: none */
	uint32_t nr_charges;	/* see grt_job.charges */
	uint32_t nr_pieces;	/* see grt_job.pieces */
	bool is_run_inferred;	/* no event shows @run_ns */
	bool is_at_snapshot;	/* the trace ends where a snapshot was taken, not where it was cut */
};

/* A job that is over, or what is known of it when the trace ends. */
struct grt_job {
	union {
		struct grt_life life;
		struct {	/* the same, without a name before each */
			GRT_LIFE
		};
	};
	uint64_t stage_ns[GRT_NR_STAGES];

	/* Where it was submitted: rows of the stacks' names + 1; 0: not recorded, GRT_NONE: not known. */
	uint32_t kernel_stack, user_stack;

	uint32_t command;	/* the driver's number of it; 0: not known */

	/*
	 * What it waited for in [SUBMIT, START], or in [SUBMIT, COMMIT] if START is not known.
	 * The charges sum to that time.  There are none if that time is not known, or if the job
	 * was killed.  Not owned: valid during the callback that hands the job out.
	 *
	 * Behind them are @inflight.nr_charges more, if the model keeps pieces: what a job in flight
	 * waited for from there to the end of the trace.  They are part of no sum.
	 */
	const struct grt_charge *charges;
	uint32_t nr_charges;

	/*
	 * The same time in pieces, if the model keeps them: sorted, without gaps, not owned.  Behind them are
	 * @inflight.nr_pieces more.
	 */
	const struct grt_piece *pieces;
	uint32_t nr_pieces;
	bool has_follower;	/* a job behind it in its context waited for its COMMIT */
	bool is_early, was_early;	/* see grt_model_keep_pieces() */
	uint64_t oldest_ns;	/* nobody will ask what it did before; 0: somebody may */

	struct grt_inflight inflight;
};

/* The argument @job is a struct grt_job or a struct grt_life. */
#define grt_job_has(job, stamp)		((bool)((job)->stamps >> (stamp) & 1))
#define grt_job_stamp(job, stamp, ns)	\
	((job)->at_ns[stamp] = (ns), (job)->stamps |= 1u << (stamp))

/* The earliest and the latest stamp of a job that has one. */
#define grt_job_first_ns(job)	grt_first_ns((job)->at_ns, (job)->stamps)
#define grt_job_last_ns(job)	grt_last_ns((job)->at_ns, (job)->stamps)
uint64_t grt_first_ns(const uint64_t at_ns[GRT_NR_STAMPS], unsigned int stamps);
uint64_t grt_last_ns(const uint64_t at_ns[GRT_NR_STAMPS], unsigned int stamps);

static inline bool grt_job_knows(const struct grt_job *job, enum grt_stage stage)
{
	return job->stages >> stage & 1;
}

/* The stages that took that long at most, a bit per stage: their last stamp is that of who noticed it, maybe later. */
static inline unsigned int grt_bound_stages(uint32_t flags)
{
	if (!(flags & GRT_JOB_UPPER_BOUND))
		return 0;
	return 1u << GRT_STAGE_COMPLETE | 1u << GRT_STAGE_TOTAL |
	       (flags & GRT_JOB_INFERRED_END ? 1u << GRT_STAGE_EXEC | 1u << GRT_STAGE_HW : 0);
}

static inline bool grt_flags_bound(uint32_t flags, enum grt_stage stage)
{
	return grt_bound_stages(flags) >> stage & 1;
}

/* The stage is known, and not only how long it took at most. */
static inline bool grt_job_measures(const struct grt_job *job, enum grt_stage stage)
{
	return (job->stages & ~grt_bound_stages(job->flags)) >> stage & 1;
}

/* The job is over and ran, but how long is not known, or only how long at most. */
static inline bool grt_job_has_unknown_run(const struct grt_job *job)
{
	return !grt_job_measures(job, GRT_STAGE_EXEC) &&
	       !(job->flags & (GRT_JOB_CUT | GRT_JOB_NO_HW | GRT_JOB_KILLED));
}

/* All charges, with those of a job in flight. */
static inline uint32_t grt_job_all_charges(const struct grt_job *job)
{
	return job->nr_charges + job->inflight.nr_charges;
}

static inline uint32_t grt_job_all_pieces(const struct grt_job *job)
{
	return job->nr_pieces + job->inflight.nr_pieces;
}

/* A copy without charges and pieces, which hold only while the job is handed out. */
static inline struct grt_job grt_job_alone(const struct grt_job *job)
{
	struct grt_job alone = *job;

	alone.charges = NULL;
	alone.pieces = NULL;
	alone.nr_charges = alone.inflight.nr_charges = 0;
	alone.nr_pieces = alone.inflight.nr_pieces = 0;
	return alone;
}

/* Its total, or its age when the trace ends: the time since its SUBMIT.  False: not known. */
static inline bool grt_job_life_ns(const struct grt_job *job, uint64_t *ns)
{
	bool is_inflight = job->inflight.until_ns && grt_job_has(job, GRT_AT_SUBMIT);

	*ns = is_inflight ? job->inflight.until_ns - job->at_ns[GRT_AT_SUBMIT] :
	      job->stage_ns[GRT_STAGE_TOTAL];
	return is_inflight || grt_job_knows(job, GRT_STAGE_TOTAL);
}

/* Computes the stages from the stamps.  Contradictory ones are unknown and flagged. */
void grt_job_stages(struct grt_job *job);

/*
 * Whether total = t_submit_host + t_queue + t_exec + t_complete, to the
 * nanosecond, as it must be wherever all five are known.
 */
bool grt_job_adds_up(const struct grt_job *job);

const char *grt_stage_name(enum grt_stage stage);
const char *grt_blame_reason_name(enum grt_blame_reason reason);

/* Writes "cut|lossy" and so on into @buf, which has GRT_JOB_FLAGS_LEN bytes.  Returns @buf. */
#define GRT_JOB_FLAGS_LEN	256
const char *grt_job_flags(uint32_t flags, char *buf);

#endif /* GRT_JOB_H */
