// SPDX-License-Identifier: GPL-2.0
/*
 * Samples jobs: keeps a fixed share of them, a share that follows the load, or the slow ones.
 *
 * The decision is made when a job is submitted: each job is kept whole or not at all, even if
 * the settings change.  A job that cannot be decided is kept.
 */
#include <linux/grtrace_hook.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "../policy/adapt.h"
#include "../policy/sample.h"
#include "../version.h"

#define SALT		3	/* differs from the salts in pipeline.h: independent samplers */
#define STEP_NS		(100 * NSEC_PER_MSEC)
#define MAX_STEPS	32	/* steps to catch up after a pause; more would change nothing */
#define DEFAULT_NS	NSEC_PER_MSEC
#define MAX_NS		(3600 * NSEC_PER_SEC)

enum mode { MODE_STATIC, MODE_ADAPTIVE, MODE_THRESHOLD, MODE_OFF };

static const char * const mode_names[] = {
	[MODE_STATIC]	 = "static",
	[MODE_ADAPTIVE]	 = "adaptive",
	[MODE_THRESHOLD] = "threshold",
	[MODE_OFF]	 = "off",
};

/* X(name); jobs_kept and jobs_dropped are sums over rings. */
#define COUNTERS(X)							\
	X(jobs_seen) X(jobs_fast) X(jobs_slow) X(jobs_unfinished) X(jobs_not_followed)

enum counter {
#define X(name) C_##name,
	COUNTERS(X)
#undef X
	NR_COUNTERS
};

static const char * const counter_names[] = {
#define X(name) #name,
	COUNTERS(X)
#undef X
};

static DEFINE_PER_CPU(u64 [NR_COUNTERS], counters);

/* Jobs of a ring: those that were decided, and those that were kept. */
struct ring_count {
	u64 total, sampled;
};

static struct ring_count __percpu *ring_counts;	/* by row of the ring table */
#define RING_COUNTS_BYTES	(GRTRACE_MAX_RINGS * sizeof(struct ring_count))

static u64 mode = MODE_OFF, rate_pct = 100, threshold_ns = DEFAULT_NS;
static u64 kept_limit = GRT_SAMPLE_ALL;		/* jobs with a hash below it are kept */
static bool is_running;		/* a session runs */
static struct grtrace_keys keys;

static struct {
	raw_spinlock_t lock;
	struct grt_adapt now;
	u64 last_ns, last_jobs;
} load = { .lock = __RAW_SPIN_LOCK_UNLOCKED(load.lock) };

/* Mark of a job: its latency decides, at its end. */
#define MARK_WAITS	1

/* Preemption off. */
static void count(enum counter c)
{
	__this_cpu_inc(counters[c]);
}

static u64 sum(enum counter c)
{
	u64 all = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		all += READ_ONCE(per_cpu(counters, cpu)[c]);
	return all;
}

static u64 limit_of(u64 share)
{
	return (share << 32) / 10000;
}

/* Under load.lock. */
static void step_load(u64 now)
{
	u64 jobs = sum(C_jobs_seen), passed = now - load.last_ns;
	unsigned int fill = grtrace_buffer_fill_max();
	u64 hz = (jobs - load.last_jobs) * NSEC_PER_SEC / passed;
	u64 steps = min_t(u64, passed / STEP_NS, MAX_STEPS);

	load.last_jobs = jobs;
	load.last_ns = now;
	while (steps--)
		grt_adapt_step(&load.now, READ_ONCE(rate_pct) * 100, fill, hz);
	WRITE_ONCE(kept_limit, limit_of(load.now.share));
}

/* The first job after a step is due does the step; other CPUs do not wait for it. */
static noinline void follow_load(u64 now)
{
	if (now < READ_ONCE(load.last_ns) + STEP_NS || !raw_spin_trylock(&load.lock))
		return;
	if (now >= load.last_ns + STEP_NS)
		step_load(now);
	raw_spin_unlock(&load.lock);
}

static void restart_load(void)
{
	raw_spin_lock_irq(&load.lock);
	load.now = (struct grt_adapt){ .share = rate_pct * 100 };
	load.last_ns = grtrace_clock();
	load.last_jobs = sum(C_jobs_seen);
	WRITE_ONCE(kept_limit, limit_of(load.now.share));
	raw_spin_unlock_irq(&load.lock);
}

static __always_inline bool keeps(u64 ctx, u64 seqno)
{
	return grt_sample_keeps(READ_ONCE(kept_limit), ctx, seqno, SALT);
}

