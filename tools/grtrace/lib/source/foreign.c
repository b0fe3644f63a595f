// SPDX-License-Identifier: LGPL-2.1
/* Files of other tracers: made into a .grt first, which no folder shows. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "error.h"
#include "extent.h"
#include "import.h"
#include "io.h"
#include "path.h"

int grt_collect_foreign(struct grt_collection *to, uint32_t file, int *fd, const char *name,
			struct grt_trace_info *info)
{
	const struct grt_import_options options = { 0 };
	struct grt_import_sums sums;
	char path[4096];
	int made = grt_temporary(path, sizeof(path)), err;

	if (made < 0)
		return made;
	close(made);
	err = grt_import_file(*fd, name, path, &options, &sums);
	if (err) {
		unlink(path);
		return err;
	}
	made = open(path, O_RDONLY | O_CLOEXEC);
	if (made < 0)
		err = grt_fail_errno(NULL, "cannot open '%s'", path);
	unlink(path);
	if (err)
		return err;
	close(*fd);
	*fd = made;
	return grt_collect_grt(to, file, made, name, info);
}
