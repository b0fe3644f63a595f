// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs in flight.
 */
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "jobs.h"

#define SETS	BIT(GRT_JOB_SET_BITS)

struct grt_job_set *grt_job_sets;	/* once allocated, kept until module exit */

DEFINE_STATIC_KEY_FALSE(grt_tracked);

#ifdef CONFIG_DEBUG_LOCK_ALLOC
static struct lock_class_key lock_key;
struct lockdep_map grt_job_lock_map = STATIC_LOCKDEP_MAP_INIT("grt_job_set", &lock_key);
#endif

void grt_jobs_destroy(void)
{
	kvfree(grt_job_sets);
	grt_job_sets = NULL;
}

int grt_jobs_reserve(void)
{
	struct grt_job_set *fresh;

	if (grt_job_sets)
		return 0;
	fresh = kvcalloc(SETS, sizeof(*fresh), GFP_KERNEL);
	if (!fresh)
		return -ENOMEM;
	/* Pairs with the static key that lets events in. */
	smp_store_release(&grt_job_sets, fresh);
	return 0;
}

void grt_jobs_reset(void)
{
	struct grt_job_set *set;
	unsigned int i;

	for (i = 0; grt_job_sets && i < SETS; i++) {
		set = &grt_job_sets[i];
		local_irq_disable();
		grt_job_set_lock(set);
		set->taken = 0;
		set->in_flight = 0;
		set->overflow = 0;
		grt_job_unlock(set);
		local_irq_enable();
	}
}

u64 grt_jobs_overflow(void)
{
	unsigned int i;
	u64 sum = 0;

	for (i = 0; grt_job_sets && i < SETS; i++)
		sum += READ_ONCE(grt_job_sets[i].overflow);
	return sum;
}

u32 grt_jobs_count(void)
{
	unsigned int i;
	u32 sum = 0;

	for (i = 0; grt_job_sets && i < SETS; i++)
		sum += hweight_long(READ_ONCE(grt_job_sets[i].in_flight));
	return sum;
}

bool grtrace_job_copy(u32 *at, struct grtrace_job_state *to)
{
	bool is_found = false;
	unsigned long flags;

	while (grt_job_sets && !is_found && *at < SETS * GRT_JOB_WAYS) {
		struct grt_job_set *set = &grt_job_sets[*at / GRT_JOB_WAYS];

		local_irq_save(flags);
		grt_job_set_lock(set);
		is_found = set->in_flight >> (*at % GRT_JOB_WAYS) & 1;
		if (is_found)
			*to = set->rows[*at % GRT_JOB_WAYS];
		grt_job_unlock(set);
		local_irq_restore(flags);
		++*at;
	}
	return is_found;
}
EXPORT_SYMBOL_GPL(grtrace_job_copy);
