// SPDX-License-Identifier: GPL-2.0
#include "listen_peer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "cursor.h"
#include "error.h"
#include "lines.h"
#include "number.h"
#include "quote.h"

#define WINDOW_BYTES	(128u << 10)	/* more than the largest record */
#define HELLO_NS	5000000000ull	/* to say what it is */
#define INDEX_BYTES	(1u << 30)	/* memory for the index of a file: of some weeks with 128 busy CPUs */
#define SILENT_NS	60000000000ull	/* a stream has a CLOCK five times a second */

static const char disk_low[] = "the disk has less space than --keep-free";

static uint64_t now(void)
{
	return grt_snapshot_now(CLOCK_MONOTONIC);
}

struct listen_peer *peer_create(struct listen_rules *rules, int fd)
{
	struct listen_peer *p = calloc(1, sizeof(*p));

	if (p)
		p->window = malloc(WINDOW_BYTES);
	if (!p || !p->window) {
		free(p);
		close(fd);
		return NULL;
	}
	p->fd = fd;
	p->rules = rules;
	p->moved_ns = now();
	grt_socket_peer(fd, p->from);
	return p;
}

void peer_destroy(struct listen_peer *p)
{
	if (p->host)
		listen_hosts_end(&p->rules->hosts, p->host);
	grt_stream_file_free(&p->file);
	close(p->fd);
	free(p->window);
	free(p);
}

/* --- what it is told, and what is printed --- */

/* Sends one line.  If the other end does not read the few bytes that it asked for, nobody waits for it. */
static bool say(struct listen_peer *p, const char *line, size_t bytes)
{
	return send(p->fd, line, bytes, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)bytes;
}

static void refuse(struct listen_peer *p, const char *why)
{
	struct grt_hello hello = { .kind = GRT_HELLO_REFUSED };
	char line[GRT_HELLO_MAX];

	snprintf(hello.why, sizeof(hello.why), "%.190s", why);
	if (p->state == PEER_NEW || p->has_answer)
		say(p, line, grt_hello_line(line, &hello));
	grt_warn(NULL, "%s: refused: %s", p->from, why);
}

static void print_begin(const struct listen_peer *p)
{
	printf("%s from %s: begins %s\n", grt_shown(p->hello.host), p->from, grt_shown(p->file.output.name));
	fflush(stdout);
}

static void print_end(const struct listen_peer *p, const char *why)
{
	const struct grt_tally *t = &p->file.tally;
	char events[GRT_NUMBER_MAX], jobs[GRT_NUMBER_MAX], lost[GRT_NUMBER_MAX], bytes[GRT_NUMBER_MAX];
	struct stat st;

	printf("%s from %s: %s %s: %s %s, %s %s, %s lost", grt_shown(p->hello.host), p->from,
	       why ? "cut" : "ended", grt_shown(p->file.output.name),
	       grt_format_count(events, t->events), grt_plural(t->events, "event", "events"),
	       grt_format_count(jobs, t->jobs), grt_plural(t->jobs, "job", "jobs"), grt_format_count(lost, t->lost));
	if (!stat(p->file.output.name, &st))
		printf(", %s", grt_format_bytes(bytes, st.st_size));
	printf("%s%s\n", why ? ": " : "", why ? grt_shown(why) : "");
	fflush(stdout);
}

/* Tells the other end whether the file has all of its stream; @why: what is missing, or "". */
static void tell_end(struct listen_peer *p, const char *why)
{
	struct grt_hello hello = { .kind = *why ? GRT_HELLO_REFUSED : GRT_HELLO_KEPT };
	char line[GRT_HELLO_MAX];

	snprintf(hello.why, sizeof(hello.why), "%.190s", why);
	if (p->has_answer)
		say(p, line, grt_hello_line(line, &hello));
}

