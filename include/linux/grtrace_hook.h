/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The API for extension modules: their hooks see events before they are written, and jobs when
 * they complete.  Adapters need grtrace.h only.
 */
#ifndef _LINUX_GRTRACE_HOOK_H
#define _LINUX_GRTRACE_HOOK_H

#include <linux/atomic.h>
#include <linux/grtrace.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/stddef.h>

struct seq_file;

/* Rows of the ring table are numbered below this. */
#define GRTRACE_MAX_RINGS	1024

/*
 * The places of hooks, in the order in which hooks are called.  One module per place.
 */
enum grtrace_hook_place {
	GRTRACE_HOOK_FILTER,
	GRTRACE_HOOK_SAMPLER,
	GRTRACE_HOOK_AGGREGATOR,
	GRTRACE_HOOK_MONITOR,	/* never called for jobs: see grtrace_meter_read() */
	GRTRACE_NR_HOOKS
};

/*
 * Verdicts on a job when it is submitted: X(NAME, fate of its events, text).  A verdict holds
 * for all events of the job, even if settings change, so no job is kept in part.  Two
 * exceptions: errors of an AGGREGATED job are written, and refused types stay refused.
 */
#define GRTRACE_VERDICTS(X)							\
	X(KEEP,		 WRITTEN,      "no hook refuses it")			\
	X(NOT_PID,	 FILTERED_EXT, "filter: another process")		\
	X(NOT_UID,	 FILTERED_EXT, "filter: another user")			\
	X(NOT_CGROUP,	 FILTERED_EXT, "filter: another cgroup")		\
	X(OWNER_UNKNOWN, FILTERED_EXT, "filter: owner not known")		\
	X(IF_SLOW,	 AGGREGATED,   "filter: one JOB record, if it was slow")	\
	X(NOT_SAMPLED,	 SAMPLED,      "sampler: not sampled")			\
	X(IF_OVER,	 AGGREGATED,   "sampler: one JOB record, if it was over the threshold")	\
	X(SUMMED,	 AGGREGATED,   "aggregator: summed up instead")

enum grtrace_verdict {
#define GRTRACE_X(NAME, fate, text) GRTRACE_VERDICT_##NAME,
	GRTRACE_VERDICTS(GRTRACE_X)
#undef GRTRACE_X
	GRTRACE_NR_VERDICTS
};

/**
 * struct grtrace_job_state - a tracked job in flight
 * @rec:     the job as a JOB record; a time of 0 is not known
 * @fate:    fate of its events, decided at its SUBMIT
 * @verdict: verdict of the first hook that did not keep it
 * @record_fate: fate of its JOB record, if a hook writes one, see grtrace_write_job()
 * @metered: the meters of rings count it as being on the hardware
 * @marks:   by place of hook: for the hook's own use, 0 at SUBMIT
 * @events:  number of its events that were seen, without errors
 */
struct grtrace_job_state {
	struct grtrace_job rec;

	struct_group(judged,	/* cleared when the job is submitted */
		u8 fate;
		u8 verdict;
		u8 record_fate;
		u8 metered;
		u8 marks[GRTRACE_HOOK_MONITOR];
		u32 events;
	);
};

/**
 * struct grtrace_seen - an event of an untracked job, before it is written
 * @ctx, @seqno: its job; 0 = none or not known
 * @client_id:	 DRM client, SUBMIT only
 * @ts:		 time of the event and of its record, ns of the session's clock.  0 while
 *		 neither jobs are tracked nor the rate is limited
 * @ring:	 row of the ring table, GRTRACE_NO_RING = none or not known
 * @tgid, @tid:	 the submitter, SUBMIT only
 * @status:	 status, END and COMPLETE only
 * @type:	 enum grtrace_type
 * @flags:	 GRTRACE_F_*
 */
struct grtrace_seen {
	u64 ctx, seqno, client_id, ts;
	u32 ring, tgid, tid;
	s32 status;
	u16 type, flags;
};

