/* SPDX-License-Identifier: GPL-2.0 */
/* The values of a probe in the words of tracefs: names of arguments are looked up in the type information. */
#ifndef GRT_PROBE_ARGS_H
#define GRT_PROBE_ARGS_H

#include <stddef.h>

struct grt_probe_spec;

#define GRT_PROBE_LINE	2048	/* bytes of a line that defines a probe; tracefs takes 4096 */

/*
 * Writes " NAME=FETCH:TYPE" for each value.  0, or -errno with a cause if the function has no such
 * argument, or its types are not known.  For a function of a file the latter is -ENODATA.
 */
int grt_probe_args_print(const struct grt_probe_spec *s, char *to, size_t room);

#endif /* GRT_PROBE_ARGS_H */
