// SPDX-License-Identifier: GPL-2.0
#include "serve_listen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "error.h"
#include "number.h"
#include "socket_address.h"

#define FIRST_FD	3	/* of those that systemd gives */

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

int serve_listen(const char *text)
{
	struct grt_socket_address address;

	if (grt_socket_parse(&address, text) || address.kind != GRT_SOCKET_TCP)
		return grt_fail(EINVAL, "an address is like 127.0.0.1:10763, 0.0.0.0:10763 or [::1]:10763",
				"cannot listen on '%s'", text);
	return grt_socket_listen(&address);
}

const char *serve_socket_name(int socket, char name[GRT_SOCKET_NAME_MAX])
{
	static const char prefix[] = "tcp:";

	grt_socket_name(socket, name);
	return strncmp(name, prefix, strlen(prefix)) ? name : name + strlen(prefix);
}
