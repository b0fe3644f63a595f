// SPDX-License-Identifier: GPL-2.0
/*
 * The config keys: rows of one table that parses, bounds and shows them.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "../policy/mask.h"
#include "../session.h"
#include "control.h"

struct config_key {
	const char *name;
	u64 *value;
	u64 least, most;
	const char *unit;
	void (*apply)(void);	/* at once; NULL: the next start reads it */
};

static const struct config_key keys[] = {
	{ "buffer_size", &grt_session.buffer_bytes, GRT_BUFFER_MIN, GRT_BUFFER_MAX,
	  "bytes per CPU" },
	{ "global_seq",	 &grt_session.global_seq, 0, 2, "0 off, 1 on, 2 exact" },
	{ "filter_type_mask", &grt_mask.types, 0, BIT_ULL(GRTRACE_NR_EVENTS) - 1,
	  "bit N keeps type N, 0 keeps all", grt_mask_apply },
	{ "filter_engine_mask", &grt_mask.engines, 0, BIT_ULL(GRTRACE_NR_ENGINES) - 1,
	  "bit N keeps engine class N, 0 keeps all", grt_mask_apply },
	{ "filter_ring_id", &grt_mask.ring, 0, 1023,
	  "row of the ring table, 0 keeps all", grt_mask_apply },
};

static const struct config_key *key_find(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(keys[i].name, name))
			return &keys[i];
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

int grt_config_set(const char *name, const char *text)
{
	const struct config_key *key = key_find(name);
	u64 value;

	if (!key)
		return grt_ctl_error("config: no key '%s'; read config for all", name);
	if (parse_number(text, &value) || value < key->least || value > key->most)
		return grt_ctl_error("config: %s is '%s', allowed %llu..%llu (%s)",
				     name, text, key->least, key->most, key->unit);
	mutex_lock(&grt_session.lock);
	WRITE_ONCE(*key->value, value);
	if (key->apply)
		key->apply();
	mutex_unlock(&grt_session.lock);
	return 0;
}

int grt_config_store(char *line)
{
	char *value = line, *name = strsep(&value, "=");

	if (!value)
		return grt_ctl_error("config: '%s' is not key=value", name);
	return grt_config_set(strim(name), strim(value));
}

u64 grt_config_get(const char *name)
{
	return READ_ONCE(*key_find(name)->value);
}

int grt_config_show_key(struct seq_file *m, const char *name)
{
	seq_printf(m, "%llu\n", grt_config_get(name));
	return 0;
}

int grt_config_show(struct seq_file *m)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		seq_printf(m, "%s=%llu\n", keys[i].name, *keys[i].value);
	return 0;
}
