/* SPDX-License-Identifier: GPL-2.0 */
/* Records that record writes itself: one moment on all clocks, or on the clock of a peer, and the counters. */
#ifndef GRT_CLOCK_SNAPSHOT_H
#define GRT_CLOCK_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>

#include <linux/grtrace.h>

/* Reads the four clocks as close together as possible. */
void grt_snapshot_clock(struct grtrace_clock *clock);

/* Counters of a session as a STATS record. */
struct grt_snapshot_stats {
	struct grtrace_stats stats;
	char text[16384];
};

/* Fills in the record's head; stats->text has @bytes already. */
void grt_snapshot_stats(struct grt_snapshot_stats *stats, uint64_t session_id, size_t bytes);

struct grt_peer_clock;

/* How the clock of a peer compares as a PEER record. */
struct grt_snapshot_peer {
	struct grtrace_peer peer;
	char text[128];
};

void grt_snapshot_peer(struct grt_snapshot_peer *peer, const struct grt_peer_clock *clock);

/* The time of one clock in ns. */
uint64_t grt_snapshot_now(int clock);

#endif /* GRT_CLOCK_SNAPSHOT_H */
