/* SPDX-License-Identifier: LGPL-2.1 */
/* Rings and processes that an import meets, to be defined at its end. */
#ifndef GRT_OUT_RINGS_H
#define GRT_OUT_RINGS_H

#include <stdint.h>

#include "foreign.h"
#include "map.h"
#include "vec.h"

struct grt_out_rings {
	struct grt_vec rows;	/* of struct grtrace_ring; number i + 1 */
	struct grt_map index;	/* hash of device and name to number */
	struct grt_map drivers;	/* hash of a ring's name to its driver: a row of names + 1 */
	struct grt_vec names;	/* of struct driver_name */
	const char *driver;	/* not owned: of all others, NULL = not known */
};

/*
 * The number of a ring, made if needed; 0 without memory or when there are too many.
 * Any piece may be empty: not known.
 */
uint32_t grt_out_ring(struct grt_out_rings *t, struct grt_piece device, struct grt_piece driver,
		      struct grt_piece name);

/* Rings of that name are driven by @driver, where their own events do not say. */
void grt_out_ring_driver(struct grt_out_rings *t, struct grt_piece name, struct grt_piece driver);

/* Appends the definitions to @defs.  0 or -ENOMEM. */
int grt_out_rings_define(const struct grt_out_rings *t, struct grt_vec *defs, uint64_t ts);
void grt_out_rings_rewind(struct grt_out_rings *t);
void grt_out_rings_free(struct grt_out_rings *t);

#endif /* GRT_OUT_RINGS_H */
