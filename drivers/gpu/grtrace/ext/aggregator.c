// SPDX-License-Identifier: GPL-2.0
/*
 * Sums per ring and window of time, beside the events of jobs or instead of them.
 *
 * What is summed is decided when a job is submitted, so a change in between leaves no job in
 * part.  The events of a job count in the window in which it completes.  A job that is
 * not followed is not summed.
 */
#include <linux/grtrace_hook.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "../policy/window.h"
#include "../version.h"

#define DEFAULT_MS	1000

enum mode { MODE_OFF, MODE_BESIDE, MODE_INSTEAD };

/* Of a job: it is summed; no ring was known at first. */
#define MARK_SUMMED	1
#define MARK_NO_RING	2

struct ring {
	raw_spinlock_t lock;
	struct grt_window now, last;
};

static struct ring *rings;	/* from the first use on, until the module goes */
static u64 mode, window_ms = DEFAULT_MS;
static bool is_running;		/* a session is */
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

/* The window behind the one that is over, with @ns in it or on the way there. */
static void begin_next(struct grt_window *w, u64 ns)
{
	u64 length_ns = length();	/* it may change meanwhile */
	u64 latest_ns = boundary(length_ns, ns) - length_ns;
	u64 from_ns = w->to_ns;

	/* Where nothing happened there are no windows, but one with jobs has a follower. */
	if (!w->depth)
		from_ns = max3(w->to_ns, READ_ONCE(enabled_ns), latest_ns);
	grt_window_begin(w, from_ns, boundary(length_ns, from_ns));
}

/* Ends the windows of a ring that are over at @ns. */
static void end_windows_of(u32 id, u64 ns)
{
	struct ring *r = &rings[id];
	struct grt_window done;
	bool is_over, tells;
	unsigned long flags;

	do {
		raw_spin_lock_irqsave(&r->lock, flags);
		is_over = ns >= r->now.to_ns;
		tells = false;
		if (is_over) {
			if (r->now.to_ns) {
				tells = grt_window_end(&r->now, r->now.to_ns, &done);
				r->last = done;
			}
			begin_next(&r->now, ns);
		}
		raw_spin_unlock_irqrestore(&r->lock, flags);
		/* Not inside: this is an event, that hooks are asked about. */
		if (tells)
			write_window(id, &done);
	} while (is_over);
}

