/* SPDX-License-Identifier: LGPL-2.1 */
/* Opens what a user names. */
#ifndef GRT_SOURCE_H
#define GRT_SOURCE_H

struct grt_input;

/*
 * One trace out of @count files: a .grt, or one or more raw eventsN, or raw ones
 * joined with cat; known by content, never by name.  "-" is standard input.
 * Everything must be of one session.  0 or -errno with a cause.
 */
int grt_source_open(struct grt_input **in, int count, char *const *paths);

/*
 * The session that runs now.  What is read is gone for other readers, and each
 * CPU has room for one reader.  0 or -errno with a cause.
 */
int grt_source_open_live(struct grt_input **in);

#endif /* GRT_SOURCE_H */
