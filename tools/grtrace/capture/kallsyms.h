/* SPDX-License-Identifier: GPL-2.0 */
/* The names of the kernel's functions by address. */
#ifndef GRT_CAPTURE_KALLSYMS_H
#define GRT_CAPTURE_KALLSYMS_H

#include <stdint.h>

#include "vec.h"

/* Zeroed memory is empty. */
struct grt_kallsyms {
	struct grt_vec rows;		/* struct kallsyms_row, by address */
	struct grt_vec names;		/* texts, each with its NUL */
	uint64_t core_end;		/* the code of the kernel itself ends here */
	uint64_t modules;		/* a hash of the list of modules when it was read */
};

/*
 * Reads /proc/kallsyms.  0; -EPERM if it hides the addresses, -ENOENT without a list, or -ENOMEM,
 * with a cause.
 */
int grt_kallsyms_read(struct grt_kallsyms *k);
void grt_kallsyms_free(struct grt_kallsyms *k);

/*
 * Returns the name of the function that @address is in, and sets *@start to where that begins; NULL: not
 * known.  The text is valid until the list is read again.
 */
const char *grt_kallsyms_find(const struct grt_kallsyms *k, uint64_t address, uint64_t *start);

/* The same name.  Reads the list again first if modules came or went, for an address of a module. */
const char *grt_kallsyms_name(struct grt_kallsyms *k, uint64_t address);

#endif /* GRT_CAPTURE_KALLSYMS_H */
