/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef GRT_PATH_H
#define GRT_PATH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns a descriptor of the file @path that can be read at any offset.  A pipe or, with "-",
 * standard input is copied first, and what is compressed is unpacked.  Under sudo the file is opened with the rights
 * of the user, unless it is a trace that only root may read.  @is_known looks at the first bytes of a copy; if it returns
 * false, copying stops, because the input may have no end.  NULL: all but devices are copied.
 * -errno with a cause.
 */
int grt_path_open(const char *path, bool (*is_known)(int fd));

#endif /* GRT_PATH_H */