/* Types whose ctx and seqno, if not 0, name a job. */
#define GRTRACE_OF_A_JOB							\
	(1u << GRTRACE_SUBMIT | 1u << GRTRACE_COMPLETE | 1u << GRTRACE_CTX_SWITCH |	\
	 1u << GRTRACE_COMMIT | 1u << GRTRACE_START | 1u << GRTRACE_END |		\
	 1u << GRTRACE_IRQ | 1u << GRTRACE_SYNC_WAIT_ENTER |			\
	 1u << GRTRACE_SYNC_WAIT_EXIT | 1u << GRTRACE_ERROR |			\
	 1u << GRTRACE_DEPENDENCY | 1u << GRTRACE_JOB)

/* The fence context of the event's job; 0 = it has no job, or the job is not known. */
static inline u64 grtrace_job_ctx(const struct grtrace_seen *ev)
{
	/* FENCE_SIGNALED names a fence that is no job. */
	return GRTRACE_OF_A_JOB >> ev->type & 1 ? ev->ctx : 0;
}

/**
 * struct grtrace_hook - a module that decides which jobs are kept, or sums them up
 * @name:	one word, shown in metadata
 * @owner:	THIS_MODULE; held while a session runs
 * @place:	its place; only one hook per place
 * @needs_jobs: jobs must be tracked for it; if false, only @untracked is called
 * @submit:	returns the verdict on a job that is submitted, and that the policy and earlier
 *		hooks keep or sum up.  Of its times only the SUBMIT is known
 * @complete:	a job that @submit marked has completed; the hook may use @job until it returns.
 *		It may write, see grtrace_write_job().  NULL for a hook that marks no job
 * @untracked:	returns the verdict on an event of an untracked job, or on a JOB record.  NULL:
 *		these are kept
 * @begin:	a session starts, nothing is attached yet; may sleep; may be NULL
 * @note_keys:	a session starts: calls @note for each key that is not at its default; may be
 *		NULL
 * @stopping:	the session stops: nothing is attached any more, and the hook may write for the
 *		last time; may sleep; may be NULL
 * @end:	the session has stopped, no event is in flight; may sleep; may be NULL
 *
 * @submit, @complete and @untracked are called with interrupts off, in any context but NMI, and
 * must not sleep.  @submit is called with the job locked, so it must not write an event of a
 * job.
 */
struct grtrace_hook {
	const char *name;
	struct module *owner;
	enum grtrace_hook_place place;
	bool needs_jobs;
	enum grtrace_verdict (*submit)(struct grtrace_job_state *job);
	void (*complete)(struct grtrace_job_state *job);
	enum grtrace_verdict (*untracked)(const struct grtrace_seen *ev);
	void (*begin)(void);
	void (*note_keys)(void (*note)(const char *key, const char *value));
	void (*stopping)(void);
	void (*end)(void);
};

struct grtrace_keys;

/**
 * struct grtrace_key - a key of a module, with a control file and a parameter
 * @name:    name of the file, of the parameter and in POLICY records
 * @keys:    the set that contains the key
 * @value:   the variable with its number; written with WRITE_ONCE(), under the lock of @keys
 * @preset:  the default
 * @least, @most: bounds of the number, for keys without @parse
 * @parse:   parses @text to @value: 0, or -EINVAL after grtrace_ctl_error().  NULL: a number
 *	     for grtrace_ctl_number()
 * @format:  writes @value in a form that @parse takes, 23 bytes at most; NULL: decimal
 * @prepare: called before a change to @value is noted: 0, or -ENOMEM, which refuses the change.
 *	     Under the lock of @keys; may be NULL
 * @apply:   called after a change from @before: 0, or -ENOMEM, which undoes the change.  Under
 *	     the lock of @keys; NULL: the module reads the number when it needs it
 * @store:   stores a key that is no number, instead of the callbacks above: as
 *	     grtrace_ctl.store.  It may run several times at once
 * @show:    writes the text of such a key, in a form that @store takes, to @to; @room is at
 *	     least 2 KiB
 *
 * All callbacks may sleep.
 */
struct grtrace_key {
	const char *name;
	struct grtrace_keys *keys;
	u64 *value, preset, least, most;
	int (*parse)(const char *text, u64 *value);
	void (*format)(u64 value, char *to, size_t room);
	int (*prepare)(u64 value);
	int (*apply)(u64 before);
	int (*store)(const struct grtrace_key *key, char *text);
	void (*show)(const struct grtrace_key *key, char *to, size_t room);
};

