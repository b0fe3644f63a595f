/* SPDX-License-Identifier: GPL-2.0 */
#ifndef GRT_UNIT_BARRIER_H
#define GRT_UNIT_BARRIER_H

#include <linux/types.h>

#endif /* GRT_UNIT_BARRIER_H */
