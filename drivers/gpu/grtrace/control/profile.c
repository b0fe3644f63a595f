// SPDX-License-Identifier: GPL-2.0
/*
 * Profiles: settings of several keys under one name.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "config.h"
#include "control.h"

enum { DEFAULT, PRODUCTION, DEVELOPMENT, ANALYSIS, NR_PROFILES };

static const char * const names[] = { "default", "production", "development", "analysis" };

/* NULL: it leaves the key alone. */
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
	 * All of a job but its dependencies: of FIFO rings busy and idle stay known, and so
	 * does where jobs waited; for whom they waited does not.
	 */
	{ "filter_type_mask",	  { "0",       "885307",   "0",		"0" } },
	{ "filter_engine_mask",	  { "0" } },
	{ "filter_ring_id",	  { "0" } },
	{ "watch_ctx",		  { "" } },
	{ "watchlist",		  { "" } },
	{ "watch_allow_mode",	  { "1" } },
	{ "watch_combine",	  { "and" } },
};

static bool is_set(unsigned int profile)
{
	char *text = kmalloc(GRT_KEY_TEXT, GFP_KERNEL);
	bool is_all = text;
	unsigned int i;

	for (i = 0; is_all && i < ARRAY_SIZE(settings); i++) {
		if (!settings[i].text[profile])
			continue;
		grt_config_format(settings[i].key, text, GRT_KEY_TEXT);
		is_all = !strcmp(text, settings[i].text[profile]);
	}
	kfree(text);
	return is_all;
}

void grt_profile_show(char *to, size_t room)
{
	unsigned int i;

	for (i = 0; i < NR_PROFILES; i++)
		if (is_set(i))
			break;
	strscpy(to, i < NR_PROFILES ? names[i] : "custom", room);
}

/*
 * Of the table above a refusal can only be that there is no memory for the jobs; that is
 * asked for first, so that none of the profile is set then.
 */
int grt_profile_set(const struct grt_key *key, const char *text)
{
	int profile = match_string(names, NR_PROFILES, text);
	char now[16];
	unsigned int i;
	int err = 0;

	/* What config shows may be written back. */
	grt_profile_show(now, sizeof(now));
	if (!strcmp(text, now))
		return 0;
	if (profile < 0)
		return grtrace_ctl_error("config: profile is '%s', allowed %s", text,
					 "default, production, development, analysis");
	for (i = 0; !err && i < ARRAY_SIZE(settings); i++)
		if (settings[i].text[profile])
			err = grt_config_set(settings[i].key, settings[i].text[profile]);
	return err;
}
