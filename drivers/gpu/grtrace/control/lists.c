// SPDX-License-Identifier: GPL-2.0
/*
 * The keys that are lists: of rings, by number or name, and of fence contexts.
 */
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../pipeline.h"
#include "../policy_log.h"
#include "../rings.h"
#include "../session.h"
#include "config.h"
#include "control.h"

static const char ring_words[] = " (rows of the file rings), a ring's name or device/name";

static int refuse_rings(const char *name, const char *text)
{
	return grtrace_ctl_error("config: %s is '%s', allowed %d of 0..%d%s, separated by commas",
				 name, text, GRT_RINGSET_ITEMS, GRT_RINGSET_ROWS - 1, ring_words);
}

/* Adds the rings that @text lists; false: a word of it is no ring, or the set is full. */
static bool add_rings(struct grt_ringset *set, const char *text)
{
	char *words = kstrdup(text, GFP_KERNEL), *rest = words, *word;
	bool is_ok = words;

	while (is_ok && rest && *rest) {
		word = strim(strsep(&rest, ","));
		is_ok = grt_ringset_add(set, word);
	}
	kfree(words);
	return is_ok;
}

/* Under the session lock, after the change was noted. */
static void put_rings(struct grt_ringset *to, struct grt_ringset *from)
{
	grt_rings_put_set(to, from);
	if (grt_session.dir)	/* NULL: the module's parameters are set before its init */
		grt_pipeline_apply();
}

static void format_filter(const struct grt_ringset *set, char *to, size_t room)
{
	if (!grt_ringset_format(set, to, room))
		strscpy(to, "0", room);
}

static void change_filter(struct grt_ringset *set)
{
	char text[GRT_RINGSET_NAME];

	format_filter(set, text, sizeof(text));
	mutex_lock(&grt_session.lock);
	grt_policy_log_add("filter_ring_id", text);
	put_rings(&grt_policy.mask.rings, set);
	mutex_unlock(&grt_session.lock);
}

int grt_filter_ring_set(const struct grt_key *key, const char *text)
{
	struct grt_ringset *set = kzalloc(sizeof(*set), GFP_KERNEL);
	int err = 0;

	if (!set)
		return grt_ctl_fail(-ENOMEM, "config: no memory");
	if (strcmp(text, "0") && strcmp(text, "-1") && !grt_ringset_add(set, text))
		err = grtrace_ctl_error("config: %s is '%s', allowed 0..%d%s; 0 or -1 keeps all",
					key->name, text, GRT_RINGSET_ROWS - 1, ring_words);
	else
		change_filter(set);
	kfree(set);
	return err;
}

void grt_filter_ring_show(char *to, size_t room)
{
	mutex_lock(&grt_session.lock);
	format_filter(&grt_policy.mask.rings, to, room);
	mutex_unlock(&grt_session.lock);
}

/* A leading "!" means all rings but these. */
static void format_watchlist(const struct grt_ringset *set, bool is_allow, char *to, size_t room)
{
	size_t at = set->nr && !is_allow ? strscpy(to, "!", room) : 0;

	grt_ringset_format(set, to + at, room - at);
}

/*
 * Sets the list of rings and the mode, allow or deny.  Contexts share the mode: it is one key.
 * Under the session lock.
 */
static int put_watchlist(struct grt_ringset *set, bool is_allow)
{
	char *text = kmalloc(GRT_KEY_TEXT, GFP_KERNEL);

	if (!text)
		return grt_ctl_fail(-ENOMEM, "config: no memory");
	format_watchlist(set, is_allow, text, GRT_KEY_TEXT);
	if (is_allow != grt_policy.watch.is_allow)
		grt_policy_log_add("watch_allow_mode", is_allow ? "1" : "0");
	grt_policy_log_add("watchlist", text);
	WRITE_ONCE(grt_policy.watch.is_allow, is_allow);
	put_rings(&grt_policy.watch.rings, set);
	kfree(text);
	return 0;
}

static u32 nr_ctxs(void)
{
	return grt_policy.watch.ctxs[grt_policy.watch.live].nr;
}

/*
 * When both lists are empty, goes back to the mode "allow", so that the next list is kept and
 * not refused.  Under the session lock.
 */
static void clear_mode(void)
{
	if (grt_policy.watch.is_allow || nr_ctxs() || grt_policy.watch.rings.nr)
		return;
	grt_policy_log_add("watch_allow_mode", "1");
	WRITE_ONCE(grt_policy.watch.is_allow, 1);
}

static int change_watchlist(const struct grt_key *key, const char *text, bool is_adding)
{
	struct grt_ringset *set = kzalloc(sizeof(*set), GFP_KERNEL);
	bool is_denied = !is_adding && *text == '!', is_allow, was_used;
	int err;

	if (!set)
		return grt_ctl_fail(-ENOMEM, "config: no memory");
	mutex_lock(&grt_session.lock);
	is_allow = grt_policy.watch.is_allow;
	was_used = grt_policy.watch.rings.nr;
	if (is_adding)
		*set = grt_policy.watch.rings;
	if (!add_rings(set, text + is_denied) || (is_denied && !set->nr))
		err = refuse_rings(key->name, text);
	else
		err = put_watchlist(set, is_adding || !set->nr ? is_allow : !is_denied);
	if (!err && was_used)
		clear_mode();
	mutex_unlock(&grt_session.lock);
	kfree(set);
	return err;
}

int grt_watchlist_set(const struct grt_key *key, const char *text)
{
	return change_watchlist(key, text, false);
}

