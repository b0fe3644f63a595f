// SPDX-License-Identifier: GPL-2.0
#include "export_leftover.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "export_folder.h"
#include "input.h"
#include "leftover.h"
#include "live.h"
#include "open_trace.h"
#include "quote.h"
#include "record.h"
#include "stream.h"
#include "user.h"

static int path_of(const struct grt_export_folder *f, const char *run, uint64_t number, char to[PATH_MAX])
{
	char stem[PATH_MAX];

	snprintf(stem, sizeof(stem), "%s/%s.grt", f->segments, run);
	return grt_output_name(to, PATH_MAX, stem, number);
}

/* Reads it to its end; *last_ns is that of its last event.  0 or -errno with a cause. */
static int look_at(char *path, struct grtrace_stream_info *session, uint64_t *last_ns)
{
	struct grt_stream *stream = NULL;
	const struct grtrace_hdr *rec;
	int err = grt_open_trace(&stream, 1, &path, 0);

	if (err)
		return err;
	while ((err = grt_stream_next(stream, &rec)) > 0)
		;
	*session = *grt_stream_session(stream);
	/* A segment that was just begun has no event.  Then the moment of its begin stands for that of the last one. */
	*last_ns = grt_stream_info(stream)->start_ns;
	if (grt_stream_stats(stream)->last_ns > *last_ns)
		*last_ns = grt_stream_stats(stream)->last_ns;
	grt_stream_close(stream);
	return err;
}

/* A recorder that was killed before its first chunk leaves nothing to read. */
static int take_cut(const struct grt_export_folder *f, const struct grt_segment *s)
{
	struct grtrace_stream_info session;
	char from[PATH_MAX], to[PATH_MAX];
	uint64_t last_ns;
	int err = path_of(f, s->run, s->number, to);

	if (err)
		return err;
	grt_export_folder_path(f, s, from);
	if (look_at(from, &session, &last_ns) == -EBADMSG) {
		grt_warn(NULL, "'%s' was begun and has nothing that can be read: removed", s->name);
		grt_export_folder_remove(f, s);
		return 0;
	}
	err = grt_user_enter(f->uid, f->gid);
	if (err)
		return err;
	if (grt_left_rename(from, to))
		err = grt_fail_errno(NULL, "cannot rename '%s'", from);
	grt_user_leave();
	return err;
}

/* Sets a segment aside that cannot be read: the export of the segment before it would fail, too. */
static int check_whole(const struct grt_export_folder *f, const struct grt_segment *s)
{
	struct grtrace_stream_info session;
	char path[PATH_MAX];
	uint64_t last_ns;

	grt_export_folder_path(f, s, path);
	if (s->is_exported || look_at(path, &session, &last_ns) != -EBADMSG)
		return 0;
	grt_warn(NULL, "'%s' cannot be exported, and stays with the name .bad: %s", s->name, grt_cause());
	grt_export_folder_set_aside(f, s);
	return 0;
}

static int take_segments(const struct grt_export_folder *f)
{
	struct grt_vec all = { 0 };
	int err = grt_export_folder_list(f, f->segments, &all);

	for (size_t i = 0; !err && i < grt_vec_count(&all, struct grt_segment); i++) {
		struct grt_segment *s = grt_vec_at(&all, struct grt_segment, i);

		err = s->is_cut ? take_cut(f, s) : check_whole(f, s);
	}
	grt_vec_free(&all);
	return err;
}

/* Saves what the module still holds as the segment behind @last. */
static int save_rest(const struct grt_export_folder *f, const struct grt_segment *last, uint64_t last_ns)
{
	char path[PATH_MAX];
	struct record rest = GRT_RECORD_INIT(path);
	int err = path_of(f, last->run, last->number + 1, path);

	rest.is_quiet = true;
	rest.goes_on_ns = last_ns + 1;
	if (!err)
		err = grt_record_extract(&rest);
	grt_record_close(&rest);
	return err;
}

/* The module may hold events of a later session with the same id: these are not for this folder. */
static int take_rest(const struct grt_export_folder *f)
{
	struct grt_vec all = { 0 };
	const struct grt_segment *last;
	struct grtrace_stream_info session, held;
	char path[PATH_MAX];
	uint64_t last_ns;
	int err = grt_export_folder_list(f, f->segments, &all);

	if (!err && all.bytes && grt_session_unread() > 0) {
		last = grt_vec_at(&all, struct grt_segment, grt_vec_count(&all, struct grt_segment) - 1);
		grt_export_folder_path(f, last, path);
		err = look_at(path, &session, &last_ns) ? 0 : grt_live_session(&held);
		if (err > 0)
			err = grt_is_one_session(&held, &session) ? save_rest(f, last, last_ns) : 0;
	}
	grt_vec_free(&all);
	return err;
}

int grt_export_take_leftovers(const struct grt_export_folder *f)
{
	char path[PATH_MAX];
	grt_warn_fn *before;
	int err;

	/* The sweep would print where unfinished recordings are, but they are moved at once. */
	before = grt_warn_to(NULL);
	snprintf(path, sizeof(path), "%s/x", f->segments);
	grt_left_sweep(path, f->uid, f->gid);
	grt_warn_to(before);
	err = take_segments(f);
	return err ? err : take_rest(f);
}
