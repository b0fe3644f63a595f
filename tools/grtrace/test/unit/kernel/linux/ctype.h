/* SPDX-License-Identifier: GPL-2.0 */
#ifndef GRT_UNIT_CTYPE_H
#define GRT_UNIT_CTYPE_H

#include <ctype.h>

#endif /* GRT_UNIT_CTYPE_H */
