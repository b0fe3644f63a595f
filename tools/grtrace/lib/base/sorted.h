/* SPDX-License-Identifier: LGPL-2.1 */
/* Finds a place in rows that are sorted by a number. */
#ifndef GRT_SORTED_H
#define GRT_SORTED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * The first of @count rows of @bytes each whose number is @least or more; @count: none.  The number is a uint64_t,
 * @offset bytes behind the begin of a row.
 */
static inline size_t grt_sorted_find(const void *rows, size_t count, size_t bytes, size_t offset, uint64_t least)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint64_t number;

		memcpy(&number, (const char *)rows + middle * bytes + offset, sizeof(number));
		if (number < least)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The same for an array of structs: @member has the number. */
#define grt_sorted_by(rows, count, type, member, least)	\
	grt_sorted_find(rows, count, sizeof(type), offsetof(type, member), least)

/* For the same: the first row whose number is greater than @ns, which is not UINT64_MAX for any row that counts. */
#define grt_sorted_behind(rows, count, type, member, ns)	\
	((ns) == UINT64_MAX ? (count) : grt_sorted_by(rows, count, type, member, (ns) + 1))

#endif /* GRT_SORTED_H */
