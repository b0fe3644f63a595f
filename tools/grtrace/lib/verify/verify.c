// SPDX-License-Identifier: LGPL-2.1
#include "verify.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cursor.h"
#include "error.h"
#include "file.h"
#include "import.h"
#include "index.h"
#include "inside.h"
#include "io.h"
#include "path.h"

void grt_problem(struct grt_verify *v, enum grt_check_id id, const char *fmt, ...)
{
	struct grt_check *check = &v->checks[id];
	va_list args;
	int at;

	if (check->violations++)
		return;
	at = snprintf(check->first, sizeof(check->first), "%s, byte %" PRIu64 ": ",
		      v->files[v->file].name, v->offset);
	if (at < 0 || (size_t)at >= sizeof(check->first))
		return;
	va_start(args, fmt);
	vsnprintf(check->first + at, sizeof(check->first) - at, fmt, args);
	va_end(args);
}

struct lane *grt_verify_lane(struct grt_verify *v, uint32_t cpu)
{
	size_t count = grt_vec_count(&v->lanes, struct lane *);
	struct lane *lane;

	for (size_t i = 0; i < count; i++) {
		lane = *grt_vec_at(&v->lanes, struct lane *, i);
		if (lane->cpu == cpu)
			return lane;
	}
	lane = calloc(1, sizeof(*lane));
	if (!lane || grt_vec_append(&v->lanes, &lane, sizeof(lane))) {
		free(lane);
		return NULL;
	}
	lane->cpu = cpu;
	return lane;
}

/* It keeps the rules of another format. */
static int fail_foreign(const char *name)
{
	char hint[512];

	snprintf(hint, sizeof(hint), "grtrace import %s && grtrace verify imported.grt", name);
	return grt_fail(EBADMSG, hint, "'%s' is a trace of another tool", name);
}

static int open_file(struct verify_file *f)
{
	uint64_t probe[sizeof(struct grtrace_stream_info) / 8];
	struct grt_file_header header;
	struct grt_chunks chunks;
	struct stat st;
	ssize_t n;
	int err;

	f->fd = grt_path_open(f->name);
	if (f->fd < 0)
		return f->fd;
	n = grt_pread(f->fd, probe, sizeof(probe), 0);
	if (n < 0 || fstat(f->fd, &st))
		return grt_fail_errno(NULL, "cannot read '%s'", f->name);
	f->size = st.st_size;
	if (!n)
		return grt_fail(EBADMSG, "nothing was recorded in it; record again",
				"'%s' is empty", f->name);
	if (grt_is_stream(probe, n))
		return 0;
	if (!grt_is_grt(probe, n) && grt_is_foreign(f->fd, probe, n))
		return fail_foreign(f->name);
	if (!grt_is_grt(probe, n))
		return grt_fail(EBADMSG, "grtrace reads .grt files and what was read from events0, events1, ...",
				"'%s' is no trace", f->name);
	f->is_grt = true;
	chunks = (struct grt_chunks){ f->fd, f->name, f->size };
	err = grt_chunks_header(&chunks, &header);
	f->start_ns = err ? 0 : header.start_ns;
	return err;
}

/* The files of one recording, however the shell sorted their names. */
static int compare_files(const void *a, const void *b)
{
	const struct verify_file *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return x->nth - y->nth;
}

static int take_files(struct grt_verify *v)
{
	int err = 0;

	for (uint32_t i = 0; i < v->nr_files && !err; i++)
		err = open_file(&v->files[i]);
	if (err)
		return err;
	qsort(v->files, v->nr_files, sizeof(*v->files), compare_files);
	for (v->file = 0; v->file < v->nr_files && !err; v->file++)
		err = v->files[v->file].is_grt ? grt_verify_grt(v) : grt_verify_raw(v);
	v->file = 0;
	if (!err && !v->has_info)
		err = grt_fail(EBADMSG, "record again; the recording ended before it began",
			       "'%s' has no stream in it", v->files[0].name);
	return err;
}

static void skip(struct grt_verify *v, enum grt_check_id id, const char *why)
{
	if (!v->checks[id].violations)
		v->checks[id].skipped = why;
}

