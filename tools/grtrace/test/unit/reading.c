// SPDX-License-Identifier: GPL-2.0
#include "reading.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "input.h"
#include "source.h"

static char folder[64];
static unsigned int warnings;
static char last_warning[256];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void remove_folder(void)
{
	nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *reading_path(const char *name)
{
	static char path[128];

	if (!folder[0]) {
		snprintf(folder, sizeof(folder), "/tmp/grtrace-unit.XXXXXX");
		if (!mkdtemp(folder))
			abort();
		atexit(remove_folder);
	}
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

void reading_write(const char *path, const void *data, size_t bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, data, bytes) != (ssize_t)bytes || close(fd))
		abort();
}

static void count_warning(const char *hint, const char *text)
{
	(void)hint;
	warnings++;
	snprintf(last_warning, sizeof(last_warning), "%s", text);
}

static bool comes_after(const struct grtrace_hdr *a, const struct grtrace_hdr *b)
{
	if (a->ts != b->ts)
		return a->ts > b->ts;
	if (a->cpu != b->cpu)
		return a->cpu > b->cpu;
	return a->cseq > b->cseq;
}

static void take(struct reading *r, struct grtrace_hdr *last, const struct grtrace_hdr *rec)
{
	r->records++;
	if (rec->type >= GRTRACE_STREAM_BASE) {
		r->definitions[(rec->type - GRTRACE_STREAM_BASE) % 16]++;
		return;
	}
	if (r->events++ && !comes_after(rec, last))
		r->is_ordered = false;
	*last = *rec;
}

static void read_stream(struct reading *r, struct grt_stream *s, reading_fn *fn, void *data)
{
	struct grtrace_hdr last = { 0 };
	const struct grtrace_hdr *rec;
	int got;

	while ((got = grt_stream_next(s, &rec)) == 1) {
		take(r, &last, rec);
		if (fn)
			fn(data, rec);
	}
	r->err = got;
	r->stats = *grt_stream_stats(s);
	r->is_complete = grt_stream_info(s)->is_complete;
	grt_stream_close(s);
}

struct reading reading_files(int count, char *const *paths, reading_fn *fn, void *data)
{
	struct reading r = { .is_ordered = true };
	struct grt_stream *s;
	struct grt_input *in;

	warnings = 0;
	last_warning[0] = '\0';
	grt_warn_to(count_warning);
	r.err = grt_source_open(&in, count, paths, 0);
	if (!r.err)
		r.err = grt_stream_open(&s, in);
	if (!r.err)
		read_stream(&r, s, fn, data);
	if (r.err)
		snprintf(r.cause, sizeof(r.cause), "%s", grt_cause());
	r.warnings = warnings;
	snprintf(r.warning, sizeof(r.warning), "%s", last_warning);
	return r;
}

struct reading reading_bytes(const void *bytes, size_t count, reading_fn *fn, void *data)
{
	char *path = strdup(reading_path("trace"));
	struct reading r;

	if (!path)
		abort();
	reading_write(path, bytes, count);
	r = reading_files(1, &path, fn, data);
	free(path);
	return r;
}

int reading_replay(struct grt_replay *replay, char *path, struct grt_stream_stats *stats)
{
	struct grt_stream *s = NULL;
	struct grt_input *in;
	int err = grt_source_open(&in, 1, &path, 0);

	if (!err)
		err = grt_stream_open(&s, in);
	if (!err)
		err = grt_replay_run(replay, s);
	if (!err && stats)
		*stats = *grt_stream_stats(s);
	grt_stream_close(s);
	return err;
}
