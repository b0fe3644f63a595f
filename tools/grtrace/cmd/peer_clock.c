// SPDX-License-Identifier: GPL-2.0
#include "peer_clock.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "error.h"
#include "hello.h"
#include "number.h"

#define OPEN_MS		5000
#define COMPARE_MS	200	/* short, because nobody reads the buffers meanwhile */
#define TRIES		8

struct grt_peer {
	int fd;				/* -1: the connection broke */
	const char *name;		/* the caller's text */
	struct sockaddr_storage at;	/* to connect anew without a search for the name */
	socklen_t bytes;
	struct grt_hello hello;		/* its answer */
	bool has_warned;
};

static uint64_t now(void)
{
	return grt_snapshot_now(CLOCK_MONOTONIC);
}

static int wait_until(uint64_t ns)
{
	uint64_t t = now();

	return ns > t ? (ns - t) / 1000000 : 0;
}

int grt_peer_open(struct grt_peer **out, const struct grt_socket_address *address)
{
	struct grt_peer *p = calloc(1, sizeof(*p));
	int err;

	if (!p)
		return grt_fail_memory();
	p->name = address->text;
	p->bytes = sizeof(p->at);
	p->fd = grt_socket_connect(address);
	err = p->fd < 0 ? p->fd : grt_hello_exchange(p->fd, p->name, GRT_HELLO_TIME, &p->hello, OPEN_MS);
	if (!err && getpeername(p->fd, (struct sockaddr *)&p->at, &p->bytes))
		err = grt_fail_errno(NULL, "cannot connect to '%s'", p->name);
	if (err)
		grt_peer_close(p);
	else
		*out = p;
	return err;
}

static void drop(struct grt_peer *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}

void grt_peer_close(struct grt_peer *p)
{
	if (!p)
		return;
	drop(p);
	free(p);
}

static int open_anew(struct grt_peer *p, uint64_t until)
{
	int err;

	p->fd = grt_socket_reconnect((struct sockaddr *)&p->at, p->bytes, wait_until(until));
	if (p->fd < 0)
		return p->fd;
	err = grt_hello_exchange(p->fd, p->name, GRT_HELLO_TIME, &p->hello, wait_until(until));
	if (err)
		drop(p);
	return err;
}

/* "MONOTONIC REALTIME" */
static int parse_answer(char *line, uint64_t *ns, uint64_t *real_ns)
{
	char *blank = strchr(line, ' ');

	if (blank)
		*blank = '\0';
	if (grt_parse_u64(line, ns) || !*ns || (blank && grt_parse_u64(blank + 1, real_ns)))
		return -EPROTO;
	return 0;
}

/* Asks once; *c becomes the result if its round trip is the shortest so far. */
static int ask(struct grt_peer *p, uint64_t until, struct grt_peer_clock *c)
{
	static const char question[] = GRT_HELLO_TIME_LINE "\n";
	size_t bytes = strlen(question);
	uint64_t before = now(), after, within, peer_ns, peer_real_ns = 0;
	char line[GRT_HELLO_MAX];
	int err;

	if (send(p->fd, question, bytes, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)bytes)
		return -ECONNRESET;
	err = grt_hello_read(p->fd, line, wait_until(until));
	if (err)
		return err;
	after = now();
	err = parse_answer(line, &peer_ns, &peer_real_ns);
	if (err)
		return err;
	within = (after - before + 1) / 2;
	if (within >= c->within_ns)
		return 0;
	c->own_ns = before + (after - before) / 2;
	c->peer_ns = peer_ns;
	c->peer_real_ns = peer_real_ns;
	c->within_ns = within;
	return 0;
}

/* Any failure ends the connection: an answer that is late would be taken for that to the next question. */
static int ask_often(struct grt_peer *p, uint64_t until, struct grt_peer_clock *c)
{
	int err = 0;

	for (int i = 0; !err && i < TRIES; i++)
		err = ask(p, until, c);
	if (err)
		drop(p);
	return err;
}

static int compare(struct grt_peer *p, struct grt_peer_clock *c)
{
	uint64_t until = now() + COMPARE_MS * 1000000ull;
	bool was_open = p->fd >= 0;
	int err = was_open ? 0 : open_anew(p, until);

	*c = (struct grt_peer_clock){ .within_ns = UINT64_MAX };
	if (!err)
		err = ask_often(p, until, c);
	/* The peer closes a connection that is idle when others need its place. */
	if (err && was_open && c->within_ns == UINT64_MAX) {
		err = open_anew(p, until);
		if (!err)
			err = ask_often(p, until, c);
	}
	return c->within_ns == UINT64_MAX ? err : 0;
}

int grt_peer_compare(struct grt_peer *p, struct grt_peer_clock *c)
{
	int err = compare(p, c);

	if (err && !p->has_warned)
		grt_warn(NULL, "the clock of '%s' is not known for some time: %s", p->name, strerror(-err));
	p->has_warned |= err;
	snprintf(c->host, sizeof(c->host), "%s", p->hello.host);
	snprintf(c->boot_id, sizeof(c->boot_id), "%s", p->hello.boot_id);
	return err;
}