/* The lowest number that was used and has no definition; others are counted. */
static void compare_maps(struct grt_verify *v, enum grt_check_id id, const char *what,
			 const struct grt_map *used, const struct grt_map *defined)
{
	uint64_t lowest = UINT64_MAX, count = 0;

	for (size_t i = 0; i < used->size; i++) {
		const struct grt_map_slot *slot = &used->slots[i];

		if (!slot->is_used || grt_map_get(defined, slot->key))
			continue;
		count++;
		if (slot->key < lowest)
			lowest = slot->key;
	}
	if (!count)
		return;
	v->checks[id].violations = count;
	snprintf(v->checks[id].first, sizeof(v->checks[id].first),
		 "%s %" PRIu64 " is used and defined nowhere", what, lowest);
}

static int finish(struct grt_verify *v)
{
	static const enum grt_check_id of_grt[] = {
		GRT_CHECK_CLOSED, GRT_CHECK_CHECKSUMS, GRT_CHECK_CHUNKS, GRT_CHECK_INDEX,
		GRT_CHECK_WATERMARKS,
	};
	bool has_grt = false;
	int err = 0;

	for (uint32_t i = 0; i < v->nr_files; i++)
		has_grt |= v->files[i].is_grt;
	for (size_t i = 0; !has_grt && i < sizeof(of_grt) / sizeof(of_grt[0]); i++)
		skip(v, of_grt[i], "raw streams have no chunks");
	if (v->info.features >> GRTRACE_FEATURE_GLOBAL_SEQ & 1) {
		err = grt_verify_gseq(v);
	} else {
		skip(v, GRT_CHECK_GSEQ, "recorded without global_seq, which is off by default");
		skip(v, GRT_CHECK_ORDER, "recorded without global_seq, which is off by default");
	}
	compare_maps(v, GRT_CHECK_RINGS, "ring", &v->used_rings, &v->rings);
	if (v->has_unnamed)
		skip(v, GRT_CHECK_PROCESSES, "the module had no room for all names");
	else
		compare_maps(v, GRT_CHECK_PROCESSES, "process", &v->used_processes, &v->processes);
	return err;
}

int grt_verify_files(struct grt_verify **out, int count, char *const *paths, uint64_t slack_ns)
{
	static const struct grt_check checks[GRT_NR_CHECKS] = {
#define ROW(NAME, name, text) { #name, text, 0, "", NULL },
		GRT_CHECKS(ROW)
#undef ROW
	};
	struct grt_verify *v = calloc(1, sizeof(*v));
	int err;

	if (!v)
		return grt_fail_memory();
	for (int i = 0; i < GRT_NR_CHECKS; i++)
		v->checks[i] = checks[i];
	v->slack_ns = slack_ns;
	v->files = calloc(count, sizeof(*v->files));
	if (!v->files) {
		err = grt_fail_memory();
		goto free;
	}
	v->nr_files = count;
	for (int i = 0; i < count; i++)
		v->files[i] = (struct verify_file){ .name = paths[i], .fd = -1, .nth = i };
	err = take_files(v);
	if (!err)
		err = finish(v);
	if (err)
		goto free;
	*out = v;
	return 0;

free:
	grt_verify_free(v);
	return err;
}

void grt_verify_free(struct grt_verify *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < grt_vec_count(&v->lanes, struct lane *); i++) {
		struct lane *lane = *grt_vec_at(&v->lanes, struct lane *, i);

		grt_vec_free(&lane->pieces);
		free(lane);
	}
	grt_vec_free(&v->lanes);
	for (uint32_t i = 0; i < v->nr_files; i++)
		if (v->files[i].fd >= 0)
			close(v->files[i].fd);
	free(v->files);
	grt_map_free(&v->rings);
	grt_map_free(&v->used_rings);
	grt_map_free(&v->processes);
	grt_map_free(&v->used_processes);
	free(v);
}

const struct grt_check *grt_verify_check(const struct grt_verify *v, enum grt_check_id id)
{
	return &v->checks[id];
}

struct grt_verdict_sums grt_verify_sums(const struct grt_verify *v)
{
	struct grt_verdict_sums sums = {
		.events = v->events,
		.unknown_events = v->unknown_events,
	};

	for (size_t i = 0; i < grt_vec_count(&v->lanes, struct lane *); i++) {
		const struct lane *lane = *grt_vec_at(&v->lanes, struct lane *, i);

		sums.cpus += lane->has_cseq && lane->cpu < GRT_CHUNK_FIRST_LATE;
	}
	for (int i = 0; i < GRT_NR_CHECKS; i++)
		sums.failed += v->checks[i].violations != 0;
	return sums;
}
