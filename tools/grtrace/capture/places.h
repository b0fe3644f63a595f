/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Says where a session was recorded, and where its processes run: makes the records MACHINE and CGROUP from
 * what the machine knows while they are there.
 */
#ifndef GRT_PLACES_H
#define GRT_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "cgroup_paths.h"
#include "map.h"
#include "run.h"
#include "vec.h"

struct grt_places {
	struct grt_cgroup_paths paths;
	struct grt_map seen;		/* ids of cgroups */
	bool is_open, has_machine;
};

/* Begins a session; @p is zeroed, or that of another session. */
void grt_places_begin(struct grt_places *p);
void grt_places_free(struct grt_places *p);

/*
 * Appends the machine to @to, the first time, and each cgroup that @run, a run of definitions, is the first to
 * name, if its path can be found.  0 or -ENOMEM with a cause.
 */
int grt_places_describe(struct grt_places *p, const struct grt_run *run, struct grt_vec *to);

/* The boot_id of this machine; "" if it is not known. */
void grt_places_boot_id(char *to, size_t room);

#endif /* GRT_PLACES_H */
