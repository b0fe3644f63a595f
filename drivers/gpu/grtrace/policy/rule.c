// SPDX-License-Identifier: GPL-2.0
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "rule.h"

static const struct { const char *name; enum grt_rule_metric metric; } metrics[] = {
	{ "total", GRT_RULE_TOTAL },
	{ "t_submit_host", GRT_RULE_SUBMIT_HOST },
	{ "t_hw", GRT_RULE_HW },
	{ "t_complete", GRT_RULE_COMPLETE },
	{ "status", GRT_RULE_STATUS },
};

/* Only reports know these stages: they need all jobs of a ring at once. */
static const char * const elsewhere[] = {
	"t_order", "t_dep", "t_ring", "t_sched", "t_queue", "t_exec", "t_gpu_wait", "t_wake",
	"t_sched_cpu", "t_ioctl",
};

static const struct { const char *sign; enum grt_rule_op op; } ops[] = {
	{ ">", GRT_RULE_GT }, { ">=", GRT_RULE_GE }, { "<", GRT_RULE_LT }, { "<=", GRT_RULE_LE },
	{ "==", GRT_RULE_EQ }, { "!=", GRT_RULE_NE },
};

static const struct { const char *unit; u64 ns; } units[] = {
	{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
};

static const struct { const char *name; enum grt_rule_action action; } actions[] = {
	{ "snapshot", GRT_RULE_SNAPSHOT }, { "stop", GRT_RULE_STOP }, { "mark", GRT_RULE_MARK },
};

/* Cuts the next word off @rest; "" after the last one. */
static char *next_word(char **rest)
{
	char *word = *rest + strspn(*rest, " \t"), *end = word + strcspn(word, " \t");

	*rest = end + (*end != '\0');
	*end = '\0';
	return word;
}

static const char *parse_metric(struct grt_rule *rule, const char *word)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(metrics); i++) {
		if (!strcmp(word, metrics[i].name)) {
			rule->metric = metrics[i].metric;
			return NULL;
		}
	}
	for (i = 0; i < ARRAY_SIZE(elsewhere); i++)
		if (!strcmp(word, elsewhere[i]))
			return "this stage is known to reports only: use 'grtrace report --rules'";
	return "a rule begins with one of total, t_submit_host, t_hw, t_complete, status";
}

static const char *parse_op(struct grt_rule *rule, const char *word)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		if (!strcmp(word, ops[i].sign)) {
			rule->op = ops[i].op;
			return NULL;
		}
	}
	return "the second word is one of > >= < <= == !=";
}

static const char *parse_time(struct grt_rule *rule, const char *word)
{
	size_t len = strspn(word, "0123456789");
	char digits[16];
	unsigned int i;
	u32 number;

	if (len && len < sizeof(digits)) {
		strscpy(digits, word, len + 1);
		for (i = 0; i < ARRAY_SIZE(units) && !kstrtou32(digits, 10, &number); i++) {
			if (!strcmp(word + len, units[i].unit)) {
				rule->value = number * units[i].ns;
				return NULL;
			}
		}
	}
	return "a time is a whole number followed by ns, us, ms or s, such as 5ms";
}

static const char *parse_status(struct grt_rule *rule, const char *word)
{
	bool is_negative = *word == '-';
	u32 number;

	if (kstrtou32(word + is_negative, 10, &number) || number > 4095)
		return "a status is 0 or an errno, such as -62";
	rule->value = is_negative ? -(s64)number : number;
	return NULL;
}

static bool is_label(const char *word)
{
	size_t len = 0;

	/* isascii(), because the kernel's isalnum() accepts Latin-1 letters, too. */
	while ((isascii(word[len]) && isalnum(word[len])) || word[len] == '-' || word[len] == '_')
		len++;

	return len && !word[len] && len < GRT_RULE_LABEL;
}

static const char *parse_action(struct grt_rule *rule, const char *word)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(actions); i++) {
		if (strcmp(word, actions[i].name) || rule->action || *rule->label)
			continue;
		rule->action = actions[i].action;
		return NULL;
	}
	return "action= is one of snapshot, stop, mark; once, and before label=";
}

static const char *parse_option(struct grt_rule *rule, const char *word)
{
	if (!strncmp(word, "ring=", 5) && !rule->has_ring) {
		rule->has_ring = true;
		return grt_ringset_add(&rule->rings, word + 5) ? NULL :
			"ring= is a row of the file rings, a ring's name or device/name";
	}
	if (!strncmp(word, "action=", 7))
		return parse_action(rule, word + 7);
	if (!strncmp(word, "label=", 6) && !*rule->label && is_label(word + 6)) {
		strscpy(rule->label, word + 6, sizeof(rule->label));
		return NULL;
	}
	return "then come ring=, action= (both optional) and label=NAME, up to 31 of a-z 0-9 - _";
}

const char *grt_rule_parse(struct grt_rule *rule, const char *text)
{
	char words[GRT_RULE_TEXT], *rest = words, *word;
	const char *wrong;

	memset(rule, 0, sizeof(*rule));
	if (strlen(text) >= sizeof(words))
		return "a rule has at most 127 characters";
	strscpy(words, text, sizeof(words));
	strscpy(rule->text, text, sizeof(rule->text));
	wrong = parse_metric(rule, next_word(&rest));
	if (!wrong)
		wrong = parse_op(rule, next_word(&rest));
	if (wrong)
		return wrong;
	word = next_word(&rest);
	wrong = rule->metric == GRT_RULE_STATUS ? parse_status(rule, word) : parse_time(rule, word);
	while (!wrong && *(word = next_word(&rest)))
		wrong = parse_option(rule, word);
	if (!wrong && !*rule->label)
		wrong = "a rule ends with label=NAME";
	return wrong;
}

/* The time from one stamp to another; false if a stamp is not known. */
static bool span(u64 from, u64 to, s64 *value)
{
	*value = to - from;
	return from && to && to >= from;
}

static bool metric_of(const struct grt_rule *rule, const struct grtrace_job *job, s64 *value)
{
	switch (rule->metric) {
	case GRT_RULE_TOTAL:
		return span(job->submit_ns, job->complete_ns, value);
	case GRT_RULE_SUBMIT_HOST:
		return span(job->submit_ns, job->commit_ns, value);
	case GRT_RULE_HW:
		return span(job->commit_ns, job->end_ns, value);
	case GRT_RULE_COMPLETE:
		return span(job->end_ns, job->complete_ns, value);
	case GRT_RULE_STATUS:
		*value = job->status;
		return true;
	}
	return false;
}

bool grt_rule_holds(const struct grt_rule *rule, const struct grtrace_job *job)
{
	s64 value;

	if (rule->has_ring && !grt_ringset_has(&rule->rings, job->ring))
		return false;
	if (!metric_of(rule, job, &value))
		return false;
	switch (rule->op) {
	case GRT_RULE_GT:
		return value > rule->value;
	case GRT_RULE_GE:
		return value >= rule->value;
	case GRT_RULE_LT:
		return value < rule->value;
	case GRT_RULE_LE:
		return value <= rule->value;
	case GRT_RULE_EQ:
		return value == rule->value;
	case GRT_RULE_NE:
		return value != rule->value;
	}
	return false;
}
