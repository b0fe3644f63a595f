// SPDX-License-Identifier: LGPL-2.1
/* A trace in files: the extents of each CPU make one lane. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "cursor.h"
#include "error.h"
#include "extent.h"
#include "import.h"
#include "index.h"
#include "input.h"
#include "io.h"
#include "path.h"
#include "shell.h"
#include "skip.h"
#include "source.h"
#include "trace_kind.h"

/* Enough bytes to recognise every format. */
#define PROBE_BYTES	sizeof(struct grtrace_stream_info)

struct file_lane {
	size_t first, next, end;	/* rows of the extents: first, next to read, last + 1 */
	void *buffer;		/* owned */
	size_t capacity;
	size_t skip_to;		/* with an account given: row behind the extents to skip */
	struct grtrace_subbuf account;
	struct grt_input_skip skip;
};

struct file_input {
	struct grt_input in;	/* first member, because close() casts back from it */
	struct grt_collection found;
	struct file_lane *lanes;	/* owned */
	int count;
	bool has_warned, has_span;
	struct grt_skip skip;
	struct opened {
		const char *name;	/* the caller's */
		int fd;
	} files[];
};

bool grt_source_is_whole(const char *name)
{
	uint64_t probe[PROBE_BYTES / 8];
	struct stat st;
	ssize_t got;
	int fd;

	/* Who opens a FIFO takes its writer's only reader, even if he reads nothing. */
	if (stat(name, &st) || !S_ISREG(st.st_mode))
		return false;
	fd = grt_path_open(name, grt_is_trace);
	got = fd < 0 ? -1 : pread(fd, probe, sizeof(probe), 0);
	if (fd >= 0)
		close(fd);
	return got > 0 && !grt_is_stream(probe, got);
}

/* Raw streams are pieces of one trace; whole traces need grtrace merge. */
static int fail_several(const struct file_input *f, const char *name)
{
	struct grt_shell line = { .at = 0 };

	grt_shell_plain(&line, "grtrace merge");
	for (int i = 0; i < f->count; i++) {
		grt_shell_file(&line, f->files[i].name);
		line.is_cut |= !grt_source_is_whole(f->files[i].name);
	}
	return grt_fail(EBADMSG, grt_shell_text(&line) ? grt_shell_text(&line) : "name it alone",
			"'%s' is a whole trace and cannot be joined with others", name);
}

static int collect(struct file_input *f, int i)
{
	uint64_t probe[PROBE_BYTES / 8];
	const char *name = f->files[i].name;
	int fd = grt_path_open(name, grt_is_trace);
	bool is_foreign;
	ssize_t n;

	if (fd < 0)
		return fd;
	f->files[i].fd = fd;
	n = grt_pread(fd, probe, sizeof(probe), 0);
	if (n < 0)
		return grt_fail_errno(NULL, "cannot read '%s'", name);
	if (!n)
		return grt_fail(EBADMSG, "nothing was recorded in it; record again",
				"'%s' is empty", name);
	if (grt_is_stream(probe, n))
		return grt_collect_raw(&f->found, i, fd, name);
	is_foreign = !grt_is_grt(probe, n);
	if (is_foreign && !grt_is_foreign(fd, probe, n))
		return grt_fail(EBADMSG, "grtrace reads .grt files, what was read from events0, events1, "
				"..., trace.dat, and text of ftrace, trace-cmd, perf and QEMU",
				"'%s' is no trace", name);
	if (f->count > 1)
		return fail_several(f, name);
	if (is_foreign)
		return grt_collect_foreign(&f->found, i, &f->files[i].fd, name, &f->in.info);
	return grt_collect_grt(&f->found, i, fd, name, &f->in.info);
}

static int compare_extents(const void *a, const void *b)
{
	const struct grt_extent *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->first_ts != y->first_ts)
		return x->first_ts < y->first_ts ? -1 : 1;
	return x->nth < y->nth ? -1 : x->nth > y->nth;
}

static void file_rewind(struct grt_input *in)
{
	struct file_input *f = (struct file_input *)in;

	f->has_span = false;
	for (unsigned int i = 0; i < in->lanes; i++) {
		f->lanes[i].next = f->lanes[i].first;
		f->lanes[i].skip_to = 0;
	}
}

static int make_lanes(struct file_input *f)
{
	size_t count = grt_vec_count(&f->found.extents, struct grt_extent);
	struct grt_extent *e = f->found.extents.data;
	unsigned int lanes = 0;

	if (!count)
		return 0;
	qsort(e, count, sizeof(*e), compare_extents);
	for (size_t i = 0; i < count; i++) {
		f->in.info.events += e[i].events;
		lanes += !i || e[i].cpu != e[i - 1].cpu;
	}
	f->lanes = calloc(lanes, sizeof(*f->lanes));
	if (!f->lanes)
		return grt_fail_memory();
	for (size_t i = 0; i < count; i++) {
		if (!i || e[i].cpu != e[i - 1].cpu)
			f->lanes[f->in.lanes++].first = i;
		f->lanes[f->in.lanes - 1].end = i + 1;
	}
	file_rewind(&f->in);
	return 0;
}

