/* SPDX-License-Identifier: GPL-2.0 */
/* Addresses of the running kernel. */
#ifndef GRT_CAPTURE_SYMBOLS_H
#define GRT_CAPTURE_SYMBOLS_H

#include <stdint.h>

#include "vec.h"

/*
 * Where the symbol @name of the kernel itself begins, and in *@end where the next one does; @end
 * may be NULL.  0: there is none, or it is not for us.
 */
uint64_t grt_capture_symbol(const char *name, uint64_t *end);

/* The names of all addresses.  Zeroed memory knows none. */
struct grt_symbols {
	struct grt_vec rows;	/* by address, after grt_symbols_load() */
	struct grt_vec names;
};

/* Reads those of the kernel and of its modules that are loaded now; once.  0, or -ENOMEM with a cause. */
int grt_symbols_load(struct grt_symbols *s);
void grt_symbols_free(struct grt_symbols *s);

/* The name of what is at an address, and where it begins; NULL: not known.  Valid until it is freed. */
const char *grt_symbols_find(const struct grt_symbols *s, uint64_t address, uint64_t *start);

#endif /* GRT_CAPTURE_SYMBOLS_H */
