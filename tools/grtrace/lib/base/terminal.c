// SPDX-License-Identifier: LGPL-2.1
#include "terminal.h"

#include <stdlib.h>
#include <sys/ioctl.h>

size_t grt_terminal_width(int fd)
{
	const char *text = getenv("COLUMNS");
	unsigned long columns = text ? strtoul(text, NULL, 10) : 0;
	struct winsize size;

	if (columns && columns < 65536)
		return columns;
	return ioctl(fd, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}