/**
 * struct grtrace_keys - the keys of a module, changed one at a time
 * @rows:     the keys; they live as long as the module
 * @nr:	      number of @rows
 * @lock:     protects their numbers; the session lock may be taken inside
 * @is_ready: the hook is registered.  The module sets and clears it, under @lock.  While it is
 *	      false, on the command line and after the module's exit, a write is stored, but
 *	      neither noted nor applied: the module's init has to do that
 */
struct grtrace_keys {
	const struct grtrace_key *rows;
	unsigned int nr;
	struct mutex lock;	/* protects the numbers */
	bool is_ready;
};

/**
 * struct grtrace_ctl - a control file of a module, in the folder of grtrace's own files
 * @name:  its name
 * @mode:  0400 without @store and @key, else 0600
 * @show:  writes the whole file
 * @store: takes one line without its newline, and may change the text.  Returns 0 or a
 *	   negative errno, after grtrace_ctl_error() said what would be accepted.  Only one
 *	   store runs at a time
 * @key:   the key of the file, instead of @show and @store
 * @is_concurrent: several @store may run at once
 * @owner: THIS_MODULE, held while the file is open.  Otherwise a removal could deadlock:
 *	   debugfs locks the folder and waits for users of the file; a user may wait for a
 *	   session start, which creates files in the folder
 */
struct grtrace_ctl {
	const char *name;
	umode_t mode;
	int (*show)(struct seq_file *m);
	int (*store)(char *line);
	const struct grtrace_key *key;
	bool is_concurrent;
	struct module *owner;
};

/*
 * Registers a hook, which must live until it is unregistered.  It is off until
 * grtrace_hook_enable().  If a session runs, @begin is called at once.  Sleeps.  Returns 0, or
 * -EBUSY if its place is taken.
 */
int grtrace_hook_register(struct grtrace_hook *hook);
/* Call it in the module's exit: a session holds a reference on the module.  Sleeps. */
void grtrace_hook_unregister(struct grtrace_hook *hook);
/*
 * Turns a hook on or off; a hook that is off costs nothing.  Call it also for a hook that is on
 * after its needs_jobs has changed.  Sleeps; not from @begin and @end.  Returns 0, or -ENOMEM if
 * there is no memory for the table of jobs; then nothing has changed.
 */
int grtrace_hook_enable(struct grtrace_hook *hook, bool is_on);
/*
 * Turns a hook off when the session stops, or now if none runs.  Until then the hook is called,
 * so that jobs in flight are finished as they began; it must return KEEP for new jobs.  Sleeps;
 * not from the hook's callbacks.
 */
void grtrace_hook_retire(struct grtrace_hook *hook);

/*
 * Sets the types to refuse while the hook at FILTER is on (bit N = type N).  Their events get
 * the fate FILTERED_EXT; their jobs are not refused.  JOB and WINDOW always pass, because they
 * summarize jobs that were let in.  Any context.
 */
void grtrace_filter_types(u32 refused);

/**
 * struct grtrace_hook_counts - counts of events in this session, while any hook was on
 * @verdicts: events of jobs, by the verdict on their job
 * @of_type:  events refused by grtrace_filter_types()
 * @of_no_job: events of no job
 */
struct grtrace_hook_counts {
	u64 verdicts[GRTRACE_NR_VERDICTS];
	u64 of_type;
	u64 of_no_job;
};

/* Writes the sums over all CPUs to @to; CPUs may count meanwhile.  Any context. */
void grtrace_hook_counts(struct grtrace_hook_counts *to);

/*
 * Writes a POLICY record that @key becomes @value, if a session runs.  Call it before the change
 * is applied.  Sleeps; not from the callbacks of a hook.
 */
void grtrace_policy_note(const char *key, const char *value);

/*
 * Creates the @nr control files of a module; @ctls must live until they are removed.  Call it at
 * the end of the module's init, because users may write to the files at once.  A file that
 * cannot be created is left out, without an error.  Sleeps.
 */
void grtrace_ctl_add(const struct grtrace_ctl *ctls, unsigned int nr);
/*
 * Removes them and waits for their users; ignores files that were never created.  Call it first
 * in the module's exit.  Sleeps; not under a lock that @show or @store takes.
 */
