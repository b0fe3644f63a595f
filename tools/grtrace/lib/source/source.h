/* SPDX-License-Identifier: LGPL-2.1 */
/* Opens the traces that a user names. */
#ifndef GRT_SOURCE_H
#define GRT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

struct grt_input;

/*
 * Opens @count files as one trace: a .grt, or one or more raw eventsN files, or raw files joined
 * with cat.  The content decides, never the name.  "-" is standard input.  All records must be of
 * one session, or @session picks one; 0 takes any.  0 or -errno with a cause.
 */
int grt_source_open(struct grt_input **in, int count, char *const *paths,
		    uint64_t session);

/*
 * Called while a file of another tracer is imported, with the progress from 0 to 1000, and with
 * 1000 at the end.  Without a handler nothing is shown.
 */
typedef void grt_progress_fn(unsigned int permille);
void grt_source_progress_to(grt_progress_fn *handler);

/*
 * Opens standard input, which has a stream as record --live or the module's trace_pipe writes it, and
 * reads that while it comes.  @name is for messages.  0 or -errno with a cause.
 */
int grt_source_open_pipe(struct grt_input **in, const char *name);

/*
 * Whether a file is a whole trace, not the stream of one CPU.  Standard input is not, because it cannot be read
 * twice.
 */
bool grt_source_is_whole(const char *name);

/*
 * Opens the session that runs now.  What we read is gone for other readers, and each CPU allows
 * only one reader.  0 or -errno with a cause.
 */
int grt_source_open_live(struct grt_input **in);

#endif /* GRT_SOURCE_H */
