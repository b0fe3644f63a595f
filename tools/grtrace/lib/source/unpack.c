// SPDX-License-Identifier: LGPL-2.1
#include "unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "extent.h"
#include "io.h"
#include "spool.h"
#include "trace_kind.h"

#define LIBRARY		"libarchive.so.13"
#define BLOCK_BYTES	65536
#define NAME_BYTES	256

/* The functions of the library that are used. */
#define FUNCTIONS(X)							\
	X(read_new) X(read_free) X(read_support_filter_gzip) X(read_support_filter_xz)		\
	X(read_support_filter_zstd) X(read_support_filter_bzip2) X(read_support_format_raw)	\
	X(read_support_format_zip) X(read_support_format_tar) X(read_open_fd)			\
	X(read_next_header) X(read_data) X(entry_pathname) X(entry_filetype) X(error_string)	\
	X(filter_bytes)

struct library {
#define X(name) typeof(archive_##name) *name;
	FUNCTIONS(X)
#undef X
};

struct unpacking {
	struct library lib;
	struct archive *archive;
	const char *name;
	uint64_t bytes;			/* of the packed file */
	bool (*is_known)(int fd);
	unsigned int files, traces;	/* members so far */
	char first[NAME_BYTES], second[NAME_BYTES];	/* traces in it */
};

bool grt_is_packed(int fd)
{
	static const struct {
		const char *magic;
		size_t bytes, offset;
	} formats[] = {
		{ "\x1f\x8b\x08", 3, 0 }, { "\xfd" "7zXZ\0", 6, 0 }, { "\x28\xb5\x2f\xfd", 4, 0 }, { "BZh", 3, 0 },
		{ "PK\3\4", 4, 0 }, { "ustar", 5, 257 },
	};
	char probe[262] = "";
	ssize_t got = grt_pread(fd, probe, sizeof(probe), 0);

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (got >= (ssize_t)(formats[i].offset + formats[i].bytes) &&
		    !memcmp(probe + formats[i].offset, formats[i].magic, formats[i].bytes))
			return true;
	return false;
}

static int load(struct library *to, const char *name)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	bool has_all = library;

#define X(name) has_all = has_all && (to->name = (typeof(to->name))dlsym(library, "archive_" #name));
	FUNCTIONS(X)
#undef X
	/* It is never unloaded: other files may need it. */
	return has_all ? 0 : grt_fail(ENOENT, "on Debian: sudo apt-get install libarchive13; or unpack it by hand",
				      "'%s' is packed, and " LIBRARY " cannot be loaded to unpack it", name);
}

static int fail_damaged(struct unpacking *u)
{
	const char *why = u->lib.error_string(u->archive);

	return grt_fail(EBADMSG, "copy it again, or unpack it by hand to save what is whole",
			"'%s' cannot be unpacked: %s", u->name, why ? why : "it is damaged");
}

static ssize_t read_member(void *arg, void *buffer, size_t bytes)
{
	struct unpacking *u = arg;
	ssize_t got = u->lib.read_data(u->archive, buffer, bytes);
	int64_t done = u->lib.filter_bytes(u->archive, -1);

	if (got < 0)
		return fail_damaged(u);
	if (u->bytes && done > 0)
		grt_source_show_progress((uint64_t)done < u->bytes ? done * 999 / u->bytes : 999);
	return got;
}

static bool goes_on(void *arg, int copy)
{
	const struct unpacking *u = arg;

	return u->is_known(copy);
}

/* Sets *@fd to a copy of this member, and counts it if it is a trace. */
static int take_member(struct unpacking *u, struct archive_entry *entry, int *fd)
{
	const struct grt_spool spool = {
		.name = u->name, .arg = u, .read = read_member, .goes_on = goes_on, .has_limit = true,
	};
	const char *path = u->lib.entry_pathname(entry);

	u->files++;
	*fd = grt_spool(&spool);
	if (*fd < 0)
		return *fd;
	if (!u->is_known(*fd))
		return 0;
	snprintf(u->traces ? u->second : u->first, NAME_BYTES, "%s", path ? path : "?");
	u->traces++;
	return 0;
}

static int fail_choice(const struct unpacking *u)
{
	if (u->traces > 1)
		return grt_fail(EBADMSG, "unpack it, and name one of them",
				"'%s' has several traces: '%s', '%s'", u->name, u->first, u->second);
	return grt_fail(EBADMSG, "unpack it, and look at what they are", "'%s' has %u files, none of which is a trace",
			u->name, u->files);
}

/* Keeps the one trace in *@kept, or the only file. */
static int take_members(struct unpacking *u, int *kept)
{
	struct archive_entry *entry;
	int fd, err = 0, got;

	while (!err && u->traces < 2 && (got = u->lib.read_next_header(u->archive, &entry)) != ARCHIVE_EOF) {
		bool had_trace = u->traces;

		if (got < ARCHIVE_WARN)
			return fail_damaged(u);
		if (u->lib.entry_filetype(entry) != S_IFREG)
			continue;
		err = take_member(u, entry, &fd);
		if (err)
			break;
		if (had_trace) {
			close(fd);
			continue;
		}
		if (*kept >= 0)
			close(*kept);
		*kept = fd;
	}
	if (!err && (u->traces > 1 || (u->files != 1 && !u->traces)))
		err = u->files ? fail_choice(u) : grt_fail(EBADMSG, "unpack it, and look at what it has", "there is no trace in '%s'", u->name);
	return err;
}

static int open_archive(struct unpacking *u, int fd)
{
	const struct library *lib = &u->lib;

	u->archive = lib->read_new();
	if (!u->archive)
		return grt_fail_memory();
	lib->read_support_filter_gzip(u->archive);
	lib->read_support_filter_xz(u->archive);
	lib->read_support_filter_zstd(u->archive);
	lib->read_support_filter_bzip2(u->archive);
	lib->read_support_format_zip(u->archive);
	lib->read_support_format_tar(u->archive);
	lib->read_support_format_raw(u->archive);
	if (lseek(fd, 0, SEEK_SET) || lib->read_open_fd(u->archive, fd, BLOCK_BYTES) < ARCHIVE_WARN)
		return fail_damaged(u);
	return 0;
}

int grt_unpack(int fd, const char *name, bool (*is_known)(int fd))
{
	struct unpacking u = { .name = name, .is_known = is_known ? is_known : grt_is_trace };
	int kept = -1, err = load(&u.lib, name);
	struct stat st;

	if (err)
		return err;
	if (fstat(fd, &st))
		return grt_fail_errno(NULL, "cannot read '%s'", name);
	u.bytes = st.st_size;
	err = open_archive(&u, fd);
	if (!err)
		err = take_members(&u, &kept);
	if (u.archive)
		u.lib.read_free(u.archive);
	grt_source_show_progress(1000);
	if (err && kept >= 0)
		close(kept);
	/* An import takes its number from the time of the file. */
	if (!err)
		futimens(kept, (const struct timespec[]){ st.st_atim, st.st_mtim });
	return err ? err : kept;
}
