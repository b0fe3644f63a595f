// SPDX-License-Identifier: GPL-2.0
/*
 * The file rules.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../policy_log.h"
#include "../rules.h"
#include "../session.h"
#include "control.h"

int grt_rules_show(struct seq_file *m)
{
	const struct grt_rule *rule;
	unsigned int i;
	u64 hits;

	seq_puts(m, "number,label,hits,rule\n");
	mutex_lock(&grt_session.lock);
	for (i = 0; i < GRT_RULES_MAX; i++) {
		rule = grt_rules_at(i, &hits);
		if (rule)
			seq_printf(m, "%u,%s,%llu,%s\n", i + 1, rule->label, hits, rule->text);
	}
	mutex_unlock(&grt_session.lock);
	return 0;
}

/* Notes that rule @i becomes @text, before the change.  Under the session lock.  @ts: 0 = now. */
static void note(u64 ts, unsigned int i, const char *text)
{
	char key[] = "rule1";

	key[4] += i;
	grt_policy_log_add_at(ts, key, text);
}

void grt_rules_note(void)
{
	const struct grt_rule *rule;
	unsigned int i;
	u64 hits;

	for (i = 0; i < GRT_RULES_MAX; i++) {
		rule = grt_rules_at(i, &hits);
		if (rule)
			note(grt_session.start_ns, i, rule->text);
	}
}

/* Notes that the rule with @label will be removed; NULL: all of them. */
static void note_end(const char *label)
{
	const struct grt_rule *rule;
	unsigned int i;
	u64 hits;

	for (i = 0; i < GRT_RULES_MAX; i++) {
		rule = grt_rules_at(i, &hits);
		if (rule && (!label || !strcmp(rule->label, label)))
			note(0, i, "");
	}
}

static int refuse(int err)
{
	switch (err) {
	case -ENOSPC:
		return grt_ctl_fail(err, "rules: all %d places are taken; off LABEL removes one",
				    GRT_RULES_MAX);
	case -ENOENT:
		return grt_ctl_fail(err, "rules: no rule has this label; read rules for all");
	case -ENOMEM:
		return grt_ctl_fail(err, "rules: no memory");
	default:
		return err;
	}
}

/* Under the session lock. */
static int add_noted(struct grt_rule *rule)
{
	int i = grt_rules_place(rule->label), err;

	if (i < 0)
		return i;
	note(0, i, rule->text);
	err = grt_rules_add(rule);
	if (err)
		note(0, i, "");
	return err;
}

static int add(const char *line)
{
	struct grt_rule *rule = kmalloc(sizeof(*rule), GFP_KERNEL);
	const char *wrong;
	int err;

	if (!rule)
		return refuse(-ENOMEM);
	wrong = grt_rule_parse(rule, line);
	if (wrong) {
		kfree(rule);
		return grtrace_ctl_error("rules: '%.64s': %s", line, wrong);
	}
	mutex_lock(&grt_session.lock);
	err = add_noted(rule);
	mutex_unlock(&grt_session.lock);
	kfree(rule);
	return refuse(err);
}

int grt_rules_store(char *line)
{
	const char *label;
	int err;

	if (strcmp(line, "clear") && strncmp(line, "off ", 4))
		return add(line);
	label = *line == 'c' ? NULL : strim(line + 4);
	mutex_lock(&grt_session.lock);
	note_end(label);
	err = grt_rules_remove(label);
	mutex_unlock(&grt_session.lock);
	return refuse(err);
}
