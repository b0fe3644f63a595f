// SPDX-License-Identifier: GPL-2.0
/*
 * Per-CPU counters of fates, and their sums.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/smp.h>
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
	grt_cpus = NULL;
}

static void call_here(void *fn)
{
	(*(void (**)(int cpu))fn)(smp_processor_id());
}

void grt_counters_each(void (*fn)(int cpu))
{
	int cpu;

	cpus_read_lock();
	on_each_cpu(call_here, &fn, 1);
	for_each_possible_cpu(cpu)
		if (!cpu_online(cpu))
			fn(cpu);
	cpus_read_unlock();
}

struct call {
	void (*fn)(int cpu, void *arg);
	void *arg;
};

static void call_one(void *info)
{
	const struct call *call = info;

	call->fn(smp_processor_id(), call->arg);
}

void grt_counters_call(int cpu, void (*fn)(int cpu, void *arg), void *arg)
{
	struct call call = { .fn = fn, .arg = arg };

	cpus_read_lock();
	if (cpu_online(cpu))
		smp_call_function_single(cpu, call_one, &call, 1);
	else
		fn(cpu, arg);
	cpus_read_unlock();
}

static void reset(int cpu)
{
	struct grt_cpu *c = per_cpu_ptr(grt_cpus, cpu);
	const struct grt_process *noted = c->noted;

	memset(c, 0, sizeof(*c));
	c->noted = noted;	/* must stay valid: it is read without a session, too */
}

void grt_counters_reset(void)
{
	grt_counters_each(reset);
}

static void add_type(const struct grt_counts *n, unsigned int type,
		     struct grtrace_fates *fates)
{
	unsigned int f;

	fates->seen += READ_ONCE(n->seen[type]);
	for (f = 0; f < GRTRACE_NR_FATES; f++)
		*grt_fates_slot(fates, f) += READ_ONCE(n->fate[type][f]);
}

void grt_counts_fates(const struct grt_counts *n, struct grtrace_fates *fates)
{
	unsigned int type;

	BUILD_BUG_ON(GRTRACE_NR_FATES > GRT_FATE_COLUMNS);
	memset(fates, 0, sizeof(*fates));
	for (type = 0; type < GRTRACE_NR_EVENTS; type++)
		add_type(n, type, fates);
}

void grt_counts_type(const struct grt_counts *n, unsigned int type,
		     struct grtrace_fates *fates)
{
	memset(fates, 0, sizeof(*fates));
	add_type(n, type, fates);
}
