/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a module that decides or sums up calls: it sees events before they are written,
 * and jobs when they are over.  Adapters need grtrace.h only.
 */
#ifndef _LINUX_GRTRACE_HOOK_H
#define _LINUX_GRTRACE_HOOK_H

#include <linux/atomic.h>
#include <linux/grtrace.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/stddef.h>

struct seq_file;

/* Rows of the ring table are below it. */
#define GRTRACE_MAX_RINGS	1024

/*
 * Where a hook stands: the order in which they are asked.  One module each.
 */
enum grtrace_hook_place {
	GRTRACE_HOOK_FILTER,
	GRTRACE_HOOK_SAMPLER,
	GRTRACE_HOOK_AGGREGATOR,
	GRTRACE_HOOK_MONITOR,	/* is asked nothing: see grtrace_meter_read() */
	GRTRACE_NR_HOOKS
};

/*
 * What is decided of a job when it is submitted: X(NAME, fate of its events, text).  It
 * holds for all of its events, whatever is asked for meanwhile, so no job is kept in part.
 * Two exceptions: errors of a job that is AGGREGATED are written, and types that nobody
 * wants are refused in any case.
 */
#define GRTRACE_VERDICTS(X)							\
	X(KEEP,		 WRITTEN,      "no hook refuses it")			\
	X(NOT_PID,	 FILTERED_EXT, "filter: of another process")		\
	X(NOT_UID,	 FILTERED_EXT, "filter: of another user")		\
	X(NOT_CGROUP,	 FILTERED_EXT, "filter: of another cgroup")		\
	X(OWNER_UNKNOWN, FILTERED_EXT, "filter: nobody knows whose it is")	\
	X(IF_SLOW,	 AGGREGATED,   "filter: one JOB record, if it was slow")	\
	X(NOT_SAMPLED,	 SAMPLED,      "sampler: not of the share")		\
	X(IF_OVER,	 AGGREGATED,   "sampler: one JOB record, if it was over the threshold")	\
	X(SUMMED,	 AGGREGATED,   "aggregator: summed up instead")

enum grtrace_verdict {
#define GRTRACE_X(NAME, fate, text) GRTRACE_VERDICT_##NAME,
	GRTRACE_VERDICTS(GRTRACE_X)
#undef GRTRACE_X
	GRTRACE_NR_VERDICTS
};

/**
 * struct grtrace_job_state - a job in flight, as far as it was seen
 * @rec:     all of it; a time that is 0 is not known
 * @fate:    of its events: what was decided at its SUBMIT
 * @verdict: of the first hook that did not keep it
 * @told:    fate of its JOB record, if a hook tells one, see grtrace_tell_job()
 * @metered: the meters of rings have it on the hardware
 * @marks:   by place of hook: each hook's own, 0 at SUBMIT
 * @events:  how many of it were seen, but errors
 */
struct grtrace_job_state {
	struct grtrace_job rec;

	struct_group(judged,	/* cleared when it is submitted */
		u8 fate;
		u8 verdict;
		u8 told;
		u8 metered;
		u8 marks[GRTRACE_HOOK_MONITOR];
		u32 events;
	);
};

/**
 * struct grtrace_seen - an event of a job that is not followed, on its way
 * @ctx, @seqno: its job; 0 = none or not known
 * @client_id:	 of SUBMIT
 * @ts:		 ns of the session's clock; what the record will have, too.  0 where neither
 *		 jobs are followed nor a rate is limited
 * @ring:	 row of the ring table, GRTRACE_NO_RING = none or not known
 * @tgid, @tid:	 of SUBMIT: the submitter
 * @status:	 of END and COMPLETE
 * @type:	 enum grtrace_type
 * @flags:	 GRTRACE_F_*
 */
struct grtrace_seen {
	u64 ctx, seqno, client_id, ts;
	u32 ring, tgid, tid;
	s32 status;
	u16 type, flags;
};

