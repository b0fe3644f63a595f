// SPDX-License-Identifier: LGPL-2.1
#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <xxhash.h>

#include "error.h"
#include "vec.h"

struct grt_writer {
	int fd;
	int err;		/* of the first write that failed */
	char *path;		/* owned */
	uint64_t bytes, events;
	struct grt_vec index;	/* struct grt_file_index */
};

static int fail_write(struct grt_writer *w)
{
	const char *hint = errno == ENOSPC ? "free some space, or name another file with -o" : NULL;

	w->err = grt_fail_errno(hint, "cannot write '%s'", w->path);
	return w->err;
}

/* All of it, in one call where the kernel lets us. */
static int write_all(struct grt_writer *w, struct iovec *iov, int count)
{
	ssize_t done;

	if (w->err)
		return w->err;
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

static int write_chunk(struct grt_writer *w, struct grt_file_chunk *chunk, const void *data)
{
	struct iovec iov[2] = { { chunk, sizeof(*chunk) }, { (void *)data, chunk->bytes } };
	struct grt_file_index *row;

	chunk->magic = GRT_CHUNK_MAGIC;
	chunk->payload_hash = XXH64(data, chunk->bytes, 0);
	chunk->hash = XXH64(chunk, offsetof(struct grt_file_chunk, hash), 0);
	if (chunk->kind != GRT_CHUNK_INDEX) {
		row = grt_vec_grow(&w->index, sizeof(*row));
		if (!row)
			return w->err = -ENOMEM;
		*row = (struct grt_file_index){ w->bytes, *chunk };
	}
	return write_all(w, iov, chunk->bytes ? 2 : 1);
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
	int err;

	if (!w)
		return grt_fail_memory();
	w->fd = -1;
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
	err = write_all(w, &iov, 1);
	if (err)
		goto close_file;
	*out = w;
	return 0;

close_file:
	if (w->fd >= 0)
		close(w->fd);
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
	};
	int err = write_chunk(w, &chunk, run->data);

	if (!err)
		w->events += run->events;
	return err;
}

int grt_writer_watermark(struct grt_writer *w, uint64_t ts)
{
	struct grt_file_chunk chunk = { .kind = GRT_CHUNK_WATERMARK, .last_ts = ts };

	return write_chunk(w, &chunk, NULL);
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

int grt_writer_close(struct grt_writer *w)
{
	int err = w->err ? w->err : write_end(w);

	if (close(w->fd) && !err)
		err = fail_write(w);
	grt_vec_free(&w->index);
	free(w->path);
	free(w);
	return err;
}
