// SPDX-License-Identifier: GPL-2.0
#include "hello.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <time.h>

#include "clock_snapshot.h"
#include "error.h"
#include "places.h"
#include "quote.h"

#define OTHER	"update the older one of the two grtraces"

static const struct {
	const char *begin;
	enum grt_hello_kind kind;
} kinds[] = {
	{ "grtrace 1 stream ", GRT_HELLO_STREAM },
	{ "grtrace 1 time ", GRT_HELLO_TIME },
	{ "grtrace 1 refused ", GRT_HELLO_REFUSED },
	{ "grtrace 1 kept", GRT_HELLO_KEPT },
	{ "grtrace 1 ", GRT_HELLO_ANSWER },	/* last: the others begin like it */
};

#define NR_KINDS	(sizeof(kinds) / sizeof(kinds[0]))

struct grt_hello grt_hello_own(enum grt_hello_kind kind)
{
	struct grt_hello hello = { .kind = kind };
	char boot_id[64];
	struct utsname name;

	if (!uname(&name))
		snprintf(hello.host, sizeof(hello.host), "%s", name.nodename);
	/* A blank ends a word of the line, so the name of the host must have none. */
	for (char *c = hello.host; *c; c++)
		if ((unsigned char)*c <= ' ')
			*c = '_';
	grt_places_boot_id(boot_id, sizeof(boot_id));
	snprintf(hello.boot_id, sizeof(hello.boot_id), "%.36s", boot_id);
	return hello;
}

static const char *begin_of(enum grt_hello_kind kind)
{
	for (size_t i = 0; i < NR_KINDS - 1; i++)
		if (kinds[i].kind == kind)
			return kinds[i].begin;
	return kinds[NR_KINDS - 1].begin;
}

size_t grt_hello_line(char to[GRT_HELLO_MAX], const struct grt_hello *h)
{
	if (h->kind == GRT_HELLO_REFUSED)
		snprintf(to, GRT_HELLO_MAX, "%s%.200s\n", begin_of(h->kind), h->why);
	else if (h->kind == GRT_HELLO_KEPT)
		snprintf(to, GRT_HELLO_MAX, "%s\n", begin_of(h->kind));
	else
		snprintf(to, GRT_HELLO_MAX, "%shost=%s boot_id=%s\n", begin_of(h->kind), h->host, h->boot_id);
	return strlen(to);
}

/* The word NAME=... of @line, into @to; "" if there is none. */
static void take_word(char *to, size_t room, const char *line, const char *name)
{
	const char *at = strstr(line, name);

	*to = '\0';
	if (at)
		snprintf(to, room, "%.*s", (int)strcspn(at + strlen(name), " "), at + strlen(name));
}

static bool is_boot_id(const char *text)
{
	return !*text || (strlen(text) == 36 && strspn(text, "0123456789abcdef-") == 36);
}

int grt_hello_parse(struct grt_hello *h, const char *line)
{
	size_t i = 0;

	*h = (struct grt_hello){ .kind = GRT_HELLO_ANSWER };
	while (i < NR_KINDS && strncmp(line, kinds[i].begin, strlen(kinds[i].begin)))
		i++;
	if (i == NR_KINDS)
		return grt_fail(EPROTO, OTHER, "it does not speak version 1 of grtrace's protocol");
	h->kind = kinds[i].kind;
	if (h->kind == GRT_HELLO_REFUSED) {
		snprintf(h->why, sizeof(h->why), "%s", line + strlen(kinds[i].begin));
		return 0;
	}
	take_word(h->host, sizeof(h->host), line, " host=");
	take_word(h->boot_id, sizeof(h->boot_id), line, " boot_id=");
	if (!is_boot_id(h->boot_id))
		return grt_fail(EPROTO, OTHER, "its boot_id is not a UUID");
	return 0;
}

int grt_hello_read(int fd, char line[GRT_HELLO_MAX], int wait_ms)
{
	uint64_t until = grt_snapshot_now(CLOCK_MONOTONIC) + wait_ms * 1000000ull, now;
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	ssize_t n;

	/* Reads one byte at a time, to stop at the end of the line: the caller reads what follows. */
	for (size_t at = 0; at < GRT_HELLO_MAX; ) {
		n = recv(fd, line + at, 1, MSG_DONTWAIT);
		if (n < 0 && errno == EAGAIN) {
			now = grt_snapshot_now(CLOCK_MONOTONIC);
			if (now >= until || !poll(&wait, 1, (until - now) / 1000000 + 1))
				return -ETIMEDOUT;
		} else if (n < 0 && errno != EINTR) {
			return -errno;
		} else if (!n) {
			return -ECONNRESET;
		} else if (n > 0 && line[at++] == '\n') {
			line[at - 1] = '\0';
			return 0;
		}
	}
	return -EMSGSIZE;
}

int grt_hello_exchange(int fd, const char *name, enum grt_hello_kind kind, struct grt_hello *answer, int wait_ms)
{
	const struct grt_hello own = grt_hello_own(kind);
	char line[GRT_HELLO_MAX];
	size_t bytes = grt_hello_line(line, &own);
	int err = send(fd, line, bytes, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)bytes ? 0 : -ECONNRESET;

	if (!err)
		err = grt_hello_read(fd, line, wait_ms);
	if (err)
		return grt_fail(-err, "grtrace listen must listen there", "'%s' does not answer: %s", name,
				strerror(-err));
	err = grt_hello_parse(answer, line);
	if (!err && answer->kind == GRT_HELLO_REFUSED)
		return grt_fail(ECONNREFUSED, "see what grtrace listen says there", "'%s' refused: %s", name, grt_shown(answer->why));
	if (!err && answer->kind == GRT_HELLO_ANSWER)
		return 0;
	return grt_fail(EPROTO, "grtrace listen must listen there", "'%s' gives no answer of grtrace", name);
}