/* Types whose ctx and seqno, if not 0, are those of a job. */
#define GRTRACE_OF_A_JOB							\
	(1u << GRTRACE_SUBMIT | 1u << GRTRACE_COMPLETE | 1u << GRTRACE_CTX_SWITCH |	\
	 1u << GRTRACE_COMMIT | 1u << GRTRACE_START | 1u << GRTRACE_END |		\
	 1u << GRTRACE_IRQ | 1u << GRTRACE_SYNC_WAIT_ENTER |			\
	 1u << GRTRACE_SYNC_WAIT_EXIT | 1u << GRTRACE_ERROR |			\
	 1u << GRTRACE_DEPENDENCY | 1u << GRTRACE_JOB)

/* The fence context of the job that it is of; 0: of none, or of one that is not known. */
static inline u64 grtrace_job_ctx(const struct grtrace_seen *ev)
{
	/* The key of FENCE_SIGNALED is that of a fence which is no job. */
	return GRTRACE_OF_A_JOB >> ev->type & 1 ? ev->ctx : 0;
}

/**
 * struct grtrace_hook - a module that decides which jobs are kept, or sums them up
 * @name:	one word, shown in metadata
 * @owner:	THIS_MODULE; held while a session runs
 * @place:	see there
 * @needs_jobs: wants jobs to be followed; without, only @stranger is called
 * @submit:	a job is submitted that the policy and the hooks before keep, be it summed up:
 *		what becomes of it.  Times but that of its SUBMIT are not known yet
 * @complete:	a job that @submit marked is over, and nobody else has it.  It may write, see
 *		grtrace_tell_job().  NULL for a hook that marks none
 * @stranger:	an event of a job that is not followed, or a JOB record: what becomes of it.  May
 *		be NULL: it is kept
 * @begin:	a session starts, nothing is attached yet; may sleep; may be NULL
 * @note_keys:	a session starts: calls @note for each of its keys that is not at its default;
 *		may be NULL
 * @stopping:	it is being stopped: nothing is attached any more, and what is written now
 *		is its last; may sleep; may be NULL
 * @end:	it was stopped, no event is on its way any more; may sleep; may be NULL
 *
 * Those that look at events and jobs are called with interrupts off, in any context but
 * NMI, and must not sleep.  @submit is called with the job locked: what it writes must
 * not be of a job.
 */
struct grtrace_hook {
	const char *name;
	struct module *owner;
	enum grtrace_hook_place place;
	bool needs_jobs;
	enum grtrace_verdict (*submit)(struct grtrace_job_state *job);
	void (*complete)(struct grtrace_job_state *job);
	enum grtrace_verdict (*stranger)(const struct grtrace_seen *ev);
	void (*begin)(void);
	void (*note_keys)(void (*note)(const char *key, const char *value));
	void (*stopping)(void);
	void (*end)(void);
};

struct grtrace_keys;

/**
 * struct grtrace_key - a key of a module, which has a control file and a parameter
 * @name:    of the file, the parameter and its POLICY records
 * @keys:    the set that it is in
 * @value:   where its number is; written with WRITE_ONCE(), under the lock of @keys
 * @preset:  what that is at first
 * @least, @most: allowed, without @parse
 * @parse:   what @text means: 0, or -EINVAL after grtrace_ctl_error().  NULL: a number, as
 *	     grtrace_ctl_number() takes it
 * @format:  writes @value so that @parse takes it, 23 bytes at most; NULL: decimal
 * @prepare: before a change to @value is told: 0, or -ENOMEM, then there is none.  Under the
 *	     lock of @keys; may be NULL
 * @apply:   it is changed, from @before: 0, or -ENOMEM, then it becomes that again.  Under the
 *	     lock of @keys; NULL: the number is looked at where it is needed
 * @store:   for a key that is no number, instead of the above: as grtrace_ctl.store.  Several
 *	     at once
 * @show:    writes that key's text, which @store takes, to @room bytes, 2 KiB at least
 *
 * All of them may sleep.
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
 * struct grtrace_keys - the keys of a module that are changed one at a time
 * @rows:     they, @nr of them; they live as long as the module
 * @nr:	      of @rows
 * @lock:     of their numbers; the lock of the session may be taken inside
 * @is_ready: set and cleared by the module, under @lock: its hook is registered.  While it
 *	      is not, as for the command line and after the module's exit, what is written
 *	      is kept, but neither told nor applied: init has to do that
 */
