// SPDX-License-Identifier: GPL-2.0
/*
 * The file config: all keys of the table in keys.c.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../policy_log.h"
#include "../session.h"
#include "config.h"
#include "control.h"

void grt_config_print(const char *name, char *to, size_t room)
{
	grt_key_print(grt_key_find(grt_keys, grt_nr_keys, name), to, room);
}

int grt_config_set(const char *name, const char *text)
{
	const struct grt_key *key = grt_key_find(grt_keys, grt_nr_keys, name);

	if (!key)
		return grtrace_ctl_error("config: no key '%s'; read config for all", name);
	return grt_key_store(key, text);
}

int grt_config_store(char *line)
{
	char *value = line, *name = strsep(&value, "=");

	if (!value)
		return grtrace_ctl_error("config: '%s' is not key=value", name);
	return grt_config_set(strim(name), strim(value));
}

int grt_config_show(struct seq_file *m)
{
	char *text = kmalloc(GRT_KEY_TEXT, GFP_KERNEL);
	unsigned int i;

	if (!text)
		return -ENOMEM;
	for (i = 0; i < grt_nr_keys; i++) {
		if (grt_keys[i].is_action)
			continue;
		grt_key_print(&grt_keys[i], text, GRT_KEY_TEXT);
		seq_printf(m, "%s=%s\n", grt_keys[i].name, text);
		if (grt_keys[i].alias)
			seq_printf(m, "%s=%s\n", grt_keys[i].alias, text);
	}
	kfree(text);
	return 0;
}

static const char *kind_of(const struct grt_key *key)
{
	if (key->is_action)
		return "action";
	if (!key->value)
		return "text";
	return key->bits ? "mask" : "number";
}

int grt_keys_show(struct seq_file *m)
{
	unsigned int i;

	seq_puts(m, "key,alias,kind,least,most,default,words,text\n");
	for (i = 0; i < grt_nr_keys; i++) {
		const struct grt_key *key = &grt_keys[i];

		seq_printf(m, "%s,%s,%s,", key->name, key->alias ?: "", kind_of(key));
		/* Only numbers have bounds. */
		if (key->value && !key->is_action)
			seq_printf(m, "%llu,%llu,%llu,", key->least, key->most, key->preset);
		else
			seq_puts(m, ",,,");
		seq_printf(m, "%s,\"%s\"\n", key->words ?: "", key->text);
	}
	return 0;
}

void grt_config_note(void)
{
	char *text = kmalloc(GRT_KEY_TEXT, GFP_KERNEL);
	unsigned int i;

	if (!text)
		return;
	for (i = 0; i < grt_nr_keys; i++) {
		const struct grt_key *key = &grt_keys[i];

		if (!key->value || key->is_action || *key->value == key->preset)
			continue;
		grt_key_format(key, text, GRT_KEY_TEXT);
		grt_policy_log_add_at(grt_session.start_ns, key->name, text);
	}
	grt_lists_note();
	grt_rules_note();
	kfree(text);
}
