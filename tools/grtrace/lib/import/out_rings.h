/* SPDX-License-Identifier: LGPL-2.1 */
/* The rings in an import, to be defined at its end. */
#ifndef GRT_OUT_RINGS_H
#define GRT_OUT_RINGS_H

#include <stdint.h>

#include "foreign.h"
#include "map.h"
#include "vec.h"

#define GRT_NO_CTX	UINT64_MAX

struct grt_out_target;

struct grt_out_rings {
	const struct grt_out_target *target;	/* not owned; NULL: a file */
	struct grt_map scheds;	/* address of a scheduler -> number of its ring */
	struct grt_vec rows;	/* struct grtrace_ring; row i has number i + 1 */
	struct grt_map index;	/* hash of device and name -> number */
	struct grt_map drivers;	/* hash of a ring's name -> its driver: a row of names + 1 */
	struct grt_vec names;	/* struct driver_name */
	const char *driver;	/* not owned: driver of all other rings, NULL = not known */
};

/* A ring as events name it.  An empty piece, or 0, means not known. */
struct grt_ring_names {
	struct grt_piece device, driver, name;
	uint64_t sched;		/* address of its scheduler: rings may share their names */
	uint32_t credit_limit;
};

/* The number of a ring, added if missing; 0 without memory or if there are too many. */
uint32_t grt_out_ring_named(struct grt_out_rings *t, const struct grt_ring_names *names);
uint32_t grt_out_ring(struct grt_out_rings *t, struct grt_piece device, struct grt_piece driver,
		      struct grt_piece name);

/* Says what a ring is for, where its name does not. */
void grt_out_ring_engine(struct grt_out_rings *t, uint32_t nr, uint32_t engine);

/* The ring that was named last with this scheduler; 0: none. */
/* Whether jobs of ring @nr may run on after the scheduler ended them: see GRTRACE_FENCELESS_DRIVERS. */
bool grt_out_ring_is_fenceless(const struct grt_out_rings *t, uint32_t nr);

uint32_t grt_out_ring_of_sched(const struct grt_out_rings *t, uint64_t sched);

/* A scheduler of the ring, 0 if none is known. */
uint64_t grt_out_sched_of_ring(const struct grt_out_rings *t, uint32_t nr);

/* The first ring with this name and a number above @nr, 0 if there is none. */
uint32_t grt_out_ring_after(const struct grt_out_rings *t, uint32_t nr, struct grt_piece name);

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
