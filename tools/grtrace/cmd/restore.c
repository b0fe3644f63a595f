// SPDX-License-Identifier: GPL-2.0
#include "restore.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "control.h"

#define TRIES	50	/* of 20 ms, while the recorder's session ends */

static void write_lines(const void *lines)
{
	const char *at = lines;
	char line[2048], *tab;
	size_t len;

	for (int i = 0; i < TRIES && grt_control_is_running() == 1; i++)
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	for (; *at; at += len + 1) {
		len = strcspn(at, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)len, at);
		tab = strchr(line, '\t');
		if (!tab)
			continue;
		*tab++ = '\0';
		grt_control_write(line, *tab ? tab : "\n");
	}
}

int grt_restore_begin(struct grt_guard *g, const char *lines)
{
	static const struct grt_guard_ops ops = { .clean = write_lines };

	return grt_guard_begin(g, &ops, lines);
}
