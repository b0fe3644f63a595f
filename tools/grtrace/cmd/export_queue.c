// SPDX-License-Identifier: GPL-2.0
#include "export_queue.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "clock_snapshot.h"
#include "error.h"
#include "export_folder.h"
#include "export_leftover.h"
#include "number.h"
#include "output.h"
#include "print.h"
#include "quote.h"

#define EVERY_NS	60000000000ull
#define SEGMENT_BYTES	(128u << 20)	/* three of them are read at once, and merged */
#define RETRY_NS	5000000000ull	/* after a failure */
#define MOST_CRASHES	3	/* of the export of one segment */
#define NICE		19	/* the recorder and the GPU's programs come first */
#define WAIT_MS		250

struct grt_export_queue {
	struct grt_export_folder folder;
	char run[32], path[PATH_MAX];	/* of this recording: names of its segments, the path of grt_output */
	uint64_t max_bytes;
	struct grt_child child;		/* pid 0: nothing is being exported */
	struct grt_segment segment;	/* which one is */
	int log;			/* what the child says */
	unsigned int crashes;
	uint64_t retry_ns;		/* no export begins before this time */
	uint64_t number;		/* of the segment that was recorded at the last look */
	uint64_t exported, removed;
	uint64_t left_out;		/* events that did not fit on the disk, as told */
	bool is_stale;			/* the folder has changed since it was looked at */
	bool has_told;			/* why exports fail */
	bool is_full;			/* the disk is, and that was told */
	bool is_over;			/* the recording is */
};

int grt_export_queue_open(struct grt_export_queue **out, const struct grt_export_ask *ask, struct grt_output *o)
{
	struct grt_export_queue *q = calloc(1, sizeof(*q));
	int err;

	if (!q)
		return grt_fail_memory();
	*out = q;
	q->child = (struct grt_child){ .pidfd = -1, .go = -1, .failed = -1 };
	q->max_bytes = ask->max_bytes;
	q->is_stale = true;
	q->log = memfd_create("export", MFD_CLOEXEC);
	err = q->log < 0 ? grt_fail_errno(NULL, "cannot make a file in memory") : 0;
	q->folder.lock = -1;
	if (!err)
		err = grt_export_folder_open(&q->folder, ask->dir);
	if (!err)
		err = grt_export_take_leftovers(&q->folder);
	if (!err)
		err = grt_export_folder_run(&q->folder, q->run);
	snprintf(q->path, sizeof(q->path), "%s/%s.grt", q->folder.segments, q->run);
	o->path = q->path;
	o->rotate_ns = ask->every_ns ? ask->every_ns : EVERY_NS;
	o->rotate_bytes = SEGMENT_BYTES;
	return err;
}

void grt_export_queue_close(struct grt_export_queue *q)
{
	if (!q)
		return;
	/* The child may go on: its file gets its name only when it is complete. */
	grt_child_destroy(&q->child);
	grt_export_folder_close(&q->folder);
	if (q->log >= 0)
		close(q->log);
	free(q);
}

/* --- one export --- */

static int start(struct grt_export_queue *q, const struct grt_segment *s, bool is_last)
{
	char path[PATH_MAX], rows[PATH_MAX];
	char *argv[] = { "/proc/self/exe", "export", "--to", "ndjson", "--segment", "-o", rows, path,
			 is_last ? "--last" : NULL, NULL };
	const struct grt_child_setup setup = { .out = -1, .err = q->log, .tmpdir = q->folder.segments };
	int err;

	grt_export_folder_path(&q->folder, s, path);
	grt_export_folder_rows_path(&q->folder, s, rows);
	if (ftruncate(q->log, 0) || lseek(q->log, 0, SEEK_SET))
		return grt_fail_errno(NULL, "cannot empty a file in memory");
	err = grt_child_create(&q->child, argv, &setup);
	if (err)
		return err;
	/* ^C must not reach the child: it is for the recorder, which waits for the child. */
	setpgid(q->child.pid, q->child.pid);
	setpriority(PRIO_PROCESS, q->child.pid, NICE);
	q->segment = *s;
	return grt_child_start(&q->child, "grtrace export");
}

#define WARNING	"warning: "

/* Where the error in @log is; NULL: there is none. */
static const char *find_error(const char *log)
{
	const char *at = log;

	while ((at = strstr(at, "grtrace: "))) {
		at += strlen("grtrace: ");
		if (strncmp(at, WARNING, strlen(WARNING)))
			return at;
	}
	return NULL;
}

static const char *copy_line(const char *from, char *to, size_t room)
{
	snprintf(to, room, "%.*s", (int)strcspn(from, "\n"), from);
	return to;
}

