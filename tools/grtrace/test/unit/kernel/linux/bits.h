/* SPDX-License-Identifier: GPL-2.0 */
#ifndef GRT_UNIT_BITS_H
#define GRT_UNIT_BITS_H

#define BIT_ULL(nr)	(1ull << (nr))

#endif /* GRT_UNIT_BITS_H */
