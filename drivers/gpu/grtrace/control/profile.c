// SPDX-License-Identifier: GPL-2.0
/*
 * Profiles: settings of several keys under one name.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "config.h"
#include "control.h"

enum {
#define X(NAME, name) NAME,
	GRT_PROFILES(X)
#undef X
	NR_PROFILES
};

static const char * const names[] = {
#define X(NAME, name) #name,
	GRT_PROFILES(X)
#undef X
};

/* NULL: the profile leaves the key alone. */
static const struct setting {
	const char *key;
	const char *text[NR_PROFILES];
} settings[] = {
	/*			    default    production  development  analysis */
	{ "track_jobs",		  { "0",       "0",	   "1",		"0" } },	/* first */
	{ "buffer_size",	  { "4194304", "4194304",  "4194304",   "16777216" } },
	{ "global_seq",		  { "0",       "0",	   "1",		"2" } },
	{ "level",		  { "3",       "3",	   "3",		"2" } },
	{ "sample",		  { "100",     "100",	   "100",	"100" } },
	{ "rate_limit",		  { "0",       "0",	   "0",		"0" } },
	{ "rate_limit_mode",	  { "0",       "0",	   "0",		"0" } },
	{ "rate_limit_burst",	  { "0",       "0",	   "0",		"0" } },
	{ "backpressure_threshold", { "0",     "75",	   "0",		"0" } },
	{ "adaptive_sampling",	  { "0",       "1",	   "0",		"0" } },
	/*
	 * All events of a job except DEPENDENCY.  Reports still know when FIFO rings are busy
	 * or idle, and in which stage a job waited, but not for which job.
	 */
	{ "filter_type_mask",	  { "0",       "885307",   "0",		"0" } },
	{ "filter_engine_mask",	  { "0" } },
	{ "filter_ring_id",	  { "0" } },
	{ "watch_ctx",		  { "" } },
	{ "watchlist",		  { "" } },
	{ "watch_allow_mode",	  { "1" } },
	{ "watch_combine",	  { "and" } },
};

static bool is_set(const struct grt_key *keys, unsigned int nr, unsigned int profile)
{
	char *text = kmalloc(GRT_KEY_TEXT, GFP_KERNEL);
	bool is_all = text;
	unsigned int i;

	for (i = 0; is_all && i < ARRAY_SIZE(settings); i++) {
		if (!settings[i].text[profile])
			continue;
		grt_key_format(grt_key_find(keys, nr, settings[i].key), text, GRT_KEY_TEXT);
		is_all = !strcmp(text, settings[i].text[profile]);
	}
	kfree(text);
	return is_all;
}

void grt_profile_show(const struct grt_key *keys, unsigned int nr, char *to, size_t room)
{
	unsigned int i;

	for (i = 0; i < NR_PROFILES; i++)
		if (is_set(keys, nr, i))
			break;
	strscpy(to, i < NR_PROFILES ? names[i] : "custom", room);
}

/*
 * The values of the table are valid, so setting them can only fail for lack of memory for the
 * table of jobs.  track_jobs allocates it and comes first: if that fails, no key has changed.
 */
int grt_profile_set(const struct grt_key *keys, unsigned int nr, const char *text)
{
	int profile = match_string(names, NR_PROFILES, text);
	char now[16];
	unsigned int i;
	int err = 0;

	/* The value that config shows can be written back. */
	grt_profile_show(keys, nr, now, sizeof(now));
	if (!strcmp(text, now))
		return 0;
	if (profile < 0)
		return grtrace_ctl_error("config: profile is '%s', allowed %s", text,
					 "default, production, development, analysis");
	for (i = 0; !err && i < ARRAY_SIZE(settings); i++)
		if (settings[i].text[profile])
			err = grt_key_store(grt_key_find(keys, nr, settings[i].key),
					    settings[i].text[profile]);
	return err;
}