static __always_inline void count_ring(u32 ring, bool is_kept)
{
	struct ring_count *c = this_cpu_ptr(ring_counts) + ring % GRTRACE_MAX_RINGS;

	c->total++;
	c->sampled += is_kept;
}

/* Decides by the hash of the job. */
static __always_inline enum grtrace_verdict decide_by_hash(const struct grtrace_job *job)
{
	bool is_kept = keeps(job->ctx, job->seqno);

	count(C_jobs_seen);
	count_ring(job->ring, is_kept);
	return is_kept ? GRTRACE_VERDICT_KEEP : GRTRACE_VERDICT_NOT_SAMPLED;
}

/* Defers the decision to the end of the job, when its latency is known. */
static enum grtrace_verdict wait_for_end(struct grtrace_job_state *job)
{
	if (job->verdict != GRTRACE_VERDICT_KEEP)
		return GRTRACE_VERDICT_KEEP;	/* the filter waits for the end, and writes it */
	job->marks[GRTRACE_HOOK_SAMPLER] = MARK_WAITS;
	/* No SUBMIT is written, so note the name of the process here. */
	if (job->rec.tgid == current->tgid)
		grtrace_process_note();
	count(C_jobs_seen);
	return GRTRACE_VERDICT_IF_OVER;
}

static enum grtrace_verdict job_submit(struct grtrace_job_state *job)
{
	u64 m = READ_ONCE(mode);

	if (unlikely(!READ_ONCE(is_running)) || unlikely(m == MODE_OFF))
		return GRTRACE_VERDICT_KEEP;
	if (m == MODE_THRESHOLD)
		return wait_for_end(job);
	if (m == MODE_ADAPTIVE)
		follow_load(job->rec.submit_ns);
	return decide_by_hash(&job->rec);
}

/* A deferred job has ended: writes one record if it was slow. */
static void job_complete(struct grtrace_job_state *job)
{
	/* The clocks of two CPUs may differ: never use an end before the submit. */
	u64 end_ns = max_t(u64, job->rec.complete_ns, job->rec.submit_ns);
	bool is_slow = end_ns - job->rec.submit_ns > READ_ONCE(threshold_ns);

	if (unlikely(!READ_ONCE(is_running)))
		return;
	count(is_slow ? C_jobs_slow : C_jobs_fast);
	count_ring(job->rec.ring, is_slow);
	grtrace_write_job(job, is_slow ? GRTRACE_FATE_WRITTEN : GRTRACE_FATE_SAMPLED);
}

/*
 * Decides on an event whose job is not in the table of jobs: the job is over, or began before
 * the session, or the table was full.  Events from the file emit come here, too.
 */
static enum grtrace_verdict untracked(const struct grtrace_seen *ev)
{
	u64 m = READ_ONCE(mode);
	/* Decide as for the job's other events, which is possible in these cases only. */
	bool is_share = m == MODE_STATIC || (m == MODE_ADAPTIVE && ev->type == GRTRACE_JOB);

	if (unlikely(!READ_ONCE(is_running)))
		return GRTRACE_VERDICT_KEEP;
	if (ev->type == GRTRACE_COMPLETE)
		count(C_jobs_not_followed);
	return is_share && !keeps(ev->ctx, ev->seqno) ? GRTRACE_VERDICT_NOT_SAMPLED :
							GRTRACE_VERDICT_KEEP;
}

static void begin(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		memset(per_cpu(counters, cpu), 0, sizeof(counters));
		memset(per_cpu_ptr(ring_counts, cpu), 0, RING_COUNTS_BYTES);
	}
	restart_load();
	WRITE_ONCE(is_running, true);
}

/* Writes the deferred jobs that did not end in this session: their latency is not known. */
static void stopping(void)
{
	struct grtrace_job_state job;
	u32 at = 0;

	WRITE_ONCE(is_running, false);
	synchronize_rcu();	/* from here on no COMPLETE writes a JOB record */
	while (grtrace_job_copy(&at, &job)) {
		if (job.verdict != GRTRACE_VERDICT_IF_OVER)
			continue;
		preempt_disable();
		count(C_jobs_unfinished);
		grtrace_write_job(&job, GRTRACE_FATE_WRITTEN);
		preempt_enable();
	}
}

static void note_keys(void (*note)(const char *key, const char *value))
{
	grtrace_keys_note(&keys, note);
}

