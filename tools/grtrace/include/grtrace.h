/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * libgrtrace: reads traces of GPU jobs.
 *
 * As finished jobs, the way "grtrace report" counts them:
 *
 *	struct grtrace *trace;
 *	const struct grtrace_job_info *job;
 *
 *	if (grtrace_open(&trace, "trace.grt"))
 *		errx(1, "%s", grtrace_error());
 *	while (grtrace_next_job(trace, &job) == 1)
 *		printf("%llu:%llu\n", (unsigned long long)job->ctx, (unsigned long long)job->seqno);
 *	grtrace_close(trace);
 *
 * Or as records, see <linux/grtrace.h>, with grtrace_next().  An open trace gives either jobs
 * or records; to read both, open it twice.
 *
 * Times are in nanoseconds.  The clock is CLOCK_MONOTONIC, or the one that STREAM_INFO names.
 * The bits beside each table of times tell which times are known.  One thread at a time may use
 * a trace; several traces are independent.  Functions may sleep.  A text that is called static
 * must not be freed; that of an error is valid until the next error of the thread.
 *
 * A program that was built for version 1.0 runs with each later 1.x.  Functions stay; structs and
 * the numbers of enums do, too, except that struct grtrace_job_info may get members at its end,
 * and that flags, groups and reasons may get new values.
 *
 * Documentation/library.rst shows three whole programs.
 */
#ifndef GRTRACE_H
#define GRTRACE_H

#include <stddef.h>
#include <stdint.h>

#include <linux/grtrace.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GRTRACE_API __attribute__((visibility("default")))

struct grtrace;

/*
 * Opens the trace in @path: a .grt file, a raw stream read from eventsN, or a file of another
 * tracer, see Documentation/import.rst.  "-" is standard input.  A forked child reads a
 * trace.dat.  Returns 0 and *trace, which the caller closes, or a negative errno: -EBADMSG if
 * the file is no trace, -ENOENT, -EACCES, -ENOMEM and so on.
 */
GRTRACE_API int grtrace_open(struct grtrace **trace, const char *path);

/*
 * Opens @count raw streams of one session, one or more per CPU, as one trace.  Returns as
 * grtrace_open().
 */
GRTRACE_API int grtrace_open_files(struct grtrace **trace, int count, char *const *paths);

/*
 * Opens the session that the kernel module runs now; root only.  Reading takes events out of
 * the session.  Returns as grtrace_open(); -EBUSY when there is another reader.
 */
GRTRACE_API int grtrace_open_live(struct grtrace **trace);

/* Closes @trace and frees everything it returned; NULL is fine. */
GRTRACE_API void grtrace_close(struct grtrace *trace);

/* --- records --- */

/*
 * Gives the next record in the order (time, CPU, count of the CPU): definitions before
 * the events that need them, events, and LOSS where events are missing.  Returns
 * 1 and *rec, valid until the next call and at least as large as the struct of its
 * type; 0 at the end; -EINTR when a signal came in a live session, or another
 * negative errno.  In a live session it waits for events.
 */
GRTRACE_API int grtrace_next(struct grtrace *trace, const struct grtrace_hdr **rec);

/*
 * The definition of ring @ring, the number in an event; NULL for 0, and if no record
 * so far defined it.  Valid until the trace is closed.
 */
GRTRACE_API const struct grtrace_ring *grtrace_ring_of(struct grtrace *trace, uint32_t ring);

/*
 * The latest definition of process @tgid among the records so far, NULL if there
 * was none.  Valid until the next grtrace_next().
 */
GRTRACE_API const struct grtrace_process *grtrace_process_of(struct grtrace *trace,
							     uint32_t tgid);

/*
 * The number of events that met @fate (enum grtrace_fate) and are missing among the
 * records so far; GRTRACE_FATE_WRITTEN: written, but not in this trace.
 */
GRTRACE_API uint64_t grtrace_lost(const struct grtrace *trace, unsigned int fate);

/* How many records had a type that this library does not know. */
GRTRACE_API uint64_t grtrace_unknown_events(const struct grtrace *trace);

/* --- jobs --- */