static void end_stream(struct listen_peer *p, const char *why)
{
	char cause[256] = "";
	int err;

	snprintf(cause, sizeof(cause), "%s", why ? why : "");
	err = grt_stream_file_close(&p->file, !why);
	if (err && !why)
		snprintf(cause, sizeof(cause), "%s", grt_cause());
	p->rules->ended++;
	p->rules->failed += *cause != '\0';
	print_end(p, *cause ? cause : NULL);
	tell_end(p, cause);
}

void peer_end(struct listen_peer *p, const char *why)
{
	if (p->has_begun)
		end_stream(p, why);
	else if (p->state != PEER_TIME)
		refuse(p, why);
}

/* --- a stream --- */

/* Why no stream can begin now; NULL: it can. */
static const char *no_stream(const struct listen_rules *r)
{
	if (r->begun >= r->most_streams)
		return "no more streams are wanted";
	return r->is_disk_low ? disk_low : NULL;
}

/* Takes the host's name from the MACHINE record of a stream without a hello, if it is there already. */
static void find_machine(struct listen_peer *p)
{
	struct grt_cursor c = grt_cursor(p->window, p->bytes);
	const struct grtrace_hdr *hdr;

	while ((hdr = grt_take_record(&c)) && hdr->type != GRTRACE_MACHINE)
		;
	if (hdr)
		grt_line_copy(p->hello.host, sizeof(p->hello.host), (const char *)hdr + sizeof(struct grtrace_machine),
			      hdr->size - sizeof(struct grtrace_machine), "host");
}

/* The address that it comes from, without the port. */
static void name_host(const struct listen_peer *p, char name[GRT_SOCKET_NAME_MAX])
{
	const char *colon = strrchr(p->from, ':');

	snprintf(name, GRT_SOCKET_NAME_MAX, "%.*s", colon ? (int)(colon - p->from) : 0, p->from);
}

/* NULL, or why it cannot begin.  Makes the file before the other end is told that its stream is taken. */
static const char *begin_stream(struct listen_peer *p)
{
	struct listen_rules *r = p->rules;
	char host[GRT_SOCKET_NAME_MAX];
	const char *why = no_stream(r);

	name_host(p, host);
	if (!why)
		why = listen_hosts_begin(&r->hosts, host, grt_socket_is_near(p->fd), now(), &p->host);
	if (why)
		return why;
	p->file = (struct grt_stream_file){
		.folder = r->folder, .host = p->hello.host, .max_bytes = r->max_bytes, .max_index_bytes = INDEX_BYTES,
		.uid = r->uid, .gid = r->gid, .is_taken = r->is_taken, .arg = r->arg,
	};
	return grt_stream_file_open(&p->file) ? grt_cause() : NULL;
}

static bool read_stream(struct listen_peer *p)
{
	const char *why = p->has_begun || !p->bytes ? NULL : no_stream(p->rules);
	ssize_t took;

	if (why) {
		refuse(p, why);
		return false;
	}
	took = grt_stream_file_take(&p->file, p->window, p->bytes);
	if (p->file.has_begun && !p->has_begun) {
		p->has_begun = true;
		p->rules->begun++;
		print_begin(p);
	}
	if (took < 0) {
		peer_end(p, grt_cause());
		return false;
	}
	p->bytes -= took;
	memmove(p->window, p->window + took, p->bytes);
	return true;
}

static bool end_of_stream(struct listen_peer *p)
{
	const char *why = NULL;

	if (p->bytes)
		why = "it ends within a record";
	else if (!grt_stream_file_is_whole(&p->file))
		why = "it broke off";
	peer_end(p, why);
	return false;
}

/* --- hello --- */

/* Takes a line out of the window; false if none is there. */
static bool take_line(struct listen_peer *p, char line[GRT_HELLO_MAX])
{
	const uint8_t *end = memchr(p->window, '\n', p->bytes < GRT_HELLO_MAX ? p->bytes : GRT_HELLO_MAX);
	size_t bytes = end ? end - p->window : 0;

	if (!end)
		return false;
	memcpy(line, p->window, bytes);
	line[bytes] = '\0';
	p->bytes -= bytes + 1;
	memmove(p->window, end + 1, p->bytes);
	return true;
}

