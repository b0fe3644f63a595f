/* SPDX-License-Identifier: LGPL-2.1 */
/* Converts numbers to and from the form that people write. */
#ifndef GRT_NUMBER_H
#define GRT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Parsers need the whole text to be a number.  0, or -EINVAL with a cause that says what is
 * allowed.
 */
int grt_parse_u64(const char *text, uint64_t *value);	/* 12, 0x1f */
int grt_parse_bytes(const char *text, uint64_t *bytes);	/* 64K, 4M, 1GiB, "4.0 MiB" */
int grt_parse_ns(const char *text, uint64_t *ns);	/* 1.5s, 20ms, "10 us", 3 = 3 s */

bool grt_is_time_unit(const char *text);

/* The word for @n things: "1 job", "2 jobs".  With a verb: "1 event is", "2 events are". */
static inline const char *grt_plural(uint64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

/* @begin_ns + @ns, at most UINT64_MAX. */
static inline uint64_t grt_time_after(uint64_t begin_ns, uint64_t ns)
{
	return ns > UINT64_MAX - begin_ns ? UINT64_MAX : begin_ns + ns;
}

#define GRT_NUMBER_MAX	32

/* Formatters fill @buf, which has GRT_NUMBER_MAX bytes, and return it. */
char *grt_format_count(char *buf, uint64_t n);		/* 1,204,331 */
char *grt_format_bytes(char *buf, uint64_t bytes);	/* 77.1 MiB */
char *grt_format_ns(char *buf, uint64_t ns);		/* 12.402 s, 3.1 ms, 11 us, 80 ns */

#define GRT_DIGITS_MAX	20

/*
 * Writes @n at the end of @buf, without a NUL, and returns where it begins.  printf() would be too slow where
 * there are millions of numbers.
 */
static inline const char *grt_digits(char buf[GRT_DIGITS_MAX], uint64_t n)
{
	char *at = buf + GRT_DIGITS_MAX;

	do {
		*--at = '0' + n % 10;
		n /= 10;
	} while (n);
	return at;
}

#endif /* GRT_NUMBER_H */
