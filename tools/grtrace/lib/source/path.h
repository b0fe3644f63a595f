/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef GRT_PATH_H
#define GRT_PATH_H

/*
 * A descriptor that can be read from anywhere: of the file @path, or of a copy
 * when that is a pipe or, with "-", standard input.  -errno with a cause.
 */
int grt_path_open(const char *path);

#endif /* GRT_PATH_H */
