/* SPDX-License-Identifier: GPL-2.0 */
/* Lists the rings and processes of a trace, for hints when nothing was found. */
#ifndef GRT_LIST_H
#define GRT_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "names.h"

#define LIST_MAX	1024

/* "its rings: gfx (1), copy (2)"; NULL if the trace has none.  Fills @to, LIST_MAX bytes. */
const char *list_rings(char *to, const struct grt_names *names);

/* The same with rings, then processes. */
const char *list_names(char *to, const struct grt_names *names);

/* Whether the trace has a ring with this number or name. */
bool list_has_ring(const struct grt_names *names, const char *ring);

#endif /* GRT_LIST_H */