/* The moments of a job's life. */
enum grtrace_stamp {
	GRTRACE_AT_SUBMIT,
	GRTRACE_AT_COMMIT,	/* handed to the ring */
	GRTRACE_AT_START,	/* the ring begins to run it */
	GRTRACE_AT_END,
	GRTRACE_AT_COMPLETE,	/* its fence is signalled */
	GRTRACE_NR_STAMPS
};

/* The times between them; Documentation/model.rst says how each is worked out. */
enum grtrace_stage {
	GRTRACE_STAGE_ORDER,		/* behind an earlier job of its context */
	GRTRACE_STAGE_DEP,		/* a dependency was not signalled */
	GRTRACE_STAGE_RING,		/* no free credits on the ring */
	GRTRACE_STAGE_SCHED,		/* could have been handed over and was not */
	GRTRACE_STAGE_SUBMIT_HOST,	/* SUBMIT to COMMIT: the sum of the four above */
	GRTRACE_STAGE_QUEUE,		/* COMMIT to START */
	GRTRACE_STAGE_EXEC,		/* START to END */
	GRTRACE_STAGE_HW,		/* COMMIT to END */
	GRTRACE_STAGE_GPU_WAIT,		/* waits inside the job */
	GRTRACE_STAGE_COMPLETE,		/* END to COMPLETE */
	GRTRACE_STAGE_TOTAL,		/* SUBMIT to COMPLETE */
	GRTRACE_STAGE_SCHED_CPU,	/* of SCHED: the scheduler's thread waited for a CPU */
	GRTRACE_STAGE_WAKE,		/* COMPLETE until a thread that waited for it was on a CPU */
	GRTRACE_STAGE_IOCTL,		/* entry of its ioctl to SUBMIT */
	GRTRACE_NR_STAGES
};

/* Facts about a job to check before you use its times. */
enum grtrace_job_flag {
	GRTRACE_JOB_CUT			= 1u << 0,	/* the trace began or ended inside it */
	GRTRACE_JOB_LOSSY		= 1u << 1,	/* something about it was lost */
	GRTRACE_JOB_PARTIAL		= 1u << 2,	/* events are missing though none was lost */
	GRTRACE_JOB_OUT_OF_ORDER	= 1u << 3,	/* its events contradict each other */
	GRTRACE_JOB_REPEATED		= 1u << 4,	/* an event came twice; the first counts */
	GRTRACE_JOB_INFERRED_START	= 1u << 5,	/* its START was derived, not seen */
	GRTRACE_JOB_UPPER_BOUND		= 1u << 6,	/* it was complete then or before */
	GRTRACE_JOB_NO_HW		= 1u << 7,	/* nothing ran on hardware */
	GRTRACE_JOB_KILLED		= 1u << 8,	/* it died with its process, before it ran */
	GRTRACE_JOB_KERNEL_JOB		= 1u << 9,	/* a job of the kernel itself */
	GRTRACE_JOB_SYNTHETIC		= 1u << 10,	/* written by hand */
	GRTRACE_JOB_PREEMPTED		= 1u << 11,	/* another context had the ring while it ran */
	GRTRACE_JOB_INFERRED_KEY	= 1u << 12,	/* its key was derived, from addresses */
	GRTRACE_JOB_INFERRED_END	= 1u << 13,	/* its END was derived, from its COMPLETE or the order of answers */
	GRTRACE_JOB_INFERRED_COMPLETE	= 1u << 14,	/* its COMPLETE was derived, from its END */
	GRTRACE_JOB_HUNG		= 1u << 15,	/* its timeout fired, or its ring was reset for it */
	GRTRACE_JOB_RULE1		= 1u << 16,	/* rule 1 held when it was recorded */
	GRTRACE_JOB_RULE2		= 1u << 17,
	GRTRACE_JOB_RULE3		= 1u << 18,
	GRTRACE_JOB_RULE4		= 1u << 19,
	GRTRACE_JOB_RULE5		= 1u << 20,
	GRTRACE_JOB_RULE6		= 1u << 21,
	GRTRACE_JOB_RULE7		= 1u << 22,
	GRTRACE_JOB_RULE8		= 1u << 23,
	GRTRACE_JOB_MEMORY_MOVE		= 1u << 24,	/* the kernel submitted it right behind a MOVE */
	GRTRACE_JOB_NO_SUBMIT		= 1u << 25	/* the source has no SUBMIT of its context */
};