static void warn_failed(struct grt_export_queue *q, const char *what)
{
	char log[4096], cause[1024], hint[1024];
	ssize_t n = pread(q->log, log, sizeof(log) - 1, 0);
	const char *error, *next;

	log[n > 0 ? n : 0] = '\0';
	error = find_error(log);
	next = error ? strstr(error, "\nhint: ") : NULL;
	grt_warn(next ? copy_line(next + strlen("\nhint: "), hint, sizeof(hint)) : NULL, "'%s' %s: %s", q->segment.name,
		 what, error ? copy_line(error, cause, sizeof(cause)) : "the export was killed");
}

/* A segment that will never be exported must not hold up the others. */
static void set_aside(struct grt_export_queue *q)
{
	warn_failed(q, "cannot be exported, and stays with the name .bad");
	grt_export_folder_set_aside(&q->folder, &q->segment);
	q->crashes = 0;
}

static void postpone(struct grt_export_queue *q)
{
	q->has_told = true;
	q->retry_ns = grt_snapshot_now(CLOCK_MONOTONIC) + RETRY_NS;
}

static void take_result(struct grt_export_queue *q, int status)
{
	bool has_crashed = !WIFEXITED(status) || WEXITSTATUS(status) > GRT_EXIT_TRACE;
	int code = has_crashed ? -1 : WEXITSTATUS(status);

	grt_child_destroy(&q->child);
	q->is_stale = true;
	q->crashes = has_crashed ? q->crashes + 1 : 0;
	if (!code && grt_export_folder_mark(&q->folder, &q->segment)) {
		/* It counts as not exported, so the next try must wait: there may be no end to them. */
		if (!q->has_told)
			grt_warn(grt_hint(), "%s", grt_cause());
		postpone(q);
	} else if (!code) {
		q->exported++;
		q->retry_ns = 0;
		q->has_told = false;
	} else if (code == GRT_EXIT_SETUP || (has_crashed && q->crashes < MOST_CRASHES)) {
		if (!q->has_told)
			warn_failed(q, "cannot be exported now");
		postpone(q);
	} else {
		set_aside(q);
	}
}

/* --- which one --- */

/* The oldest segment that can be exported.  The last one of this recording waits until the next is there. */
static const struct grt_segment *find_next(const struct grt_export_queue *q, const struct grt_vec *all, bool *is_last)
{
	size_t count = grt_vec_count(all, struct grt_segment);

	for (size_t i = 0; i < count; i++) {
		const struct grt_segment *s = grt_vec_at(all, struct grt_segment, i);

		if (s->is_exported || s->is_rows || s->is_cut)
			continue;
		*is_last = i + 1 == count || !grt_segment_is_next(s, s + 1);
		if (!*is_last || q->is_over || strcmp(s->run, q->run))
			return s;
	}
	return NULL;
}

/* A segment that was exported is needed until the one behind it is, too. */
static void remove_exported(const struct grt_export_queue *q, const struct grt_vec *all)
{
	size_t count = grt_vec_count(all, struct grt_segment);

	for (size_t i = 0; i < count; i++) {
		const struct grt_segment *s = grt_vec_at(all, struct grt_segment, i);
		bool is_last = i + 1 == count || !grt_segment_is_next(s, s + 1);

		if (s->is_exported && (is_last ? q->is_over || strcmp(s->run, q->run) : s[1].is_exported))
			grt_export_folder_remove(&q->folder, s);
	}
}

/* The recorder was killed between an export and its mark. */
static void mark_exported(const struct grt_export_queue *q, const struct grt_vec *all)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < grt_vec_count(all, struct grt_segment); i++) {
		struct grt_segment *s = grt_vec_at(all, struct grt_segment, i);

		grt_export_folder_rows_path(&q->folder, s, path);
		if (s->is_exported || s->is_cut || !strcmp(s->run, q->run) || access(path, F_OK))
			continue;
		/* The rows are there, so this holds even if the mark fails. */
		grt_export_folder_mark(&q->folder, s);
		s->is_exported = true;
	}
}

static void start_next(struct grt_export_queue *q)
{
	struct grt_vec all = { 0 };
	const struct grt_segment *s;
	bool is_last;
	int err = grt_export_folder_list(&q->folder, q->folder.segments, &all);

	q->is_stale = false;
	if (!err) {
		mark_exported(q, &all);
		remove_exported(q, &all);
		s = find_next(q, &all, &is_last);
		if (s)
			err = start(q, s, is_last);
	}
	grt_vec_free(&all);
	if (!err)
		return;
	/* The recording is worth more than rows that can be made later. */
	if (!q->has_told)
		grt_warn(grt_hint(), "no segment can be exported now: %s", grt_cause());
	postpone(q);
}

