/* SPDX-License-Identifier: LGPL-2.1 */
/* The kinds of waits in tables of blame and of roots. */
#ifndef GRT_WAIT_KINDS_H
#define GRT_WAIT_KINDS_H

#include <stdbool.h>

struct grt_wait_kinds {
	const char *(*name)(unsigned int kind);
	bool (*is_nobody)(unsigned int kind);	/* the wait was for no job */
};

extern const struct grt_wait_kinds grt_blame_kinds, grt_root_kinds;

#endif /* GRT_WAIT_KINDS_H */
