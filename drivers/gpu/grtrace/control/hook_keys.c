// SPDX-License-Identifier: GPL-2.0
/*
 * Shows, parses and changes the keys of extension modules.
 */
#include <linux/export.h>
#include <linux/grtrace_hook.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>

#include "../policy_log.h"
#include "../session.h"
#include "control.h"

#define VALUE_TEXT	24	/* a number, or a word for it */

static void format(const struct grtrace_key *key, u64 value, char *to, size_t room)
{
	if (key->format)
		key->format(value, to, room);
	else
		snprintf(to, room, "%llu", value);
}

void grt_hook_key_format(const struct grtrace_key *key, char *to, size_t room)
{
	if (key->show)
		key->show(key, to, room);
	else
		format(key, READ_ONCE(*key->value), to, room);
}

void grtrace_keys_note(const struct grtrace_keys *keys,
		       void (*note)(const char *key, const char *value))
{
	char text[VALUE_TEXT];
	unsigned int i;

	for (i = 0; i < keys->nr; i++) {
		const struct grtrace_key *key = &keys->rows[i];
		u64 value = READ_ONCE(*key->value);

		if (value == key->preset)
			continue;
		format(key, value, text, sizeof(text));
		note(key->name, text);
	}
}
EXPORT_SYMBOL_GPL(grtrace_keys_note);

/*
 * Notes the change before it writes the number, so that readers find the note before any event
 * that it affects.  Under the session lock, so that a session that starts now notes either the
 * old or the new value.
 */
static void put(const struct grtrace_key *key, u64 value)
{
	char text[VALUE_TEXT];

	format(key, value, text, sizeof(text));
	mutex_lock(&grt_session.lock);
	grt_policy_log_add(key->name, text);
	WRITE_ONCE(*key->value, value);
	mutex_unlock(&grt_session.lock);
}

int grtrace_key_change(const struct grtrace_key *key, u64 value)
{
	u64 before = *key->value;
	int err;

	lockdep_assert_held(&key->keys->lock);
	err = key->prepare ? key->prepare(value) : 0;
	if (err)
		return err;
	put(key, value);
	err = key->apply ? key->apply(before) : 0;
	if (err)
		put(key, before);
	return err;
}
EXPORT_SYMBOL_GPL(grtrace_key_change);

static int parse(const struct grtrace_key *key, const char *text, u64 *value)
{
	if (key->parse)
		return key->parse(text, value);
	return grtrace_ctl_number(key->name, text, key->least, key->most, value);
}

int grt_hook_key_store(const struct grtrace_key *key, char *text)
{
	u64 value;
	int err;

	if (key->store)
		return key->store(key, text);
	err = parse(key, text, &value);
	if (err)
		return err;
	mutex_lock(&key->keys->lock);
	if (!key->keys->is_ready)
		WRITE_ONCE(*key->value, value);
	else if (value != *key->value)
		err = grtrace_key_change(key, value);
	mutex_unlock(&key->keys->lock);
	if (err)
		grtrace_ctl_error("%s: no memory", key->name);
	return err;
}
