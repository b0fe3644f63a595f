// SPDX-License-Identifier: GPL-2.0
#include "socket_address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <linux/vm_sockets.h>

#include "error.h"
#include "number.h"
#include "user.h"

#define CONNECT_MS	5000
#define BACKLOG		1024

/* The address of a TCP, Unix or vsock socket, in the form that the kernel takes. */
struct place {
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
		struct sockaddr_un un;
		struct sockaddr_vm vm;
		struct sockaddr_storage room;
	};
	socklen_t bytes;
};

/* --- text --- */

static const char *after(const char *text, const char *prefix)
{
	size_t bytes = strlen(prefix);

	return strncmp(text, prefix, bytes) ? NULL : text + bytes;
}

/* Splits at the last colon; brackets around the host are left out. */
static int parse_tcp(struct grt_socket_address *a, const char *text)
{
	const char *colon = strrchr(text, ':');
	size_t bytes = colon ? colon - text : 0;
	bool has_brackets = bytes >= 2 && text[0] == '[' && text[bytes - 1] == ']';
	uint64_t port;

	if (!bytes || bytes >= sizeof(a->host) || (!has_brackets && memchr(text, ':', bytes)) ||
	    grt_parse_u64(colon + 1, &port) || port > UINT16_MAX)
		return -EINVAL;
	snprintf(a->host, sizeof(a->host), "%.*s", (int)(has_brackets ? bytes - 2 : bytes), text + has_brackets);
	snprintf(a->port, sizeof(a->port), "%u", (unsigned int)port);
	return a->host[0] ? 0 : -EINVAL;
}

static int parse_unix(struct grt_socket_address *a, const char *path)
{
	a->kind = GRT_SOCKET_UNIX;
	a->path = path;
	return *path && strlen(path) < sizeof(((struct sockaddr_un *)0)->sun_path) ? 0 : -EINVAL;
}

static int parse_cid(uint32_t *cid, const char *text, size_t bytes)
{
	static const struct {
		const char *name;
		uint32_t cid;
	} names[] = { { "any", VMADDR_CID_ANY }, { "host", VMADDR_CID_HOST }, { "local", 1 } };
	char word[16];
	uint64_t number;

	snprintf(word, sizeof(word), "%.*s", (int)bytes, text);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(word, names[i].name)) {
			*cid = names[i].cid;
			return 0;
		}
	if (bytes >= sizeof(word) || grt_parse_u64(word, &number) || number >= UINT32_MAX)
		return -EINVAL;
	*cid = number;
	return 0;
}

static int parse_vsock(struct grt_socket_address *a, const char *text)
{
	const char *colon = strchr(text, ':');
	uint64_t port;

	a->kind = GRT_SOCKET_VSOCK;
	if (!colon || parse_cid(&a->cid, text, colon - text) || grt_parse_u64(colon + 1, &port) || port >= UINT32_MAX)
		return -EINVAL;
	a->vsock_port = port;
	return 0;
}

int grt_socket_parse(struct grt_socket_address *a, const char *text)
{
	const char *rest;
	int err;

	*a = (struct grt_socket_address){ .kind = GRT_SOCKET_TCP, .text = text };
	if ((rest = after(text, "unix:")))
		err = parse_unix(a, rest);
	else if ((rest = after(text, "vsock:")))
		err = parse_vsock(a, rest);
	else
		err = parse_tcp(a, (rest = after(text, "tcp:")) ? rest : text);
	return err ? grt_fail(EINVAL, "an address is like " GRT_SOCKET_TEXT, "'%s' is no address", text) : 0;
}

/* --- where it is --- */

static struct place place_of(const struct grt_socket_address *a)
{
	struct place p = { .bytes = 0 };

	if (a->kind == GRT_SOCKET_UNIX) {
		p.un.sun_family = AF_UNIX;
		snprintf(p.un.sun_path, sizeof(p.un.sun_path), "%s", a->path);
		p.bytes = sizeof(p.un);
	} else {
		p.vm = (struct sockaddr_vm){ .svm_family = AF_VSOCK, .svm_cid = a->cid, .svm_port = a->vsock_port };
		p.bytes = sizeof(p.vm);
		/* 0 stands for any free port; the kernel has another number for that. */
		if (!a->vsock_port)
			p.vm.svm_port = VMADDR_PORT_ANY;
	}
	return p;
}

