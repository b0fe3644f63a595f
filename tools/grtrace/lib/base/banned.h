/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Included before everything else by the compile line: names that may not be
 * used.  The kernel's short types do not exist here, and the functions write
 * without knowing where the room ends or keep hidden state.
 */
#ifndef GRT_BANNED_H
#define GRT_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC poison u8 u16 u32 u64
#pragma GCC poison gets strcpy strcat strncpy strncat sprintf vsprintf
#pragma GCC poison strtok asctime ctime gmtime localtime atoi atol atoll mktemp tmpnam

#endif /* GRT_BANNED_H */
