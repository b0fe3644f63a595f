// SPDX-License-Identifier: GPL-2.0
/*
 * The rules.
 *
 * Events check a rule only while its is_set is true.  To remove a rule, clear is_set; its
 * place is used again after a grace period, when no event can be inside.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "changes.h"
#include "counters.h"
#include "rings.h"
#include "rules.h"
#include "session.h"

static struct {
	bool is_set;
	atomic64_t hits;
	struct grt_rule rule;
} places[GRT_RULES_MAX];

DEFINE_STATIC_KEY_FALSE(grt_ruled);

static void take_out(unsigned int i)
{
	WRITE_ONCE(places[i].is_set, false);
	synchronize_rcu();
}

unsigned int grt_rules_count(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < GRT_RULES_MAX; i++)
		nr += READ_ONCE(places[i].is_set);
	return nr;
}

static int find(const char *label)
{
	int i;

	for (i = 0; i < GRT_RULES_MAX; i++)
		if (places[i].is_set && !strcmp(places[i].rule.label, label))
			return i;
	return -ENOENT;
}

int grt_rules_place(const char *label)
{
	int i = find(label);

	for (i = i < 0 ? 0 : i; i < GRT_RULES_MAX; i++)
		if (!places[i].is_set || !strcmp(places[i].rule.label, label))
			return i;
	return -ENOSPC;
}

/* Clears rule_flags: no event updates them without rules, and they would be out of date. */
static void clear_flags(void)
{
	int cpu;

	static_branch_disable(&grt_ruled);
	synchronize_rcu();
	for_each_possible_cpu(cpu)
		per_cpu_ptr(grt_cpus, cpu)->rule_flags = 0;
}

static int switch_key(void)
{
	bool is_any = grt_rules_count();
	int err;

	if (!is_any)
		clear_flags();
	err = grt_listener->decided();
	if (!err && is_any)
		static_branch_enable(&grt_ruled);
	return err;
}

int grt_rules_add(struct grt_rule *rule)
{
	int i = grt_rules_place(rule->label), err;

	lockdep_assert_held(&grt_session.lock);
	if (i < 0)
		return i;
	if (places[i].is_set)
		take_out(i);
	grt_rings_put_set(&places[i].rule.rings, &rule->rings);
	places[i].rule.metric = rule->metric;
	places[i].rule.op = rule->op;
	places[i].rule.value = rule->value;
	places[i].rule.has_ring = rule->has_ring;
	places[i].rule.action = rule->action;
	strscpy(places[i].rule.label, rule->label, sizeof(rule->label));
	strscpy(places[i].rule.text, rule->text, sizeof(rule->text));
	atomic64_set(&places[i].hits, 0);
	smp_store_release(&places[i].is_set, true);	/* pairs with grt_rules_check() */
	err = switch_key();
	if (err)
		take_out(i);
	return err;
}

int grt_rules_remove(const char *label)
{
	int i = label ? find(label) : 0;

	lockdep_assert_held(&grt_session.lock);
	if (i < 0)
		return i;
	for (; i < GRT_RULES_MAX; i++) {
		WRITE_ONCE(places[i].is_set, false);
		if (label)
			break;
	}
	synchronize_rcu();
	return switch_key();
}

u16 grt_rules_check(const struct grtrace_job *job)
{
	unsigned int i;
	u16 flags = 0;

	for (i = 0; i < GRT_RULES_MAX; i++) {
		/* Pairs with grt_rules_add(). */
		if (!smp_load_acquire(&places[i].is_set) || !grt_rule_holds(&places[i].rule, job))
			continue;
		flags |= GRTRACE_F_RULE1 << i;
		atomic64_inc(&places[i].hits);
	}
	return flags;
}

/* Its place is used again only after a grace period. */
const struct grt_rule *grt_rules_met(unsigned int i)
{
	return &places[i].rule;
}

const struct grt_rule *grt_rules_at(unsigned int i, u64 *hits)
{
	*hits = atomic64_read(&places[i].hits);
	return places[i].is_set ? &places[i].rule : NULL;
}

void grt_rules_reset_hits(void)
{
	unsigned int i;

	for (i = 0; i < GRT_RULES_MAX; i++)
		atomic64_set(&places[i].hits, 0);
}

void grt_rules_match_row(u32 row, const char *device, const char *name)
{
	unsigned int i;

	for (i = 0; i < GRT_RULES_MAX; i++)
		grt_ringset_match_row(&places[i].rule.rings, row, device, name);
}

void grt_rules_clear_names(void)
{
	unsigned int i;

	for (i = 0; i < GRT_RULES_MAX; i++)
		grt_ringset_clear_names(&places[i].rule.rings);
}
