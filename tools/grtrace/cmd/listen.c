// SPDX-License-Identifier: GPL-2.0
/* grtrace listen: files of the streams that record --to sends.  One thread serves all connections in turn. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "commands.h"
#include "error.h"
#include "line_queue.h"
#include "listen_peer.h"
#include "number.h"
#include "options.h"
#include "print.h"
#include "socket_address.h"
#include "user.h"
#include "watch.h"

#define MOST_OTHERS	256		/* connections that are no stream */
#define MOST_PEERS	(LISTEN_STREAMS + MOST_OTHERS)
#define TICK_MS		250
#define KEEP_FREE	(64u << 20)

struct listener {
	struct grt_socket_address address;
	struct listen_rules rules;
	int socket, signals;		/* -1: none */
	bool is_tired;			/* accepting a connection failed, so the next try comes a moment later */
	struct listen_peer *peers[MOST_PEERS];
	unsigned int count;
	struct grt_line_queue lines[2];	/* to standard output and standard error, whose readers may be slow */
	FILE *files[2];			/* what was there before */
};

/* --- connections --- */

static bool is_taken(const void *arg, const char *path)
{
	const struct listener *l = arg;

	for (unsigned int i = 0; i < l->count; i++)
		if (l->peers[i]->file.is_open && !strcmp(l->peers[i]->file.output.name, path))
			return true;
	return false;
}

static void drop(struct listener *l, unsigned int i)
{
	peer_destroy(l->peers[i]);
	memmove(&l->peers[i], &l->peers[i + 1], (--l->count - i) * sizeof(l->peers[0]));
}

/*
 * Makes room for a new connection.  The connection that was silent for longest must go, but no stream.  A sender that
 * asks for the time now and then connects again.
 */
static void make_room(struct listener *l)
{
	unsigned int count = 0, oldest = 0;

	for (unsigned int i = 0; i < l->count; i++) {
		if (l->peers[i]->state == PEER_STREAM)
			continue;
		if (!count++ || l->peers[i]->moved_ns < l->peers[oldest]->moved_ns)
			oldest = i;
	}
	if (count < MOST_OTHERS)
		return;
	peer_end(l->peers[oldest], "there are too many connections");
	drop(l, oldest);
}

static void take_connection(struct listener *l)
{
	int fd = grt_socket_accept(l->socket);
	struct listen_peer *p;

	if (fd < 0) {
		l->is_tired = fd != -EAGAIN && fd != -EINTR && fd != -ECONNABORTED;
		return;
	}
	make_room(l);
	p = peer_create(&l->rules, fd);
	if (p)
		l->peers[l->count++] = p;
}

/* --- what it prints --- */

/* Slow readers of standard output and standard error must not delay the streams. */
static int open_lines(struct listener *l)
{
	int err;

	fflush(stdout);
	l->files[0] = stdout;
	l->files[1] = stderr;
	err = grt_line_queue_open(&l->lines[0], STDOUT_FILENO);
	if (!err)
		err = grt_line_queue_open(&l->lines[1], STDERR_FILENO);
	if (err)
		return err;
	stdout = l->lines[0].file;
	stderr = l->lines[1].file;
	return 0;
}

/* 0, or -errno with a cause: not all could be written. */
static int close_stdout(struct listener *l)
{
	struct grt_line_queue *q = &l->lines[0];
	uint64_t unread;

	stdout = l->files[0];
	unread = grt_line_queue_close(q);
	if (unread)
		grt_warn(NULL, "nobody read %" PRIu64 " %s of standard output", unread,
			 grt_plural(unread, "line", "lines"));
	/* A closed output matters only if something was printed. */
	if (!q->err || q->err == -EPIPE || (q->err == -EBADF && !q->dropped))
		return 0;
	errno = -q->err;
	return grt_fail_errno("check the free space where the output goes", "cannot write to standard output");
}

static void close_stderr(struct listener *l)
{
	stderr = l->files[1];
	grt_line_queue_close(&l->lines[1]);
}

/* --- the loop --- */

static bool has_signal(const struct listener *l)
{
	struct signalfd_siginfo info;

	return read(l->signals, &info, sizeof(info)) == sizeof(info);
}

static bool is_disk_low(const struct listen_rules *r)
{
	struct statvfs disk;

	return !statvfs(r->folder, &disk) && (uint64_t)disk.f_bavail * disk.f_frsize < r->keep_free_bytes;
}

/* Each ready connection gets one turn. */
static void serve_peers(struct listener *l, const struct pollfd *fds)
{
	l->rules.is_disk_low = is_disk_low(&l->rules);
	for (unsigned int i = l->count; i--; ) {
		struct listen_peer *p = l->peers[i];

		if ((fds[i].revents && !peer_read(p)) || !peer_pass(p))
			drop(l, i);
	}
}