/* Why a job had to wait for somebody. */
enum grtrace_blame_reason {
	GRTRACE_BLAME_FENCE,		/* waited for a fence */
	GRTRACE_BLAME_RING,		/* another job had the ring */
	GRTRACE_BLAME_RECOVERY,		/* the ring was being reset */
	GRTRACE_BLAME_SCHEDULER,	/* it was ready, but the scheduler did not hand it over */
	GRTRACE_BLAME_UNKNOWN,		/* events are missing, or nobody was seen there */
	GRTRACE_NR_BLAME_REASONS
};

/* The owner of a job. */
struct grtrace_client {
	uint32_t ring;		/* as in records; 0: not known */
	uint32_t tgid;		/* 0: the kernel, or not known */
	uint64_t client_id;	/* an open file of the process; 0: not known */
	const char *ring_name;	/* "": not known */
	const char *device;	/* "": not known */
	const char *comm;	/* the process's name then; "": not known */
};

/*
 * A part of a job's wait, and who is to blame for it.  The charges of a job sum to its time
 * from SUBMIT to START, or to COMMIT where START is not known.
 */
struct grtrace_charge {
	uint64_t from_ns;	/* its first instant */
	uint64_t ns;		/* its whole length */
	uint64_t ctx, seqno;	/* the first job or fence in the way; 0:0: none */
	struct grtrace_client culprit;	/* the owner of that job; all 0 and "": no job, or not known */
	uint32_t reason;	/* enum grtrace_blame_reason */
	uint32_t stage;		/* enum grtrace_stage: of the waiting job, at from_ns */
};

/* A finished job; or a job that the end of the trace cut. */
struct grtrace_job_info {
	uint64_t ctx, seqno;	/* its fence */
	struct grtrace_client client;
	uint32_t tid;		/* of the thread that submitted it; 0: not known */
	uint32_t credits;	/* 0: not known */
	uint32_t flags;		/* enum grtrace_job_flag */
	uint32_t stamps;	/* bit per stamp that is known */
	uint32_t stages;	/* bit per stage that is known */
	int32_t has_status;	/* whether @status is known */
	int32_t status;		/* 0, or the negative errno of its fence */
	uint32_t nr_charges;	/* 0 if the wait is not known, or the job was killed */
	uint64_t at_ns[GRTRACE_NR_STAMPS];
	uint64_t stage_ns[GRTRACE_NR_STAGES];
	uint64_t dep_ctx, dep_seqno;	/* the dependency that ended last; 0:0: none, or not known */
	const struct grtrace_charge *charges;
};

/*
 * Gives the next job, in the order in which jobs finished.  It reads a file twice, because late
 * records can tell about earlier jobs.  Returns 1 and *job, valid until the next call; 0 at the
 * end; -EINVAL after grtrace_next(); -EINTR when a signal came in a live session, or another
 * negative errno.  In a live session it waits for events.
 */
GRTRACE_API int grtrace_next_job(struct grtrace *trace, const struct grtrace_job_info **job);

/* Why a ring did nothing. */
enum grtrace_idle_cause {
	GRTRACE_IDLE_STARVED,		/* the ring had no job */
	GRTRACE_IDLE_DEPENDENCY,	/* all its jobs waited for fences */
	GRTRACE_IDLE_SCHEDULER,		/* a job could have been handed over and was not */
	GRTRACE_IDLE_HARDWARE,		/* a job was handed over and had not begun */
	GRTRACE_IDLE_RECOVERY,		/* the ring was being reset */
	GRTRACE_IDLE_UNKNOWN,		/* events are missing */
	GRTRACE_NR_IDLE_CAUSES
};

/* The times of a ring, or of a whole GPU: busy_ns and all idle_ns sum to wall_ns. */
struct grtrace_ring_time {
	uint32_t ring;		/* as in records; 0: a GPU */
	const char *name;	/* of the ring; "" for a GPU */
	const char *device;
	uint64_t wall_ns;	/* first to last event, without the time the machine was suspended */
	uint64_t busy_ns;
	uint64_t idle_ns[GRTRACE_NR_IDLE_CAUSES];
	uint64_t jobs;		/* jobs that ran to their END */
};

