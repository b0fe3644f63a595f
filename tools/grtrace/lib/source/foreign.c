// SPDX-License-Identifier: LGPL-2.1
/* Files of other tracers: imported into a temporary .grt without a name. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
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

void grt_source_show_progress(unsigned int permille)
{
	if (progress_handler)
		progress_handler(permille);
}

static int fail_room(const char *name)
{
	return grt_fail(ENOSPC, "set TMPDIR to a folder with room",
			"no room for a copy of '%s' as a trace", name);
}

static void warn_of(const char *name, uint64_t lines, const struct grt_line_example *first, const char *one,
		    const char *many, const char *hint)
{
	char example[GRT_EXAMPLE_BYTES + 64] = "";

	if (first->number)
		snprintf(example, sizeof(example), "; the first is line %" PRIu64 ": '%s'", first->number, first->text);
	if (lines)
		grt_warn(hint, "%" PRIu64 " %s of '%s' %s%s", lines, grt_plural(lines, "line", "lines"), name,
			 grt_plural(lines, one, many), example);
}

static void warn_of_lines(const struct grt_import_sums *s, const char *name)
{
	warn_of(name, s->unreadable, &s->unreadable_line, "cannot be read: an event is missing",
		"cannot be read: events are missing",
		"export the text again; a terminal or an editor may have cut it");
	warn_of(name, s->no_events, &s->no_event_line, "is no event, left out", "are no events, left out", NULL);
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
	warn_of_lines(&sums, name);
	close(*fd);
	*fd = made;
	return grt_collect_grt(to, file, made, name, info);
}
