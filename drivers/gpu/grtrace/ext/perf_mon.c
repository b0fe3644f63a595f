// SPDX-License-Identifier: GPL-2.0
/*
 * What each ring is doing now: /proc/grtrace_stats.
 *
 * Off, it costs nothing; on, each event takes the lock of its ring, and the jobs in
 * flight are followed.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/grtrace_hook.h>

#include "../policy/slices.h"
#include "../version.h"

#define PROC_NAME	"grtrace_stats"

/* In the marks of a job; above them the generation that it was submitted in. */
#define MARK_COUNTED	1	/* in its ring's depth */
#define MARK_ON		2	/* handed to the hardware, and not done */
#define MARK_BITS	2

struct mon_ring {
	raw_spinlock_t lock;
	u32 generation;		/* of what follows; an older one is forgotten */
	u32 depth;		/* submitted and not complete */
	bool has_end;		/* its driver tells when the hardware is done */
	struct grt_slices last;
};

static struct mon_ring *rings;	/* NULL: off */
static DEFINE_MUTEX(mon_lock);
static bool is_registered;	/* the parameter of the command line comes before */
static bool is_asked;
/* mon_lock for the four above.  The table goes after the last event has left the hook. */

static u32 generation;		/* counts the times that all began anew */
static u64 since_ns;		/* when it did so last */
static bool is_running;		/* a session */

/* Rows are cleared when they are used next: nobody else may be inside a table here. */
static void start_over(void)
{
	u32 next = READ_ONCE(generation) + 1;

	/* Marks of 0 are of no generation. */
	if (!(u8)(next << MARK_BITS))
		next++;
	WRITE_ONCE(since_ns, grtrace_clock());
	WRITE_ONCE(generation, next);
}

static u8 fresh_mark(void)
{
	return READ_ONCE(generation) << MARK_BITS;
}

static bool is_stranger(const struct grtrace_job_state *job)
{
	return !job || (job->marks[GRTRACE_HOOK_MONITOR] ^ fresh_mark()) >> MARK_BITS;
}

/* NULL: no ring. */
static struct mon_ring *ring_of(u32 ring)
{
	return ring == GRTRACE_NO_RING || ring >= GRTRACE_MAX_RINGS ? NULL : &rings[ring];
}

/* Under the ring's lock, first of all: what is older than the others is forgotten. */
static void catch_up(struct mon_ring *r)
{
	u32 now = READ_ONCE(generation);

	if (r->generation == now)
		return;
	r->generation = now;
	r->depth = 0;
	r->has_end = false;
	memset(&r->last, 0, sizeof(r->last));
}

/* The hardware is done with it, or never was to be. */
static void leave_hardware(struct mon_ring *r, u8 *marks, u64 ns)
{
	if (!(*marks & MARK_ON))
		return;
	*marks &= ~MARK_ON;
	grt_slices_job_off(&r->last, ns);
}

static void job_over(struct mon_ring *r, struct grt_slice *slice, const struct grtrace_job *job)
{
	slice->jobs++;
	if (!job)
		return;
	r->depth--;
	slice->latencies++;
	if (job->complete_ns > job->submit_ns)
		slice->latency_sum_ns += job->complete_ns - job->submit_ns;
}

/* A step in the life of a job.  Under the ring's lock; the job is locked, too. */
static void step(struct mon_ring *r, struct grt_slice *slice, struct grtrace_job_state *job,
		 const struct grtrace_seen *ev)
{
	bool is_known = !is_stranger(job);
	u8 *marks = is_known ? &job->marks[GRTRACE_HOOK_MONITOR] : NULL;

	if (ev->type == GRTRACE_END)
		r->has_end = true;
	if (!is_known) {
		slice->strangers++;
		if (ev->type == GRTRACE_COMPLETE)
			job_over(r, slice, NULL);
		return;
	}
	if (!(*marks & MARK_COUNTED)) {
		*marks |= MARK_COUNTED;
		r->depth++;
	}
	if (ev->type == GRTRACE_COMMIT && !(*marks & MARK_ON)) {
		*marks |= MARK_ON;
		grt_slices_job_on(&r->last, ev->ts);
	}
	if (ev->type == GRTRACE_END || ev->type == GRTRACE_COMPLETE)
		leave_hardware(r, marks, ev->ts);
	if (ev->type == GRTRACE_COMPLETE)
		job_over(r, slice, &job->rec);
}

#define STEPS	(1u << GRTRACE_SUBMIT | 1u << GRTRACE_COMMIT | 1u << GRTRACE_END |	\
		 1u << GRTRACE_COMPLETE)

static void event(struct grtrace_job_state *job, const struct grtrace_seen *ev)
{
	bool is_step = STEPS >> ev->type & 1;
	struct grt_slice *slice;
	struct mon_ring *r;
	u32 home = ev->ring;

	if (ev->type == GRTRACE_SUBMIT && job)
		job->marks[GRTRACE_HOOK_MONITOR] = fresh_mark();
	/* A job stays on the ring that it was met on first, whatever is written by hand. */
	if (is_step && job && job->rec.ring)
		home = job->rec.ring;
	r = ring_of(ev->ring);
	if (r) {
		raw_spin_lock(&r->lock);
		catch_up(r);
		slice = grt_slices_at(&r->last, ev->ts);
		slice->seen++;
		if (is_step && likely(home == ev->ring))
			step(r, slice, job, ev);
		raw_spin_unlock(&r->lock);
	}
	if (!is_step || likely(home == ev->ring))
		return;
	r = ring_of(home);
	raw_spin_lock(&r->lock);
	catch_up(r);
	step(r, grt_slices_at(&r->last, ev->ts), job, ev);
	raw_spin_unlock(&r->lock);
}

