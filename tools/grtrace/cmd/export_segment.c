// SPDX-License-Identifier: GPL-2.0
#include "export_segment.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "input.h"
#include "merge.h"
#include "open_trace.h"
#include "output.h"
#include "stream.h"

#define LEAST_DIGITS	4	/* of the number in a name */

/* One of the files. */
struct part {
	char path[PATH_MAX];
	bool is_there;
	bool is_other;		/* a file has that name, but is of another recording */
	struct grt_trace_info info;
	struct grtrace_stream_info session;
};

/* "DIR/trace-0002.grt": "DIR/trace.grt" and 2.  0 or -EINVAL with a cause. */
static int split_name(const char *path, char stem[PATH_MAX], uint64_t *number)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.'), *digits;
	char text[32];

	if (!dot || (slash && dot < slash))
		dot = path + strlen(path);
	for (digits = dot; digits > path && isdigit((unsigned char)digits[-1]); digits--)
		;
	if (dot - digits < LEAST_DIGITS || dot - digits >= (int)sizeof(text) || digits == path ||
	    digits[-1] != '-' || strlen(path) >= PATH_MAX)
		return grt_fail(EINVAL, "name one like trace-0002.grt; without --segment any trace is exported",
				"'%s' is not a file of record --rotate", path);
	snprintf(text, sizeof(text), "%.*s", (int)(dot - digits), digits);
	snprintf(stem, PATH_MAX, "%.*s%s", (int)(digits - 1 - path), path, dot);
	*number = strtoull(text, NULL, 10);
	return 0;
}

/* Reads what a file says of itself.  With @has_end, also whether all of its CPUs end in it. */
static int look_at(struct part *p, bool *has_end)
{
	char *path = p->path;
	struct grt_stream *stream = NULL;
	const struct grtrace_hdr *rec;
	int err = grt_open_trace(&stream, 1, &path, 0);

	if (err)
		return err;
	p->info = *grt_stream_info(stream);
	p->session = *grt_stream_session(stream);
	p->is_there = true;
	if (has_end) {
		while ((err = grt_stream_next(stream, &rec)) > 0)
			;
		*has_end = grt_stream_stats(stream)->ended >= grt_stream_stats(stream)->cpus;
	}
	grt_stream_close(stream);
	return err;
}

static int look_beside(struct part *p, const char *stem, uint64_t number, const struct part *self)
{
	int err;

	if (!number)
		return 0;
	err = grt_output_name(p->path, sizeof(p->path), stem, number);
	if (err || access(p->path, F_OK))
		return err;
	err = look_at(p, NULL);
	if (err)
		return err;
	/* An older recording may have left files of the same names, perhaps before the machine was booted. */
	p->is_there = grt_is_one_session(&p->session, &self->session) &&
		      (p->info.start_ns < self->info.start_ns ? self : p)->info.goes_on;
	p->is_other = !p->is_there;
	return 0;
}

static void set_moment(struct grt_moment *m, char text[GRT_SECONDS_MAX + 1], uint64_t ns)
{
	text[0] = '@';
	grt_format_seconds(text + 1, ns);
	*m = (struct grt_moment){ .text = text, .kind = GRT_MOMENT_CLOCK, .ns = ns };
}

/* Merges the files that are there.  The trace has no name, so it goes with this process, even if that is killed. */
static int merge_parts(struct segment *s, struct part *const parts[], int count)
{
	const char *tmp = getenv("TMPDIR");
	char folder[PATH_MAX], path[PATH_MAX + 16];
	struct grt_target to = { .path = path, .uid = geteuid(), .gid = getegid() };
	struct grt_merge_input inputs[3] = { 0 };
	struct grt_merge m = { .inputs = inputs, .line = "merge=segments" };
	int err;

	for (int i = 0; i < count; i++)
		if (parts[i]->is_there)
			inputs[m.count++].path = parts[i]->path;
	snprintf(folder, sizeof(folder), "%s/grtrace-export.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(folder))
		return grt_fail_errno("set TMPDIR to a folder with room for three such files",
				      "cannot make '%s'", folder);
	snprintf(path, sizeof(path), "%s/merged.grt", folder);
	err = grt_merge_files(&m, &to);
	if (!err) {
		s->fd = open(path, O_RDONLY | O_CLOEXEC);
		if (s->fd < 0)
			err = grt_fail_errno(NULL, "cannot open '%s'", path);
		unlink(path);
	}
	rmdir(folder);
	snprintf(s->merged, sizeof(s->merged), "/proc/self/fd/%d", s->fd);
	return err;
}

int segment_open(struct segment *s, bool is_last, struct grt_window *window, char **trace)
{
	struct part *self = calloc(3, sizeof(*self)), *before, *after;
	char stem[PATH_MAX];
	uint64_t number = 0;
	bool has_end = is_last;
	int err = self ? split_name(s->path, stem, &number) : grt_fail_memory();

	if (err) {
		free(self);
		return err;
	}
	before = self + 1;
	after = self + 2;
	snprintf(self->path, sizeof(self->path), "%s", s->path);
	err = look_at(self, NULL);
	if (!err)
		err = look_beside(before, stem, number - 1, self);
	if (!err && !is_last)
		err = look_beside(after, stem, number + 1, self);
	if (!err && !after->is_there && !has_end)
		err = look_at(self, &has_end);
	/* grtrace-load knows by this text that the recorder has not finished that file. */
	if (!err && !after->is_there && !has_end)
		err = grt_fail(ENOENT, "export it when that file is there; if the recorder was killed, add --last",
			       "'%s' goes on in '%s', which is not there%s", s->path, after->path,
			       after->is_other ? ": the file of that name is of another recording" : "");
	if (err)
		goto out;
	s->begin_ns = self->info.start_ns;
	window->rule = GRT_WINDOW_COMPLETE;
	window->is_segment = true;
	window->is_last_segment = !after->is_there;
	if (self->info.goes_on)
		set_moment(&window->since, s->since, self->info.start_ns);
	if (after->is_there)
		set_moment(&window->until, s->until, after->info.start_ns);
	if (before->is_there || after->is_there) {
		err = merge_parts(s, (struct part *const []){ before, self, after }, 3);
		*trace = s->merged;
	}
out:
	free(self);
	return err;
}

void segment_free(struct segment *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}
