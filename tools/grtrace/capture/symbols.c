// SPDX-License-Identifier: GPL-2.0
#include "symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint64_t grt_capture_symbol(const char *name, uint64_t *end)
{
	uint64_t at = 0, address, next = UINT64_MAX;
	char line[512], symbol[256];
	FILE *f = fopen("/proc/kallsyms", "r");

	/* The kernel's own symbols come first and in order; then those of modules. */
	while (f && fgets(line, sizeof(line), f) && !strchr(line, '[')) {
		if (sscanf(line, "%" SCNx64 " %*c %255s", &address, symbol) != 2)
			continue;
		if (at && address > at) {
			next = address;
			break;
		}
		if (!at && !strcmp(symbol, name))
			at = address;
	}
	if (f)
		fclose(f);
	if (end)
		*end = next;
	return at;
}

uint64_t grt_capture_module_symbol(const char *module, const char *name)
{
	char line[512], symbol[256], owner[64];
	uint64_t at = 0, address;
	FILE *f = fopen("/proc/kallsyms", "r");

	while (f && !at && fgets(line, sizeof(line), f))
		if (sscanf(line, "%" SCNx64 " %*c %255s [%63[^]]]", &address, symbol, owner) == 3 &&
		    !strcmp(owner, module) && !strcmp(symbol, name))
			at = address;
	if (f)
		fclose(f);
	return at;
}
