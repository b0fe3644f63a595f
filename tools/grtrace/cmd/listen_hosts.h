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

/* Zeroed memory: no machine has sent a stream yet. */
struct listen_hosts {
	struct listen_host {
		char name[GRT_SOCKET_NAME_MAX];	/* its address without a port */
		uint64_t due_ns;	/* each stream that it begins adds a second; at least now */
		unsigned int streams;	/* that it sends now */
	} hosts[LISTEN_HOSTS];
	unsigned int count, streams;
};

/*
 * Counts a new stream of the machine @name.  @is_near: it comes through this machine, where all senders have one
 * address.  Returns NULL and sets *@host, which the caller gives to listen_hosts_end(); or why the stream may not begin.
 */
const char *listen_hosts_begin(struct listen_hosts *h, const char *name, bool is_near, uint64_t now_ns,
			       struct listen_host **host);
void listen_hosts_end(struct listen_hosts *h, struct listen_host *host);

#endif /* GRT_CMD_LISTEN_HOSTS_H */
