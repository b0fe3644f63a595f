/* SPDX-License-Identifier: GPL-2.0 */
/* One connection of grtrace listen: who is at its other end, and what comes of it.  Nothing here waits for it. */
#ifndef GRT_CMD_LISTEN_PEER_H
#define GRT_CMD_LISTEN_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hello.h"
#include "listen_hosts.h"
#include "socket_address.h"
#include "stream_file.h"

/* What all connections share. */
struct listen_rules {
	const char *folder;
	uint64_t max_bytes, keep_free_bytes;
	uint64_t most_streams;		/* that may begin */
	uint32_t uid, gid;		/* owner of the files */
	bool is_disk_low;		/* less than keep_free_bytes is left */
	uint64_t begun, ended, failed;	/* streams; failed: their file lacks something */
	struct listen_hosts hosts;
	bool (*is_taken)(const void *arg, const char *path);	/* see stream_file.h */
	const void *arg;
};

enum peer_state { PEER_NEW, PEER_STREAM, PEER_TIME };

struct listen_peer {
	int fd;
	enum peer_state state;
	bool has_begun;			/* its stream has a file with bytes */
	bool has_answer;		/* it was told that its stream is taken, so it reads how that ends */
	char from[GRT_SOCKET_NAME_MAX];
	uint64_t moved_ns;		/* when it connected; later, when its last bytes came */
	struct listen_host *host;	/* where its stream comes from; NULL: it has none */
	struct grt_hello hello;
	uint8_t *window;		/* owned */
	size_t bytes;			/* in it */
	struct grt_stream_file file;
	struct listen_rules *rules;
};

/* Takes the connection @fd.  NULL without memory; then it is closed. */
struct listen_peer *peer_create(struct listen_rules *rules, int fd);
void peer_destroy(struct listen_peer *p);

/* Reads once, and does what the bytes say.  False: the connection is over, and a message says why. */
bool peer_read(struct listen_peer *p);

/*
 * Ends the connection if it was silent for too long, or if the disk is full; call it now and then.  False: it is
 * over, and a message says why.
 */
bool peer_pass(struct listen_peer *p);

/* Ends the connection, and tells the other end and the user why.  Its file is kept. */
void peer_end(struct listen_peer *p, const char *why);

#endif /* GRT_CMD_LISTEN_PEER_H */
