// SPDX-License-Identifier: GPL-2.0
/*
 * Writes sums per ring and window of time, in addition to the events of jobs or instead of them.
 *
 * Whether a job is summed is decided when it is submitted, so a later change of the settings
 * never splits a job.  The events of a job count in the window in which it completes.  An
 * untracked job is not summed.
 */
#include <linux/grtrace_hook.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "../bitlock.h"
#include "../policy/window.h"
#include "../version.h"

#define DEFAULT_MS	1000

enum mode { MODE_OFF, MODE_BESIDE, MODE_INSTEAD };

/* Marks of a job: it is summed; its ring was not known when it was submitted. */
#define MARK_SUMMED	1
#define MARK_NO_RING	2

/* Its size is a power of two: indexing is a shift, and rings share no cache line. */
struct ring {
	unsigned long lock;	/* a bit lock for the whole struct */
	struct grt_window now, last;	/* the current window, and the last one with content */
} __aligned(256);

static struct ring *rings;	/* allocated at first use, freed at module exit */
static u64 mode, window_ms = DEFAULT_MS;
static bool is_running;		/* a session runs */
static u64 enabled_ns;
static struct grtrace_keys keys;

static void end_due_windows(struct work_struct *work);
static DECLARE_DELAYED_WORK(windows_work, end_due_windows);

static u64 length(void)
{
	return READ_ONCE(window_ms) * NSEC_PER_MSEC;
}

static u64 boundary(u64 length_ns, u64 ns)
{
	return grt_window_boundary(grtrace_start_ns(), length_ns, ns);
}

static void write_window(u32 id, const struct grt_window *w)
{
	const struct grtrace_window rec = {
		.hdr.type = GRTRACE_WINDOW,
		.hdr.size = sizeof(rec),
		.hdr.flags = w->is_synthetic ? GRTRACE_F_SYNTHETIC : 0,
		.window_start_ns = w->from_ns,
		.window_ns = w->to_ns - w->from_ns,
		.jobs = w->jobs,
		.latency_sum_ns = w->latency_sum_ns,
		.latency_min_ns = w->latency_min_ns,
		.latency_max_ns = w->latency_max_ns,
		.depth_sum_ns = w->depth_sum_ns,
		.depth_peak = w->depth_peak,
		.ring = id,
		.events = w->events,
	};

	grtrace_write(&rec.hdr, id);
}

/* Begins the window after @w, which is over.  It contains @ns, or a later window will. */
static void begin_next(struct grt_window *w, u64 ns)
{
	u64 length_ns = length();	/* it may change meanwhile */
	u64 latest_ns = boundary(length_ns, ns) - length_ns;
	u64 from_ns = w->to_ns;

	/* Skip windows without jobs; a window that jobs are still in has a direct successor. */
	if (!w->depth)
		from_ns = max3(w->to_ns, READ_ONCE(enabled_ns), latest_ns);
	grt_window_begin(w, from_ns, boundary(length_ns, from_ns));
}

static void lock_ring(struct ring *r, unsigned long *flags)
{
	local_irq_save(*flags);
	grt_bit_lock(&r->lock);
}

static void unlock_ring(struct ring *r, unsigned long flags)
{
	grt_bit_unlock(&r->lock);
	local_irq_restore(flags);
}

/* Ends the windows of a ring that are over at @ns. */
static void end_windows_of(u32 id, u64 ns)
{
	struct ring *r = &rings[id];
	struct grt_window done;
	bool is_over, has_content;
	unsigned long flags;

	do {
		lock_ring(r, &flags);
		is_over = ns >= r->now.to_ns;
		has_content = is_over && r->now.to_ns &&
			      grt_window_end(&r->now, r->now.to_ns, &done);
		if (has_content)
			r->last = done;
		if (is_over)
			begin_next(&r->now, ns);
		unlock_ring(r, flags);
		/* Unlocked, because writing is an event and calls hooks. */
		if (has_content)
			write_window(id, &done);
	} while (is_over);
}

/* Ends the window of a ring now, before its time. */
static void cut_window_of(u32 id)
{
	struct ring *r = &rings[id];
	struct grt_window done;
	unsigned long flags;
	bool has_content = false;
	u64 now;

	lock_ring(r, &flags);
	now = grtrace_clock();
	if (r->now.to_ns && now > r->now.from_ns) {
		has_content = grt_window_end(&r->now, min(now, r->now.to_ns), &done);
		if (has_content)
			r->last = done;
		grt_window_begin(&r->now, now, boundary(length(), now));
	}
	unlock_ring(r, flags);
	if (has_content)
		write_window(id, &done);
}