/*
 * Gives the times of ring, or GPU, number @i, from 0 on; names are valid until the trace is
 * closed.  Returns 1 and *time; 0 behind the last one; -EAGAIN until grtrace_next_job() has
 * returned 0.
 */
GRTRACE_API int grtrace_ring_time(struct grtrace *trace, unsigned int i,
				  struct grtrace_ring_time *time);
GRTRACE_API int grtrace_device_time(struct grtrace *trace, unsigned int i,
				    struct grtrace_ring_time *time);

/* What the jobs of a row have in common. */
enum grtrace_group {
	GRTRACE_BY_RING_PROCESS,
	GRTRACE_BY_RING,
	GRTRACE_BY_DEVICE,
	GRTRACE_BY_ENGINE,
	GRTRACE_BY_PROCESS,
	GRTRACE_BY_CLIENT,	/* an open file of a process */
	GRTRACE_BY_CTX,		/* a fence context */
	GRTRACE_NR_GROUPS
};

/* A stage over many jobs.  Times that are upper bounds count as not known. */
struct grtrace_times {
	uint64_t jobs;		/* jobs whose time is known; if 0, the rest is 0 */
	uint64_t sum_ns, min_ns, max_ns;	/* exact */
	uint64_t p50_ns, p90_ns, p99_ns;	/* within 0.4 % */
};

/* The sums of a group of jobs.  Members of @client that the group ignores are empty. */
struct grtrace_rollup {
	struct grtrace_client client;
	uint64_t ctx;		/* of GRTRACE_BY_CTX, else 0 */
	uint64_t jobs;
	uint64_t cut, lossy, failed, killed;	/* parts of @jobs */
	struct grtrace_times stages[GRTRACE_NR_STAGES];
};

/*
 * From now on jobs are added up by @group, for grtrace_rollup().  Call it before the first
 * grtrace_next_job().  Returns 0, or -EINVAL with a cause.
 */
GRTRACE_API int grtrace_group_by(struct grtrace *trace, enum grtrace_group group);

/*
 * Gives row @i of @group, from 0 on, in the order of the rings and then by the time of their
 * jobs.  Returns 1 and *row, whose names are valid until the trace is closed; 0 behind the last
 * one; -EAGAIN until grtrace_next_job() has returned 0; -EINVAL without grtrace_group_by().
 */
GRTRACE_API int grtrace_rollup(struct grtrace *trace, enum grtrace_group group, size_t i,
			       struct grtrace_rollup *row);

/* Who held up whom: the charges of all jobs. */
struct grtrace_blame {
	struct grtrace_client victim;
	struct grtrace_client culprit;	/* all 0 and "": nobody's job, or not known */
	uint32_t reason;		/* enum grtrace_blame_reason */
	uint64_t ns;
	uint64_t jobs;			/* jobs of the victim that were held up */
};

/* Gives row @i, most time first.  Returns as grtrace_ring_time(). */
GRTRACE_API int grtrace_blame(struct grtrace *trace, size_t i, struct grtrace_blame *row);

/* "t_queue", "starved", "fence"; NULL where there is no such number.  Static. */
GRTRACE_API const char *grtrace_stage_name(enum grtrace_stage stage);
GRTRACE_API const char *grtrace_idle_name(enum grtrace_idle_cause cause);
GRTRACE_API const char *grtrace_blame_name(enum grtrace_blame_reason reason);

/* --- names and errors --- */

/* The name of a record type, "SUBMIT"; NULL if not known.  Static. */
GRTRACE_API const char *grtrace_type_name(unsigned int type);

/* The last failure in this thread, in words; "" if there was none.  Static. */
GRTRACE_API const char *grtrace_error(void);

/* What to do about it, NULL if that is not known.  Static. */
GRTRACE_API const char *grtrace_hint(void);

/* The version of the library, such as "1.0.0".  Static. */
GRTRACE_API const char *grtrace_version(void);

#ifdef __cplusplus
}
#endif

#endif /* GRTRACE_H */
