// SPDX-License-Identifier: LGPL-2.1
#include "cpulist.h"

#include <errno.h>

#include "error.h"

/* Reads a number and moves *list behind it; -1: no number. */
static long read_cpu(const char **list)
{
	long cpu = 0;

	if (**list < '0' || **list > '9')
		return -1;
	for (; **list >= '0' && **list <= '9'; (*list)++)
		if (cpu < GRT_CPUS)
			cpu = 10 * cpu + (**list - '0');
	return cpu < GRT_CPUS ? cpu : -1;
}

int grt_parse_cpus(const char *list, uint64_t bits[GRT_CPUS / 64])
{
	const char *p = list;

	do {
		long from = read_cpu(&p), to = from;

		if (from >= 0 && *p == '-') {
			p++;
			to = read_cpu(&p);
		}
		if (from < 0 || to < from || (*p && *p != ','))
			return grt_fail(EINVAL, "write it like 0 or 0,2-5", "'%s' is no list of CPUs", list);
		for (long cpu = from; cpu <= to; cpu++)
			bits[cpu / 64] |= 1ull << cpu % 64;
	} while (*p++ == ',');
	return 0;
}
