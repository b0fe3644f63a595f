/* SPDX-License-Identifier: LGPL-2.1 */
/* The file around the pages of a trace.dat. */
#ifndef GRT_TRACE_DAT_FILE_H
#define GRT_TRACE_DAT_FILE_H

#include <stdint.h>

#include "trace_dat_pages.h"
#include "vec.h"

struct grt_export;

/* What the file consists of.  Nothing is owned. */
struct grt_dat_file {
	const struct grt_dat_scratch *scratch;
	const struct grt_vec *lanes;	/* struct grt_dat_lane *, a row per CPU; NULL: it has no events */
	const struct grt_vec *tasks;	/* lines "number name" */
};

/* Writes all of it, from the first byte to the last.  0, or -errno with a cause. */
int grt_dat_file_write(const struct grt_dat_file *d, struct grt_export *x);

#endif /* GRT_TRACE_DAT_FILE_H */