/* Reads an extent into the lane's buffer.  False if it does not match its checksum. */
static bool read_extent(struct file_input *f, struct file_lane *lane, const struct grt_extent *e)
{
	const struct opened *file = &f->files[e->file];

	if (grt_pread(file->fd, lane->buffer, e->bytes, e->offset) == (ssize_t)e->bytes &&
	    (!e->has_hash || XXH64(lane->buffer, e->bytes, 0) == e->hash))
		return true;
	if (!f->has_warned)
		grt_warn(NULL, "'%s' is corrupt: the chunk at byte %" PRIu64
			 " does not fit its checksum; such chunks are left out",
			 file->name, e->offset);
	f->has_warned = f->in.has_warned = true;
	return false;
}

static bool peek(void *arg, const struct grt_extent *e, void *to, size_t bytes)
{
	const struct file_input *f = arg;

	return e->bytes >= bytes &&
	       grt_pread(f->files[e->file].fd, to, bytes, e->offset) == (ssize_t)bytes;
}

static void file_set_span(struct grt_input *in, uint64_t from_ns, uint64_t to_ns)
{
	struct file_input *f = (struct file_input *)in;

	f->has_span = true;
	f->skip = (struct grt_skip){ from_ns, to_ns, peek, f };
}

/* Describes the extents that were skipped after an account. */
static int give_skipped(struct file_input *f, struct file_lane *lane, const void **data)
{
	const struct grt_extent *e = f->found.extents.data;

	lane->skip.last_cseq = lane->account.hdr.cseq;
	for (; lane->next < lane->skip_to; lane->next++)
		lane->skip.last_cseq += e[lane->next].events;
	lane->skip.last_ns = e[lane->next - 1].last_ts;
	lane->skip_to = 0;
	*data = &lane->skip;
	return GRT_INPUT_SKIPPED;
}

/*
 * Skips extents that need not be read: first gives the account at their start, which reports
 * earlier losses, then a summary of the skipped bytes.
 */
static int skip(struct file_input *f, struct file_lane *lane, const void **data, size_t *bytes)
{
	size_t to;

	if (lane->skip_to)
		return give_skipped(f, lane, data);
	if (!f->has_span)
		return 0;
	to = grt_skip_from(&f->skip, f->found.extents.data, lane->next, lane->end, &lane->account);
	if (to == lane->next)
		return 0;
	lane->skip_to = to;
	lane->account.hdr.size = sizeof(lane->account);
	*data = &lane->account;
	*bytes = sizeof(lane->account);
	return 1;
}

static int file_fill(struct grt_input *in, unsigned int nr, const void **data, size_t *bytes)
{
	struct file_input *f = (struct file_input *)in;
	struct file_lane *lane = &f->lanes[nr];
	const struct grt_extent *e;
	void *buffer;
	int got = skip(f, lane, data, bytes);

	if (got)
		return got;
	while (lane->next < lane->end) {
		e = grt_vec_at(&f->found.extents, struct grt_extent, lane->next++);
		if (e->bytes > lane->capacity) {
			buffer = realloc(lane->buffer, e->bytes);
			if (!buffer)
				return grt_fail_memory();
			lane->buffer = buffer;
			lane->capacity = e->bytes;
		}
		if (e->bytes && read_extent(f, lane, e)) {
			*data = lane->buffer;
			*bytes = e->bytes;
			return 1;
		}
	}
	/* Free the buffer at the lane's end: memory use depends only on lanes still being read. */
	free(lane->buffer);
	lane->buffer = NULL;
	lane->capacity = 0;
	return 0;
}

static void file_close(struct grt_input *in)
{
	struct file_input *f = (struct file_input *)in;

	for (unsigned int i = 0; i < in->lanes; i++)
		free(f->lanes[i].buffer);
	free(f->lanes);
	grt_vec_free(&f->found.extents);
	grt_vec_free(&f->found.defs);
	for (int i = 0; i < f->count; i++)
		if (f->files[i].fd >= 0)
			close(f->files[i].fd);
	free(f);
}

static const struct grt_input_ops file_ops = {
	.fill	= file_fill,
	.set_span = file_set_span,
	.rewind	= file_rewind,
	.close	= file_close,
};

/* Only a .grt needs the check: raw streams of other sessions were already left out. */
static int check_session(const struct file_input *f)
{
	uint64_t id = f->in.info.session_id;

	if (f->found.defs.bytes && (!id || id == f->found.session))
		return 0;
	return grt_fail(EBADMSG, "omit --session to see what it holds",
			"there is no session %" PRIu64 " in '%s'", f->found.session,
			f->in.info.name);
}

int grt_source_open(struct grt_input **in, int count, char *const *paths, uint64_t session)
{
	struct file_input *f = calloc(1, sizeof(*f) + count * sizeof(f->files[0]));
	int err = 0;

	if (!f)
		return grt_fail_memory();
	f->in.ops = &file_ops;
	f->count = count;
	f->found.session = session;
	for (int i = 0; i < count; i++)
		f->files[i] = (struct opened){ paths[i], -1 };
	snprintf(f->in.info.name, sizeof(f->in.info.name), "%s%s", paths[0],
		 count > 1 ? " and others" : "");
	for (int i = 0; i < count && !err; i++)
		err = collect(f, i);
	if (!err && session)
		err = check_session(f);
	if (!err)
		err = make_lanes(f);
	if (err) {
		file_close(&f->in);
		return err;
	}
	f->in.defs = f->found.defs.data;
	f->in.defs_bytes = f->found.defs.bytes;
	f->in.safe_ns = f->found.safe_ns;
	f->in.has_warned = f->found.has_warned;
	f->in.bad_sizes = f->found.bad_sizes;
	*in = &f->in;
	return 0;
}