static void end_all_windows(void)
{
	u64 now = grtrace_clock();
	u32 i;

	for (i = 0; i < GRTRACE_MAX_RINGS; i++)
		if (READ_ONCE(rings[i].now.to_ns))
			end_windows_of(i, now);
}

static void cut_all_windows(void)
{
	u32 i;

	end_all_windows();
	for (i = 0; i < GRTRACE_MAX_RINGS; i++)
		cut_window_of(i);
}

static void plan_end(void)
{
	u64 now = grtrace_clock();

	schedule_delayed_work(&windows_work, nsecs_to_jiffies(boundary(length(), now) - now) + 1);
}

static void end_due_windows(struct work_struct *work)
{
	if (!READ_ONCE(is_running))
		return;
	end_all_windows();
	plan_end();
}

/* The ring that counted the job's SUBMIT: 0 if its ring was not known then. */
static __always_inline u32 ring_of(const struct grtrace_job_state *job)
{
	bool has_ring = !(job->marks[GRTRACE_HOOK_AGGREGATOR] & MARK_NO_RING);

	return has_ring ? READ_ONCE(job->rec.ring) % GRTRACE_MAX_RINGS : 0;
}

/*
 * Ends the windows before @ns, and locks the ring with the window that contains @ns.  Needed for
 * the first event of a window only.  Interrupts off.
 */
static struct ring *lock_next_window(u32 id, u64 ns)
{
	struct ring *r = &rings[id];

	for (;;) {
		end_windows_of(id, ns);
		grt_bit_lock(&r->lock);
		if (ns < r->now.to_ns)
			return r;
		grt_bit_unlock(&r->lock);
	}
}

/* Counts a job that is submitted.  Unlocks the ring. */
static __always_inline enum grtrace_verdict count_submit(struct ring *r, u64 submit_ns, u64 m)
{
	grt_window_join(&r->now, submit_ns);
	grt_bit_unlock(&r->lock);
	return m == MODE_INSTEAD ? GRTRACE_VERDICT_SUMMED : GRTRACE_VERDICT_KEEP;
}

static noinline enum grtrace_verdict count_submit_slow(const struct grtrace_job_state *job, u64 m)
{
	u64 ns = job->rec.submit_ns;

	return count_submit(lock_next_window(ring_of(job), ns), ns, m);
}

static enum grtrace_verdict job_submit(struct grtrace_job_state *job)
{
	u32 id = job->rec.ring % GRTRACE_MAX_RINGS;
	struct ring *r = &rings[id];
	u64 m = READ_ONCE(mode);

	if (unlikely(m == MODE_OFF) || unlikely(!READ_ONCE(is_running)))
		return GRTRACE_VERDICT_KEEP;
	job->marks[GRTRACE_HOOK_AGGREGATOR] = likely(id) ? MARK_SUMMED : MARK_SUMMED | MARK_NO_RING;
	grt_bit_lock(&r->lock);
	if (likely(job->rec.submit_ns < r->now.to_ns))
		return count_submit(r, job->rec.submit_ns, m);
	grt_bit_unlock(&r->lock);
	return count_submit_slow(job, m);
}

static __always_inline void take_events(struct grt_window *w, const struct grtrace_job_state *job)
{
	w->events += job->events;
	if (unlikely(job->rec.hdr.flags & GRTRACE_F_SYNTHETIC))
		w->is_synthetic = true;
}

/* Counts a job that is complete.  Unlocks the ring. */
static __always_inline void count_complete(struct ring *r, const struct grtrace_job_state *job,
					   u64 end_ns)
{
	take_events(&r->now, job);
	grt_window_leave(&r->now, end_ns);
	grt_window_add_latency(&r->now, end_ns - job->rec.submit_ns);
	grt_bit_unlock(&r->lock);
}

static noinline void count_complete_slow(const struct grtrace_job_state *job, u64 end_ns)
{
	count_complete(lock_next_window(ring_of(job), end_ns), job, end_ns);
}