/* Waits, and does what is to be done.  False: a signal came, or all streams have ended. */
static bool do_turn(struct listener *l)
{
	struct pollfd fds[MOST_PEERS + 4];
	unsigned int count = l->count;

	for (unsigned int i = 0; i < count; i++)
		fds[i] = (struct pollfd){ .fd = l->peers[i]->fd, .events = POLLIN };
	fds[count] = (struct pollfd){ .fd = l->is_tired ? -1 : l->socket, .events = POLLIN };
	fds[count + 1] = (struct pollfd){ .fd = l->signals, .events = POLLIN };
	for (int i = 0; i < 2; i++)
		fds[count + 2 + i] = (struct pollfd){ .fd = grt_line_queue_fd(&l->lines[i]), .events = POLLOUT };
	l->is_tired = false;
	poll(fds, count + 4, TICK_MS);
	grt_line_queue_pass(&l->lines[0]);
	grt_line_queue_pass(&l->lines[1]);
	if (fds[count + 1].revents && has_signal(l))
		return false;
	serve_peers(l, fds);
	if (fds[count].revents)
		take_connection(l);
	return l->rules.ended < l->rules.most_streams;
}

static void say_where(const struct listener *l)
{
	char name[GRT_SOCKET_NAME_MAX];

	fprintf(stderr, "grtrace: listens at %s\n", grt_socket_name(l->socket, name));
	if (!grt_socket_is_near(l->socket))
		grt_warn(NULL, "streams over the network are neither encrypted nor authenticated: send them through ssh -R "
			 "or stunnel, see Documentation/fleet.rst");
}

static int open_all(struct listener *l)
{
	int err = grt_watch_signals(&l->signals);

	if (err)
		return err;
	l->socket = grt_socket_listen(&l->address);
	return l->socket < 0 ? l->socket : 0;
}

static void close_all(struct listener *l)
{
	while (l->count) {
		peer_end(l->peers[l->count - 1], "grtrace listen was ended");
		drop(l, l->count - 1);
	}
	if (l->socket >= 0) {
		close(l->socket);
		grt_socket_remove(&l->address);
	}
	if (l->signals >= 0)
		close(l->signals);
}

static int check_folder(const char *folder)
{
	struct stat st;

	if (stat(folder, &st))
		return grt_fail_errno("make it, or name another one with -o", "cannot write to '%s'", folder);
	if (!S_ISDIR(st.st_mode))
		return grt_fail(ENOTDIR, "name a folder with -o", "'%s' is no folder", folder);
	if (access(folder, W_OK))
		return grt_fail_errno("name another folder with -o", "cannot write to '%s'", folder);
	return 0;
}

/* Returns the exit code. */
static int listen_on(struct listener *l)
{
	int err = open_all(l), end;
	bool is_over = false;

	if (!err) {
		say_where(l);
		while (do_turn(l))
			;
		is_over = l->rules.ended >= l->rules.most_streams;
	}
	close_all(l);
	end = close_stdout(l);
	if (err || end)
		return grt_print_failure(err ? err : end);
	return is_over && l->rules.failed ? GRT_EXIT_FOUND : GRT_EXIT_OK;
}

static int listen_in(struct listener *l)
{
	int err = check_folder(l->rules.folder), code;

	if (!err)
		err = open_lines(l);
	if (err)
		return grt_print_failure(err);
	code = listen_on(l);
	close_stderr(l);
	return code;
}

int cmd_listen(int argc, char **argv)
{
	const struct grt_user user = grt_user();
	struct listener l = {
		.rules = {
			.folder = ".", .keep_free_bytes = KEEP_FREE, .most_streams = UINT64_MAX,
			.uid = user.uid, .gid = user.gid, .is_taken = is_taken, .arg = &l,
		},
		.socket = -1, .signals = -1,
	};
	bool is_once = false;
	const struct grt_option options[] = {
		OPT_STRING('o', "output", &l.rules.folder, "DIR", "where to write the files; . by default"),
		OPT_BYTES(0, "max-size", &l.rules.max_bytes, "end a stream before its file exceeds SIZE"),
		OPT_BYTES(0, "keep-free", &l.rules.keep_free_bytes,
			  "while less than SIZE of the disk is free, take no stream, and end those that come; 64M by default"),
		OPT_BOOL(0, "once", &is_once, "end after one stream"),
		OPT_U64(0, "count", &l.rules.most_streams, "N", "end after N streams"),
		OPT_END()
	};

	argc = grt_parse_options(argc, argv, options, "listen [options] ADDRESS");
	if (argc != 1)
		return grt_usage(options, "listen needs one address, like " GRT_SOCKET_TEXT);
	if (is_once && l.rules.most_streams != UINT64_MAX)
		return grt_usage(options, "either --once or --count");
	if (is_once)
		l.rules.most_streams = 1;
	if (!l.rules.most_streams)
		return grt_usage(options, "--count is 1 or more");
	if (grt_socket_parse(&l.address, argv[0]))
		return grt_print_usage("listen");
	return listen_in(&l);
}
