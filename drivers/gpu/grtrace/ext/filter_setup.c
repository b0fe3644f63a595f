// SPDX-License-Identifier: GPL-2.0
/*
 * The settings of the filter: control files and module parameters, rows of one table.
 *
 * Lock order: setup_lock, then the session lock.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/threads.h>

#include "filter.h"
#include "../version.h"

/* Longest text of a key: 64 cgroups. */
#define TEXT_MAX	1536

/* These types always pass: they summarize jobs that were let in already. */
#define SUMMARIES	(BIT(GRTRACE_JOB) | BIT(GRTRACE_WINDOW))

#define ALL_TYPES	GENMASK(GRTRACE_NR_EVENTS - 1, 0)

enum key_kind { KIND_NUMBER, KIND_IDS, KIND_TYPES };

/* X(name, member, kind, least, most) */
#define KEYS(X)								\
	X(filter_enabled,  is_enabled,	 NUMBER, 0, 1)			\
	X(filter_pid,	   pids,	 IDS,	 1, PID_MAX_LIMIT)	\
	X(filter_children, has_children, NUMBER, 0, 1)			\
	X(filter_uid,	   uids,	 IDS,	 0, U32_MAX - 1)	\
	X(filter_cgroup,   cgroups,	 IDS,	 1, U64_MAX)		\
	X(filter_latency,  latency_us,	 NUMBER, 0, 3600000000ULL)	\
	X(filter_events,   types,	 TYPES,	 0, U32_MAX)

enum key_index {
#define INDEX(key, ...) KEY_##key,
	KEYS(INDEX)
};

static int store_key(const struct grtrace_key *key, char *text);
static void show_key(const struct grtrace_key *key, char *to, size_t room);

