/* SPDX-License-Identifier: GPL-2.0 */
/* How many streams each machine sends to grtrace listen, so that none takes all places or fills the folder with files. */
#ifndef GRT_CMD_LISTEN_HOSTS_H
#define GRT_CMD_LISTEN_HOSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "socket_address.h"

#define LISTEN_STREAMS		256	/* at once, of all machines together */
#define LISTEN_HOST_STREAMS	64	/* at once, of another machine */
#define LISTEN_HOST_FILES	256	/* that a machine may begin at once; then one more each second */
#define LISTEN_HOSTS		1024	/* machines that are remembered: more than have streams */

/* Zeroed memory knows no machine. */
struct listen_hosts {
	struct listen_host {
		char name[GRT_SOCKET_NAME_MAX];	/* its address without a port */
		uint64_t due_ns;	/* a machine that begins a stream each second is never due before now */
		unsigned int streams;	/* that it sends now */
	} hosts[LISTEN_HOSTS];
	unsigned int count, streams;
};

/*
 * A stream of @name begins; @is_near: through this machine, where all come from one address.  NULL, or why it may not;
 * else *@host is to be given to listen_hosts_end().
 */
const char *listen_hosts_begin(struct listen_hosts *h, const char *name, bool is_near, uint64_t now_ns,
			       struct listen_host **host);
void listen_hosts_end(struct listen_hosts *h, struct listen_host *host);

#endif /* GRT_CMD_LISTEN_HOSTS_H */
