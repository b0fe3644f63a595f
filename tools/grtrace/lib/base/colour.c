// SPDX-License-Identifier: LGPL-2.1
#include "colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool grt_may_colour(int fd)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(fd) && !(no && *no) && term && strcmp(term, "dumb");
}
