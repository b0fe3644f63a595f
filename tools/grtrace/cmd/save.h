/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For report --live and dump --live: what is read of a session is gone from its buffers, so it is
 * saved in a file.
 */
#ifndef GRT_SAVE_H
#define GRT_SAVE_H

#include <stdbool.h>

struct grt_stream;
struct grt_save;

/*
 * Opens file @path; NULL: live.grt, or the first of live-2.grt and so on that does not exist.  0
 * or -errno.
 */
int grt_save_open(struct grt_save **save, const char *path);
const char *grt_save_path(const struct grt_save *save);

/*
 * Saves the session's events: all of a stopped session, or what a running one has now.  0 or
 * -errno.
 */
int grt_save_now(struct grt_save *save);

/*
 * The same for a running session.  *stream gives its events from now on, which are saved while
 * they are read, until grt_save_is_over().  0 or -errno with a cause.
 */
int grt_save_along(struct grt_save **save, const char *path, struct grt_stream **stream);

/* Whether SIGINT or SIGTERM came: then reading ends, and a blocked read returns -EINTR. */
bool grt_save_is_over(void);

/* Closes the file and frees everything.  @is_whole: nothing failed.  0 or -errno with a cause. */
int grt_save_close(struct grt_save *save, bool is_whole);

#endif /* GRT_SAVE_H */
