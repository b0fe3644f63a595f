// SPDX-License-Identifier: LGPL-2.1
#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>
#include <xxhash.h>

#include "error.h"
#include "index.h"
#include "outfile.h"
#include "vec.h"

struct grt_writer {
	int fd;
	struct grt_outfile file;	/* of grt_writer_create(); ->fd is its descriptor */
	bool has_file;
	int (*wait)(void *arg, int fd);	/* as in struct grt_outfile */
	void *arg;
	int err;		/* a failed write left the file in an unknown state */
	bool is_full;		/* the disk is full; only the bytes that were set aside are left */
	bool may_reserve;	/* the file system supports fallocate() */
	char *path;		/* owned */
	uint64_t bytes, events;
	uint64_t spare_bytes;	/* set aside for chunks that must come last */
	uint64_t reserved;	/* disk space is reserved up to this size */
	uint64_t limit;		/* RLIMIT_FSIZE */
	struct grt_vec index;	/* struct grt_file_index */
	struct grt_file_header header;
	bool is_cut;		/* the header must say that events are missing at the end */
};

#define RESERVE_BYTES	(1u << 20)	/* reserved at a time */

static bool is_no_room(int err)
{
	return err == ENOSPC || err == EDQUOT || err == EFBIG;
}

static int fail_write(struct grt_writer *w)
{
	return grt_fail_errno(grt_outfile_hint(errno), "cannot write '%s'", w->path);
}

/* Waits until the reader of a pipe has read some bytes. */
static int wait_for_room(struct grt_writer *w)
{
	struct pollfd fd = { .fd = w->fd, .events = POLLOUT };

	if (w->wait)
		return w->wait(w->arg, w->fd);
	return poll(&fd, 1, -1) < 0 && errno != EINTR ? fail_write(w) : 0;
}

/* Writes all bytes, with one call if possible. */
static int write_all(struct grt_writer *w, struct iovec *iov, int count)
{
	ssize_t done;
	int err;

	while (count) {
		done = writev(w->fd, iov, count);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0 && errno == EAGAIN) {
			err = wait_for_room(w);
			if (err)
				return err;
			continue;
		}
		if (done < 0)
			return fail_write(w);
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

uint64_t grt_writer_index_bytes(const struct grt_writer *w)
{
	return w->index.bytes;
}

/*
 * Reserves room for a chunk and for the index behind it: when the disk is full, the chunk is
 * refused, but the file can still be closed properly.
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

/* Removes a partly written chunk. */
static int take_back(struct grt_writer *w, uint64_t bytes, int err)
{
	if (w->bytes != bytes && (ftruncate(w->fd, bytes) || lseek(w->fd, bytes, SEEK_SET) < 0))
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

static void destroy(struct grt_writer *w)
{
	grt_outfile_free(&w->file);
	grt_vec_free(&w->index);
	free(w->path);
	free(w);
}

static struct grt_writer *make(int fd, const char *name)
{
	struct grt_writer *w = calloc(1, sizeof(*w));
	struct rlimit limit;

	if (!w)
		return NULL;
	w->fd = fd;
	w->may_reserve = true;
	w->limit = getrlimit(RLIMIT_FSIZE, &limit) ? UINT64_MAX : limit.rlim_cur;
	w->path = strdup(name);
	if (w->path)
		return w;
	free(w);
	return NULL;
}

int grt_writer_begin(struct grt_writer **out, int fd, const char *name,
		     struct grt_file_header *header)
{
	struct iovec iov = { header, sizeof(*header) };
	struct grt_writer *w = make(fd, name);
	int err;

	if (!w)
		return grt_fail_memory();
	header->magic = GRT_FILE_MAGIC;
	header->version = GRT_FILE_VERSION;
	header->bytes = sizeof(*header);
	header->hash = XXH64(header, offsetof(struct grt_file_header, hash), 0);
	w->header = *header;
	err = write_all(w, &iov, 1);
	if (err) {
		destroy(w);
		return err;
	}
	*out = w;
	return 0;
}

/* Cuts off what is behind the last chunk: a part of one, or the index and the trailer. */
static int cut_tail(struct grt_writer *w)
{
	w->bytes = w->header.bytes;
	for (size_t i = 0; i < grt_vec_count(&w->index, struct grt_file_index); i++) {
		const struct grt_file_index *row = grt_vec_at(&w->index, struct grt_file_index, i);

		w->bytes = row->offset + sizeof(row->chunk) + row->chunk.bytes;
		if (row->chunk.kind == GRT_CHUNK_DEFS || row->chunk.kind == GRT_CHUNK_DATA)
			w->events += row->chunk.events;
	}
	return ftruncate(w->fd, w->bytes) || lseek(w->fd, w->bytes, SEEK_SET) < 0 ? fail_write(w) : 0;
}

int grt_writer_go_on(struct grt_writer **out, int fd, const char *name)
{
	struct grt_writer *w = make(fd, name);
	struct grt_index index;
	grt_warn_fn *before;
	int err;

	if (!w)
		return grt_fail_memory();
	/* It need not be told that the file was not closed. */
	before = grt_warn_to(NULL);
	err = grt_index_read(&index, fd, name);
	grt_warn_to(before);
	if (!err) {
		w->header = index.header;
		w->index = index.rows;
		err = cut_tail(w);
	}
	if (err)
		destroy(w);
	else
		*out = w;
	return err;
}

int grt_writer_create(struct grt_writer **w, const char *path,
		      struct grt_file_header *header, uint32_t uid, uint32_t gid)
{
	struct grt_outfile file = { .path = path, .uid = uid, .gid = gid };
	int err = grt_outfile_open(&file);

	if (err)
		return err;
	err = grt_writer_begin(w, file.fd, path, header);
	if (err) {
		grt_outfile_abandon(&file);
		return err;
	}
	(*w)->file = file;
	(*w)->file.path = (*w)->path;
	(*w)->has_file = true;
	return 0;
}

void grt_writer_wait_with(struct grt_writer *w, int (*wait)(void *arg, int fd), void *arg)
{
	w->wait = wait;
	w->arg = arg;
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

	/* Count as the chunk's header says, because the trailer must agree with it. */
	if (!err && (chunk->kind == GRT_CHUNK_DEFS || chunk->kind == GRT_CHUNK_DATA))
		w->events += chunk->events;
	return err;
}

int grt_writer_watermark(struct grt_writer *w, uint64_t ts)
{
	struct grt_file_chunk chunk = { .kind = GRT_CHUNK_WATERMARK, .last_ts = ts };

	return write_chunk(w, &chunk, NULL);
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

	/* Give back the space that was reserved and not used. */
	if (w->reserved > w->bytes && ftruncate(w->fd, w->bytes) && !err)
		err = fail_write(w);
	if (w->has_file && !err)
		err = grt_outfile_commit(&w->file);
	else if (w->has_file)
		grt_outfile_abandon(&w->file);
	destroy(w);
	return err;
}

void grt_writer_discard(struct grt_writer *w)
{
	if (w->has_file)
		grt_outfile_abandon(&w->file);
	destroy(w);
}