void grtrace_ctl_remove(const struct grtrace_ctl *ctls, unsigned int nr);
/* Defines the module parameter @name for the key of row @ctl of the control files. */
#define GRTRACE_PARAM(name, ctl, text)						\
	device_param_cb(name, &grtrace_param_ops, (void *)(ctl), 0600);		\
	MODULE_PARM_DESC(name, text)
extern const struct kernel_param_ops grtrace_param_ops;
/* Writes to the file error why a write is refused, and returns -EINVAL.  Sleeps. */
int grtrace_ctl_error(const char *fmt, ...) __printf(1, 2);
/*
 * Parses an unsigned number, decimal or 0x..., with an optional suffix K, M or G, written to the
 * control file @name; allowed is @least..@most.  0, or -EINVAL after grtrace_ctl_error().
 */
int grtrace_ctl_number(const char *name, const char *text, u64 least, u64 most, u64 *value);

/*
 * Changes a key to @value, which differs from its current value: notes the change, then applies
 * it.  Under the lock of its set, which is ready.  Returns 0, or -ENOMEM: the key has its old
 * value, and a POLICY record says so if the change was noted.  Sleeps.
 */
int grtrace_key_change(const struct grtrace_key *key, u64 value);
/* Calls @note for each key that is not at its preset, for hook.note_keys.  Sleeps if @note does. */
void grtrace_keys_note(const struct grtrace_keys *keys,
		       void (*note)(const char *key, const char *value));

/*
 * Writes a complete record as an event, which passes the pipeline like any other.  The caller
 * sets type, size and flags of the header; the rest of the header is filled in here.  A hook may
 * call it: then the record gets the time of the event that the hook judges.  Returns true if the
 * record was written.  Any context but NMI.
 */
bool grtrace_write(const struct grtrace_hdr *built, u32 ring);

/*
 * Writes the JOB record of @job as an event.  Its fate is @fate if that is not WRITTEN, else the
 * fate that the hooks decided at the job's SUBMIT.  Call it from a hook, or with a copy of a
 * job.  Any context but NMI.
 */
void grtrace_write_job(const struct grtrace_job_state *job, enum grtrace_fate fate);

/**
 * struct grtrace_meter - statistics of a ring from @from_ns to @until_ns, a second or less
 * @from_ns, @until_ns: ns of the session's clock
 * @has_busy:	the driver reports when a job ends, so @busy_ns is known
 * @busy_from_ns: since then all jobs of the ring are known
 * @busy_ns:	time since @busy_from_ns during which the ring had a job, from COMMIT to END
 * @seen:	events
 * @dropped:	events that were not written
 * @jobs:	completed jobs
 * @timed_jobs: completed jobs that are in @latency_sum_ns
 * @latency_sum_ns: sum of their times from SUBMIT to COMPLETE
 */
struct grtrace_meter {
	u64 from_ns, until_ns;
	bool has_busy;
	u64 busy_from_ns, busy_ns;
	u64 seen, dropped, jobs, timed_jobs, latency_sum_ns;
};

/*
 * Reads the meter of @ring at time @now, from grtrace_clock().  Meters only count while the hook
 * at MONITOR is on; otherwise all is 0.  Any context but NMI.
 */
void grtrace_meter_read(u32 ring, u64 now, struct grtrace_meter *to);
/* The time, in ns, when the meters will have counted for a whole window.  Any context. */
u64 grtrace_meters_ready_ns(void);

/*
 * Copies the next job in flight to @to.  *@at is the position: 0 at first, then moved on.
 * False: there are no more jobs, or jobs are not tracked.  Any context but NMI.
 */
bool grtrace_job_copy(u32 *at, struct grtrace_job_state *to);
/* Makes sure that the name of current's process is in the stream.  Any context but NMI. */
void grtrace_process_note(void);

/* Copies the definition of ring number @ring; false: no such ring.  Any context but NMI. */
bool grtrace_ring_describe(u32 ring, struct grtrace_ring *to);
/*
 * The fill of the fullest CPU's buffer: percent of its sub-buffers that wait for the reader, 0
 * without buffers.  Any context.
 */
unsigned int grtrace_buffer_fill_max(void);
/* The clock of the session in ns.  Any context. */
u64 grtrace_clock(void);
/* When the last session began, on that clock; 0 = there was none.  Any context. */
u64 grtrace_start_ns(void);

#endif /* _LINUX_GRTRACE_HOOK_H */
