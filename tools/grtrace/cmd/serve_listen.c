// SPDX-License-Identifier: GPL-2.0
#include "serve_listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "error.h"
#include "number.h"

#define FIRST_FD	3	/* of those that systemd gives */
#define BACKLOG		1024

/* --- from systemd --- */

static bool env_is(const char *name, uint64_t wanted)
{
	const char *text = getenv(name);
	uint64_t value;

	return text && !grt_parse_u64(text, &value) && value == wanted;
}

static bool is_listening(int fd)
{
	int value = 0;
	socklen_t bytes = sizeof(value);

	return !getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &value, &bytes) && value;
}

int serve_inherit(void)
{
	bool is_ours = env_is("LISTEN_PID", getpid()), is_one = env_is("LISTEN_FDS", 1);

	if (!is_ours)
		return -1;
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	if (!is_one || !is_listening(FIRST_FD))
		return grt_fail(EINVAL, "one ListenStream= in the .socket unit: see grtrace help serve",
				"systemd gave several sockets, or one that does not listen");
	fcntl(FIRST_FD, F_SETFD, FD_CLOEXEC);
	return FIRST_FD;
}

/* --- by itself --- */

/* Splits an address at its last colon; brackets around the host are left out. */
static int split(const char *address, char *host, size_t room, const char **port)
{
	const char *colon = strrchr(address, ':');
	size_t bytes = colon ? colon - address : 0;
	uint64_t number;
	bool has_brackets = bytes >= 2 && address[0] == '[' && address[bytes - 1] == ']';

	if (!bytes || bytes >= room || (!has_brackets && memchr(address, ':', bytes)) ||
	    grt_parse_u64(colon + 1, &number) || number > UINT16_MAX)
		return -EINVAL;
	snprintf(host, room, "%.*s", (int)(has_brackets ? bytes - 2 : bytes), address + has_brackets);
	*port = colon + 1;
	return 0;
}

static int fail_to_listen(const char *address)
{
	const char *hint = "see the addresses of this machine: ip address";

	if (errno == EADDRINUSE)
		hint = "see who listens there: ss -ltnp; or choose another port with --listen";
	else if (errno == EACCES)
		hint = "ports below 1024 are for root; choose another one with --listen";
	return grt_fail_errno(hint, "cannot listen on '%s'", address);
}

static int listen_at(const struct addrinfo *at, const char *address)
{
	int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1, err;

	if (fd < 0)
		return fail_to_listen(address);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (!bind(fd, at->ai_addr, at->ai_addrlen) && !listen(fd, BACKLOG))
		return fd;
	err = fail_to_listen(address);
	close(fd);
	return err;
}

int serve_listen(const char *address)
{
	const struct addrinfo want = {
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE, .ai_socktype = SOCK_STREAM,
	};
	struct addrinfo *found;
	const char *port;
	char host[64];
	int fd;

	if (split(address, host, sizeof(host), &port) || getaddrinfo(host, port, &want, &found))
		return grt_fail(EINVAL, "an address is like 127.0.0.1:10763, 0.0.0.0:10763 or [::1]:10763",
				"cannot listen on '%s'", address);
	fd = listen_at(found, address);
	freeaddrinfo(found);
	return fd;
}

const char *serve_socket_name(int socket, char name[SERVE_NAME_MAX])
{
	struct sockaddr_storage at;
	socklen_t bytes = sizeof(at);
	char host[48], port[8];

	snprintf(name, SERVE_NAME_MAX, "(a socket)");
	if (!getsockname(socket, (struct sockaddr *)&at, &bytes) &&
	    !getnameinfo((struct sockaddr *)&at, bytes, host, sizeof(host), port, sizeof(port),
			 NI_NUMERICHOST | NI_NUMERICSERV))
		snprintf(name, SERVE_NAME_MAX, at.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
	return name;
}