/* --- limits --- */

/* Rows first, then segments that wait. */
static void keep_limit(struct grt_export_queue *q)
{
	struct grt_vec all = { 0 };
	uint64_t bytes = 0, removed = 0;
	char count[GRT_NUMBER_MAX];
	int err = grt_export_folder_list(&q->folder, q->folder.rows, &all);

	if (!err)
		err = grt_export_folder_list(&q->folder, q->folder.segments, &all);
	for (size_t i = 0; i < grt_vec_count(&all, struct grt_segment); i++)
		bytes += grt_vec_at(&all, struct grt_segment, i)->bytes;
	for (size_t i = 0; !err && bytes > q->max_bytes && i < grt_vec_count(&all, struct grt_segment); i++) {
		const struct grt_segment *s = grt_vec_at(&all, struct grt_segment, i);

		/* The next export needs it. */
		if (s->is_exported || (!s->is_rows && !strcmp(s->name, q->segment.name)))
			continue;
		grt_export_folder_remove(&q->folder, s);
		bytes -= s->bytes;
		removed++;
	}
	grt_vec_free(&all);
	q->removed += removed;
	if (removed)
		grt_warn("take the files out of the folder sooner, or give --export-max more",
			 "removed the oldest %s in '%s' for --export-max: %s so far", grt_plural(removed, "file", "files"),
			 q->folder.rows, grt_format_count(count, q->removed));
}

/* The recording goes on with the next segment, as soon as there is room for it. */
static int resume(struct grt_export_queue *q, struct grt_output *o)
{
	uint64_t now = grt_snapshot_now(CLOCK_MONOTONIC);
	char count[GRT_NUMBER_MAX];
	int err;

	if (!q->is_full)
		grt_warn(o->full_hint, "%s; the recording goes on, and events without room are lost", o->full_cause);
	if (q->is_full && now < q->retry_ns)
		return 0;
	q->is_full = true;
	err = grt_output_resume(o);
	q->retry_ns = o->full ? now + RETRY_NS : 0;
	if (err || o->full)
		return err;
	q->is_full = false;
	grt_warn(NULL, "there is room again: %s %s lost", grt_format_count(count, o->left_out - q->left_out),
		 grt_plural(o->left_out - q->left_out, "event was", "events were"));
	q->left_out = o->left_out;
	return 0;
}

int grt_export_queue_look(struct grt_export_queue *q, struct grt_output *o)
{
	int err = 0, status;

	if (q->number != o->number)
		q->is_stale = true;
	q->number = o->number;
	if (q->child.pid && grt_child_wait(&q->child, 0, &status))
		take_result(q, status);
	if (q->is_stale && q->max_bytes)
		keep_limit(q);
	if (o->full)
		err = resume(q, o);
	if (err || q->child.pid || (!q->is_stale && !q->retry_ns) || grt_snapshot_now(CLOCK_MONOTONIC) < q->retry_ns)
		return err;
	start_next(q);
	return 0;
}

/* --- the end --- */

static bool is_told_to_end(int signals)
{
	struct pollfd fd = { .fd = signals, .events = POLLIN };

	return poll(&fd, 1, 0) == 1;
}

static uint64_t count_waiting(const struct grt_export_queue *q)
{
	struct grt_vec all = { 0 };
	uint64_t waiting = 0;

	grt_export_folder_list(&q->folder, q->folder.segments, &all);
	for (size_t i = 0; i < grt_vec_count(&all, struct grt_segment); i++)
		waiting += !grt_vec_at(&all, struct grt_segment, i)->is_exported;
	grt_vec_free(&all);
	return waiting;
}

int grt_export_queue_finish(struct grt_export_queue *q, int signals, bool is_quiet)
{
	char count[GRT_NUMBER_MAX];
	uint64_t waiting;
	int status;

	q->is_over = true;
	q->has_told = false;
	do {
		if (!q->child.pid)
			start_next(q);
		if (q->child.pid && grt_child_wait(&q->child, WAIT_MS, &status))
			take_result(q, status);
	} while ((q->child.pid || q->is_stale) && !q->has_told && !is_told_to_end(signals));
	if (q->max_bytes)
		keep_limit(q);
	if (!is_quiet)
		fprintf(stderr, "%s: %s %s of rows\n", grt_shown(q->folder.rows), grt_format_count(count, q->exported),
			grt_plural(q->exported, "file", "files"));
	waiting = count_waiting(q);
	if (!waiting)
		return 0;
	return grt_fail(EIO, "the next record --export exports them", "%s %s in '%s'",
			grt_format_count(count, waiting),
			grt_plural(waiting, "segment is not exported, and waits", "segments are not exported, and wait"),
			q->folder.segments);
}
