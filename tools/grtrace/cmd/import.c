// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "error.h"
#include "import.h"
#include "number.h"
#include "options.h"
#include "path.h"
#include "print.h"
#include "scratch.h"

/* A longer path than any that the kernel takes. */
#define PATH_ROOM	4200

static void print_sums(const struct grt_import_sums *s, const char *to)
{
	const struct {
		uint64_t count;
		const char *text;
	} notes[] = {
		{ s->foreign, "events of kinds that mean nothing here" },
		{ s->inferred_keys, "jobs whose keys are inferred from addresses" },
		{ s->unjoined, "events that could not be told whose they are, left out" },
		{ s->late, "events that were out of order, put in order" },
	};
	char events[GRT_NUMBER_MAX], records[GRT_NUMBER_MAX], span[GRT_NUMBER_MAX];

	fprintf(stderr, "%s: %s events out of %s in %s\n", to,
		grt_format_count(events, s->records), grt_format_count(records, s->events),
		grt_format_ns(span, s->span_ns));
	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		if (notes[i].count)
			fprintf(stderr, "  %s: %s\n", notes[i].text,
				grt_format_count(events, notes[i].count));
	fprintf(stderr, "hint: grtrace report %s\n", to);
}

static bool is_same_file(int fd, const char *path)
{
	struct stat a, b;

	return !fstat(fd, &a) && !stat(path, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* A rename would put a file in the place of a device or of a link, too. */
static bool may_replace(const char *path)
{
	struct stat st;

	return lstat(path, &st) || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode);
}

/* Under another name until it is whole: what was there stays if this fails. */
static int import(int fd, const char *from, const char *to,
		  const struct grt_import_options *options)
{
	struct grt_import_sums sums;
	char part[PATH_ROOM];
	int err;

	if (snprintf(part, sizeof(part), "%s.part", to) >= (int)sizeof(part))
		return grt_fail(ENAMETOOLONG, NULL, "the name of the output is too long");
	grt_scratch_add(part);
	err = grt_import_file(fd, from, part, options, &sums);
	if (!err && rename(part, to))
		err = grt_fail_errno("name another file with -o", "cannot write '%s'", to);
	grt_scratch_remove(part);
	if (!err)
		print_sums(&sums, to);
	return err;
}

static int open_foreign(const char *path)
{
	char probe[64];
	int fd = grt_path_open(path);
	ssize_t got = fd < 0 ? 0 : pread(fd, probe, sizeof(probe), 0);

	if (fd < 0)
		return fd;
	if (got < 0)
		return grt_fail_errno(NULL, "cannot read '%s'", path);
	if (grt_is_foreign(fd, probe, got))
		return fd;
	close(fd);
	return grt_fail(EBADMSG, "import reads trace.dat, and text of ftrace, trace-cmd and perf",
			"'%s' is no trace of another tool", path);
}

int cmd_import(int argc, char **argv)
{
	struct grt_import_options own = { .progress = grt_print_progress };
	const char *to = "imported.grt";
	bool without_marks = false;
	const struct grt_option options[] = {
		OPT_STRING('o', "output", &to, "FILE", "write there; imported.grt by default"),
		OPT_STRING(0, "driver", &own.driver, "NAME",
			   "driver of the rings of which no event names one: amdgpu, v3d, ..."),
		OPT_BOOL(0, "no-marks", &without_marks,
			 "leave out events that mean nothing here, instead of keeping them as MARK"),
		OPT_END()
	};
	int fd, err;

	argc = grt_parse_options(argc, argv, options, "import [options] FILE");
	if (argc != 1)
		return grt_usage(options, "import takes one file");
	own.keeps_marks = !without_marks;
	fd = open_foreign(argv[0]);
	if (fd < 0)
		return grt_print_failure(fd);
	if (is_same_file(fd, to))
		err = grt_fail(EINVAL, "name another file with -o", "'%s' is the input", to);
	else if (!may_replace(to))
		err = grt_fail(EEXIST, "name another file with -o", "'%s' is no plain file", to);
	else
		err = import(fd, argv[0], to, &own);
	close(fd);
	return err ? grt_print_failure(err) : GRT_EXIT_OK;
}
