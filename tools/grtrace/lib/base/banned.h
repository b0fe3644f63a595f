/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The compile line includes this file before everything else.  It bans names: the kernel's short
 * types, which do not exist here, and functions that do not know the size of their buffer or that
 * keep hidden state.  A header of the system that says such a name is included before the ban.
 */
#ifndef GRT_BANNED_H
#define GRT_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

#pragma GCC poison u8 u16 u32 u64
#pragma GCC poison gets strcpy strcat strncpy strncat sprintf vsprintf
#pragma GCC poison strtok asctime ctime gmtime localtime atoi atol atoll mktemp tmpnam

#endif /* GRT_BANNED_H */
