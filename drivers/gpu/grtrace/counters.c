// SPDX-License-Identifier: GPL-2.0
/*
 * Per-CPU counters of fates, and their sums.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/string.h>

#include "counters.h"

struct grt_cpu __percpu *grt_cpus;

int grt_counters_create(void)
{
	grt_cpus = alloc_percpu(struct grt_cpu);
	return grt_cpus ? 0 : -ENOMEM;
}

void grt_counters_destroy(void)
{
	free_percpu(grt_cpus);
}

void grt_counters_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(grt_cpus, cpu), 0, sizeof(struct grt_cpu));
}

static void add_type(const struct grt_cpu *c, unsigned int type,
		     struct grtrace_fates *fates)
{
	unsigned int f;

	fates->seen += READ_ONCE(c->seen[type]);
	for (f = 0; f < GRTRACE_NR_FATES; f++)
		*grt_fates_slot(fates, f) += READ_ONCE(c->fate[type][f]);
}

static void add_cpu(const struct grt_cpu *c, struct grtrace_fates *fates)
{
	unsigned int type;

	BUILD_BUG_ON(GRTRACE_NR_FATES > GRT_FATE_COLUMNS);
	for (type = 0; type < GRTRACE_NR_EVENTS; type++)
		add_type(c, type, fates);
}

void grt_counters_fates(const struct grt_cpu *c, struct grtrace_fates *fates)
{
	memset(fates, 0, sizeof(*fates));
	add_cpu(c, fates);
}

void grt_counters_total(struct grtrace_fates *fates)
{
	int cpu;

	memset(fates, 0, sizeof(*fates));
	for_each_possible_cpu(cpu)
		add_cpu(per_cpu_ptr(grt_cpus, cpu), fates);
}

void grt_counters_type(unsigned int type, struct grtrace_fates *fates)
{
	int cpu;

	memset(fates, 0, sizeof(*fates));
	for_each_possible_cpu(cpu)
		add_type(per_cpu_ptr(grt_cpus, cpu), type, fates);
}