struct grtrace_keys {
	const struct grtrace_key *rows;
	unsigned int nr;
	struct mutex lock;	/* of the numbers */
	bool is_ready;
};

/**
 * struct grtrace_ctl - a control file beside those of grtrace itself
 * @name:  its name
 * @mode:  0400 without @store and @key, else 0600
 * @show:  writes the whole file
 * @store: takes one line without its newline; may cut it to pieces.  0 or a negative
 *	   errno, after grtrace_ctl_error() said what would be accepted.  One at a time
 * @key:   instead of @show and @store: the key whose file it is
 * @is_concurrent: @store takes care of itself; several may write at once
 * @owner: THIS_MODULE, held while the file is open: debugfs waits for who is inside a file
 *	   that it removes, with the folder locked, and that one may wait for a session to
 *	   start, which makes files in the folder
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
 * A hook comes; its module must live until it is unregistered.  It is asked from
 * grtrace_hook_enable() on.  In the middle of a session it begins at once.  Sleeps.  0;
 * -EBUSY: its place is taken.
 */
int grtrace_hook_register(struct grtrace_hook *hook);
/* It goes, in its module's exit: a session holds a reference on the module. Sleeps. */
void grtrace_hook_unregister(struct grtrace_hook *hook);
/*
 * Asks it from now on, or no more: a hook that is off costs nothing.  It is off when it is
 * registered.  Also for one that is on, when its needs_jobs has changed.  Sleeps; not from
 * @begin and @end.  0, or -ENOMEM: no room for the jobs, and it is as it was.
 */
int grtrace_hook_enable(struct grtrace_hook *hook, bool is_on);
/*
 * Off as soon as no session runs.  Until then it is asked, so that jobs in flight go on as
 * they began: it has to let new ones pass itself.  Sleeps; not from its callbacks.
 */
void grtrace_hook_retire(struct grtrace_hook *hook);

/*
 * Types that are refused while the hook at FILTER is on, bit N being type N: each of their
 * events is FILTERED_EXT, and its job is not.  JOB and WINDOW always pass: they tell of
 * what was let in.  Any context.
 */
void grtrace_filter_types(u32 refused);

/**
 * struct grtrace_hook_counts - events that came to the hooks in this session, while any was on
 * @verdicts: of jobs, by what was decided about them
 * @of_type:  refused by grtrace_filter_types()
 * @of_no_job: of no job
 */
struct grtrace_hook_counts {
	u64 verdicts[GRTRACE_NR_VERDICTS];
	u64 of_type;
	u64 of_no_job;
};

/* Sums over all CPUs, which go on meanwhile.  Any context. */
void grtrace_hook_counts(struct grtrace_hook_counts *to);

/*
 * The session that runs, if one does, goes on with @key=@value: a POLICY record.  Before
 * the change is applied.  Sleeps; not from the callbacks of a hook.
 */
void grtrace_policy_note(const char *key, const char *value);

/*
 * Makes the control files of a module, of @nr rows that live until they are removed: at the
 * end of its init, since users write to them from here on.  A file that cannot be made is
 * not there, and nothing else fails.  Sleeps.
 */
void grtrace_ctl_add(const struct grtrace_ctl *ctls, unsigned int nr);
/*
 * Removes them, first of all in the module's exit, and waits for who is inside one; those
 * that were never made are passed over.  Sleeps; not under a lock that @show or @store takes.
 */
