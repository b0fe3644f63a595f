// SPDX-License-Identifier: LGPL-2.1
#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <xxhash.h>

#include "error.h"
#include "vec.h"

struct grt_writer {
	int fd;
	int err;		/* of a write that left the file in no known state */
	bool is_full;		/* no room for more but what was set aside */
	bool may_reserve;	/* the file system can */
	char *path;		/* owned */
	uint64_t bytes, events;
	uint64_t spare_bytes;	/* set aside for what must come last */
	uint64_t reserved;	/* up to here the file has its room */
	uint64_t limit;		/* RLIMIT_FSIZE */
	struct grt_vec index;	/* struct grt_file_index */
	struct grt_file_header header;
	bool is_cut;		/* the header has to say so */
};

#define RESERVE_BYTES	(1u << 20)	/* at a time */

static bool is_no_room(int err)
{
	return err == ENOSPC || err == EDQUOT || err == EFBIG;
}

static int fail_write(struct grt_writer *w)
{
	const char *hint = NULL;

	if (errno == EFBIG)
		hint = "raise the limit (ulimit -f unlimited), or use smaller files: --rotate 1G";
	else if (is_no_room(errno))
		hint = "free some space, or name another file with -o";
	return grt_fail_errno(hint, "cannot write '%s'", w->path);
}

/* All of it, in one call where the kernel lets us. */
static int write_all(struct grt_writer *w, struct iovec *iov, int count)
{
	ssize_t done;

	while (count) {
		done = writev(w->fd, iov, count);
		if (done < 0) {
			if (errno == EINTR)
				continue;
			return fail_write(w);
		}
		w->bytes += done;
		while (count && (size_t)done >= iov->iov_len) {
			done -= iov->iov_len;
			iov++;
			count--;
		}
		if (count) {
			iov->iov_base = (char *)iov->iov_base + done;
			iov->iov_len -= done;
		}
	}
	return 0;
}

uint64_t grt_writer_bytes_with(const struct grt_writer *w, uint64_t payload)
{
	return w->bytes + sizeof(struct grt_file_chunk) + payload +
	       w->index.bytes + sizeof(struct grt_file_index) +
	       sizeof(struct grt_file_chunk) + sizeof(struct grt_file_trailer) + w->spare_bytes;
}

/*
 * Room for a chunk and for the index behind it: so a disk that fills up refuses
 * the chunk while the file can still be closed properly.
 */
static int reserve(struct grt_writer *w, uint64_t payload)
{
	uint64_t end = grt_writer_bytes_with(w, payload), step = RESERVE_BYTES;

	if (end > w->limit) {
		errno = EFBIG;
		return fail_write(w);
	}
	while (w->may_reserve && end > w->reserved) {
		if (!fallocate(w->fd, FALLOC_FL_KEEP_SIZE, w->reserved, end + step - w->reserved)) {
			w->reserved = end + step;
		} else if (is_no_room(errno)) {
			if (!step)
				return fail_write(w);
			step = 0;
		} else if (errno != EINTR) {
			w->may_reserve = false;
		}
	}
	return 0;
}

/* A part of a chunk is worse than none. */
static int take_back(struct grt_writer *w, uint64_t bytes, int err)
{
	if (w->bytes != bytes && ftruncate(w->fd, bytes))
		w->err = err;
	w->bytes = bytes;
	if (is_no_room(-err))
		w->is_full = true;
	else
		w->err = err;
	return err;
}

static int write_chunk(struct grt_writer *w, struct grt_file_chunk *chunk, const void *data)
{
	struct iovec iov[2] = { { chunk, sizeof(*chunk) }, { (void *)data, chunk->bytes } };
	struct grt_file_index *row;
	uint64_t begin = w->bytes;
	int err;

	if (w->err)
		return w->err;
	chunk->magic = GRT_CHUNK_MAGIC;
	chunk->payload_hash = XXH64(data, chunk->bytes, 0);
	chunk->hash = XXH64(chunk, offsetof(struct grt_file_chunk, hash), 0);
	err = w->is_full || chunk->kind == GRT_CHUNK_INDEX ? 0 : reserve(w, chunk->bytes);
	if (!err)
		err = write_all(w, iov, chunk->bytes ? 2 : 1);
	if (err)
		return take_back(w, begin, err);
	if (chunk->kind == GRT_CHUNK_INDEX)
		return 0;
	row = grt_vec_grow(&w->index, sizeof(*row));
	if (!row)
		return w->err = -ENOMEM;
	*row = (struct grt_file_index){ begin, *chunk };
	return 0;
}

/*
 * The old file goes only now: its readers keep it, and its mode is not inherited.
 * A pipe or device is written as it is.
 */
static int create_file(struct grt_writer *w, uint32_t uid, uint32_t gid)
{
	int flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW;
	struct stat st;

	if (!lstat(w->path, &st) && !S_ISREG(st.st_mode)) {
		w->fd = open(w->path, flags);
		if (w->fd < 0)
			return grt_fail_errno("name another file with -o",
					      "cannot write '%s'", w->path);
		return 0;
	}
	if (unlink(w->path) && errno != ENOENT)
		return grt_fail_errno("name another file with -o",
				      "cannot replace '%s'", w->path);
	w->fd = open(w->path, flags | O_CREAT | O_EXCL, 0600);
	if (w->fd < 0)
		return grt_fail_errno("name another file with -o",
				      "cannot create '%s'", w->path);
	if (uid != geteuid() && fchown(w->fd, uid, gid))
		return grt_fail_errno(NULL, "cannot give '%s' to user %u", w->path, uid);
	return 0;
}

