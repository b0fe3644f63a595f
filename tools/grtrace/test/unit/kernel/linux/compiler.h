/* SPDX-License-Identifier: GPL-2.0 */
#ifndef GRT_UNIT_COMPILER_H
#define GRT_UNIT_COMPILER_H

#include <linux/types.h>

#define likely(x)	(x)
#define unlikely(x)	(x)

#endif /* GRT_UNIT_COMPILER_H */