static bool tell_time(struct listen_peer *p)
{
	char line[GRT_HELLO_MAX], answer[2 * GRT_NUMBER_MAX];
	struct grtrace_clock clock;

	while (take_line(p, line)) {
		if (strcmp(line, GRT_HELLO_TIME_LINE)) {
			refuse(p, "it may ask for the time only");
			return false;
		}
		grt_snapshot_clock(&clock);
		snprintf(answer, sizeof(answer), "%" PRIu64 " %" PRIu64 "\n", (uint64_t)clock.mono_ns,
			 (uint64_t)clock.real_ns);
		if (!say(p, answer, strlen(answer)))
			return false;
	}
	if (p->bytes < sizeof(GRT_HELLO_TIME_LINE))
		return true;
	refuse(p, "it may ask for the time only");
	return false;
}

static bool answer_hello(struct listen_peer *p)
{
	const struct grt_hello own = grt_hello_own(GRT_HELLO_ANSWER);
	char line[GRT_HELLO_MAX];
	const char *why = NULL;

	if (!take_line(p, line)) {
		if (p->bytes < GRT_HELLO_MAX)
			return true;
		why = "its first line is too long";
	} else if (grt_hello_parse(&p->hello, line)) {
		why = grt_cause();
	} else if (p->hello.kind != GRT_HELLO_STREAM && p->hello.kind != GRT_HELLO_TIME) {
		why = "it listens, too";
	} else if (p->hello.kind == GRT_HELLO_STREAM) {
		why = begin_stream(p);
	}
	if (why) {
		refuse(p, why);
		return false;
	}
	p->state = p->hello.kind == GRT_HELLO_STREAM ? PEER_STREAM : PEER_TIME;
	p->has_answer = p->state == PEER_STREAM;
	if (!say(p, line, grt_hello_line(line, &own)))
		return false;
	return p->state == PEER_TIME ? tell_time(p) : read_stream(p);
}

/* A connection begins with a line of text, or at once with the bytes of a stream. */
static bool read_first(struct listen_peer *p)
{
	const char *why = NULL;

	if (p->window[0] == 'g')
		return answer_hello(p);
	if (p->bytes < sizeof(struct grtrace_stream_info))
		return true;
	if (!grt_is_stream(p->window, p->bytes))
		why = "what comes is no stream of grtrace";
	if (!why) {
		find_machine(p);
		why = begin_stream(p);
	}
	if (why) {
		refuse(p, why);
		return false;
	}
	p->state = PEER_STREAM;
	return read_stream(p);
}

/* --- bytes --- */

static bool end_of_bytes(struct listen_peer *p, const char *why)
{
	if (p->state == PEER_TIME)
		return false;
	if (p->state == PEER_STREAM && p->has_begun && !why)
		return end_of_stream(p);
	peer_end(p, why ? why : "it ended before it said what it is");
	return false;
}

bool peer_read(struct listen_peer *p)
{
	ssize_t n = recv(p->fd, p->window + p->bytes, WINDOW_BYTES - p->bytes, MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (n <= 0)
		return end_of_bytes(p, n ? strerror(errno) : NULL);
	p->bytes += n;
	if (p->state == PEER_NEW)
		return read_first(p);
	if (p->state == PEER_TIME) {
		p->moved_ns = now();
		return tell_time(p);
	}
	/* Before the stream has begun bytes do not count, or a few now and then would keep the connection for ever. */
	if (!read_stream(p))
		return false;
	if (p->has_begun)
		p->moved_ns = now();
	return true;
}

bool peer_pass(struct listen_peer *p)
{
	const char *why = NULL;

	if (now() - p->moved_ns > (p->state == PEER_NEW ? HELLO_NS : SILENT_NS))
		why = p->state == PEER_NEW ? "it does not say what it is" : "it went silent";
	else if (p->has_begun && p->rules->is_disk_low)
		why = disk_low;
	else if (p->has_begun && grt_stream_file_pass(&p->file))
		why = grt_cause();
	if (why)
		peer_end(p, why);
	return !why;
}
