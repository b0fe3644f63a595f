// SPDX-License-Identifier: GPL-2.0
/*
 * The last 60 seconds.
 */
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "police.h"
#include "seconds.h"

#define SLICES_PER_SECOND	10
#define SLICE_NS		(NSEC_PER_SEC / SLICES_PER_SECOND)
#define ROWS			60

struct sums {
	struct grtrace_fates fates;
	u64 bytes;
};

static struct {
	struct mutex lock;	/* inside the session mutex and the statistics' lock */
	u64 start_ns;
	u64 slice;		/* since the start: the one under way */
	u64 slice_events;	/* before it */
	u64 second;		/* the one under way */
	struct sums before;	/* before that second */
	u64 burst;		/* in that second so far */
	struct grt_second rows[ROWS];	/* of second s: s % ROWS */
	unsigned int nr_rows;	/* those before the second under way */
} seconds = { .lock = __MUTEX_INITIALIZER(seconds.lock) };

static void look_again(struct work_struct *work);
static DECLARE_DELAYED_WORK(looking, look_again);

static void add(struct sums *sums, const struct grt_counts *n)
{
	struct grtrace_fates fates;
	int f;

	grt_counts_fates(n, &fates);
	for (f = 0; f < GRTRACE_NR_FATES; f++) {
		u64 count = *grt_fates_slot(&fates, f);

		*grt_fates_slot(&sums->fates, f) += count;
		sums->fates.seen += count;	/* seen without a fate yet: later */
	}
	sums->bytes += READ_ONCE(n->bytes_written);
}

static void add_all(struct sums *sums)
{
	int cpu;

	memset(sums, 0, sizeof(*sums));
	for_each_possible_cpu(cpu)
		add(sums, &per_cpu_ptr(grt_cpus, cpu)->counts);
}

static void subtract(struct grt_second *to, const struct sums *now, const struct sums *before)
{
	int f;

	to->bytes = now->bytes - before->bytes;
	to->fates.seen = now->fates.seen - before->fates.seen;
	for (f = 0; f < GRTRACE_NR_FATES; f++)
		*grt_fates_slot(&to->fates, f) =
			(&now->fates.written)[f] - (&before->fates.written)[f];
}

/* The second under way ends with @now. */
static void end_second(const struct sums *now)
{
	struct grt_second *row = &seconds.rows[seconds.second % ROWS];

	subtract(row, now, &seconds.before);
	row->second = seconds.second;
	row->start_ns = seconds.start_ns + seconds.second * NSEC_PER_SEC;
	row->burst = seconds.burst;
	row->max_rate = seconds.burst * SLICES_PER_SECOND;
	row->tokens = grt_rate_tokens();
	seconds.before = *now;
	seconds.burst = 0;
	seconds.second++;
	seconds.nr_rows = min(seconds.nr_rows + 1, ROWS);
}

/* Returns when it was. */
static u64 look(struct sums *now)
{
	u64 now_ns = max(ktime_get_mono_fast_ns(), seconds.start_ns);
	u64 slice = div_u64(now_ns - seconds.start_ns, SLICE_NS);
	u64 events;

	slice = max(slice, seconds.slice);	/* that clock may step back */
	add_all(now);
	events = now->fates.seen - seconds.slice_events;
	/* A look that comes late spreads what it finds over the slices that it missed. */
	events = DIV64_U64_ROUND_UP(events, max(slice - seconds.slice, 1ULL));
	seconds.burst = max(seconds.burst, events);
	seconds.slice_events = now->fates.seen;
	seconds.slice = slice;
	while (seconds.second < div_u64(slice, SLICES_PER_SECOND))
		end_second(now);
	return now_ns;
}

/* Aims at the end of the slice under way, so that delays do not add up. */
static void want_look(u64 now_ns)
{
	u64 next_ns = seconds.start_ns + (seconds.slice + 1) * SLICE_NS;

	schedule_delayed_work(&looking, nsecs_to_jiffies(next_ns - now_ns) + 1);
}

static void look_again(struct work_struct *work)
{
	struct sums now;

	mutex_lock(&seconds.lock);
	want_look(look(&now));
	mutex_unlock(&seconds.lock);
}

void grt_seconds_forget(void)
{
	mutex_lock(&seconds.lock);
	memset(&seconds.before, 0, sizeof(seconds.before));
	seconds.slice = 0;
	seconds.slice_events = 0;
	seconds.second = 0;
	seconds.burst = 0;
	seconds.nr_rows = 0;
	mutex_unlock(&seconds.lock);
}

void grt_seconds_begin(u64 start_ns)
{
	mutex_lock(&seconds.lock);
	seconds.start_ns = start_ns;
	want_look(start_ns);
	mutex_unlock(&seconds.lock);
}

void grt_seconds_end(void)
{
	struct sums now;

	cancel_delayed_work_sync(&looking);
	mutex_lock(&seconds.lock);
	look(&now);
	end_second(&now);	/* a part of one, which would be lost */
	mutex_unlock(&seconds.lock);
}

void grt_seconds_reset(const struct grt_counts __percpu *bases)
{
	int cpu;

	mutex_lock(&seconds.lock);
	memset(&seconds.before, 0, sizeof(seconds.before));
	for_each_possible_cpu(cpu)
		add(&seconds.before, per_cpu_ptr(bases, cpu));
	seconds.slice_events = seconds.before.fates.seen;
	seconds.burst = 0;
	seconds.nr_rows = 0;
	mutex_unlock(&seconds.lock);
}

bool grt_second_next(u64 from, struct grt_second *to)
{
	bool is_there;

	mutex_lock(&seconds.lock);
	from = max(from, seconds.second - seconds.nr_rows);
	is_there = from < seconds.second;
	if (is_there)
		*to = seconds.rows[from % ROWS];
	mutex_unlock(&seconds.lock);
	return is_there;
}
