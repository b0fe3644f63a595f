// SPDX-License-Identifier: LGPL-2.1
#include "ctf_repair.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctf_folder.h"
#include "ctf_stream.h"
#include "error.h"
#include "io.h"

#define COPY_BYTES	65536
#define METADATA_MAX	(16 << 20)

struct copy {
	struct ctf_repair *result;
	struct ctf_folder to;
	const char *from;	/* for messages */
	int dir_fd;
};

bool ctf_repair_takes(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* Opens a regular file.  A descriptor, or -errno with a cause. */
static int open_file(const struct copy *c, const char *name, uint64_t *size)
{
	int fd = openat(c->dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return grt_fail_errno(NULL, "cannot read '%s/%s'", c->from, name);
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		*size = st.st_size;
		return fd;
	}
	close(fd);
	return grt_fail(EBADMSG, NULL, "'%s/%s' is no file", c->from, name);
}

static int copy_bytes(struct copy *c, int fd, const char *name, uint64_t bytes)
{
	int to = ctf_folder_file(&c->to, name), err = 0;
	char data[COPY_BYTES];

	if (to < 0)
		return to;
	for (uint64_t at = 0; at < bytes && !err; at += sizeof(data)) {
		size_t part = bytes - at < sizeof(data) ? bytes - at : sizeof(data);

		errno = 0;
		if (grt_pread(fd, data, part, at) != (ssize_t)part)
			err = grt_fail_errno(NULL, "cannot read '%s/%s'", c->from, name);
		else
			err = ctf_folder_write(&c->to, to, data, part);
	}
	if (close(to) && !err)
		err = ctf_folder_fail(&c->to);
	return err ? err : ctf_folder_sync(&c->to, name);
}

static int copy_metadata(struct copy *c)
{
	static const char mark[] = "converter = \"grtrace";
	uint64_t size;
	int fd = open_file(c, "metadata", &size), err = -EBADMSG;
	char *text;

	if (fd < 0)
		return fd == -ENOENT ? grt_fail(EBADMSG, "export the trace again",
						"'%s' is no CTF trace: it has no metadata", c->from) : fd;
	text = size < METADATA_MAX ? calloc(1, size + 1) : NULL;
	if (text && grt_pread(fd, text, size, 0) == (ssize_t)size && memmem(text, size, mark, strlen(mark)))
		err = copy_bytes(c, fd, "metadata", size);
	else
		grt_fail(EBADMSG, "only traces of grtrace export --to ctf can be repaired",
			 "'%s' is no whole metadata of grtrace", c->from);
	free(text);
	close(fd);
	return err;
}

/* How many bytes at the start are whole packets. */
static uint64_t whole_bytes(struct ctf_repair *r, int fd, uint64_t size)
{
	const size_t header = offsetof(struct ctf_packet, cpu);
	struct ctf_packet head;
	uint64_t at = 0;

	while (size - at >= header) {
		if (grt_pread(fd, &head, header, at) != (ssize_t)header || head.magic != CTF_MAGIC ||
		    head.content_bits > head.packet_bits || head.packet_bits % 8 ||
		    head.content_bits < 8 * header || head.packet_bits / 8 > size - at)
			break;
		at += head.packet_bits / 8;
		r->packets++;
	}
	return at;
}

static int copy_stream(struct copy *c, const char *name)
{
	struct ctf_repair *r = c->result;
	uint64_t size, whole;
	int fd = open_file(c, name, &size), err = 0;

	if (fd < 0)
		return fd;
	whole = whole_bytes(r, fd, size);
	if (whole) {
		r->streams++;
		err = copy_bytes(c, fd, name, whole);
	}
	close(fd);
	r->bytes += whole;
	r->lost_bytes += size - whole;
	if (whole < size && r->found)
		r->found(r->arg, name, whole, size - whole);
	return err;
}

static int copy_all(struct copy *c, DIR *dir)
{
	struct dirent *entry;
	int err = copy_metadata(c);

	while (!err && (entry = readdir(dir)))
		if (*entry->d_name != '.' && strcmp(entry->d_name, "metadata"))
			err = copy_stream(c, entry->d_name);
	return err ? err : ctf_folder_commit(&c->to);
}

int ctf_repair_folder(struct ctf_repair *r, const char *from, const char *to)
{
	struct copy c = { .result = r, .from = from };
	DIR *dir = opendir(from);
	int err;

	if (!dir)
		return grt_fail_errno(NULL, "cannot read '%s'", from);
	c.dir_fd = dirfd(dir);
	err = ctf_folder_open(&c.to, to);
	if (!err)
		err = copy_all(&c, dir);
	ctf_folder_free(&c.to);
	closedir(dir);
	return err;
}
