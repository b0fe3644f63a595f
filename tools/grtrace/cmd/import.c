// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
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
#include "outfile.h"
#include "path.h"
#include "print.h"
#include "quote.h"
#include "shell.h"
#include "user.h"

static void print_lines(const char *one, const char *many, uint64_t lines, const struct grt_line_example *first)
{
	char count[GRT_NUMBER_MAX];

	if (!lines)
		return;
	fprintf(stderr, "  %s %s", grt_format_count(count, lines), grt_plural(lines, one, many));
	if (first->number)
		fprintf(stderr, "; the first is line %" PRIu64 ": '%s'", first->number, grt_shown(first->text));
	putc('\n', stderr);
}

static void print_sums(const struct grt_import_sums *s, const char *to, bool is_kept)
{
	const struct {
		uint64_t count;
		const char *one, *many, *text;
	} notes[] = {
		{ s->foreign, "event that no report uses", "events that no report uses",
		  is_kept ? "kept as MARK" : "left out" },
		{ s->inferred_keys, "job whose key is inferred from addresses",
		  "jobs whose keys are inferred from addresses", "" },
		{ s->unjoined, "event that belongs to no known job",
		  "events that belong to no known job", "left out" },
		{ s->unused, "event that is not about a job, or has only names and keys",
		  "events that are not about a job, or have only names and keys", "left out" },
		{ s->late, "event that stood behind a later one", "events that stood behind later ones",
		  "put in order" },
	};
	char kept[GRT_NUMBER_MAX], events[GRT_NUMBER_MAX], span[GRT_NUMBER_MAX];
	struct grt_shell hint = { .at = 0 };

	fprintf(stderr, "%s: %s %s out of %s in %s\n", grt_shown(to),
		grt_format_count(kept, s->kept), grt_plural(s->kept, "event", "events"),
		grt_format_count(events, s->events), grt_format_ns(span, s->span_ns));
	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		if (notes[i].count)
			fprintf(stderr, "  %s %s%s%s\n", grt_format_count(events, notes[i].count),
				grt_plural(notes[i].count, notes[i].one, notes[i].many),
				*notes[i].text ? ", " : "", notes[i].text);
	print_lines("line that cannot be read: an event is missing", "lines that cannot be read: events are missing",
		    s->unreadable, &s->unreadable_line);
	print_lines("line that is no event, left out", "lines that are no events, left out", s->no_events,
		    &s->no_event_line);
	if (grt_outfile_is_stdout(to))
		return;
	grt_shell_plain(&hint, "hint: grtrace report");
	grt_shell_file(&hint, to);
	if (grt_shell_text(&hint))
		fprintf(stderr, "%s\n", hint.text);
}

static bool is_same_file(const char *from, const char *to)
{
	struct stat a, b;

	return !stat(strcmp(from, "-") ? from : "/dev/stdin", &a) && !stat(to, &b) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* The file has no name until it is complete, so an old file survives a failure. */
static int import(int fd, const char *from, const struct grt_import_options *options,
		  struct grt_import_sums *sums)
{
	struct grt_user user = grt_user();
	struct grt_outfile out = { .path = options->to_name, .uid = user.uid, .gid = user.gid };
	int err = grt_outfile_open(&out);

	if (err)
		return err;
	err = grt_import_file(fd, from, out.fd, options, sums);
	if (!err)
		err = grt_outfile_commit(&out);
	else
		grt_outfile_abandon(&out);
	if (!err)
		print_sums(sums, options->to_name, options->keeps_marks);
	grt_outfile_free(&out);
	return err;
}

static bool is_known(int fd)
{
	char probe[64];
	ssize_t got = pread(fd, probe, sizeof(probe), 0);

	return got > 0 && grt_is_foreign(fd, probe, got);
}

static int open_foreign(const char *path)
{
	int fd = grt_path_open(path, is_known);

	if (fd < 0 || is_known(fd))
		return fd;
	close(fd);
	if (grt_was_out_of_memory())
		return grt_fail_memory();
	return grt_fail(EBADMSG, "import reads trace.dat, and text of ftrace, trace-cmd, perf and QEMU",
			"'%s' is no trace of another tool", path);
}

static int parse_tick_hz(const char *text, uint64_t *hz)
{
	if (!text)
		return 0;
	if (!grt_parse_u64(text, hz) && *hz >= GRT_LEAST_TICK_HZ && *hz <= GRT_MOST_TICK_HZ)
		return 0;
	return grt_fail(EINVAL, "dmesg | grep -i 'tsc.*MHz' tells that of x86-tsc: 2995.200 MHz are 2995200000",
			"'%s' is no frequency of a clock that can time jobs: 1000000 to 1000000000000", text);
}

int cmd_import(int argc, char **argv)
{
	struct grt_import_options own = {
		.progress = grt_print_progress, .to_name = "imported.grt",
	};
	bool without_marks = false, allows_unreadable = false;
	const char *tick_hz = NULL;
	struct grt_import_sums sums = { 0 };
	const struct grt_option options[] = {
		OPT_STRING('o', "output", &own.to_name, "FILE", "write there; imported.grt by default"),
		OPT_STRING(0, "driver", &own.driver, "NAME",
			   "driver of rings for which no event names one: amdgpu, v3d, ..."),
		OPT_STRING(0, "tick-hz", &tick_hz, "HZ",
			   "ticks per second of the clock of a text (x86-tsc), whose times are no seconds"),
		OPT_BOOL(0, "no-marks", &without_marks,
			 "leave out events that no report uses, instead of keeping them as MARK"),
		OPT_BOOL(0, "allow-unreadable", &allows_unreadable,
			 "exit with 0 even if some lines cannot be read"),
		OPT_END()
	};
	int fd, err;

	argc = grt_parse_options(argc, argv, options, "import [options] FILE");
	if (argc != 1)
		return grt_usage(options, "import takes one file");
	own.keeps_marks = !without_marks;
	if ((own.driver && grt_import_check_driver(own.driver)) || parse_tick_hz(tick_hz, &own.tick_hz)) {
		grt_print_failure(-EINVAL);
		return GRT_EXIT_USAGE;
	}
	fd = open_foreign(argv[0]);
	if (fd < 0)
		return grt_print_failure(fd);
	if (is_same_file(argv[0], own.to_name))
		err = grt_fail(EINVAL, "name another file with -o", "'%s' is the input", own.to_name);
	else
		err = import(fd, argv[0], &own, &sums);
	close(fd);
	if (grt_reader_has_enough(err, own.to_name))
		return GRT_EXIT_OK;
	if (err)
		return grt_print_failure(err);
	return sums.unreadable && !allows_unreadable ? GRT_EXIT_FOUND : GRT_EXIT_OK;
}
