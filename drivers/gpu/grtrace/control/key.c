// SPDX-License-Identifier: GPL-2.0
/*
 * One config key: parses, shows and changes it.
 */
#include <linux/ctype.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "../policy_log.h"
#include "../session.h"
#include "config.h"
#include "control.h"

const struct grt_key *grt_key_find(const struct grt_key *keys, unsigned int nr, const char *name)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		const struct grt_key *key = &keys[i];

		if (!strcmp(key->name, name) || (key->alias && !strcmp(key->alias, name)))
			return key;
	}
	return NULL;
}

/* Decimal or 0x..., with an optional suffix K, M or G.  No sign, no blanks. */
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

/* Finds word number @i of a list separated by blanks; returns its length, 0 = no such word. */
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

/* Is @text one of the names in @word (@len bytes), which are separated by / ? */
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

/* Refuses a mask that has only unknown bits: it would keep nothing, so it is a mistake. */
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

void grt_key_format(const struct grt_key *key, char *to, size_t room)
{
	*to = '\0';
	if (key->show)
		key->show(to, room);
	else if (key->value)
		format_number(key, READ_ONCE(*key->value), to, room);
}

void grt_key_print(const struct grt_key *key, char *to, size_t room)
{
	*to = '\0';
	if (key->written) {
		mutex_lock(&grt_session.lock);
		strscpy(to, key->written, room);
		mutex_unlock(&grt_session.lock);
	}
	if (!*to)
		grt_key_format(key, to, room);
}

/* Under the session lock. */
static int change(const struct grt_key *key, u64 value)
{
	u64 before = *key->value;
	/* Keys without apply are read, and noted, when the next session begins. */
	bool is_noted = value != before && key->apply && !key->is_action;
	char text[24];
	int err;

	/* Before the change, so that readers find the note before any event that it affects. */
	format_number(key, value, text, sizeof(text));
	if (is_noted)
		grt_policy_log_add(key->name, text);
	WRITE_ONCE(*key->value, value);
	err = key->apply && grt_session.dir ? key->apply() : 0;
	if (err || key->is_action)
		WRITE_ONCE(*key->value, before);
	if (!err || !is_noted)
		return err;
	format_number(key, before, text, sizeof(text));
	grt_policy_log_add(key->name, text);
	return err;
}

int grt_key_store(const struct grt_key *key, const char *text)
{
	u64 value;
	int err;

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
