// SPDX-License-Identifier: GPL-2.0
#include "line_queue.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "number.h"

#define ROOM_BYTES	(64u << 10)	/* for lines that nobody read yet */
#define END_MS		1000		/* until a reader that reads nothing is given up */

static size_t unwritten(const struct grt_line_queue *q)
{
	return q->bytes.bytes - q->at;
}

static uint64_t count_lines(const char *from, size_t bytes)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < bytes; i++)
		lines += from[i] == '\n';
	return lines;
}

/* Whether a write returns at once.  A descriptor that could not be opened anew has no O_NONBLOCK. */
static bool is_ready(const struct grt_line_queue *q)
{
	struct pollfd fd = { .fd = q->out.fd, .events = POLLOUT };

	return poll(&fd, 1, 0) == 1;
}

static void write_all(struct grt_line_queue *q)
{
	ssize_t n = 0;

	while (n >= 0 && !q->err && unwritten(q) && is_ready(q)) {
		n = grt_ready_fd_write(&q->out, (char *)q->bytes.data + q->at, unwritten(q));
		if (n > 0)
			q->at += n;
		else if (n < 0 && errno != EAGAIN && errno != EINTR)
			q->err = -errno;
	}
	if (q->err || !unwritten(q))
		q->at = q->bytes.bytes = 0;
}

static void tell_dropped(struct grt_line_queue *q)
{
	char line[96];
	int len = snprintf(line, sizeof(line), "%" PRIu64 " %s dropped, because nobody read them\n", q->untold,
			   grt_plural(q->untold, "line was", "lines were"));

	if (!grt_vec_append(&q->bytes, line, len))
		q->untold = 0;
}

/* Removes what was written.  The rest of a line that was written in part stays, so that no line is torn. */
static void compact(struct grt_line_queue *q)
{
	memmove(q->bytes.data, (char *)q->bytes.data + q->at, unwritten(q));
	q->bytes.bytes -= q->at;
	q->at = 0;
}

void grt_line_queue_pass(struct grt_line_queue *q)
{
	write_all(q);
	if (q->at)
		compact(q);
	if (!q->untold || q->err || unwritten(q) > ROOM_BYTES / 2)
		return;
	tell_dropped(q);
	write_all(q);
}

/* Called with whole lines. */
static ssize_t take_lines(void *cookie, const char *lines, size_t bytes)
{
	struct grt_line_queue *q = cookie;
	uint64_t count = count_lines(lines, bytes);

	if (q->err) {
		q->dropped += count;
		return bytes;
	}
	if (q->untold || bytes > ROOM_BYTES - unwritten(q) || grt_vec_append(&q->bytes, lines, bytes)) {
		q->dropped += count;
		q->untold += count;
	}
	grt_line_queue_pass(q);
	return bytes;
}

int grt_line_queue_open(struct grt_line_queue *q, int fd)
{
	const cookie_io_functions_t functions = { .write = take_lines };
	int err;

	*q = (struct grt_line_queue){ .out = { .fd = -1 } };
	err = grt_ready_fd_open(&q->out, fd);
	/* @fd may be closed: then the lines go nowhere. */
	if (err)
		q->err = err;
	q->file = fopencookie(q, "w", functions);
	if (!q->file)
		return grt_fail_memory();
	setvbuf(q->file, NULL, _IOLBF, 0);
	return 0;
}

int grt_line_queue_fd(const struct grt_line_queue *q)
{
	return unwritten(q) ? q->out.fd : -1;
}

uint64_t grt_line_queue_close(struct grt_line_queue *q)
{
	struct pollfd fd = { .fd = q->out.fd, .events = POLLOUT };
	uint64_t unread;

	if (q->file)
		fclose(q->file);
	do
		grt_line_queue_pass(q);
	while (unwritten(q) && poll(&fd, 1, END_MS) > 0);
	/* The line that tells of dropped lines is not counted as one of them. */
	unread = q->err ? 0 : q->untold + count_lines((char *)q->bytes.data + q->at, unwritten(q));
	if (q->out.fd >= 0)
		close(q->out.fd);
	grt_vec_free(&q->bytes);
	q->file = NULL;
	q->out.fd = -1;
	return unread;
}
