// SPDX-License-Identifier: LGPL-2.1
/* The names of rules: finds one and lists them.  Filters and columns need no other part of rules. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "column.h"
#include "error.h"
#include "rules.h"

int grt_rules_find(const struct grt_rules *r, const char *name)
{
	for (unsigned int i = 0; i < r->count; i++)
		if (!strcmp(r->rules[i].name, name))
			return i;
	return -1;
}

const char *grt_rules_names(const struct grt_rules *r, uint64_t labels, char *buf)
{
	char *p = buf;

	*p = '\0';
	for (unsigned int i = 0; i < r->count; i++) {
		if (!(labels >> i & 1))
			continue;
		if (p != buf)
			*p++ = '|';
		p = stpcpy(p, r->rules[i].name);
	}
	return buf;
}

int grt_rules_unknown(const struct grt_rules *r, const char *what, const char *name)
{
	char hint[GRT_CELL_MAX + 16];

	snprintf(hint, sizeof(hint), "%ss: ", what);
	grt_rules_names(r, UINT64_MAX, hint + strlen(hint));
	for (char *p = hint; *p; p++)
		*p = *p == '|' ? ' ' : *p;
	return grt_fail(ENOENT, hint, "no %s '%.64s'", what, name);
}
