// SPDX-License-Identifier: GPL-2.0
#include "notes.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "machine.h"

#define KERNEL_GROUP	1	/* of uevents: those of the kernel itself */
#define CUT		"..."	/* the end of a line that is too long */

struct line {
	uint64_t ns;
	uint32_t speaker;
	char text[GRT_NOTE_BYTES];
};

struct grt_notes {
	int log, uevents;	/* -1: not there */
	uint64_t count;		/* lines so far; the last GRT_NOTES_MOST are kept */
	struct line lines[GRT_NOTES_MOST];
};

static int open_log(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	/* Only what comes from now on: we do not know when the rest was said. */
	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

static int open_uevents(void)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = KERNEL_GROUP };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

struct grt_notes *grt_notes_open(void)
{
	struct grt_notes *n = calloc(1, sizeof(*n));

	if (!n)
		return NULL;
	n->log = open_log();
	n->uevents = open_uevents();
	return n;
}

void grt_notes_close(struct grt_notes *n)
{
	if (n->log >= 0)
		close(n->log);
	if (n->uevents >= 0)
		close(n->uevents);
	free(n);
}

int grt_notes_log_fd(const struct grt_notes *n)
{
	return n->log;
}

int grt_notes_uevent_fd(const struct grt_notes *n)
{
	return n->uevents;
}

static void add(struct grt_notes *n, uint32_t speaker, const char *text)
{
	struct line *line = &n->lines[n->count++ % GRT_NOTES_MOST];
	size_t len;

	line->ns = grt_capture_now_ns();
	line->speaker = speaker;
	if ((size_t)snprintf(line->text, sizeof(line->text), "%s", text) >= sizeof(line->text))
		memcpy(line->text + sizeof(line->text) - sizeof(CUT), CUT, sizeof(CUT));
	/* The text of a driver may hold anything. */
	for (len = 0; line->text[len]; len++)
		if ((unsigned char)line->text[len] < ' ' || line->text[len] == 0x7f)
			line->text[len] = ' ';
}

/* "6,1234,5678901,-;text", then lines that begin with a blank: Documentation/ABI/testing/dev-kmsg. */
static void read_log(struct grt_notes *n)
{
	char record[8192], *text;
	ssize_t got;

	while ((got = read(n->log, record, sizeof(record) - 1)) > 0 || (got < 0 && errno == EPIPE)) {
		/* EPIPE: the log has moved on over what we did not read. */
		if (got < 0)
			continue;
		record[got] = '\0';
		text = strchr(record, ';');
		/* Facility 0 is the kernel; programs write to this log, too. */
		if (!text || strtoul(record, NULL, 10) >> 3)
			continue;
		text++;
		text[strcspn(text, "\n")] = '\0';
		add(n, GRTRACE_SPEAKER_KERNEL_LOG, text);
	}
}

/* The value of KEY= in an event: strings with NULs between them. */
static const char *value_of(const char *event, size_t bytes, const char *key)
{
	size_t len = strlen(key);

	for (const char *at = event; at < event + bytes; at += strlen(at) + 1)
		if (!strncmp(at, key, len) && at[len] == '=')
			return at + len + 1;
	return NULL;
}

/* An event that tells of a core dump, or how to recover a GPU that is lost (drm_dev_wedged_event()). */
static void add_uevent(struct grt_notes *n, const char *event, size_t bytes)
{
	const char *path = value_of(event, bytes, "DEVPATH"), *action = value_of(event, bytes, "ACTION");
	const char *subsystem = value_of(event, bytes, "SUBSYSTEM"), *wedged;
	char text[GRT_NOTE_BYTES];

	if (!path || !action)
		return;
	wedged = value_of(event, bytes, "WEDGED");
	if (wedged)
		snprintf(text, sizeof(text), "wedged: /sys%.300s, recover it with: %.100s", path, wedged);
	else if (subsystem && !strcmp(subsystem, "devcoredump") && !strcmp(action, "add"))
		snprintf(text, sizeof(text), "core dump: /sys%.400s/data", path);
	else
		return;
	add(n, GRTRACE_SPEAKER_UEVENT, text);
}

static void read_uevents(struct grt_notes *n)
{
	struct sockaddr_nl from;
	socklen_t from_bytes = sizeof(from);
	char event[8192];
	ssize_t got;

	while ((got = recvfrom(n->uevents, event, sizeof(event) - 1, 0, (struct sockaddr *)&from,
			       &from_bytes)) > 0 || (got < 0 && errno == ENOBUFS)) {
		/* Only the kernel has the port 0. */
		if (got > 0 && !from.nl_pid) {
			event[got] = '\0';
			add_uevent(n, event, got);
		}
		from_bytes = sizeof(from);
	}
}

void grt_notes_read(struct grt_notes *n)
{
	if (n->log >= 0)
		read_log(n);
	if (n->uevents >= 0)
		read_uevents(n);
}

static int put_line(const struct line *line, int (*put)(void *arg, const struct grtrace_hdr *note),
		    void *arg)
{
	struct {
		struct grtrace_note note;
		char text[GRT_NOTE_BYTES];
	} rec;
	size_t bytes = sizeof(rec.note) + strlen(line->text) + 1;

	memset(&rec, 0, sizeof(rec));
	rec.note.hdr.type = GRTRACE_NOTE;
	rec.note.hdr.size = (bytes + 7) & ~7ull;
	rec.note.hdr.flags = GRTRACE_F_UPPER_BOUND;
	rec.note.hdr.ts = line->ns;
	rec.note.speaker = line->speaker;
	memcpy(rec.text, line->text, strlen(line->text));
	return put(arg, &rec.note.hdr);
}

/* Says that there were other lines before @oldest. */
static int put_rest(const struct line *oldest, int (*put)(void *arg, const struct grtrace_hdr *note), void *arg)
{
	struct line line = { .ns = oldest->ns, .speaker = oldest->speaker };

	snprintf(line.text, sizeof(line.text), "earlier lines are missing: the last %d are kept", GRT_NOTES_MOST);
	return put_line(&line, put, arg);
}

int grt_notes_each(const struct grt_notes *n, uint64_t from_ns,
		   int (*put)(void *arg, const struct grtrace_hdr *note), void *arg)
{
	uint64_t i = n->count > GRT_NOTES_MOST ? n->count - GRT_NOTES_MOST : 0;
	int err = 0;

	if (i && n->lines[i % GRT_NOTES_MOST].ns >= from_ns)
		err = put_rest(&n->lines[i % GRT_NOTES_MOST], put, arg);
	for (; !err && i < n->count; i++)
		if (n->lines[i % GRT_NOTES_MOST].ns >= from_ns)
			err = put_line(&n->lines[i % GRT_NOTES_MOST], put, arg);
	return err;
}