static const struct grtrace_key keys[] = {
#define ROW(key, slot, kind, lo, hi)							\
	{ #key, .least = lo, .most = hi, .store = store_key, .show = show_key },
	KEYS(ROW)
};

/* By row of keys[]: the member that the key sets. */
static const struct slot {
	size_t offset;
	enum key_kind kind;
} slots[] = {
#define SLOT(key, slot, kind, ...) { offsetof(struct filter_setup, slot), KIND_##kind },
	KEYS(SLOT)
};

static const char * const type_names[] = {
#define GRTRACE_X(NAME, st, nr, class, text) [nr] = #NAME,
	GRTRACE_EVENT_TYPES(GRTRACE_X)
#undef GRTRACE_X
};

static struct grtrace_hook hook;
static bool is_registered;	/* false while parameters of the command line are set */
static struct filter_setup settings;	/* the settings as written */
static bool is_switch_written;	/* filter_enabled was written; until then a criterion enables */
static u32 nr_sessions;		/* under the session lock */
static DEFINE_MUTEX(setup_lock);	/* protects the four above */

static void *member(struct filter_setup *s, const struct grtrace_key *key)
{
	return (char *)s + slots[key - keys].offset;
}

static enum key_kind kind_of(const struct grtrace_key *key)
{
	return slots[key - keys].kind;
}

static int parse_ids(const struct grtrace_key *key, char *text, struct filter_ids *to)
{
	char *word;

	to->nr = 0;
	if (!*text)
		return 0;
	while ((word = strsep(&text, ","))) {
		if (to->nr == FILTER_IDS)
			return grtrace_ctl_error("%s: more than %d numbers", key->name, FILTER_IDS);
		if (grtrace_ctl_number(key->name, strim(word), key->least, key->most,
				       &to->ids[to->nr]))
			return -EINVAL;
		to->nr++;
	}
	return 0;
}

static int parse_names(const struct grtrace_key *key, char *text, u64 *to)
{
	char *word;
	int type;

	*to = 0;
	while ((word = strsep(&text, ","))) {
		word = strim(word);
		for (type = 0; type < GRTRACE_NR_EVENTS; type++)
			if (!strcasecmp(word, type_names[type]))
				break;
		if (type == GRTRACE_NR_EVENTS)
			return grtrace_ctl_error("%s: no type '%s'; read emit for all",
						 key->name, word);
		*to |= 1u << type;
	}
	return 0;
}

/*
 * The value is a mask, or names, or a mask followed by its names, as the file shows it.  Bits
 * of unknown types are stored and shown, but have no effect.
 */
static int parse_types(const struct grtrace_key *key, char *text, u64 *to)
{
	char *word;
	u64 named;

	*to = 0;
	if (!*text)
		return 0;
	if (!strcmp(text, "-1")) {
		*to = U32_MAX;
		return 0;
	}
	if (*text < '0' || *text > '9')
		return parse_names(key, text, to);
	word = strsep(&text, " ");
	if (grtrace_ctl_number(key->name, word, key->least, key->most, to))
		return -EINVAL;
	text = strim(text ?: word + strlen(word));
	if (!*text)
		return 0;
	if (!strcmp(text, "all"))
		named = ALL_TYPES;
	else if (parse_names(key, text, &named))
		return -EINVAL;
	if (named != (*to & ALL_TYPES))
		return grtrace_ctl_error("%s: these are not the names of mask 0x%llx",
					 key->name, *to);
	return 0;
}

static int parse(const struct grtrace_key *key, char *text, struct filter_setup *to)
{
	switch (kind_of(key)) {
	case KIND_IDS:
		return parse_ids(key, text, member(to, key));
	case KIND_TYPES:
		return parse_types(key, text, member(to, key));
	default:
		return grtrace_ctl_number(key->name, text, key->least, key->most,
					  member(to, key));
	}
}

static void format_ids(const struct filter_ids *from, char *to, size_t room)
{
	size_t at = 0;
	u32 i;

	*to = '\0';
	for (i = 0; i < from->nr; i++)
		at += scnprintf(to + at, room - at, "%s%llu", i ? "," : "", from->ids[i]);
}

static void format_types(u64 from, char *to, size_t room)
{
	size_t at;
	char sep = ' ';
	int type;

	at = scnprintf(to, room, from ? "0x%llx" : "%llu", from);
	if ((from & ALL_TYPES) == ALL_TYPES) {
		scnprintf(to + at, room - at, " all");
		return;
	}
	for (type = 0; type < GRTRACE_NR_EVENTS; type++) {
		if (!(from >> type & 1))
			continue;
		at += scnprintf(to + at, room - at, "%c%s", sep, type_names[type]);
		sep = ',';
	}
}

static void format(const struct grtrace_key *key, struct filter_setup *from, char *to,
		   size_t room)
{
	u64 *number = member(from, key);

	if (kind_of(key) == KIND_IDS)
		format_ids(member(from, key), to, room);
	else if (kind_of(key) == KIND_TYPES)
		format_types(*number, to, room);
	else
		scnprintf(to, room, "%llu", *number);
}

static bool has_criterion(const struct filter_setup *s)
{
	return filter_has_owner(s) || s->latency_us || s->types;
}

static bool needs_jobs(void)
{
	return settings.is_enabled && (filter_has_owner(&settings) || settings.latency_us);
}

/*
 * Enables the hook with the needs_jobs that the settings require.  Jobs in flight are judged
 * already, so jobs stay tracked until the session ends.
 */
static int switch_on(void)
{
	bool before = hook.needs_jobs;
	int err;

	hook.needs_jobs = needs_jobs() || (before && grtrace_enabled());
	err = grtrace_hook_enable(&hook, true);
	if (err)
		hook.needs_jobs = before;
	return err;
}

/* Applies the settings. */
static int apply(void)
{
	struct filter_setup *fresh = NULL, *old;
	int err;

	if (settings.is_enabled) {
		fresh = kmemdup(&settings, sizeof(settings), GFP_KERNEL);
		if (!fresh)
			return -ENOMEM;
		/* Track jobs before the filter uses them. */
		err = switch_on();
		if (err) {
			kfree(fresh);
			return err;
		}
	}
	old = rcu_dereference_protected(filter_in_force, lockdep_is_held(&setup_lock));
	rcu_assign_pointer(filter_in_force, fresh);
	grtrace_filter_types(fresh && fresh->types ? ~fresh->types & ~SUMMARIES : 0);
	synchronize_rcu();
	kfree(old);
	if (!fresh)
		grtrace_hook_retire(&hook);
	return 0;
}

/* Writes a POLICY record of @key, and of filter_enabled if the change switched it, too. */
static void note_change(const struct grtrace_key *key, bool was_enabled)
{
	static char text[TEXT_MAX];	/* setup_lock */

	format(key, &settings, text, sizeof(text));
	grtrace_policy_note(key->name, text);
	if (settings.is_enabled != was_enabled && key != &keys[KEY_filter_enabled])
		grtrace_policy_note(keys[KEY_filter_enabled].name, settings.is_enabled ? "1" : "0");
}

/* Changes the settings to @fresh, which differs in @key.  Under setup_lock. */
static int change(const struct grtrace_key *key, const struct filter_setup *fresh)
{
	static struct filter_setup before;
	u32 session;
	int err;

	before = settings;
	if (!memcmp(fresh, &before, sizeof(before)))
		return 0;
	settings = *fresh;
	if (!is_registered)
		return 0;
	/* Before the change, so that readers find the note before any event that it affects. */
	session = READ_ONCE(nr_sessions);
	note_change(key, before.is_enabled);
	err = apply();
	/* A session that began meanwhile has noted the old settings. */
	if (!err && session != READ_ONCE(nr_sessions))
		note_change(key, before.is_enabled);
	if (!err)
		return 0;
	settings = before;
	note_change(key, fresh->is_enabled);
	grtrace_ctl_error("%s: no memory", key->name);
	return err;
}

static int store_key(const struct grtrace_key *key, char *text)
{
	struct filter_setup *fresh = kmalloc(sizeof(*fresh), GFP_KERNEL);
	int err;

	if (!fresh)
		return -ENOMEM;
	mutex_lock(&setup_lock);
	*fresh = settings;
	err = parse(key, text, fresh);
	if (!err && key == &keys[KEY_filter_enabled])
		is_switch_written = true;
	/* Until filter_enabled is written, any criterion enables the filter. */
	if (!is_switch_written)
		fresh->is_enabled = has_criterion(fresh);
	if (!err)
		err = change(key, fresh);
	mutex_unlock(&setup_lock);
	kfree(fresh);
	return err;
}

static void show_key(const struct grtrace_key *key, char *to, size_t room)
{
	mutex_lock(&setup_lock);
	format(key, &settings, to, room);
	mutex_unlock(&setup_lock);
}

/* The reasons why events did not pass: the verdicts on their jobs. */
static const struct { const char *name; enum grtrace_verdict verdict; } reasons[] = {
	{ "events_refused_pid",	    GRTRACE_VERDICT_NOT_PID },
	{ "events_refused_uid",	    GRTRACE_VERDICT_NOT_UID },
	{ "events_refused_cgroup",  GRTRACE_VERDICT_NOT_CGROUP },
	{ "events_refused_unknown", GRTRACE_VERDICT_OWNER_UNKNOWN },
	{ "events_aggregated",	    GRTRACE_VERDICT_IF_SLOW },
};

static int stats_show(struct seq_file *m)
{
	struct grtrace_hook_counts events;
	struct filter_counts sum;
	u64 all, passed;
	int i;

	grtrace_hook_counts(&events);
	all = events.of_type + events.of_no_job;
	for (i = 0; i < GRTRACE_NR_VERDICTS; i++)
		all += events.verdicts[i];
	passed = all - events.of_type;
	for (i = 0; i < ARRAY_SIZE(reasons); i++)
		passed -= events.verdicts[reasons[i].verdict];
	seq_printf(m, "events_seen=%llu\nevents_passed=%llu\nevents_refused_type=%llu\n",
		   all, passed, events.of_type);
	for (i = 0; i < ARRAY_SIZE(reasons); i++)
		seq_printf(m, "%s=%llu\n", reasons[i].name,
			   events.verdicts[reasons[i].verdict]);
	filter_counts_sum(&sum);
	seq_printf(m, "jobs_passed=%llu\n", sum.jobs_passed);
	seq_printf(m, "jobs_refused=%llu\n", sum.jobs_refused);
	seq_printf(m, "jobs_fast=%llu\n", sum.jobs_fast);
	seq_printf(m, "jobs_unknown=%llu\n", sum.jobs_unknown);
	seq_printf(m, "jobs_unfinished=%llu\n", sum.jobs_unfinished);
	return 0;
}

static const struct grtrace_ctl ctls[] = {
#define FILE(name, ...) { #name, 0600, .key = &keys[KEY_##name], .owner = THIS_MODULE },
	KEYS(FILE)
	{ "filter_stats", 0400, stats_show, .owner = THIS_MODULE },
};

#define KEY_PARAM(key, text) GRTRACE_PARAM(key, &ctls[KEY_##key], text)
KEY_PARAM(filter_enabled, "1 keeps only what the other keys select");
KEY_PARAM(filter_pid, "processes, separated by commas");
KEY_PARAM(filter_children, "1 takes the descendants of these processes, too");
KEY_PARAM(filter_uid, "users, separated by commas");
KEY_PARAM(filter_cgroup, "ids of cgroups, separated by commas; includes cgroups below them");
KEY_PARAM(filter_latency, "least us from SUBMIT to COMPLETE of a job that is kept, 0 off");
KEY_PARAM(filter_events, "names of types, separated by commas, or a mask; 0 keeps all");

static bool is_preset(const struct grtrace_key *key, struct filter_setup *s)
{
	/* A list begins with the number of its ids. */
	return kind_of(key) == KIND_IDS ? !*(u32 *)member(s, key) : !*(u64 *)member(s, key);
}

static void note_all(struct filter_setup *s, void (*note)(const char *key, const char *value))
{
	char *text = kmalloc(TEXT_MAX, GFP_KERNEL);
	int i;

	for (i = 0; text && i < ARRAY_SIZE(keys); i++) {
		if (is_preset(&keys[i], s))
			continue;
		format(&keys[i], s, text, TEXT_MAX);
		note(keys[i].name, text);
	}
	kfree(text);
}

/* Notes the applied settings.  @settings needs setup_lock, which precedes the session lock. */
static void note_keys(void (*note)(const char *key, const char *value))
{
	struct filter_setup *copy = kzalloc(sizeof(*copy), GFP_KERNEL);
	const struct filter_setup *s;

	if (!copy)
		return;
	rcu_read_lock();
	s = rcu_dereference(filter_in_force);
	if (s)
		*copy = *s;
	rcu_read_unlock();
	note_all(copy, note);
	kfree(copy);
}

static void begin(void)
{
	WRITE_ONCE(nr_sessions, nr_sessions + 1);
	filter_begin();
}

static struct grtrace_hook hook = {
	.name = "filter",
	.owner = THIS_MODULE,
	.place = GRTRACE_HOOK_FILTER,
	.submit = filter_submit,
	.complete = filter_complete,
	.untracked = filter_untracked,
	.begin = begin,
	.note_keys = note_keys,
	.stopping = filter_stopping,
};

static void unregister(void)
{
	/* Parameters can still be written until after the module's exit. */
	mutex_lock(&setup_lock);
	is_registered = false;
	mutex_unlock(&setup_lock);
	grtrace_hook_unregister(&hook);
	kfree(rcu_dereference_protected(filter_in_force, true));
}

static int __init filter_init(void)
{
	int err = grtrace_hook_register(&hook);

	if (err)
		return err;
	mutex_lock(&setup_lock);
	is_registered = true;
	note_all(&settings, grtrace_policy_note);
	err = apply();
	mutex_unlock(&setup_lock);
	if (err)
		unregister();
	else
		grtrace_ctl_add(ctls, ARRAY_SIZE(ctls));	/* last: now users can see it */
	return err;
}

static void __exit filter_exit(void)
{
	grtrace_ctl_remove(ctls, ARRAY_SIZE(ctls));
	unregister();
}

module_init(filter_init);
module_exit(filter_exit);
MODULE_DESCRIPTION("grtrace: keeps jobs by owner, latency and type");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
