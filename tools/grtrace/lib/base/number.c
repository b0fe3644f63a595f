// SPDX-License-Identifier: LGPL-2.1
#include "number.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "error.h"

struct suffix {
	const char *text;
	uint64_t factor;
};

static const struct suffix size_suffixes[] = {
	{ "", 1 }, { "B", 1 },
	{ "K", 1ull << 10 }, { "KiB", 1ull << 10 },
	{ "M", 1ull << 20 }, { "MiB", 1ull << 20 },
	{ "G", 1ull << 30 }, { "GiB", 1ull << 30 },
	{ NULL, 0 }
};

static const struct suffix time_suffixes[] = {
	{ "", 1000000000 }, { "s", 1000000000 }, { "ms", 1000000 },
	{ "us", 1000 }, { "ns", 1 }, { "m", 60000000000 }, { "min", 60000000000 },
	{ "h", 3600000000000 },
	{ NULL, 0 }
};

int grt_parse_u64(const char *text, uint64_t *value)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(text, &end, 0);
	/* Stricter than strtoull(), which accepts "-1" and " 1". */
	if (!isdigit((unsigned char)text[0]) || *end || errno)
		return grt_fail(EINVAL, NULL, "'%s' is not a number", text);
	*value = n;
	return 0;
}

bool grt_is_time_unit(const char *text)
{
	for (const struct suffix *s = time_suffixes; *text && s->text; s++)
		if (!strcasecmp(text, s->text))
			return true;
	return false;
}

/* A decimal fraction; digits after the 18th do not fit and are ignored. */
static int parse_scaled(const char *text, const struct suffix *suffixes, uint64_t *value)
{
	uint64_t whole = 0, fraction = 0, divisor = 1;
	const char *p = text;

	if (!isdigit((unsigned char)*p))
		return -EINVAL;
	for (; isdigit((unsigned char)*p); p++)
		if (__builtin_mul_overflow(whole, 10, &whole) ||
		    __builtin_add_overflow(whole, *p - '0', &whole))
			return -ERANGE;
	if (*p == '.')
		for (p++; isdigit((unsigned char)*p); p++)
			if (divisor < 1000000000000000000) {
				fraction = 10 * fraction + (*p - '0');
				divisor *= 10;
			}
	/* Reports print a blank in front of the unit: "5.0 ms". */
	if (*p == ' ' && p[1])
		p++;
	for (; suffixes->text; suffixes++)
		if (!strcasecmp(p, suffixes->text))
			break;
	if (!suffixes->text)
		return -EINVAL;
	fraction = (unsigned __int128)fraction * suffixes->factor / divisor;
	if (__builtin_mul_overflow(whole, suffixes->factor, &whole) ||
	    __builtin_add_overflow(whole, fraction, value))
		return -ERANGE;
	return 0;
}

int grt_parse_bytes(const char *text, uint64_t *bytes)
{
	int err = parse_scaled(text, size_suffixes, bytes);

	if (err)
		return grt_fail(-err, "write it like 65536, 64K, 4M or 1G",
				"'%s' is not a size", text);
	return 0;
}

int grt_parse_ns(const char *text, uint64_t *ns)
{
	int err = parse_scaled(text, time_suffixes, ns);

	if (err)
		return grt_fail(-err, "write it like 5, 1.5s, 20ms, 100us or 2m",
				"'%s' is not a time", text);
	return 0;
}

char *grt_format_count(char *buf, uint64_t n)
{
	char plain[GRT_NUMBER_MAX];
	int len = snprintf(plain, sizeof(plain), "%" PRIu64, n);
	char *to = buf;

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*to++ = ',';
		*to++ = plain[i];
	}
	*to = '\0';
	return buf;
}

char *grt_format_bytes(char *buf, uint64_t bytes)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
	double value = bytes;
	unsigned int unit = 0;

	while (value >= 1024 && unit < 4) {
		value /= 1024;
		unit++;
	}
	snprintf(buf, GRT_NUMBER_MAX, unit ? "%.1f %s" : "%.0f %s", value,
		 grt_plural(bytes, "byte", units[unit]));
	return buf;
}

char *grt_format_ns(char *buf, uint64_t ns)
{
	if (ns == UINT64_MAX)	/* a sum that overflowed */
		snprintf(buf, GRT_NUMBER_MAX, "over 584 years");
	else if (ns >= 1000000000)
		snprintf(buf, GRT_NUMBER_MAX, "%.3f s", ns / 1e9);
	else if (ns >= 1000000)
		snprintf(buf, GRT_NUMBER_MAX, "%.1f ms", ns / 1e6);
	else if (ns >= 1000)
		snprintf(buf, GRT_NUMBER_MAX, "%.0f us", ns / 1e3);
	else
		snprintf(buf, GRT_NUMBER_MAX, "%" PRIu64 " ns", ns);
	return buf;
}
