// SPDX-License-Identifier: GPL-2.0
#include "option_rules.h"

#include <stdio.h>
#include <string.h>

#include "shell.h"

#define LONGEST_NAME	64

/* Takes the next of the words with a space between them.  Returns false after the last one. */
static bool next_name(char name[LONGEST_NAME], const char **words)
{
	size_t len = strcspn(*words, " ");

	snprintf(name, LONGEST_NAME, "%.*s", (int)len, *words);
	*words += len;
	*words += strspn(*words, " ");
	return len;
}

/* Writes the first of @words that was given to @name.  All are looked at, so that a name which is no option aborts. */
static bool find_given(char name[LONGEST_NAME], const struct grt_option *options, const char *words)
{
	char next[LONGEST_NAME];
	bool is_found = false;

	while (next_name(next, &words)) {
		if (!grt_option_is_given(options, next) || is_found)
			continue;
		memcpy(name, next, LONGEST_NAME);
		is_found = true;
	}
	return is_found;
}

static int refuse(const struct grt_option *options, const struct grt_option_rule *r, const char *other)
{
	return grt_usage(options, "--%s %s%stakes no --%s", r->option, r->because ? r->because : "",
			 r->because ? " and " : "", other);
}

/* "--keep needs --rotate or --flight" */
static int ask_for(const struct grt_option *options, const struct grt_option_rule *r)
{
	struct grt_shell choice = { .at = 0 };
	const char *words = r->needs;
	char name[LONGEST_NAME];

	while (next_name(name, &words)) {
		grt_shell_plain(&choice, " --");
		grt_shell_plain(&choice, name);
		if (*words)
			grt_shell_plain(&choice, strchr(words, ' ') ? "," : " or");
	}
	return grt_usage(options, "--%s needs%s", r->option, choice.text);
}

int grt_options_check(const struct grt_option *options, const struct grt_option_rule *rules)
{
	for (const struct grt_option_rule *r = rules; r->option; r++) {
		char other[LONGEST_NAME];
		bool is_given = grt_option_is_given(options, r->option);
		bool has_other = find_given(other, options, r->refuses ? r->refuses : r->needs);

		if (is_given && r->refuses && has_other)
			return refuse(options, r, other);
		if (is_given && r->needs && !has_other)
			return ask_for(options, r);
	}
	return 0;
}
