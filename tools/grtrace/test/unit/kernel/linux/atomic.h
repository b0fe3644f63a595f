/* SPDX-License-Identifier: GPL-2.0 */
#ifndef GRT_UNIT_ATOMIC_H
#define GRT_UNIT_ATOMIC_H

#include <linux/types.h>

#define cmpxchg64(p, old, new)	__sync_val_compare_and_swap(p, old, new)

#endif /* GRT_UNIT_ATOMIC_H */
