/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares our clock with that of a peer, a machine on which grtrace listen runs.  We ask the peer for its time
 * several times, and use the answer that came back fastest.
 */
#ifndef GRT_PEER_CLOCK_H
#define GRT_PEER_CLOCK_H

#include <stdint.h>

#include "socket_address.h"

/* When our CLOCK_MONOTONIC was own_ns, that of the peer was peer_ns, or differed from it by within_ns at most. */
struct grt_peer_clock {
	uint64_t own_ns, peer_ns, within_ns;
	uint64_t peer_real_ns;		/* its CLOCK_REALTIME then; 0: not known */
	char host[65], boot_id[37];	/* of the peer; "": not known */
};

struct grt_peer;

/* Connects to the peer.  0 or -errno with a cause. */
int grt_peer_open(struct grt_peer **peer, const struct grt_socket_address *address);
void grt_peer_close(struct grt_peer *peer);	/* NULL is allowed */

/*
 * Compares, in a fifth of a second at most; connects anew if the connection broke.  0, or -errno: then nothing is
 * known now, and the first time a warning says so.
 */
int grt_peer_compare(struct grt_peer *peer, struct grt_peer_clock *clock);

#endif /* GRT_PEER_CLOCK_H */
