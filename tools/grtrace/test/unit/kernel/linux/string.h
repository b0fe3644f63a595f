/* SPDX-License-Identifier: GPL-2.0 */
#ifndef GRT_UNIT_STRING_H
#define GRT_UNIT_STRING_H

#include <stdio.h>
#include <string.h>

#define strscpy(to, from, room)	snprintf(to, room, "%s", from)

#endif /* GRT_UNIT_STRING_H */
