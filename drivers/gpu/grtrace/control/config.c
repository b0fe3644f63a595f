// SPDX-License-Identifier: GPL-2.0
/*
 * What can be done with a config key, whichever it is.
 */
#include <linux/ctype.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../policies.h"
#include "../session.h"
#include "config.h"
#include "control.h"

const struct grt_key *grt_key_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < grt_nr_keys; i++) {
		const struct grt_key *key = &grt_keys[i];

		if (!strcmp(key->name, name) || (key->alias && !strcmp(key->alias, name)))
			return key;
	}
	return NULL;
}

/* Decimal, or 0x...; K, M or G behind it.  No sign, no blanks, no rest. */
static int parse_number(const char *text, u64 *value)
{
	static const char suffixes[] = "KMG";
	char digits[24], *suffix;
	size_t len = strlen(text);
	unsigned int shift = 0;

	if (!len || len >= sizeof(digits) || text[0] == '+' || text[0] == '-')
		return -EINVAL;
	strscpy(digits, text, sizeof(digits));
	suffix = strchr(suffixes, toupper(digits[len - 1]));
	if (suffix) {
		shift = 10 * (suffix - suffixes + 1);
		digits[len - 1] = '\0';
	}
	if (kstrtou64(digits, 0, value) || *value > U64_MAX >> shift)
		return -EINVAL;
	*value <<= shift;
	return 0;
}

int grtrace_ctl_number(const char *name, const char *text, u64 least, u64 most, u64 *value)
{
	if (!parse_number(text, value) && *value >= least && *value <= most)
		return 0;
	return grtrace_ctl_error("%s: '%s' is not within %llu..%llu", name, text, least, most);
}
EXPORT_SYMBOL_GPL(grtrace_ctl_number);

/* The word number @i of a list with blanks between; its length, 0 = there is none. */
static size_t word_at(const char *words, u64 i, const char **word)
{
	size_t len;

	for (; words && *words; i--) {
		len = strcspn(words, " ");
		*word = words;
		if (!i)
			return len;
		words += len + (words[len] == ' ');
	}
	return 0;
}

/* One of the names in @word, of @len bytes, that have a / between them. */
static bool is_named(const char *text, const char *word, size_t len)
{
	const char *end = word + len;
	size_t name;

	for (; word < end; word += name + 1) {
		name = min_t(size_t, strcspn(word, "/"), end - word);
		if (strlen(text) == name && !strncasecmp(text, word, name))
			return true;
	}
	return false;
}

static int parse_word(const struct grt_key *key, const char *text, u64 *value)
{
	const char *word;
	size_t len;
	u64 i;

	for (i = 0; (len = word_at(key->words, i, &word)); i++) {
		if (is_named(text, word, len)) {
			*value = key->least + i;
			return 0;
		}
	}
	return -EINVAL;
}

/* A mask of which no bit means anything would keep nothing: that is a mistake. */
static int parse_mask(const struct grt_key *key, const char *text, u64 *value)
{
	*value = 0;
	if (!strcmp(text, "-1") || !strcasecmp(text, "all"))
		return 0;
	if (parse_number(text, value) || *value > key->most || (*value && !(*value & key->bits)))
		return -EINVAL;
	*value &= key->bits;
	if (*value == key->bits)
		*value = 0;
	return 0;
}

static int parse(const struct grt_key *key, const char *text, u64 *value)
{
	if (key->bits)
		return parse_mask(key, text, value);
	if (parse_word(key, text, value) && parse_number(text, value))
		return -EINVAL;
	if (*value < key->least || *value > key->most)
		return -EINVAL;
	return key->is_allowed && !key->is_allowed(*value) ? -EINVAL : 0;
}

static void format_number(const struct grt_key *key, u64 value, char *to, size_t room)
{
	const char *word;
	size_t len = key->is_word ? word_at(key->words, value - key->least, &word) : 0;

	if (len)
		snprintf(to, room, "%.*s", (int)len, word);
	else
		snprintf(to, room, "%llu", value);
}

static void format(const struct grt_key *key, char *to, size_t room)
{
	*to = '\0';
	if (key->show)
		key->show(to, room);
	else if (key->value)
		format_number(key, READ_ONCE(*key->value), to, room);
}

void grt_config_format(const char *name, char *to, size_t room)
{
	format(grt_key_find(name), to, room);
}

static void print(const struct grt_key *key, char *to, size_t room)
{
	*to = '\0';
	if (key->written) {
		mutex_lock(&grt_session.lock);
		strscpy(to, key->written, room);
		mutex_unlock(&grt_session.lock);
	}
	if (!*to)
		format(key, to, room);
}

void grt_config_print(const char *name, char *to, size_t room)
{
	print(grt_key_find(name), to, room);
}

/* Under the session lock. */
static int change(const struct grt_key *key, u64 value)
{
	u64 before = *key->value;
	/* What the next session reads is told when that begins. */
	bool is_told = value != before && key->apply && !key->is_action;
	char text[24];
	int err;

	/* Before the change, so that no reader finds an event of it without the note. */
	format_number(key, value, text, sizeof(text));
	if (is_told)
		grt_policy_note(key->name, text);
	WRITE_ONCE(*key->value, value);
	err = key->apply && grt_session.dir ? key->apply() : 0;
	if (err || key->is_action)
		WRITE_ONCE(*key->value, before);
	if (!err || !is_told)
		return err;
	format_number(key, before, text, sizeof(text));
	grt_policy_note(key->name, text);
	return err;
}

int grt_config_set(const char *name, const char *text)
{
	const struct grt_key *key = grt_key_find(name);
	u64 value;
	int err;

	if (!key)
		return grtrace_ctl_error("config: no key '%s'; read config for all", name);
	if (key->set)
		return key->set(key, text);
	if (parse(key, text, &value))
		return grtrace_ctl_error("config: %s is '%s', allowed %llu..%llu (%s)", key->name,
					 text, key->least, key->most, key->text);
	mutex_lock(&grt_session.lock);
	err = change(key, value);
	if (!err && key->written)
		strscpy(key->written, text, GRT_WRITTEN);
	mutex_unlock(&grt_session.lock);
	return err ? grt_ctl_fail(err, "config: %s: no memory", key->name) : 0;
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
		print(&grt_keys[i], text, GRT_KEY_TEXT);
		seq_printf(m, "%s=%s\n", grt_keys[i].name, text);
		if (grt_keys[i].alias)
			seq_printf(m, "%s=%s\n", grt_keys[i].alias, text);
	}
	kfree(text);
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
		format_number(key, *key->value, text, GRT_KEY_TEXT);
		grt_policy_note_at(grt_session.start_ns, key->name, text);
	}
	grt_lists_note();
	grt_rules_note();
	kfree(text);
}
