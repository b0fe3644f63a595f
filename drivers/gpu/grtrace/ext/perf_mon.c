// SPDX-License-Identifier: GPL-2.0
/*
 * Shows what each ring is doing now: /proc/grtrace_stats.
 *
 * The meters are part of grtrace.ko and cost nothing while they are off.  They are on while
 * perf_mon_enable is 1, while the file is open, and a few seconds longer, so that repeated
 * reads do not have to wait.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/workqueue.h>
#include <linux/grtrace_hook.h>

#include "../version.h"

#define PROC_NAME	"grtrace_stats"
#define STAY_ON_SECONDS	5

static DEFINE_MUTEX(mon_lock);	/* protects the five below */
static bool is_registered;	/* false while the parameter of the command line is set */
static bool is_enabled;		/* perf_mon_enable */
static bool is_on;		/* the meters count */
static bool is_lingering;	/* the last reader closed the file a moment ago */
static unsigned int nr_readers;

static bool is_running;		/* a session runs */

static void begin(void)
{
	WRITE_ONCE(is_running, true);
}

static void end(void)
{
	WRITE_ONCE(is_running, false);
}

static struct grtrace_hook hook = {
	.name = "perf_mon",
	.owner = THIS_MODULE,
	.place = GRTRACE_HOOK_MONITOR,
	.needs_jobs = true,
	.begin = begin,
	.end = end,
};

/* Turns the meters on or off, as needed.  Under mon_lock. */
static int update_meters(void)
{
	bool is_wanted = is_enabled || nr_readers || is_lingering;
	int err;

	if (!is_registered || is_wanted == is_on)
		return 0;
	err = grtrace_hook_enable(&hook, is_wanted);
	if (!err)
		is_on = is_wanted;
	return err;
}

static void stop_lingering(struct work_struct *work)
{
	mutex_lock(&mon_lock);
	is_lingering = false;
	update_meters();
	mutex_unlock(&mon_lock);
}

static DECLARE_DELAYED_WORK(linger_work, stop_lingering);

/* --- the file ---------------------------------------------------------------- */

/* Writes a percentage with two decimals; unknown is empty. */
static void put_ratio(struct seq_file *m, bool is_known, u64 part, u64 whole)
{
	u64 hundredths;
	u32 rest;

	seq_putc(m, ',');
	if (!is_known || !whole)
		return;
	hundredths = div64_u64(part * 10000 + whole / 2, whole);
	hundredths = div_u64_rem(hundredths, 100, &rest);
	seq_printf(m, "%llu.%02u", hundredths, rest);
}

static void show_ring(struct seq_file *m, const struct grtrace_ring *row, u64 now, u32 depth)
{
	struct grtrace_meter sum;
	u64 span_ns;

	grtrace_meter_read(row->ring, now, &sum);
	span_ns = sum.until_ns > sum.from_ns ? sum.until_ns - sum.from_ns : 0;
	seq_printf(m, "%u", row->ring);
	put_ratio(m, sum.has_busy && sum.until_ns > sum.busy_from_ns, sum.busy_ns,
		  sum.until_ns - sum.busy_from_ns);
	put_ratio(m, true, min(sum.dropped, sum.seen), sum.seen);
	seq_putc(m, ',');
	if (sum.timed_jobs)
		seq_printf(m, "%llu",
			   div64_u64(sum.latency_sum_ns, sum.timed_jobs * NSEC_PER_USEC));
	seq_printf(m, ",%u,", depth);
	if (span_ns)
		seq_printf(m, "%llu", div64_u64(sum.jobs * NSEC_PER_SEC, span_ns));
	seq_printf(m, ",%s,%s\n", row->name, row->device);
}

/* Counts the jobs that are not complete, by ring. */
static void count_depths(u32 *depths)
{
	struct grtrace_job_state job;
	u32 at = 0;

	while (grtrace_job_copy(&at, &job))
		depths[job.rec.ring % GRTRACE_MAX_RINGS]++;
}

/* Shows the same second for all rings; a shorter time while the meters are younger. */
static int show_rings(struct seq_file *m)
{
	u32 *depths = kvcalloc(GRTRACE_MAX_RINGS, sizeof(*depths), GFP_KERNEL);
	u64 now = grtrace_clock();
	struct grtrace_ring row;
	u32 ring;

	if (!depths)
		return -ENOMEM;
	count_depths(depths);
	for (ring = 1; ring < GRTRACE_MAX_RINGS; ring++)
		if (grtrace_ring_describe(ring, &row))
			show_ring(m, &row, now, depths[ring]);
	kvfree(depths);
	return 0;
}