int grt_writer_create(struct grt_writer **out, const char *path,
		      struct grt_file_header *header, uint32_t uid, uint32_t gid)
{
	struct grt_writer *w = calloc(1, sizeof(*w));
	struct iovec iov = { header, sizeof(*header) };
	struct stat st;
	struct rlimit limit;
	int err;

	if (!w)
		return grt_fail_memory();
	w->fd = -1;
	w->may_reserve = true;
	w->limit = getrlimit(RLIMIT_FSIZE, &limit) ? UINT64_MAX : limit.rlim_cur;
	w->path = strdup(path);
	if (!w->path) {
		err = grt_fail_memory();
		goto free_writer;
	}
	err = create_file(w, uid, gid);
	if (err)
		goto close_file;
	header->magic = GRT_FILE_MAGIC;
	header->version = GRT_FILE_VERSION;
	header->bytes = sizeof(*header);
	header->hash = XXH64(header, offsetof(struct grt_file_header, hash), 0);
	w->header = *header;
	err = write_all(w, &iov, 1);
	if (err)
		goto close_file;
	*out = w;
	return 0;

close_file:
	if (w->fd >= 0) {
		/* Nothing is in it, and nothing but a regular file was made here. */
		if (!fstat(w->fd, &st) && S_ISREG(st.st_mode))
			unlink(w->path);
		close(w->fd);
	}
	free(w->path);
free_writer:
	free(w);
	return err;
}

int grt_writer_run(struct grt_writer *w, uint32_t cpu, const struct grt_run *run)
{
	struct grt_file_chunk chunk = {
		.kind = run->is_defs ? GRT_CHUNK_DEFS : GRT_CHUNK_DATA,
		.cpu = cpu,
		.bytes = run->bytes,
		.first_ts = run->first_ts,
		.last_ts = run->last_ts,
		.events = run->events,
		.is_plain = run->is_plain && !run->is_defs,
	};
	int err = write_chunk(w, &chunk, run->data);

	if (!err)
		w->events += run->events;
	return err;
}

int grt_writer_chunk(struct grt_writer *w, const struct grt_file_chunk *chunk, const void *data)
{
	struct grt_file_chunk copy = *chunk;
	int err = write_chunk(w, &copy, data);

	/* As its header says, which the trailer has to agree with. */
	if (!err && (chunk->kind == GRT_CHUNK_DEFS || chunk->kind == GRT_CHUNK_DATA))
		w->events += chunk->events;
	return err;
}

int grt_writer_watermark(struct grt_writer *w, uint64_t ts)
{
	struct grt_file_chunk chunk = { .kind = GRT_CHUNK_WATERMARK, .last_ts = ts };

	return write_chunk(w, &chunk, NULL);
}

int grt_writer_call(struct grt_writer *w, const char *name)
{
	char *copy = strdup(name);

	if (!copy)
		return grt_fail_memory();
	free(w->path);
	w->path = copy;
	return 0;
}

void grt_writer_set_aside(struct grt_writer *w, uint64_t bytes)
{
	w->spare_bytes = bytes;
}

uint64_t grt_writer_bytes(const struct grt_writer *w)
{
	return w->bytes;
}

uint64_t grt_writer_events(const struct grt_writer *w)
{
	return w->events;
}

static int write_end(struct grt_writer *w)
{
	struct grt_file_chunk chunk = {
		.kind = GRT_CHUNK_INDEX,
		.bytes = w->index.bytes,
		.events = grt_vec_count(&w->index, struct grt_file_index),
	};
	struct grt_file_trailer trailer = {
		.magic = GRT_TRAILER_MAGIC,
		.index_offset = w->bytes,
		.events = w->events,
	};
	struct iovec iov = { &trailer, sizeof(trailer) };
	int err = write_chunk(w, &chunk, w->index.data);

	trailer.hash = XXH64(&trailer, offsetof(struct grt_file_trailer, hash), 0);
	return err ? err : write_all(w, &iov, 1);
}

static void destroy(struct grt_writer *w)
{
	grt_vec_free(&w->index);
	free(w->path);
	free(w);
}

void grt_writer_mark_cut(struct grt_writer *w)
{
	w->is_cut = true;
}

static int write_mark(struct grt_writer *w)
{
	w->header.flags |= GRT_FILE_IS_CUT;
	w->header.hash = XXH64(&w->header, offsetof(struct grt_file_header, hash), 0);
	return pwrite(w->fd, &w->header, sizeof(w->header), 0) == sizeof(w->header) ?
	       0 : fail_write(w);
}

int grt_writer_close(struct grt_writer *w)
{
	int err = w->err ? w->err : write_end(w);

	if (!err && w->is_cut)
		err = write_mark(w);

	/* What was reserved and not needed goes back. */
	if (w->reserved > w->bytes && ftruncate(w->fd, w->bytes) && !err)
		err = fail_write(w);
	if (close(w->fd) && !err)
		err = fail_write(w);
	destroy(w);
	return err;
}

void grt_writer_discard(struct grt_writer *w)
{
	close(w->fd);
	destroy(w);
}
