/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells the module where members of drivers' private structs are.  It asks for them in its file
 * offsets; the answer is in the type information (BTF) of the loaded driver.
 */
#ifndef GRT_CAPTURE_OFFSETS_H
#define GRT_CAPTURE_OFFSETS_H

#include "vec.h"

/* The drivers that were answered for.  Zeroed memory: none. */
struct grt_offsets {
	struct grt_vec answered;	/* struct answered, in offsets.c */
};

/*
 * Answers for each driver that is loaded and was not answered for since it was loaded.  Without type
 * information of a driver, or with a module that does not ask, it does nothing: then events have
 * fewer values.  0, or -errno with a cause: the module refused an answer.
 */
int grt_offsets_send(struct grt_offsets *o);
void grt_offsets_free(struct grt_offsets *o);

#endif /* GRT_CAPTURE_OFFSETS_H */