static struct grtrace_hook hook = {
	.name = "sampling",
	.owner = THIS_MODULE,
	.place = GRTRACE_HOOK_SAMPLER,
	.needs_jobs = true,
	.submit = job_submit,
	.complete = job_complete,
	.untracked = untracked,
	.begin = begin,
	.note_keys = note_keys,
	.stopping = stopping,
};

static int refuse_mode(const char *text)
{
	char words[64];
	size_t at = 0;
	int i;

	for (i = MODE_STATIC; i < MODE_OFF; i++)
		at += scnprintf(words + at, sizeof(words) - at, "%d %s, ", i, mode_names[i]);
	return grtrace_ctl_error("sampling_mode: '%s' is not one of: %s%s", text, words,
				 mode_names[MODE_OFF]);
}

static int parse_mode(const char *text, u64 *value)
{
	int i = match_string(mode_names, ARRAY_SIZE(mode_names), text);

	if (i < 0 && (kstrtoint(text, 10, &i) || i < MODE_STATIC || i > MODE_THRESHOLD))
		return refuse_mode(text);
	*value = i;
	return 0;
}

/* Parses a time in ns, or with a unit after the number. */
static int parse_threshold(const char *text, u64 *value)
{
	static const struct { const char *name; u64 ns; } units[] = {
		{ "ns", 1 }, { "us", NSEC_PER_USEC }, { "ms", NSEC_PER_MSEC },
		{ "s", NSEC_PER_SEC },
	};
	size_t len = strcspn(text, "nums"), i;
	char digits[24];
	u64 ns = 1;
	int err;

	for (i = 0; text[len] && i < ARRAY_SIZE(units); i++)
		if (!strcmp(text + len, units[i].name))
			break;
	if (i < ARRAY_SIZE(units) && text[len])
		ns = units[i].ns;
	else
		len = strlen(text);
	if (len >= sizeof(digits))
		return grtrace_ctl_error("sampling_threshold: '%s' is too long", text);
	memcpy(digits, text, len);
	digits[len] = '\0';
	err = grtrace_ctl_number("sampling_threshold", digits, 0, MAX_NS / ns, value);
	if (!err)
		*value *= ns;
	return err;
}

static void format_mode(u64 value, char *to, size_t room)
{
	strscpy(to, mode_names[value], room);
}

static int apply_mode(u64 before)
{
	if (mode == MODE_OFF) {
		grtrace_hook_retire(&hook);	/* deferred jobs in flight are still decided */
		return 0;
	}
	restart_load();
	return before == MODE_OFF ? grtrace_hook_enable(&hook, true) : 0;
}

static int apply_rate(u64 before)
{
	restart_load();
	return 0;
}

enum { KEY_MODE, KEY_RATE, KEY_THRESHOLD };

static const struct grtrace_key rows[] = {
	[KEY_MODE] = { "sampling_mode", &keys, &mode, MODE_OFF, .parse = parse_mode,
		       .format = format_mode, .apply = apply_mode },
	[KEY_RATE] = { "sampling_rate", &keys, &rate_pct, 100, .most = 100, .apply = apply_rate },
	[KEY_THRESHOLD] = { "sampling_threshold", &keys, &threshold_ns, DEFAULT_NS,
			    .parse = parse_threshold },
};

static struct grtrace_keys keys = {
	.rows = rows, .nr = ARRAY_SIZE(rows), .lock = __MUTEX_INITIALIZER(keys.lock),
};

/* Writes for example "static (rate=25%)". */
static void show_mode(struct seq_file *m)
{
	u64 now = READ_ONCE(mode);

	seq_printf(m, "Sampler mode: %s", mode_names[now]);
	if (now == MODE_STATIC)
		seq_printf(m, " (rate=%llu%%)", READ_ONCE(rate_pct));
	else if (now == MODE_ADAPTIVE)
		seq_printf(m, " (rate=%llu%% at most)", READ_ONCE(rate_pct));
	else if (now == MODE_THRESHOLD)
		seq_printf(m, " (over %llu ns)", READ_ONCE(threshold_ns));
	seq_putc(m, '\n');
}

