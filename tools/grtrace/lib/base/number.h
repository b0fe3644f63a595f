/* SPDX-License-Identifier: LGPL-2.1 */
/* Numbers as people write and read them. */
#ifndef GRT_NUMBER_H
#define GRT_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/* Parsers take the whole text; 0, or -EINVAL with a cause that says what fits. */
int grt_parse_u64(const char *text, uint64_t *value);	/* 12, 0x1f */
int grt_parse_bytes(const char *text, uint64_t *bytes);	/* 64K, 4M, 1GiB */
int grt_parse_ns(const char *text, uint64_t *ns);	/* 1.5s, 20ms, 10us, 3 = 3 s */

/* @begin_ns + @ns, or the end of time. */
static inline uint64_t grt_time_after(uint64_t begin_ns, uint64_t ns)
{
	return ns > UINT64_MAX - begin_ns ? UINT64_MAX : begin_ns + ns;
}

#define GRT_NUMBER_MAX	32

/* Formatters fill @buf, GRT_NUMBER_MAX bytes, and return it. */
char *grt_format_count(char *buf, uint64_t n);		/* 1,204,331 */
char *grt_format_bytes(char *buf, uint64_t bytes);	/* 77.1 MiB */
char *grt_format_ns(char *buf, uint64_t ns);		/* 12.402 s, 3.1 ms, 11 us, 80 ns */

#endif /* GRT_NUMBER_H */
