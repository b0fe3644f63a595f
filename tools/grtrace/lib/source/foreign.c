// SPDX-License-Identifier: LGPL-2.1
/* Files of other tracers: made into a .grt first, which no folder shows. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "error.h"
#include "extent.h"
#include "import.h"
#include "input.h"
#include "io.h"
#include "path.h"
#include "scratch.h"
#include "source.h"

static grt_progress_fn *tell_progress;

void grt_source_progress_to(grt_progress_fn *handler)
{
	tell_progress = handler;
}

int grt_collect_foreign(struct grt_collection *to, uint32_t file, int *fd, const char *name,
			struct grt_trace_info *info)
{
	const struct grt_import_options options = { .progress = tell_progress };
	struct grt_import_sums sums;
	char path[4096];
	int made = grt_temporary_named(path, sizeof(path)), err;

	if (made < 0)
		return made;
	close(made);
	err = grt_import_file(*fd, name, path, &options, &sums);
	made = err ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	if (!err && made < 0)
		err = grt_fail_errno(NULL, "cannot open '%s'", path);
	grt_scratch_remove(path);
	if (err)
		return err;
	close(*fd);
	*fd = made;
	err = grt_collect_grt(to, file, made, name, info);
	info->is_imported = true;
	return err;
}
