/* SPDX-License-Identifier: LGPL-2.1 */
/* Warnings of tables that are full. A trace may be read twice, and have many more rows: one warning is enough. */
#ifndef GRT_ONCE_H
#define GRT_ONCE_H

#include "error.h"

/* As grt_warn() without a hint, but once for each place of the program. */
#define grt_warn_once(...)				\
	do {						\
		static bool has_warned;			\
							\
		if (!has_warned)			\
			grt_warn(NULL, __VA_ARGS__);	\
		has_warned = true;			\
	} while (0)

#endif /* GRT_ONCE_H */
