/* SPDX-License-Identifier: GPL-2.0 */
/* Changes the index of a .grt that is complete.  Ends the program if it cannot. */
#ifndef SCALE_INDEX_H
#define SCALE_INDEX_H

#include <stdint.h>

/* The index has @n rows for the largest chunk, and no others. */
void scale_index_repeat(const char *path, uint32_t n);

/* The index has @n MiB, in a file that has no bytes there. */
void scale_index_claim(const char *path, uint32_t n);

#endif /* SCALE_INDEX_H */