static void job_complete(struct grtrace_job_state *job)
{
	/* The clocks of two CPUs may differ: never use an end before the submit. */
	u64 end_ns = max_t(u64, job->rec.complete_ns, job->rec.submit_ns);
	struct ring *r = &rings[ring_of(job)];

	if (unlikely(!READ_ONCE(is_running)))
		return;
	grt_bit_lock(&r->lock);
	if (likely(end_ns < r->now.to_ns)) {
		count_complete(r, job, end_ns);
		return;
	}
	grt_bit_unlock(&r->lock);
	count_complete_slow(job, end_ns);
}

/* Counts the events of unfinished jobs in the last window. */
static void take_unfinished(void)
{
	struct grtrace_job_state job;
	unsigned long flags;
	struct ring *r;
	u32 at = 0;

	while (grtrace_job_copy(&at, &job)) {
		if (!(job.marks[GRTRACE_HOOK_AGGREGATOR] & MARK_SUMMED))
			continue;
		r = &rings[ring_of(&job)];
		lock_ring(r, &flags);
		take_events(&r->now, &job);
		unlock_ring(r, flags);
	}
}

static void begin(void)
{
	unsigned long flags;
	u32 i;

	for (i = 0; rings && i < GRTRACE_MAX_RINGS; i++) {
		lock_ring(&rings[i], &flags);
		memset(&rings[i].now, 0, sizeof(rings[i].now));
		memset(&rings[i].last, 0, sizeof(rings[i].last));
		unlock_ring(&rings[i], flags);
	}
	WRITE_ONCE(enabled_ns, grtrace_start_ns());
	WRITE_ONCE(is_running, true);
	if (READ_ONCE(mode))
		plan_end();
}

static void stopping(void)
{
	WRITE_ONCE(is_running, false);
	synchronize_rcu();	/* no event is counted any more */
	cancel_delayed_work_sync(&windows_work);
	if (!rings)
		return;
	end_all_windows();
	take_unfinished();
	cut_all_windows();
}

static void note_keys(void (*note)(const char *key, const char *value))
{
	grtrace_keys_note(&keys, note);
}

static struct grtrace_hook hook = {
	.name = "aggregator",
	.owner = THIS_MODULE,
	.place = GRTRACE_HOOK_AGGREGATOR,
	.needs_jobs = true,
	.submit = job_submit,
	.complete = job_complete,
	.begin = begin,
	.note_keys = note_keys,
	.stopping = stopping,
};

static int reserve(void)
{
	struct ring *fresh;

	if (rings)
		return 0;
	fresh = kvcalloc(GRTRACE_MAX_RINGS, sizeof(*fresh), GFP_KERNEL);
	if (!fresh)
		return -ENOMEM;
	smp_store_release(&rings, fresh);	/* pairs with the key that lets events in */
	return 0;
}

static int prepare_mode(u64 value)
{
	int err = value ? reserve() : 0;

	if (!err && !mode)
		WRITE_ONCE(enabled_ns, grtrace_clock());
	return err;
}

static int apply_mode(u64 before)
{
	int err;

	if (mode == MODE_OFF) {
		grtrace_hook_retire(&hook);	/* jobs in flight are still summed to their end */
		return 0;
	}
	err = grtrace_hook_enable(&hook, true);
	if (!err && READ_ONCE(is_running))
		plan_end();
	return err;
}

/* Ends the current windows, so that windows of the new length do not overlap them. */
static int apply_window(u64 before)
{
	if (rings && READ_ONCE(is_running) && mode) {
		cut_all_windows();
		cancel_delayed_work_sync(&windows_work);
		plan_end();
	}
	return 0;
}

enum { KEY_ENABLE, KEY_WINDOW };

static const struct grtrace_key rows[] = {
	[KEY_ENABLE] = { "aggregator_enable", &keys, &mode, .most = MODE_INSTEAD,
			 .prepare = prepare_mode, .apply = apply_mode },
	[KEY_WINDOW] = { "aggregator_window", &keys, &window_ms, DEFAULT_MS, 100, 60000,
			 .apply = apply_window },
};

static struct grtrace_keys keys = {
	.rows = rows, .nr = ARRAY_SIZE(rows), .lock = __MUTEX_INITIALIZER(keys.lock),
};

static void show_us(struct seq_file *m, const struct grt_window *w, u64 ns)
{
	if (w->jobs)
		seq_printf(m, " | %llu.%03llu us", ns / 1000, ns % 1000);
	else
		seq_puts(m, " | -");
}

