// SPDX-License-Identifier: LGPL-2.1
/* Format: trace-cmd's Documentation/trace-cmd/trace-cmd.dat.v6.5.txt. */
#include "dat_head.h"

#include <string.h>
#include <sys/stat.h>

#include "io.h"

#define OPTION_CPU_COUNT	8
#define OPTION_TSC2NSEC		14
#define PAGE_SIZE_AT		14	/* behind the magic, the version, the byte order and the size of a long */
#define MAX_OPTIONS		65536
#define MAX_ITEMS		(1u << 20)

/* Steps over the file.  A failure is sticky. */
struct steps {
	int fd;
	uint64_t at, size;
	bool has_failed;
};

static uint64_t take(struct steps *s, size_t bytes)
{
	uint64_t value = 0;

	if (!s->has_failed && grt_pread(s->fd, &value, bytes, s->at) != (ssize_t)bytes)
		s->has_failed = true;
	s->at += bytes;
	return s->has_failed ? 0 : value;
}

static void skip(struct steps *s, uint64_t bytes)
{
	if (s->has_failed || s->at > s->size || bytes > s->size - s->at)
		s->has_failed = true;
	else
		s->at += bytes;
}

static void skip_text(struct steps *s)
{
	char text[256];
	ssize_t got = s->has_failed ? 0 : grt_pread(s->fd, text, sizeof(text), s->at);
	const char *end = got > 0 ? memchr(text, 0, got) : NULL;

	if (end)
		s->at += end - text + 1;
	else
		s->has_failed = true;
}

static bool has_text(struct steps *s, const char *text, size_t bytes)
{
	char have[16];

	if (s->has_failed || grt_pread(s->fd, have, bytes, s->at) != (ssize_t)bytes ||
	    memcmp(have, text, bytes))
		return false;
	s->at += bytes;
	return true;
}

/* Skips @count formats, each with its size in front. */
static void skip_formats(struct steps *s, uint64_t count)
{
	if (count > MAX_ITEMS)
		s->has_failed = true;
	while (count-- && !s->has_failed)
		skip(s, take(s, 8));
}

/* Skips from the byte order to the data after the number of CPUs. */
static void skip_head(struct steps *s)
{
	uint64_t systems;

	skip(s, 1 + 4);			/* sizes of a long and of a page */
	skip_text(s);			/* "header_page" */
	skip(s, take(s, 8));
	skip_text(s);			/* "header_event" */
	skip(s, take(s, 8));
	skip_formats(s, take(s, 4));	/* formats of ftrace's own events */
	systems = take(s, 4);
	if (systems > MAX_ITEMS)
		s->has_failed = true;
	while (systems-- && !s->has_failed) {
		skip_text(s);
		skip_formats(s, take(s, 4));
	}
	skip(s, take(s, 4));		/* symbols */
	skip(s, take(s, 4));		/* formats of trace_printk() */
	skip(s, take(s, 8));		/* names of processes */
	skip(s, 4);			/* CPUs */
}

bool grt_dat_options(int fd, struct grt_vec *options)
{
	struct steps s = { .fd = fd };
	struct grt_dat_option option;
	struct stat st;

	if (fstat(fd, &st))
		return false;
	s.size = st.st_size;
	/* Only version 6 in little endian is known. */
	if (!has_text(&s, "\x17\x08\x44tracing6", 12) || take(&s, 1))
		return !s.has_failed;
	skip_head(&s);
	if (!has_text(&s, "options  ", 10))
		return !s.has_failed;
	for (int i = 0; i < MAX_OPTIONS; i++) {
		option.at = s.at;
		option.id = take(&s, 2);
		if (!option.id)
			break;
		option.bytes = take(&s, 4);
		skip(&s, option.bytes);
		if (s.has_failed || grt_vec_append(options, &option, sizeof(option)))
			return false;
	}
	return !s.has_failed;
}

uint32_t grt_dat_page_bytes(int fd)
{
	struct steps s = { .fd = fd };
	bool is_big_endian;
	uint32_t bytes;

	s.at = PAGE_SIZE_AT - 2;
	is_big_endian = take(&s, 1);
	s.at = PAGE_SIZE_AT;
	bytes = take(&s, 4);
	if (is_big_endian)
		bytes = __builtin_bswap32(bytes);
	/* A power of two, which no machine has smaller or larger than that. */
	return bytes >= 4096 && bytes <= 1 << 20 && !(bytes & (bytes - 1)) ? bytes : 0;
}

bool grt_dat_has_conversion(const struct grt_vec *options)
{
	for (size_t i = 0; i < grt_vec_count(options, struct grt_dat_option); i++)
		if (grt_vec_at(options, struct grt_dat_option, i)->id == OPTION_TSC2NSEC)
			return true;
	return false;
}

bool grt_dat_is_stray(const struct grt_dat_option *option)
{
	return option->id == OPTION_CPU_COUNT && option->bytes != 4;
}