static void dropped(u32 ring, u16 type, enum grtrace_fate fate)
{
	struct mon_ring *r = ring_of(ring);

	/* Nobody is asked about an event while no session runs. */
	if (!r || fate == GRTRACE_FATE_DISABLED)
		return;
	raw_spin_lock(&r->lock);
	catch_up(r);
	grt_slices_newest(&r->last)->dropped++;
	raw_spin_unlock(&r->lock);
}

static void begin(void)
{
	start_over();
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
	.event = event,
	.dropped = dropped,
	.begin = begin,
	.end = end,
};

static int switch_on(void)
{
	unsigned int i;
	int err;

	rings = kvcalloc(GRTRACE_MAX_RINGS, sizeof(*rings), GFP_KERNEL);
	if (!rings)
		return -ENOMEM;
	for (i = 0; i < GRTRACE_MAX_RINGS; i++)
		raw_spin_lock_init(&rings[i].lock);
	start_over();
	err = grtrace_hook_enable(&hook, true);
	if (err) {
		kvfree(rings);
		rings = NULL;
	}
	return err;
}

static void switch_off(void)
{
	grtrace_hook_enable(&hook, false);
	kvfree(rings);
	rings = NULL;
}

/* Under mon_lock: what is asked for comes true. */
static int settle(void)
{
	if (!is_registered || is_asked == !!rings)
		return 0;
	if (!is_asked) {
		switch_off();
		return 0;
	}
	return switch_on();
}

/* Two decimals; unknown is empty. */
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

static void show_ring(struct seq_file *m, const struct grtrace_ring *row, u64 now, u64 span_ns)
{
	struct mon_ring *r = ring_of(row->ring);
	struct grt_slices_sum sum;
	unsigned long flags;
	bool has_end;
	u32 depth;

	raw_spin_lock_irqsave(&r->lock, flags);
	catch_up(r);
	grt_slices_sum(&r->last, now, &sum);
	depth = r->depth;
	has_end = r->has_end;
	raw_spin_unlock_irqrestore(&r->lock, flags);

	seq_printf(m, "%u", row->ring);
	put_ratio(m, has_end && !sum.strangers, sum.busy_ns, span_ns);
	put_ratio(m, true, min(sum.dropped, sum.seen), sum.seen);
	seq_putc(m, ',');
	if (sum.latencies)
		seq_printf(m, "%llu", div64_u64(sum.latency_sum_ns, sum.latencies * NSEC_PER_USEC));
	seq_printf(m, ",%u,", depth);
	if (span_ns)
		seq_printf(m, "%llu", div64_u64(sum.jobs * NSEC_PER_SEC, span_ns));
	seq_printf(m, ",%s,%s\n", row->name, row->device);
}

/* Of one second for all rings; shorter as long as it all is younger. */
static void show_rings(struct seq_file *m)
{
	u64 now = grtrace_clock(), until = grt_slice_number(now) * GRT_SLICE_NS;
	u64 from = max(until - GRT_WINDOW * GRT_SLICE_NS, READ_ONCE(since_ns));
	struct grtrace_ring row;
	u32 ring;

	for (ring = 1; ring < GRTRACE_MAX_RINGS; ring++)
		if (grtrace_ring_describe(ring, &row))
			show_ring(m, &row, now, until > from ? until - from : 0);
}

static int stats_show(struct seq_file *m, void *v)
{
	seq_puts(m, "ring_id,utilization%,drop_rate%,avg_latency_us,depth,jobs_per_s,name,device\n");
	mutex_lock(&mon_lock);
	if (!rings)
		seq_puts(m, "# off: echo 1 > /sys/kernel/debug/grtrace/perf_mon_enable\n");
	else if (!READ_ONCE(is_running))
		seq_puts(m, "# no session runs: echo start > /sys/kernel/debug/grtrace/control\n");
	else
		show_rings(m);
	mutex_unlock(&mon_lock);
	return 0;
}

static int store_enable(const struct grtrace_key *key, char *text)
{
	bool before;
	u64 value;
	int err;

	if (grtrace_ctl_number(key->name, text, 0, 1, &value))
		return -EINVAL;
	mutex_lock(&mon_lock);
	before = is_asked;
	is_asked = value;
	err = settle();
	if (err)
		is_asked = before;
	mutex_unlock(&mon_lock);
	if (err)
		grtrace_ctl_error("%s: no memory", key->name);
	return err;
}

static void show_enable(const struct grtrace_key *key, char *to, size_t room)
{
	scnprintf(to, room, "%d", is_asked);
}

static const struct grtrace_key enable_key = {
	"perf_mon_enable", .store = store_enable, .show = show_enable,
};

static const struct grtrace_ctl ctls[] = {
	{ "perf_mon_enable", 0600, .key = &enable_key, .owner = THIS_MODULE },
};

GRTRACE_PARAM(perf_mon_enable, &ctls[0], "1 watches the rings, for /proc/" PROC_NAME);

static void let_go(void)
{
	/* The file of the parameter is there until after our exit. */
	mutex_lock(&mon_lock);
	is_asked = false;
	settle();
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
	err = settle();
	mutex_unlock(&mon_lock);
	if (!err && !proc_create_single(PROC_NAME, 0400, NULL, stats_show))
		err = -ENOMEM;
	if (err) {
		let_go();
		return err;
	}
	grtrace_ctl_add(ctls, ARRAY_SIZE(ctls));
	return 0;
}

static void __exit perf_mon_exit(void)
{
	grtrace_ctl_remove(ctls, ARRAY_SIZE(ctls));
	remove_proc_entry(PROC_NAME, NULL);
	let_go();
}

module_init(perf_mon_init);
module_exit(perf_mon_exit);
MODULE_DESCRIPTION("grtrace: what each ring is doing now");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