/* Shows a window; one that ended before @newest says how long ago. */
static void show_row(struct seq_file *m, u32 id, const struct grt_window *w, u64 newest)
{
	u64 now = grtrace_clock(), age_ms = now > w->to_ns ? (now - w->to_ns) / NSEC_PER_MSEC : 0;
	u64 depth_pct = 100 * w->depth_sum_ns / max(w->to_ns - w->from_ns, 1ULL);

	seq_printf(m, "%u | %llu", id, w->events);
	show_us(m, w, w->latency_sum_ns / max(w->jobs, 1ULL));
	show_us(m, w, w->latency_min_ns);
	show_us(m, w, w->latency_max_ns);
	seq_printf(m, " | %llu.%02llu | %u", depth_pct / 100, depth_pct % 100, w->depth_peak);
	if (w->to_ns < newest)
		seq_printf(m, " | ended %llu.%03llu s ago", age_ms / 1000, age_ms % 1000);
	seq_putc(m, '\n');
}

/* When the latest window ended, even if it was empty; 0: no window with content ended yet. */
static u64 newest_end(u64 now)
{
	u64 newest = 0;
	u32 i;

	for (i = 0; i < GRTRACE_MAX_RINGS; i++)
		newest = max(newest, READ_ONCE(rings[i].last.to_ns));
	if (newest && READ_ONCE(is_running))
		newest = max(newest, boundary(length(), now) - length());
	return newest;
}

/* Shows each ring's last window with content; the current windows until one has ended. */
static void show_rings(struct seq_file *m)
{
	u64 now = grtrace_clock(), newest;
	struct grt_window w;
	unsigned long flags;
	u32 i;

	if (READ_ONCE(is_running))
		end_all_windows();
	newest = newest_end(now);
	for (i = 0; i < GRTRACE_MAX_RINGS; i++) {
		lock_ring(&rings[i], &flags);
		w = rings[i].last;
		if (!newest)
			grt_window_end(&rings[i].now, min(now, rings[i].now.to_ns), &w);
		unlock_ring(&rings[i], flags);
		if (grt_window_has_content(&w))
			show_row(m, i, &w, newest);
	}
}

static int stats_show(struct seq_file *m)
{
	seq_printf(m, "Aggregation Window: %llu ms\n", READ_ONCE(window_ms));
	seq_printf(m, "Status: %s\n", READ_ONCE(mode) ? "enabled" : "disabled");
	seq_puts(m, "Ring | Events | Avg Latency | Min Latency | Max Latency | Avg Depth | Peak Depth\n");
	if (READ_ONCE(rings))
		show_rings(m);
	return 0;
}

static const struct grtrace_ctl ctls[] = {
	{ "aggregator_enable", 0600, .key = &rows[KEY_ENABLE], .owner = THIS_MODULE },
	{ "aggregator_window", 0600, .key = &rows[KEY_WINDOW], .owner = THIS_MODULE },
	{ "aggregator_stats", 0400, stats_show, .owner = THIS_MODULE },
};

GRTRACE_PARAM(aggregator_enable, &ctls[KEY_ENABLE],
	      "0 off, 1 windows in addition to the events, 2 instead of them");
GRTRACE_PARAM(aggregator_window, &ctls[KEY_WINDOW], "milliseconds, 100..60000");

static void remove_hook(void)
{
	/* Parameters can still be written after this. */
	mutex_lock(&keys.lock);
	keys.is_ready = false;
	mutex_unlock(&keys.lock);
	grtrace_hook_unregister(&hook);
	cancel_delayed_work_sync(&windows_work);
	kvfree(rings);
}

static int __init aggregator_init(void)
{
	u64 wanted;
	int err;

	mutex_lock(&keys.lock);
	wanted = mode;
	mode = MODE_OFF;	/* until grtrace_key_change() has allocated the rings */
	err = grtrace_hook_register(&hook);
	if (err) {
		mutex_unlock(&keys.lock);
		return err;
	}
	keys.is_ready = true;
	grtrace_keys_note(&keys, grtrace_policy_note);
	if (wanted)
		err = grtrace_key_change(&rows[KEY_ENABLE], wanted);
	mutex_unlock(&keys.lock);
	if (err)
		remove_hook();
	else
		grtrace_ctl_add(ctls, ARRAY_SIZE(ctls));
	return err;
}

static void __exit aggregator_exit(void)
{
	grtrace_ctl_remove(ctls, ARRAY_SIZE(ctls));
	remove_hook();
}

module_init(aggregator_init);
module_exit(aggregator_exit);
MODULE_DESCRIPTION("grtrace: sums per ring and window of time");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
