/* SPDX-License-Identifier: LGPL-2.1 */
/* The rings in an import, to be defined at its end. */
#ifndef GRT_OUT_RINGS_H
#define GRT_OUT_RINGS_H

#include <stdint.h>

#include "foreign.h"
#include "map.h"
#include "vec.h"

#define GRT_NO_CTX	UINT64_MAX

struct grt_out_rings {
	struct grt_vec rows;	/* struct grtrace_ring; row i has number i + 1 */
	struct grt_map index;	/* hash of device and name -> number */
	struct grt_map drivers;	/* hash of a ring's name -> its driver: a row of names + 1 */
	struct grt_vec names;	/* struct driver_name */
	const char *driver;	/* not owned: driver of all other rings, NULL = not known */
};

/*
 * The number of a ring, added if missing; 0 without memory or if there are too many.  An empty
 * piece means not known.
 */
uint32_t grt_out_ring(struct grt_out_rings *t, struct grt_piece device, struct grt_piece driver,
		      struct grt_piece name);

/*
 * Notes that rings of that name use @driver, for events that do not name it.  @ctx is the context
 * of such a ring's hardware fences, or GRT_NO_CTX: two contexts mean two GPUs.
 */
void grt_out_ring_driver(struct grt_out_rings *t, struct grt_piece name, struct grt_piece driver,
			 uint64_t ctx);

/* Counts the names that rings of several GPUs share. */
unsigned int grt_out_rings_shared(const struct grt_out_rings *t);

/* Appends the definitions to @defs.  0 or -ENOMEM. */
int grt_out_rings_define(const struct grt_out_rings *t, struct grt_vec *defs, uint64_t ts);
void grt_out_rings_rewind(struct grt_out_rings *t);
void grt_out_rings_free(struct grt_out_rings *t);

#endif /* GRT_OUT_RINGS_H */
