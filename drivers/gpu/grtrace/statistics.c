// SPDX-License-Identifier: GPL-2.0
/*
 * The numbers that the statistics files show.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "rules.h"
#include "seconds.h"
#include "session.h"
#include "statistics.h"
#include "transport/transport.h"

/* The counters at the last reset, each written by its own CPU, interrupts off. */
static struct grt_counts __percpu *bases;
static u64 consumed_base;	/* under the session mutex */

/*
 * Protects the seconds, and the bases of offline CPUs.  Taken after the session mutex and
 * before cpus_read_lock().
 */
static DEFINE_MUTEX(lock);

int grt_statistics_create(void)
{
	int err = grt_seconds_create();

	if (err)
		return err;
	bases = alloc_percpu(struct grt_counts);
	if (bases)
		return 0;
	grt_seconds_destroy();
	return -ENOMEM;
}

void grt_statistics_destroy(void)
{
	free_percpu(bases);
	bases = NULL;
	grt_seconds_destroy();
}

/* The functions below treat struct grt_counts as an array of u64. */
#define NR_COUNTS	(sizeof(struct grt_counts) / sizeof(u64))

static void read_counts(int cpu, void *to)
{
	const u64 *now = (u64 *)&per_cpu_ptr(grt_cpus, cpu)->counts;
	const u64 *base = (u64 *)per_cpu_ptr(bases, cpu);
	u64 *difference = (u64 *)to;
	unsigned int i;

	for (i = 0; i < NR_COUNTS; i++)
		difference[i] = now[i] - base[i];
}

static void rebase(int cpu)
{
	struct grt_cpu *c = per_cpu_ptr(grt_cpus, cpu);

	*per_cpu_ptr(bases, cpu) = c->counts;
	c->cost_max_ns = 0;
	grt_seconds_rebase(cpu);
}

/* Reads on the CPU itself: another CPU could see an event half counted. */
void grt_statistics_cpu(int cpu, struct grt_counts *to)
{
	mutex_lock(&lock);
	grt_counters_call(cpu, read_counts, to);
	mutex_unlock(&lock);
}

struct grt_counts *grt_statistics_total(void)
{
	struct grt_counts *pair = kcalloc(2, sizeof(*pair), GFP_KERNEL);
	u64 *sum = (u64 *)pair, *one = (u64 *)(pair + 1);
	unsigned int i;
	int cpu;

	if (!pair)
		return NULL;
	for_each_possible_cpu(cpu) {
		grt_statistics_cpu(cpu, pair + 1);
		for (i = 0; i < NR_COUNTS; i++)
			sum[i] += one[i];
	}
	return pair;
}

u64 grt_statistics_cost_max_ns(void)
{
	u64 most = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		most = max(most, READ_ONCE(per_cpu_ptr(grt_cpus, cpu)->cost_max_ns));
	return most;
}

u64 grt_statistics_consumed(void)
{
	u64 sum;

	/* The mutex: a reset, or a start with another size, frees the buffers. */
	mutex_lock(&grt_session.lock);
	sum = grt_transport_consumed() - consumed_base;
	mutex_unlock(&grt_session.lock);
	return sum;
}

u64 grt_statistics_unread(void)
{
	u64 bytes;

	/* The mutex as above. */
	mutex_lock(&grt_session.lock);
	bytes = grt_transport_unread();
	mutex_unlock(&grt_session.lock);
	return bytes;
}

void grt_statistics_clear(void)
{
	int cpu;

	mutex_lock(&lock);
	consumed_base = 0;
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(bases, cpu), 0, sizeof(*bases));
	grt_seconds_clear();
	mutex_unlock(&lock);
}

void grt_statistics_begin(u64 start_ns)
{
	mutex_lock(&lock);
	grt_seconds_begin(start_ns);
	mutex_unlock(&lock);
}

void grt_statistics_end(void)
{
	mutex_lock(&lock);
	grt_seconds_end();
	mutex_unlock(&lock);
}

struct grt_second *grt_statistics_seconds(unsigned int *nr)
{
	struct grt_second *rows = kcalloc(GRT_SECONDS, sizeof(*rows), GFP_KERNEL);

	if (!rows)
		return NULL;
	mutex_lock(&lock);
	*nr = grt_seconds_read(rows);
	mutex_unlock(&lock);
	return rows;
}

void grt_statistics_reset(void)
{
	if (!bases)	/* on the module's command line */
		return;
	mutex_lock(&lock);
	grt_seconds_reset();
	grt_counters_each(rebase);
	consumed_base = grt_transport_consumed();
	grt_rules_reset_hits();
	mutex_unlock(&lock);
}
