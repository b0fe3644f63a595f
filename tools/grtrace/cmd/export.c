// SPDX-License-Identifier: GPL-2.0
#include "export.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "database.h"
#include "error.h"
#include "export_run.h"
#include "export_segment.h"
#include "formats.h"
#include "number.h"
#include "open_trace.h"
#include "options.h"
#include "outfile.h"
#include "print.h"
#include "quote.h"
#include "report.h"
#include "select.h"
#include "stream.h"
#include "target.h"
#include "user.h"

/* "trace.grt" and ".html": "trace.html"; of standard input "trace.html", too.  To be freed. */
static char *default_path(const char *input, const char *suffix)
{
	const char *slash = strrchr(input, '/'), *dot;
	char *path;

	if (!strcmp(input, "-"))
		input = GRT_DEFAULT_FILE;
	dot = strrchr(slash ? slash : input, '.');
	if (asprintf(&path, "%.*s%s", dot && dot > input ? (int)(dot - input) : (int)strlen(input),
		     input, suffix) >= 0)
		return path;
	grt_fail_memory();
	return NULL;
}

static int run(struct grt_export *x, struct export *e)
{
	struct grt_stream *stream = NULL;
	int err = grt_open_trace(&stream, e->nr_files, e->files, e->select->session);

	if (err)
		return err;
	if (!e->select->is_all && !e->format->is_of_events)
		x->focus_pid = grt_stream_info(stream)->focus_pid;
	err = grt_export_run(x, stream);
	e->jobs = x->jobs;
	if (!err)
		grt_roots_warn(&x->summary.roots);
	grt_export_free(x);
	grt_stream_close(stream);
	if (x->progress)
		x->progress(1000);
	return err;
}

/* The file gets its name when it is complete. */
static int run_to_file(struct grt_export *x, struct export *e)
{
	struct grt_user user = grt_user();
	struct grt_outfile file = { .path = x->path, .uid = user.uid, .gid = user.gid };
	int err = grt_outfile_open(&file), fd;

	if (err)
		return err;
	fd = dup(file.fd);
	x->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!x->file) {
		err = grt_fail_errno(NULL, "cannot write '%s'", x->path);
		if (fd >= 0)
			close(fd);
	} else {
		err = run(x, e);
		if (fclose(x->file) && !err)
			err = grt_fail_errno(grt_outfile_hint(errno), "cannot write '%s'", x->path);
	}
	if (err)
		grt_outfile_abandon(&file);
	else
		err = grt_outfile_commit(&file);
	grt_outfile_free(&file);
	return err;
}

static int run_to_database(struct grt_export *x, struct export *e)
{
	struct database database = { .path = x->path };
	int err = database_open(&database), close_err;

	if (err)
		return err;
	x->file = database.file;
	err = run(x, e);
	close_err = database_close(&database, !err);
	return close_err ? close_err : err;
}

static void print_result(const struct export *e, const char *path)
{
	char jobs[GRT_NUMBER_MAX], bytes[GRT_NUMBER_MAX];
	struct stat st;

	if (e->format->is_of_events)
		fprintf(stderr, "%s", grt_shown(path));
	else
		fprintf(stderr, "%s: %s %s", grt_shown(path), grt_format_count(jobs, e->jobs),
			grt_plural(e->jobs, "job", "jobs"));
	if (!stat(path, &st) && S_ISREG(st.st_mode))
		fprintf(stderr, ", %s", grt_format_bytes(bytes, st.st_size));
	putc('\n', stderr);
}

/* The options and files that the hints of a page repeat.  A pipe cannot be read twice. */
static void set_again(struct grt_export *x, const struct export *e, struct grt_shell *again,
		      struct grt_shell *files)
{
	select_given(again, e->select);
	for (int i = 0; i < e->nr_files; i++) {
		if (!strcmp(e->files[i], "-"))
			return;
		grt_shell_file(again, e->files[i]);
		grt_shell_file(files, e->files[i]);
	}
	x->out.again = grt_shell_text(again);
	x->out.files = grt_shell_text(files);
}

static int export_to(struct export *e, const char *path, const struct segment *segment)
{
	bool is_stdout = !e->format->is_folder && grt_outfile_is_stdout(path);
	struct grt_export x = {
		.format = e->format, .path = path, .window = e->select->window,
		.wants = { .query = e->select->query, .rules = &e->select->rules },
		.progress = is_stdout ? NULL : grt_print_progress,
		.segment_ns = segment ? segment->begin_ns : 0, .name = segment ? segment->path : NULL,
	};
	struct grt_shell again = { .at = 0 }, files = { .at = 0 };
	int err;

	set_again(&x, e, &again, &files);
	x.window.skips_incomplete = !e->is_all_time;
	err = grt_target_check(path, e->nr_files, e->files);
	if (err)
		return err;
	if (e->format->is_folder) {
		err = run(&x, e);
	} else if (e->format->is_database) {
		err = run_to_database(&x, e);
	} else if (is_stdout) {
		x.file = stdout;
		err = run(&x, e);
	} else {
		err = run_to_file(&x, e);
	}
	if (!err && !is_stdout)
		print_result(e, path);
	return err;
}

