/* SPDX-License-Identifier: GPL-2.0 */
/* Probes of functions as dynamic events of tracefs. */
#ifndef GRT_PROBE_DEFINE_H
#define GRT_PROBE_DEFINE_H

#include <stddef.h>

#include "vec.h"

struct grt_tracefs_place;

/* The group of probes that stay until they are removed; also how those of recordings are shown. */
#define GRT_PROBE_GROUP		"grtrace_probe"
#define GRT_PROBES_MOST		64	/* functions that a pattern may mean */

/*
 * Defines the probe that @text asks for (probe_spec.h) as an event of @group; with a pattern, one for each
 * function.  Appends a struct grt_tracefs_event for each to @made.  0, or -errno with a cause: then none of
 * them is there.
 */
int grt_probe_define(const struct grt_tracefs_place *p, const char *group, const char *text,
		     struct grt_vec *made);
/* The same for a function that the caller has found, in the module that @text names: saves a search. */
int grt_probe_define_found(const struct grt_tracefs_place *p, const char *group, const char *text,
			   struct grt_vec *made);

/* Removes one.  0 or -errno with a cause. */
int grt_probe_remove(const struct grt_tracefs_place *p, const char *group, const char *name);

/*
 * Calls @each for every probe of the group, with its kind ("p", "r", "f"), name, and what follows these in
 * tracefs; ends when it does not return 0, and returns that; or -errno with a cause.
 */
int grt_probe_each(const struct grt_tracefs_place *p, const char *group,
		   int (*each)(void *arg, const char *kind, const char *name, const char *rest), void *arg);

/* Finds tracefs and checks whether this kernel, and this user, may have probes.  0 or -errno with a cause. */
int grt_probe_check(struct grt_tracefs_place *p);

#endif /* GRT_PROBE_DEFINE_H */
