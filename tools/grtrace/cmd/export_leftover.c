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

/* What is in a segment. */
struct content {
	struct grtrace_stream_info session;
	struct grt_vec last;		/* uint64_t, by CPU: cseq of its last event */
	bool is_empty;			/* no event, and no loss */
};

static int add_record(struct content *to, const struct grtrace_hdr *rec)
{
	to->is_empty &= grt_is_definition(rec->type);
	if (rec->type >= GRTRACE_STREAM_BASE)
		return 0;
	if (grt_vec_reach(&to->last, rec->cpu, &(uint64_t){ 0 }, sizeof(uint64_t)))
		return grt_fail_memory();
	*grt_vec_at(&to->last, uint64_t, rec->cpu) = rec->cseq;
	return 0;
}

/* Reads it to its end.  0 or -errno with a cause; free @to->last in any case. */
static int look_at(char *path, struct content *to)
{
	struct grt_stream *stream = NULL;
	const struct grtrace_hdr *rec;
	int err = grt_open_trace(&stream, 1, &path, 0);

	*to = (struct content){ .is_empty = true };
	if (err)
		return err;
	while ((err = grt_stream_next(stream, &rec)) > 0) {
		err = grt_stream_is_tail(stream, rec) ? 0 : add_record(to, rec);
		if (err)
			break;
	}
	to->session = *grt_stream_session(stream);
	grt_stream_close(stream);
	return err;
}

/*
 * A recorder that was killed before its first chunk leaves nothing to read.  One that was killed before the first
 * event of a segment leaves nothing that @before, the segment before it, lacks.
 */
static bool is_of_use(const struct grt_export_folder *f, const struct grt_segment *s, const struct grt_segment *before)
{
	struct content content;
	char path[PATH_MAX];
	int err;

	grt_export_folder_path(f, s, path);
	err = look_at(path, &content);
	grt_vec_free(&content.last);
	if (err == -EBADMSG)
		grt_warn(NULL, "'%s' was begun and has nothing that can be read: removed", s->name);
	return err != -EBADMSG && (err || !content.is_empty || !before || before->is_exported);
}

static int take_cut(const struct grt_export_folder *f, const struct grt_segment *s, const struct grt_segment *before)
{
	char from[PATH_MAX], to[PATH_MAX];
	int err = path_of(f, s->run, s->number, to);

	if (err)
		return err;
	if (!is_of_use(f, s, before)) {
		grt_export_folder_remove(f, s);
		return 0;
	}
	grt_export_folder_path(f, s, from);
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
	struct content content;
	char path[PATH_MAX];
	int err;

	if (s->is_exported)
		return 0;
	grt_export_folder_path(f, s, path);
	err = look_at(path, &content);
	grt_vec_free(&content.last);
	if (err != -EBADMSG)
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
		struct grt_segment *before = i && grt_segment_is_next(s - 1, s) ? s - 1 : NULL;

		err = s->is_cut ? take_cut(f, s, before) : check_whole(f, s);
	}
	grt_vec_free(&all);
	return err;
}

/*
 * Writes what the module still holds behind the records of the last segment, as if nobody had been killed.  Then the
 * numbers of its events tell whether any is missing.
 */
static int save_rest(char *path, const struct content *last)
{
	struct record rest = GRT_RECORD_INIT(path);
	int err;

	rest.is_quiet = true;
	rest.output.goes_on = true;
	rest.had = &last->last;
	err = grt_record_extract(&rest);
	grt_record_close(&rest);
	return err;
}

/* The module may hold events of a later session with the same id: these are not for this folder. */
static int take_rest(const struct grt_export_folder *f)
{
	struct grt_vec all = { 0 };
	const struct grt_segment *last;
	struct grtrace_stream_info held;
	struct content content = { .is_empty = true };
	char path[PATH_MAX];
	int err = grt_export_folder_list(f, f->segments, &all);

	if (!err && all.bytes && grt_session_unread() > 0) {
		last = grt_vec_at(&all, struct grt_segment, grt_vec_count(&all, struct grt_segment) - 1);
		grt_export_folder_path(f, last, path);
		err = last->is_exported || look_at(path, &content) ? 0 : grt_live_session(&held);
		if (err > 0)
			err = grt_is_one_session(&held, &content.session) ? save_rest(path, &content) : 0;
	}
	grt_vec_free(&content.last);
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
