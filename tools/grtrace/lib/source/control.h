/* SPDX-License-Identifier: LGPL-2.1 */
/* The module's files in debugfs. */
#ifndef GRT_CONTROL_H
#define GRT_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The folder of the control files; GRTRACE_DIR in the environment replaces it in tests. */
const char *grt_control_dir(void);

/* Opens that folder.  The descriptor, to be closed by the caller, or -errno with a cause. */
int grt_control_open(void);

/*
 * Reads @file whole into @buf, NUL-terminated and without its last newline.
 * Returns its length or -errno with a cause.
 */
ssize_t grt_control_read(const char *file, char *buf, size_t bytes);

/* Writes @text with one call.  0, or -errno with a cause, which quotes the module's reason. */
int grt_control_write(const char *file, const char *text);

/*
 * Starts a session that ends when the returned descriptor is closed, even if this process is
 * killed.  -EINVAL if the module is too old to know this.
 */
int grt_control_hold(void);

/* Whether a session runs: 1, 0 or -errno with a cause. */
int grt_control_is_running(void);

/* Whether the session that runs, or was stopped, overwrites its buffers. */
bool grt_control_overwrites(void);

/* Whether a snapshot is held: 1, 0 or -errno with a cause. */
int grt_control_has_snapshot(void);

/* A line of the file stats: 1, 0 if the module does not have it, or -errno with a cause. */
int grt_control_stat(const char *name, char *buf, size_t bytes);

/* The value of a name=value line in @text, into @buf; false if there is none. */
bool grt_control_value(const char *text, const char *name, char *buf, size_t bytes);

#endif /* GRT_CONTROL_H */
