/* SPDX-License-Identifier: GPL-2.0 */
#ifndef GRT_UNIT_MINMAX_H
#define GRT_UNIT_MINMAX_H

#define min(a, b)	((a) < (b) ? (a) : (b))
#define max(a, b)	((a) > (b) ? (a) : (b))

#define clamp(x, lo, hi)	min(max(x, lo), hi)

#endif /* GRT_UNIT_MINMAX_H */
