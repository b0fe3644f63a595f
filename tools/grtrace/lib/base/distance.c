// SPDX-License-Identifier: LGPL-2.1
#include "distance.h"

#include <string.h>

#define LONGEST	64

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t grt_distance(const char *a, const char *b)
{
	size_t row[LONGEST], above, old;
	size_t len = strlen(b);

	if (len >= LONGEST)
		return len;
	for (size_t j = 0; j <= len; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		above = row[0];
		row[0] = i;
		for (size_t j = 1; j <= len; j++) {
			old = row[j];
			row[j] = least(above + (a[i - 1] != b[j - 1]),
				       least(old, row[j - 1]) + 1);
			above = old;
		}
	}
	return row[len];
}