void grtrace_ctl_remove(const struct grtrace_ctl *ctls, unsigned int nr);
/* The parameter @name of the module: the key of the row @ctl of its control files. */
#define GRTRACE_PARAM(name, ctl, text)						\
	device_param_cb(name, &grtrace_param_ops, (void *)(ctl), 0600);		\
	MODULE_PARM_DESC(name, text)
extern const struct kernel_param_ops grtrace_param_ops;
/* Says why a write is refused, in the file error, and returns -EINVAL.  Sleeps. */
int grtrace_ctl_error(const char *fmt, ...) __printf(1, 2);
/*
 * A number without sign, decimal or 0x..., with K, M or G behind it, of a control file
 * @name, allowed @least..@most.  0, or -EINVAL after grtrace_ctl_error().
 */
int grtrace_ctl_number(const char *name, const char *text, u64 least, u64 most, u64 *value);

/*
 * A key is to be @value, which is not what it is: tells it, then applies it.  Under the lock
 * of its set, which is ready.  0, or -ENOMEM: it is as it was, which is told, too, if the
 * change was.  Sleeps.
 */
int grtrace_key_change(const struct grtrace_key *key, u64 value);
/* Calls @note for each key that is not at its preset, for hook.note_keys.  Sleeps if @note does. */
void grtrace_keys_note(const struct grtrace_keys *keys,
		       void (*note)(const char *key, const char *value));

/*
 * Writes a record that was built elsewhere; its header's type, size and flags count, the
 * rest of the header is filled here.  It is an event like any other, also for the policy.
 * Also from a hook, whose event's time it then has.  True if it was written.  Any context
 * but NMI.
 */
bool grtrace_write(const struct grtrace_hdr *built, u32 ring);

/*
 * Tells of a job in its JOB record: an event like any other, with @fate if that is not
 * WRITTEN, or what hooks decided of it when it was submitted.  From a hook, or of a copy of a
 * job.  Any context but NMI.
 */
void grtrace_tell_job(const struct grtrace_job_state *job, enum grtrace_fate fate);

/**
 * struct grtrace_meter - what a ring did from @from_ns to @until_ns, a second or less
 * @has_busy:	its driver tells when a job ends
 * @busy_from_ns: since then all jobs are known that came by
 * @busy_ns:	from then on: in which it had a job, from COMMIT to END
 * @seen, @dropped: events, and those that were not written
 * @jobs:	that completed
 * @timed_jobs: of these, those in @latency_sum_ns
 */
struct grtrace_meter {
	u64 from_ns, until_ns;
	bool has_busy;
	u64 busy_from_ns, busy_ns;
	u64 seen, dropped, jobs, timed_jobs, latency_sum_ns;
};

/* Meters count while the hook at MONITOR is on; only then. */
void grtrace_meter_read(u32 ring, u64 now, struct grtrace_meter *to);
/* When they will have counted for as long as they can tell of.  Any context. */
u64 grtrace_meters_ready_ns(void);

/*
 * A job in flight as of one moment, from *@at on, which begins with 0 and is then behind it.
 * False: there is none any more, or jobs are not followed.  Any context but NMI.
 */
bool grtrace_job_copy(u32 *at, struct grtrace_job_state *to);
/* Makes sure that the name of current's process is in the stream.  Any context but NMI. */
void grtrace_process_note(void);

/* What is on the ring table: false where there is no such row.  Any context but NMI. */
bool grtrace_ring_describe(u32 ring, struct grtrace_ring *to);
/*
 * How full the fullest buffer of a CPU is: percent of its sub-buffers that wait for the
 * reader, 0 without buffers.  Any context.
 */
unsigned int grtrace_buffer_fill_max(void);
/* The clock of the session in ns.  Any context. */
u64 grtrace_clock(void);
/* When the session began, on that clock; 0: there was none.  Any context. */
u64 grtrace_start_ns(void);

#endif /* _LINUX_GRTRACE_HOOK_H */
