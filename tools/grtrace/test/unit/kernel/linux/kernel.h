/* SPDX-License-Identifier: GPL-2.0 */
#ifndef GRT_UNIT_KERNEL_H
#define GRT_UNIT_KERNEL_H

#include <errno.h>
#include <linux/types.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* As the kernel's: all of the text, no blanks before it. */
static inline int kstrtou32(const char *text, unsigned int base, u32 *value)
{
	unsigned long long number;
	char *end;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	number = strtoull(text, &end, base);
	if (*end || errno || number > 0xffffffff)
		return -ERANGE;
	*value = number;
	return 0;
}

/* The length of what is there, not of what would be. */
__attribute__((format(printf, 3, 4)))
static inline int scnprintf(char *to, size_t room, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(to, room, format, args);
	va_end(args);
	return (size_t)len < room ? len : room ? (int)room - 1 : 0;
}

#endif /* GRT_UNIT_KERNEL_H */