/* Tries @use with each place of @a until one succeeds.  Its result; -1 and errno. */
static int with_places(const struct grt_socket_address *a, int (*use)(const struct sockaddr *, socklen_t), int flags)
{
	const struct addrinfo want = { .ai_flags = flags | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM };
	struct addrinfo *found;
	struct place p;
	int fd = -1, err;

	if (a->kind != GRT_SOCKET_TCP) {
		p = place_of(a);
		return use(&p.any, p.bytes);
	}
	err = getaddrinfo(a->host, a->port, &want, &found);
	if (err) {
		errno = err == EAI_SYSTEM ? errno : EADDRNOTAVAIL;
		return -1;
	}
	for (const struct addrinfo *at = found; at && fd < 0; at = at->ai_next)
		fd = use(at->ai_addr, at->ai_addrlen);
	err = errno;
	freeaddrinfo(found);
	errno = err;
	return fd;
}

static int open_socket(const struct sockaddr *at)
{
	return socket(at->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* Closes @fd and keeps errno.  -1. */
static int give_up(int fd)
{
	int err = errno;

	close(fd);
	errno = err;
	return -1;
}

/* --- connecting --- */

static int wait_connected(int fd, int wait_ms)
{
	struct pollfd wait = { .fd = fd, .events = POLLOUT };
	socklen_t bytes = sizeof(int);
	int err = 0, n;

	do
		n = poll(&wait, 1, wait_ms);
	while (n < 0 && errno == EINTR);
	if (!n)
		errno = ETIMEDOUT;
	if (n <= 0)
		return -1;
	getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &bytes);
	errno = err;
	return err ? -1 : 0;
}

/* Sends small answers at once, and lets the kernel notice a peer that is gone. */
static void set_up(int fd, const struct sockaddr *at)
{
	int on = 1;

	if (at->sa_family != AF_INET && at->sa_family != AF_INET6)
		return;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
}

static int connect_in(const struct sockaddr *at, socklen_t bytes, int wait_ms)
{
	int fd = open_socket(at);

	if (fd < 0)
		return -1;
	if (connect(fd, at, bytes) && (errno != EINPROGRESS || wait_connected(fd, wait_ms)))
		return give_up(fd);
	set_up(fd, at);
	return fd;
}

int grt_socket_reconnect(const struct sockaddr *at, socklen_t bytes, int wait_ms)
{
	int fd = connect_in(at, bytes, wait_ms);

	return fd < 0 ? -errno : fd;
}

static int connect_first(const struct sockaddr *at, socklen_t bytes)
{
	return connect_in(at, bytes, CONNECT_MS);
}

int grt_socket_connect(const struct grt_socket_address *a)
{
	const struct grt_user user = grt_user();
	int fd = grt_user_enter(user.uid, user.gid);
	char hint[400];

	if (fd < 0)
		return fd;
	fd = with_places(a, connect_first, 0);
	grt_user_leave();
	if (fd >= 0)
		return fd;
	snprintf(hint, sizeof(hint), "start it there first: grtrace listen %.300s", a->text);
	if (errno == ECONNREFUSED || errno == ENOENT || errno == ECONNRESET)
		return grt_fail_errno(hint, "nobody listens at '%s'", a->text);
	return grt_fail_errno("try whether it can be reached", "cannot connect to '%s'", a->text);
}

/* --- listening --- */

/* Removes a socket file on which nobody listens any more.  If there is none: false, and errno as it was. */
static bool remove_stale(const struct sockaddr *at, socklen_t bytes)
{
	const char *path = ((const struct sockaddr_un *)at)->sun_path;
	int err = errno, fd;
	struct stat st;
	bool is_gone;

	if (at->sa_family != AF_UNIX || lstat(path, &st) || !S_ISSOCK(st.st_mode)) {
		errno = err;
		return false;
	}
	fd = connect_in(at, bytes, CONNECT_MS);
	is_gone = fd < 0 && errno == ECONNREFUSED && !unlink(path);
	if (fd >= 0)
		close(fd);
	errno = err;
	return is_gone;
}

static int bind_to(int fd, const struct sockaddr *at, socklen_t bytes)
{
	mode_t mask = umask(0177);
	int done = bind(fd, at, bytes);

	umask(mask);
	return done;
}

static int listen_at(const struct sockaddr *at, socklen_t bytes)
{
	int fd = open_socket(at), on = 1;

	if (fd < 0)
		return -1;
	if (at->sa_family != AF_UNIX)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind_to(fd, at, bytes) && (errno != EADDRINUSE || !remove_stale(at, bytes) || bind_to(fd, at, bytes)))
		return give_up(fd);
	return listen(fd, BACKLOG) ? give_up(fd) : fd;
}

