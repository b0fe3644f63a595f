/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Traces that were compressed with gzip, xz, zstd or bzip2, or are in a zip or tar file, with libarchive.  Few files
 * are, so the library is loaded only then.
 */
#ifndef GRT_UNPACK_H
#define GRT_UNPACK_H

#include <stdbool.h>

bool grt_is_packed(int fd);

/*
 * Unpacks @fd, called @name, to a temporary file without a name, and returns its descriptor.  An archive must have one
 * file, or one that @is_known recognises by its first bytes; NULL: any trace.  -errno with a cause.
 */
int grt_unpack(int fd, const char *name, bool (*is_known)(int fd));

#endif /* GRT_UNPACK_H */
