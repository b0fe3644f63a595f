/* SPDX-License-Identifier: LGPL-2.1 */
/* Copies what cannot be read at any offset to a temporary file without a name. */
#ifndef GRT_SPOOL_H
#define GRT_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct grt_spool {
	const char *name;		/* of the input, for messages */
	void *arg;
	/* Reads like read(2).  A negative value is passed on; its cause is recorded. */
	ssize_t (*read)(void *arg, void *buffer, size_t bytes);
	/* Looks at the first bytes of the copy.  If it returns false, copying stops: the input may have no end. */
	bool (*goes_on)(void *arg, int copy);
	bool has_limit;			/* at most half of the room that the folder has now */
};

/* Returns a descriptor, or -errno with a cause. */
int grt_spool(const struct grt_spool *s);

#endif /* GRT_SPOOL_H */
