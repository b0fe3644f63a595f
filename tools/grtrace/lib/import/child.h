/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef GRT_IMPORT_CHILD_H
#define GRT_IMPORT_CHILD_H

#include "import.h"

/* grt_import_file() without a child process. */
int grt_import_here(int fd, const char *name, int to,
		    const struct grt_import_options *options, struct grt_import_sums *sums);

#endif /* GRT_IMPORT_CHILD_H */