/* Ends the window of a ring here, whatever it was to be. */
static void cut_window_of(u32 id)
{
	struct ring *r = &rings[id];
	struct grt_window done;
	unsigned long flags;
	bool tells = false;
	u64 now;

	raw_spin_lock_irqsave(&r->lock, flags);
	now = max(grtrace_clock(), r->now.since_ns);
	if (r->now.to_ns && now > r->now.from_ns) {
		tells = grt_window_end(&r->now, now, &done);
		if (tells)
			r->last = done;
		grt_window_begin(&r->now, now, boundary(length(), now));
	}
	raw_spin_unlock_irqrestore(&r->lock, flags);
	if (tells)
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

/* Time goes on to that of an event.  Interrupts off. */
static struct grt_window *lock_window(u32 id, u64 ns)
{
	struct ring *r = &rings[id];

	if (unlikely(ns >= READ_ONCE(r->now.to_ns)))
		end_windows_of(id, ns);
	raw_spin_lock(&r->lock);
	grt_window_pass(&r->now, ns);
	return &r->now;
}

static void unlock_window(u32 id)
{
	raw_spin_unlock(&rings[id].lock);
}

/* Where it came it goes, though its ring may be known by then. */
static u32 ring_of(const struct grtrace_job_state *job)
{
	bool has_ring = !(job->marks[GRTRACE_HOOK_AGGREGATOR] & MARK_NO_RING);

	return has_ring ? READ_ONCE(job->rec.ring) % GRTRACE_MAX_RINGS : 0;
}

static enum grtrace_verdict job_submit(struct grtrace_job_state *job, const struct grtrace_seen *ev)
{
	u64 m = READ_ONCE(mode);
	u32 id;

	if (m == MODE_OFF || !READ_ONCE(is_running))
		return GRTRACE_VERDICT_KEEP;
	job->marks[GRTRACE_HOOK_AGGREGATOR] = MARK_SUMMED | (job->rec.ring ? 0 : MARK_NO_RING);
	id = ring_of(job);
	grt_window_come(lock_window(id, ev->ts));
	unlock_window(id);
	return m == MODE_INSTEAD ? GRTRACE_VERDICT_SUMMED : GRTRACE_VERDICT_KEEP;
}

static void take_events(struct grt_window *w, const struct grtrace_job_state *job)
{
	w->events += job->events;
	if (job->rec.hdr.flags & GRTRACE_F_SYNTHETIC)
		w->is_synthetic = true;
}

static void job_complete(struct grtrace_job_state *job)
{
	u64 submit_ns = job->rec.submit_ns;
	struct grt_window *w;
	u32 id;

	if (!(job->marks[GRTRACE_HOOK_AGGREGATOR] & MARK_SUMMED) || !READ_ONCE(is_running))
		return;
	id = ring_of(job);
	w = lock_window(id, job->rec.complete_ns);
	take_events(w, job);
	grt_window_go(w);
	grt_window_take(w, max_t(u64, job->rec.complete_ns, submit_ns) - submit_ns);
	unlock_window(id);
}

/* Events of jobs that are not over belong to the last window. */
static void take_unfinished(void)
{
	struct grtrace_job_state job;
	u32 at = 0, id;

	while (grtrace_job_copy(&at, &job)) {
		if (!(job.marks[GRTRACE_HOOK_AGGREGATOR] & MARK_SUMMED))
			continue;
		id = ring_of(&job);
		raw_spin_lock_irq(&rings[id].lock);
		take_events(&rings[id].now, &job);
		raw_spin_unlock_irq(&rings[id].lock);
	}
}

static void begin(void)
{
	u32 i;

	for (i = 0; rings && i < GRTRACE_MAX_RINGS; i++) {
		raw_spin_lock_irq(&rings[i].lock);
		memset(&rings[i].now, 0, sizeof(rings[i].now));
		memset(&rings[i].last, 0, sizeof(rings[i].last));
		raw_spin_unlock_irq(&rings[i].lock);
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
	u32 i;

	if (rings)
		return 0;
	fresh = kvcalloc(GRTRACE_MAX_RINGS, sizeof(*fresh), GFP_KERNEL);
	if (!fresh)
		return -ENOMEM;
	for (i = 0; i < GRTRACE_MAX_RINGS; i++)
		raw_spin_lock_init(&fresh[i].lock);
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
		grtrace_hook_retire(&hook);	/* jobs in flight go on as they began */
		return 0;
	}
	err = grtrace_hook_enable(&hook, true);
	if (!err && READ_ONCE(is_running))
		plan_end();
	return err;
}

/* Windows that run end here, so that none overlaps another. */
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

static void show_row(struct seq_file *m, u32 id, const struct grt_window *w)
{
	u64 depth_pct = 100 * w->depth_sum_ns / max(w->to_ns - w->from_ns, 1ULL);

	seq_printf(m, "%u | %llu", id, w->events);
	show_us(m, w, w->latency_sum_ns / max(w->jobs, 1ULL));
	show_us(m, w, w->latency_min_ns);
	show_us(m, w, w->latency_max_ns);
	seq_printf(m, " | %llu.%02llu | %u\n", depth_pct / 100, depth_pct % 100, w->depth_peak);
}

/* When the window ended that ended last; 0: none did. */
static u64 newest_end(void)
{
	u64 newest = 0;
	u32 i;

	for (i = 0; i < GRTRACE_MAX_RINGS; i++)
		newest = max(newest, READ_ONCE(rings[i].last.to_ns));
	return newest;
}

static void show_rings(struct seq_file *m)
{
	struct grt_window w;
	u64 newest;
	u32 i;

	if (READ_ONCE(is_running))
		end_all_windows();
	newest = newest_end();
	for (i = 0; i < GRTRACE_MAX_RINGS; i++) {
		raw_spin_lock_irq(&rings[i].lock);
		w = newest ? rings[i].last : rings[i].now;
		raw_spin_unlock_irq(&rings[i].lock);
		if (!newest) {
			grt_window_pass(&w, grtrace_clock());
			w.to_ns = w.since_ns;
		}
		if (grt_window_tells(&w) && (!newest || w.to_ns == newest))
			show_row(m, i, &w);
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
	      "0 off, 1 windows beside the events, 2 instead of them");
GRTRACE_PARAM(aggregator_window, &ctls[KEY_WINDOW], "milliseconds, 100..60000");

static void remove_hook(void)
{
	/* The files of the parameters outlive it. */
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
	mode = MODE_OFF;	/* until there is room for it, if a session runs already */
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
