/* SPDX-License-Identifier: LGPL-2.1 */
/* Opens what a user names. */
#ifndef GRT_SOURCE_H
#define GRT_SOURCE_H

#include <stdint.h>

struct grt_input;

/*
 * One trace out of @count files: a .grt, or one or more raw eventsN, or raw ones
 * joined with cat; known by content, never by name.  "-" is standard input.
 * All of it must be of one session, or @session picks it; 0 takes what there is.
 * 0 or -errno with a cause.
 */
int grt_source_open(struct grt_input **in, int count, char *const *paths,
		    uint64_t session);

/*
 * What is to be told while a file of another tracer is imported, which can take a while: from
 * 0 to 1000, and 1000 when that is over.  Nothing, without it.
 */
typedef void grt_progress_fn(unsigned int permille);
void grt_source_progress_to(grt_progress_fn *handler);

/*
 * The session that runs now.  What is read is gone for other readers, and each
 * CPU has room for one reader.  0 or -errno with a cause.
 */
int grt_source_open_live(struct grt_input **in);

#endif /* GRT_SOURCE_H */
