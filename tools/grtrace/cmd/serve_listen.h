/* SPDX-License-Identifier: GPL-2.0 */
/* The socket on which grtrace serve listens. */
#ifndef GRT_CMD_SERVE_LISTEN_H
#define GRT_CMD_SERVE_LISTEN_H

#include "socket_address.h"

#define SERVE_ADDRESS	"127.0.0.1:10763"

/*
 * The socket that systemd gave to this process (sd_listen_fds(3)); -1: it gave none; less: -errno with a cause,
 * because what it gave cannot be used.
 */
int serve_inherit(void);

/*
 * Listens on @address, like 127.0.0.1:80 or [::1]:80; port 0 is any that is free.  The socket, or -errno with a
 * cause.
 */
int serve_listen(const char *address);

/* Where @socket listens, as it stands in a URL.  Keeps the text in @name. */
const char *serve_socket_name(int socket, char name[GRT_SOCKET_NAME_MAX]);

#endif /* GRT_CMD_SERVE_LISTEN_H */
