// SPDX-License-Identifier: LGPL-2.1
/* Files of other tracers: imported into a temporary .grt without a name. */
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "error.h"
#include "extent.h"
#include "import.h"
#include "input.h"
#include "io.h"
#include "number.h"
#include "source.h"

static grt_progress_fn *progress_handler;

void grt_source_progress_to(grt_progress_fn *handler)
{
	progress_handler = handler;
}

static int fail_room(const char *name)
{
	return grt_fail(ENOSPC, "set TMPDIR to a folder with room",
			"no room for a copy of '%s' as a trace", name);
}

int grt_collect_foreign(struct grt_collection *to, uint32_t file, int *fd, const char *name,
			struct grt_trace_info *info)
{
	const struct grt_import_options options = {
		.progress = progress_handler, .to_name = "temporary file",
	};
	struct grt_import_sums sums;
	int made = grt_temporary(), err;

	if (made < 0)
		return made;
	err = grt_import_file(*fd, name, made, &options, &sums);
	if (err) {
		close(made);
		return err == -ENOSPC ? fail_room(name) : err;
	}
	if (sums.unreadable)
		grt_warn("export the text again; a terminal or an editor may have cut it",
			 "%" PRIu64 " %s of '%s' cannot be read, counted as lost", sums.unreadable,
			 grt_plural(sums.unreadable, "line", "lines"), name);
	close(*fd);
	*fd = made;
	return grt_collect_grt(to, file, made, name, info);
}