static void show_counters(struct seq_file *m, u64 decided, u64 kept)
{
	u64 seen = sum(C_jobs_seen), share = seen ? kept * 10000 / seen : 0;
	struct grtrace_hook_counts events;
	u64 all, dropped, in_jobs;
	int i;

	for (i = 0; i < NR_COUNTERS; i++)
		seq_printf(m, "%s=%llu\n", counter_names[i], sum(i));
	seq_printf(m, "jobs_kept=%llu\njobs_dropped=%llu\n", kept, decided - kept);
	grtrace_hook_counts(&events);
	dropped = events.verdicts[GRTRACE_VERDICT_NOT_SAMPLED];
	in_jobs = events.verdicts[GRTRACE_VERDICT_IF_OVER];
	all = events.verdicts[GRTRACE_VERDICT_KEEP] + events.verdicts[GRTRACE_VERDICT_SUMMED] +
	      dropped + in_jobs;
	seq_printf(m, "events_seen=%llu\nevents_kept=%llu\n", all, all - dropped - in_jobs);
	seq_printf(m, "events_dropped=%llu\nevents_in_jobs=%llu\n", dropped, in_jobs);
	/* Without jobs the rate is not known. */
	if (seen)
		seq_printf(m, "effective_rate=%llu.%02llu\n", share / 100, share % 100);
	else
		seq_puts(m, "effective_rate=\n");
	share = READ_ONCE(load.now.share);
	seq_printf(m, "adaptive_rate=%llu.%02llu\n", share / 100, share % 100);
	seq_printf(m, "buffer_fill=%u\n", grtrace_buffer_fill_max());
}

static void show_ring(struct seq_file *m, u32 ring, u64 *decided, u64 *kept)
{
	u64 total = 0, sampled = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct ring_count *c = per_cpu_ptr(ring_counts, cpu) + ring;

		total += READ_ONCE(c->total);
		sampled += READ_ONCE(c->sampled);
	}
	*decided += total;
	*kept += sampled;
	if (total)
		seq_printf(m, "%-6u %-12llu %-14llu %llu.%02llu%%\n", ring, total, sampled,
			   sampled * 100 / total, sampled * 10000 / total % 100);
}

static int stats_show(struct seq_file *m)
{
	u64 decided = 0, kept = 0;
	u32 ring;

	show_mode(m);
	seq_puts(m, "Per-ring statistics:\nRing   Total Jobs   Sampled Jobs   Sample Rate\n");
	for (ring = 0; ring < GRTRACE_MAX_RINGS; ring++)
		show_ring(m, ring, &decided, &kept);
	seq_putc(m, '\n');
	show_counters(m, decided, kept);
	return 0;
}

static const struct grtrace_ctl ctls[] = {
	{ "sampling_mode", 0600, .key = &rows[KEY_MODE], .owner = THIS_MODULE },
	{ "sampling_rate", 0600, .key = &rows[KEY_RATE], .owner = THIS_MODULE },
	{ "sampling_threshold", 0600, .key = &rows[KEY_THRESHOLD], .owner = THIS_MODULE },
	{ "sampling_stats", 0400, stats_show, .owner = THIS_MODULE },
};

GRTRACE_PARAM(sampling_mode, &ctls[KEY_MODE], "static, adaptive, threshold or off");
GRTRACE_PARAM(sampling_rate, &ctls[KEY_RATE], "percent of the jobs that are kept");
GRTRACE_PARAM(sampling_threshold, &ctls[KEY_THRESHOLD],
	      "a time in ns, or followed by us, ms or s: longer jobs are kept");

static void remove_hook(void)
{
	/* Parameters can still be written after this. */
	mutex_lock(&keys.lock);
	keys.is_ready = false;
	mutex_unlock(&keys.lock);
	grtrace_hook_unregister(&hook);
	free_percpu(ring_counts);
}

static int __init sampling_init(void)
{
	int err = -ENOMEM;

	ring_counts = __alloc_percpu(RING_COUNTS_BYTES, __alignof__(struct ring_count));
	if (ring_counts)
		err = grtrace_hook_register(&hook);
	if (err) {
		free_percpu(ring_counts);
		return err;
	}
	mutex_lock(&keys.lock);
	keys.is_ready = true;
	grtrace_keys_note(&keys, grtrace_policy_note);	/* for a session that runs already */
	if (mode != MODE_OFF)
		err = apply_mode(MODE_OFF);
	mutex_unlock(&keys.lock);
	if (err)
		remove_hook();
	else
		grtrace_ctl_add(ctls, ARRAY_SIZE(ctls));
	return err;
}

static void __exit sampling_exit(void)
{
	grtrace_ctl_remove(ctls, ARRAY_SIZE(ctls));
	remove_hook();
}

module_init(sampling_init);
module_exit(sampling_exit);
MODULE_DESCRIPTION("grtrace: sampling of jobs");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