static int stats_show(struct seq_file *m, void *v)
{
	int err = 0;

	seq_puts(m, "ring_id,utilization%,drop_rate%,avg_latency_us,depth,jobs_per_s,name,device\n");
	mutex_lock(&mon_lock);
	if (!READ_ONCE(is_running))
		seq_puts(m, "# no session runs: echo start > /sys/kernel/debug/grtrace/control\n");
	else if (is_on)
		err = show_rings(m);
	mutex_unlock(&mon_lock);
	return err;
}

/* Waits until the meters have counted for nearly a second, or until a signal comes. */
static int wait_for_second(void)
{
	u64 until_ns, now;

	while (READ_ONCE(is_running)) {
		until_ns = grtrace_meters_ready_ns();
		now = grtrace_clock();
		if (now >= until_ns)
			break;
		schedule_timeout_interruptible(nsecs_to_jiffies(until_ns - now) + 1);
		if (signal_pending(current))
			return -ERESTARTSYS;
	}
	return 0;
}

static ssize_t stats_read(struct kiocb *iocb, struct iov_iter *to)
{
	int err = iocb->ki_pos ? 0 : wait_for_second();

	return err ?: seq_read_iter(iocb, to);
}

static int stats_open(struct inode *inode, struct file *file)
{
	int err;

	mutex_lock(&mon_lock);
	nr_readers++;
	err = update_meters();
	if (err)
		nr_readers--;
	mutex_unlock(&mon_lock);
	if (err)
		return err;
	err = single_open(file, stats_show, NULL);
	if (err) {
		mutex_lock(&mon_lock);
		nr_readers--;
		update_meters();
		mutex_unlock(&mon_lock);
	}
	return err;
}

static int stats_release(struct inode *inode, struct file *file)
{
	mutex_lock(&mon_lock);
	if (!--nr_readers) {
		is_lingering = true;
		cancel_delayed_work(&linger_work);
		schedule_delayed_work(&linger_work, STAY_ON_SECONDS * HZ);
	}
	mutex_unlock(&mon_lock);
	return single_release(inode, file);
}

static const struct proc_ops stats_ops = {
	.proc_open = stats_open,
	.proc_read_iter = stats_read,
	.proc_lseek = seq_lseek,
	.proc_release = stats_release,
};

/* --- the switch --------------------------------------------------------------- */

static int store_enable(const struct grtrace_key *key, char *text)
{
	bool before;
	u64 value;
	int err;

	if (grtrace_ctl_number(key->name, text, 0, 1, &value))
		return -EINVAL;
	mutex_lock(&mon_lock);
	before = is_enabled;
	is_enabled = value;
	/* Writing 0 turns the meters off at once. */
	if (!value)
		is_lingering = false;
	err = update_meters();
	if (err)
		is_enabled = before;
	mutex_unlock(&mon_lock);
	if (err)
		grtrace_ctl_error("%s: no memory", key->name);
	return err;
}

static void show_enable(const struct grtrace_key *key, char *to, size_t room)
{
	scnprintf(to, room, "%d", is_enabled);
}

static const struct grtrace_key enable_key = {
	"perf_mon_enable", .store = store_enable, .show = show_enable,
};

static const struct grtrace_ctl ctls[] = {
	{ "perf_mon_enable", 0600, .key = &enable_key, .owner = THIS_MODULE },
};

GRTRACE_PARAM(perf_mon_enable, &ctls[0],
	      "1 keeps the meters on while nobody reads /proc/" PROC_NAME);

static void unregister(void)
{
	cancel_delayed_work_sync(&linger_work);
	/* The parameter can still be written until after the module's exit. */
	mutex_lock(&mon_lock);
	is_enabled = false;
	is_lingering = false;
	update_meters();
	is_registered = false;
	mutex_unlock(&mon_lock);
	grtrace_hook_unregister(&hook);
}

static int __init perf_mon_init(void)
{
	int err = grtrace_hook_register(&hook);

	if (err)
		return err;
	mutex_lock(&mon_lock);
	is_registered = true;
	err = update_meters();
	mutex_unlock(&mon_lock);
	if (!err && !proc_create(PROC_NAME, 0400, NULL, &stats_ops))
		err = -ENOMEM;
	if (err) {
		unregister();
		return err;
	}
	grtrace_ctl_add(ctls, ARRAY_SIZE(ctls));
	return 0;
}

static void __exit perf_mon_exit(void)
{
	grtrace_ctl_remove(ctls, ARRAY_SIZE(ctls));
	remove_proc_entry(PROC_NAME, NULL);
	unregister();
}

module_init(perf_mon_init);
module_exit(perf_mon_exit);
MODULE_DESCRIPTION("grtrace: shows what each ring is doing now");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
