/* SPDX-License-Identifier: GPL-2.0 */
/* Which options may stand together on a command line. */
#ifndef GRT_OPTION_RULES_H
#define GRT_OPTION_RULES_H

#include "options.h"

struct grt_option_rule {
	const char *option;	/* where this one is given, ... */
	const char *needs;	/* ... one of these must be, too, like "rotate flight"; or, ... */
	const char *refuses;	/* ... if this is not NULL, none of these may be */
	const char *because;	/* like "writes no file"; NULL where the names of the options say it */
};

#define OPT_NEEDS(option, others)		{ option, others, NULL, NULL }
#define OPT_REFUSES(option, others, because)	{ option, NULL, others, because }
#define OPT_RULES_END()				{ 0 }

/* Returns 0, or prints the first rule that the given options break and returns exit code 2. */
int grt_options_check(const struct grt_option *options, const struct grt_option_rule *rules);

#endif /* GRT_OPTION_RULES_H */
