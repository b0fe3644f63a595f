/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef GRT_IMPORT_CHILD_H
#define GRT_IMPORT_CHILD_H

#include "import.h"

/* As grt_import_file(), in this process whatever the file is. */
int grt_import_here(int fd, const char *name, const char *to,
		    const struct grt_import_options *options, struct grt_import_sums *sums);

#endif /* GRT_IMPORT_CHILD_H */