static const char *listen_hint(const struct grt_socket_address *a)
{
	switch (errno) {
	case EADDRINUSE:
		return a->kind == GRT_SOCKET_TCP ? "see who listens there: ss -ltnp; or choose another port" :
						   "see who listens there: ss -lxp, ss -l --vsock";
	case EACCES:
		return a->kind == GRT_SOCKET_TCP ? "ports below 1024 are for root; choose another one" :
						   "choose a folder in which you may write";
	case EAFNOSUPPORT:
		return "sudo modprobe vsock_loopback    # or the driver of this machine's vsock";
	}
	return a->kind == GRT_SOCKET_TCP ? "see the addresses of this machine: ip address" : NULL;
}

int grt_socket_listen(const struct grt_socket_address *a)
{
	const struct grt_user user = grt_user();
	int fd = grt_user_enter(user.uid, user.gid);

	if (fd < 0)
		return fd;
	fd = with_places(a, listen_at, AI_PASSIVE | AI_NUMERICHOST);
	grt_user_leave();
	return fd >= 0 ? fd : grt_fail_errno(listen_hint(a), "cannot listen on '%s'", a->text);
}

void grt_socket_remove(const struct grt_socket_address *a)
{
	const struct grt_user user = grt_user();

	if (a->kind != GRT_SOCKET_UNIX || grt_user_enter(user.uid, user.gid))
		return;
	unlink(a->path);
	grt_user_leave();
}

int grt_socket_accept(int listener)
{
	struct sockaddr_storage at;
	socklen_t bytes = sizeof(at);
	int fd = accept4(listener, (struct sockaddr *)&at, &bytes, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd >= 0)
		set_up(fd, (struct sockaddr *)&at);
	return fd < 0 ? -errno : fd;
}

/* --- names --- */

static bool get_place(int socket, struct place *p, bool is_peer)
{
	*p = (struct place){ .bytes = sizeof(p->room) };
	return !(is_peer ? getpeername : getsockname)(socket, &p->any, &p->bytes);
}

bool grt_socket_is_near(int socket)
{
	struct place p;

	if (!get_place(socket, &p, false))
		return false;
	if (p.any.sa_family == AF_INET)
		return ntohl(p.in.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
	if (p.any.sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&p.in6.sin6_addr);
	return true;
}

static void name_tcp(char *name, const struct place *p)
{
	char host[64], port[8];

	if (getnameinfo(&p->any, p->bytes, host, sizeof(host), port, sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV))
		return;
	snprintf(name, GRT_SOCKET_NAME_MAX, p->any.sa_family == AF_INET6 ? "tcp:[%s]:%s" : "tcp:%s:%s", host, port);
}

static const char *name_of(int socket, char *name, bool is_peer)
{
	struct ucred who;
	socklen_t bytes = sizeof(who);
	struct place p;

	snprintf(name, GRT_SOCKET_NAME_MAX, "(a socket)");
	if (!get_place(socket, &p, is_peer))
		return name;
	if (p.any.sa_family == AF_INET || p.any.sa_family == AF_INET6)
		name_tcp(name, &p);
	else if (p.any.sa_family == AF_VSOCK)
		snprintf(name, GRT_SOCKET_NAME_MAX, "vsock:%u:%u", p.vm.svm_cid, p.vm.svm_port);
	else if (p.any.sa_family == AF_UNIX && !is_peer)
		snprintf(name, GRT_SOCKET_NAME_MAX, "unix:%s", p.un.sun_path);
	else if (p.any.sa_family == AF_UNIX && !getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &bytes))
		snprintf(name, GRT_SOCKET_NAME_MAX, "process %d", who.pid);
	return name;
}

const char *grt_socket_name(int socket, char name[GRT_SOCKET_NAME_MAX])
{
	return name_of(socket, name, false);
}

const char *grt_socket_peer(int socket, char name[GRT_SOCKET_NAME_MAX])
{
	return name_of(socket, name, true);
}