void grt_watchlist_show(char *to, size_t room)
{
	mutex_lock(&grt_session.lock);
	format_watchlist(&grt_policy.watch.rings, grt_policy.watch.is_allow, to, room);
	mutex_unlock(&grt_session.lock);
}

int grt_watch_ring_add(const struct grt_key *key, const char *text)
{
	return *text ? change_watchlist(key, text, true) : refuse_rings(key->name, text);
}

static int refuse_clear(const struct grt_key *key, const char *text)
{
	return grtrace_ctl_error("config: %s is '%s', allowed 1 (1 empties the list)", key->name,
				 text);
}

int grt_watch_ring_clear(const struct grt_key *key, const char *text)
{
	if (strcmp(text, "1"))
		return refuse_clear(key, text);
	return grt_watchlist_set(key, "");
}

/* Writes the contexts in the order of the hash table, not in the order of the user's list. */
static size_t format_ctxs(const struct grt_watch *w, char *to, size_t room)
{
	const u64 *slots = w->ctxs[w->live].slots;
	size_t at = 0;
	u32 i;

	*to = '\0';
	for (i = 0; i < GRT_WATCH_SLOTS; i++)
		if (slots[i])
			at += scnprintf(to + at, room - at, "%s%llu", at ? "," : "", slots[i]);
	return at;
}

/* Replaces all contexts at once.  Under the session lock. */
static int put_ctxs(struct grt_watch *from)
{
	char *text = kmalloc(GRT_KEY_TEXT, GFP_KERNEL);

	if (!text)
		return grt_ctl_fail(-ENOMEM, "config: no memory");
	format_ctxs(from, text, GRT_KEY_TEXT);
	grt_policy_log_add("watch_ctx", text);
	grt_pipeline_set_ctxs(from);
	kfree(text);
	return grt_session.dir ? grt_pipeline_apply() : 0;
}

static int add_ctxs(struct grt_watch *w, const struct grt_key *key, const char *text)
{
	char *words = kstrdup(text, GFP_KERNEL), *rest = words, *word;
	u64 ctx;
	int err = words ? 0 : -ENOMEM;

	while (!err && rest && *rest) {
		word = strim(strsep(&rest, ","));
		if (*word == '+' || kstrtou64(word, 0, &ctx) || !grt_watch_add_ctx(w, ctx))
			err = grtrace_ctl_error("config: %s is '%s', allowed %d fence contexts %s",
						key->name, text, GRT_WATCH_CTXS,
						"from 1 on, separated by commas");
	}
	kfree(words);
	return err;
}

static int change_ctxs(const struct grt_key *key, const char *text, bool is_adding)
{
	struct grt_watch *w = kzalloc(sizeof(*w), GFP_KERNEL);
	bool was_used;
	int err;

	if (!w)
		return grt_ctl_fail(-ENOMEM, "config: no memory");
	mutex_lock(&grt_session.lock);
	was_used = nr_ctxs();
	if (is_adding)
		*w = grt_policy.watch;
	err = add_ctxs(w, key, text);
	if (!err)
		err = put_ctxs(w);
	if (!err && was_used)
		clear_mode();
	mutex_unlock(&grt_session.lock);
	kfree(w);
	return err;
}

int grt_watch_ctx_set(const struct grt_key *key, const char *text)
{
	return change_ctxs(key, text, false);
}

int grt_watch_ctx_add(const struct grt_key *key, const char *text)
{
	/* "none" is refused: an empty text lists no context to add. */
	return change_ctxs(key, *text ? text : "none", true);
}

int grt_watch_ctx_clear(const struct grt_key *key, const char *text)
{
	if (strcmp(text, "1"))
		return refuse_clear(key, text);
	return change_ctxs(key, "", false);
}

void grt_watch_ctx_show(char *to, size_t room)
{
	mutex_lock(&grt_session.lock);
	format_ctxs(&grt_policy.watch, to, room);
	mutex_unlock(&grt_session.lock);
}

void grt_watch_ctx_count_show(char *to, size_t room)
{
	const struct grt_watch *w = &grt_policy.watch;

	snprintf(to, room, "%u", READ_ONCE(w->ctxs[READ_ONCE(w->live)].nr));
}

void grt_watch_ring_count_show(char *to, size_t room)
{
	snprintf(to, room, "%u", READ_ONCE(grt_policy.watch.rings.nr));
}

/* The value that config shows can be written back. */
int grt_watch_count_set(const struct grt_key *key, const char *text)
{
	char now[16];

	key->show(now, sizeof(now));
	if (!strcmp(text, now))
		return 0;
	return grtrace_ctl_error("config: %s cannot be set, it is a count: %s", key->name, now);
}

void grt_lists_note(void)
{
	char *text = kmalloc(GRT_KEY_TEXT, GFP_KERNEL);

	lockdep_assert_held(&grt_session.lock);
	if (!text)
		return;
	if (grt_policy.mask.rings.nr) {
		format_filter(&grt_policy.mask.rings, text, GRT_KEY_TEXT);
		grt_policy_log_add_at(grt_session.start_ns, "filter_ring_id", text);
	}
	if (nr_ctxs()) {
		format_ctxs(&grt_policy.watch, text, GRT_KEY_TEXT);
		grt_policy_log_add_at(grt_session.start_ns, "watch_ctx", text);
	}
	if (grt_policy.watch.rings.nr) {
		format_watchlist(&grt_policy.watch.rings, grt_policy.watch.is_allow, text,
				 GRT_KEY_TEXT);
		grt_policy_log_add_at(grt_session.start_ns, "watchlist", text);
	}
	kfree(text);
}
