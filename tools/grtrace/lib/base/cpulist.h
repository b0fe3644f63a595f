/* SPDX-License-Identifier: LGPL-2.1 */
/* Lists of CPUs as people write them. */
#ifndef GRT_CPULIST_H
#define GRT_CPULIST_H

#include <stdbool.h>
#include <stdint.h>

#define GRT_CPUS	(UINT16_MAX + 1)

/* Sets the bit of each CPU of a list like 0,2-5.  0, or -EINVAL with a cause. */
int grt_parse_cpus(const char *list, uint64_t bits[GRT_CPUS / 64]);

/* Whether @cpu is in @bits; NULL has all. */
static inline bool grt_cpus_have(const uint64_t *bits, uint32_t cpu)
{
	return !bits || (cpu < GRT_CPUS && bits[cpu / 64] >> cpu % 64 & 1);
}

#endif /* GRT_CPULIST_H */
