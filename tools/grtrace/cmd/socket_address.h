/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addresses of stream sockets: tcp:HOST:PORT (or HOST:PORT), unix:PATH, vsock:CID:PORT.  An address of IPv6 has
 * brackets.
 */
#ifndef GRT_SOCKET_ADDRESS_H
#define GRT_SOCKET_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#define GRT_SOCKET_TEXT	"tcp:127.0.0.1:10764, unix:PATH or vsock:CID:PORT"
#define GRT_SOCKET_NAME_MAX	160

enum grt_socket_kind { GRT_SOCKET_TCP, GRT_SOCKET_UNIX, GRT_SOCKET_VSOCK };

struct grt_socket_address {
	enum grt_socket_kind kind;
	const char *text;		/* the caller's, for messages */
	char host[256], port[8];	/* of tcp */
	const char *path;		/* of unix: a part of @text */
	uint32_t cid, vsock_port;
};

/* @a keeps @text.  0, or -EINVAL with a cause. */
int grt_socket_parse(struct grt_socket_address *a, const char *text);

/*
 * Connects, in five seconds at most.  The socket, which does not block; or -errno with a cause.  Socket files are
 * opened and made with the rights of the user who ran sudo.
 */
int grt_socket_connect(const struct grt_socket_address *a);

/* Connects again to where @at leads, in @wait_ms at most.  The socket, or -errno without a cause. */
int grt_socket_reconnect(const struct sockaddr *at, socklen_t bytes, int wait_ms);

/*
 * Listens; port 0 is any that is free.  A socket file gets the mode 0600; one on which nobody listens any more is
 * replaced.  The socket, which does not block; or -errno with a cause.
 */
int grt_socket_listen(const struct grt_socket_address *a);
/* Removes the socket file, if it is one. */
void grt_socket_remove(const struct grt_socket_address *a);

/* The next connection, which does not block; or -errno without a cause. */
int grt_socket_accept(int listener);

/* Whether only this machine and its virtual machines reach @socket. */
bool grt_socket_is_near(int socket);

/* Where @socket is bound, and who is at its other end.  Both return @name. */
const char *grt_socket_name(int socket, char name[GRT_SOCKET_NAME_MAX]);
const char *grt_socket_peer(int socket, char name[GRT_SOCKET_NAME_MAX]);

#endif /* GRT_SOCKET_ADDRESS_H */
