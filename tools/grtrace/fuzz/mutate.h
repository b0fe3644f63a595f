/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Mutators that know the formats, so that most of their results pass the checks of sizes and
 * checksums.  Each returns the new size, at most @room.
 */
#ifndef GRT_FUZZ_MUTATE_H
#define GRT_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

struct mutation {
	uint64_t state;
};

/* A random number below @n, which is not 0. */
uint64_t mutation_below(struct mutation *m, uint64_t n);

/* Records back to back. */
size_t mutate_records(struct mutation *m, uint8_t *data, size_t bytes, size_t room);

/* Changes a .grt, and usually corrects its checksums. */
size_t mutate_grt(struct mutation *m, uint8_t *data, size_t bytes, size_t room);

#endif /* GRT_FUZZ_MUTATE_H */