static int export_segment(struct export *e, const char *path)
{
	struct segment segment = { .path = e->files[0], .fd = -1 };
	char *given = e->files[0], *trace = given;
	int err = grt_target_check(path, e->nr_files, e->files);

	if (!err)
		err = segment_open(&segment, e->is_last, &e->select->window, &trace);
	e->is_all_time = true;
	e->files[0] = trace;
	if (!err)
		err = export_to(e, path, &segment);
	e->files[0] = given;
	segment_free(&segment);
	return err;
}

int export_run(struct export *e)
{
	const char *path = e->output;
	char *made = NULL;
	int err;

	if (!path && e->format->suffix)
		path = made = default_path(e->files[0], e->format->suffix);
	else if (!path)
		path = "-";
	if (!path)
		err = -ENOMEM;
	else
		err = e->is_segment ? export_segment(e, path) : export_to(e, path, NULL);
	if (path && grt_reader_has_enough(err, path))
		err = 0;
	free(made);
	if (!err)
		return GRT_EXIT_OK;
	grt_print_failure(err);
	return err == -EDOM ? GRT_EXIT_USAGE : err == -EBADMSG ? GRT_EXIT_TRACE : GRT_EXIT_SETUP;
}

/* What does not fit the format, or other options. */
static int check(const struct export *e)
{
	const struct grt_query *q = &e->select->query;

	if (e->is_segment && (e->format->is_of_events || grt_window_is_given(&e->select->window) || e->nr_files > 1))
		return grt_fail(EINVAL, "grtrace export --to ndjson --segment trace-0002.grt",
				"--segment takes one file and no times, and --to html, perfetto, csv, json, ndjson or sqlite");
	if (e->is_last && !e->is_segment)
		return grt_fail(EINVAL, "grtrace export --to ndjson --segment --last trace-0002.grt",
				"--last is for --segment");
	if (e->format->is_database && e->output && grt_outfile_is_stdout(e->output))
		return grt_fail(EINVAL, "grtrace export --to sqlite -o room.db", "a database cannot be written to standard output");
	if (!e->format->is_of_events)
		return 0;
	if (q->pid || q->ring || q->comm || q->slower_ns || q->engines || q->filter)
		return grt_fail(EINVAL, "grtrace slice --ring cuts rings out of a trace",
				"--to %s writes all events of a time; it takes --since and --until, but no filters "
				"of jobs", e->format->name);
	return 0;
}

static int apply(struct export *e, const char *to)
{
	int err = select_apply(e->select);

	if (err)
		return err;
	if (!to)
		return grt_fail(EINVAL, "grtrace export --to csv", "--to FORMAT is missing");
	e->format = grt_export_format_find(to);
	return e->format ? check(e) : -EINVAL;
}

/* The formats, for -h. */
static char *format_list(void)
{
	const struct grt_export_format *f;
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	for (size_t i = 0; (f = grt_export_format_at(i)); i++)
		fprintf(out, "%s%s", i ? ", " : "", f->name);
	return fclose(out) ? NULL : text;
}

int cmd_export(int argc, char **argv)
{
	static char *default_file[] = { GRT_DEFAULT_FILE };
	struct select select = { .query = { .pid = 0 } };
	struct export e = { .select = &select };
	char *list = format_list();
	const char *to = NULL;
	const struct grt_option options[] = {
		OPT_STRING(0, "to", &to, "FORMAT", list ? list : ""),
		OPT_STRING('o', "output", &e.output, "FILE",
			   "the file, - is standard output; by default the trace's name with another ending"),
		OPT_BOOL(0, "segment", &e.is_segment,
			 "FILE is one of record --rotate: read the files next to it, too, so that each job is in one export"),
		OPT_BOOL(0, "last", &e.is_last,
			 "with --segment: no file follows, as after a recorder was killed"),
		OPT_BOOL(0, "all-time", &e.is_all_time,
			 "also the beginning of a trace where events of some CPUs were overwritten"),
		SELECT_OPTIONS(&select),
		OPT_BOOL(0, "csv-safe", &grt_csv_is_safe,
			 "CSV for a spreadsheet: ' before texts that begin with = + - or @"),
		OPT_END()
	};
	int code;

	argc = grt_parse_options(argc, argv, options, "export --to FORMAT [options] [FILE...]");
	e.nr_files = argc ? argc : 1;
	e.files = argc ? argv : default_file;
	code = apply(&e, to) ? grt_print_usage("export") : export_run(&e);
	select_free(&select);
	free(list);
	return code;
}
