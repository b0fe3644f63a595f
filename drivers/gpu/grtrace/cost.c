// SPDX-License-Identifier: GPL-2.0
/*
 * Measures the time that it takes to write an event.
 */
#include <linux/cpumask.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/rcupdate.h>
#include <linux/timekeeping.h>

#include "cost.h"

u64 grt_cost_sample;
DEFINE_STATIC_KEY_FALSE(grt_cost_timed);

static u64 mask;	/* written while the key is off */

bool grt_cost_is_allowed(u64 sample)
{
	return !sample || is_power_of_2(sample);
}

static void clear_start_times(void)
{
	int cpu;

	if (!grt_cpus)	/* on the module's command line */
		return;
	for_each_possible_cpu(cpu)
		per_cpu_ptr(grt_cpus, cpu)->cost_began_ns = 0;
}

void grt_cost_apply(void)
{
	static_branch_disable(&grt_cost_timed);
	/*
	 * An event may begin while the key is on and end while it is off.  Clear its start
	 * time, or a later event would take it for its own.
	 */
	synchronize_rcu();
	clear_start_times();
	if (grt_cost_sample) {
		mask = grt_cost_sample - 1;
		static_branch_enable(&grt_cost_timed);
	}
}

void grt_cost_begin(struct grt_cpu *c)
{
	c->cost_began_ns = (c->cseq + 1) & mask ? 0 : ktime_get_mono_fast_ns();
}

void grt_cost_end(struct grt_cpu *c)
{
	u64 began_ns = c->cost_began_ns, ns;

	/* A record that a hook writes counts as part of the event that the hook judges. */
	if (!began_ns || c->hook_depth)
		return;
	/* The clock may take a small step back when it is adjusted. */
	ns = max(ktime_get_mono_fast_ns(), began_ns) - began_ns;
	c->cost[grt_bucket(ns)]++;
	c->cost_ns += ns;
	c->cost_max_ns = max(c->cost_max_ns, ns);
	c->cost_began_ns = 0;
}
