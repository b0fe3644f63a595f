// SPDX-License-Identifier: GPL-2.0
#include "clock_snapshot.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "control.h"
#include "peer_clock.h"

#define TRIES	5

uint64_t grt_snapshot_now(int clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

void grt_snapshot_clock(struct grtrace_clock *clock)
{
	uint64_t best = UINT64_MAX;

	/*
	 * An interrupt between two readings spoils a snapshot: keep the one with the closest
	 * readings.
	 */
	for (int i = 0; i < TRIES; i++) {
		uint64_t before = grt_snapshot_now(CLOCK_MONOTONIC);
		uint64_t boot = grt_snapshot_now(CLOCK_BOOTTIME);
		uint64_t real = grt_snapshot_now(CLOCK_REALTIME);
		uint64_t tai = grt_snapshot_now(CLOCK_TAI);
		uint64_t after = grt_snapshot_now(CLOCK_MONOTONIC);

		if (after - before >= best)
			continue;
		best = after - before;
		*clock = (struct grtrace_clock){
			.hdr = { .type = GRTRACE_CLOCK, .size = sizeof(*clock), .ts = after },
			.mono_ns = before + best / 2,
			.boot_ns = boot,
			.real_ns = real,
			.tai_ns = tai,
		};
	}
}

void grt_snapshot_peer(struct grt_snapshot_peer *s, const struct grt_peer_clock *clock)
{
	size_t bytes;

	memset(s, 0, sizeof(*s));
	snprintf(s->text, sizeof(s->text), "host=%s\nboot_id=%s\n", clock->host, clock->boot_id);
	bytes = (strlen(s->text) + 7) / 8 * 8;
	s->peer = (struct grtrace_peer){
		.hdr = {
			.type = GRTRACE_PEER, .size = sizeof(s->peer) + bytes,
			.ts = grt_snapshot_now(CLOCK_MONOTONIC),
		},
		.own_ns = clock->own_ns, .peer_ns = clock->peer_ns,
		.peer_real_ns = clock->peer_real_ns, .within_ns = clock->within_ns,
	};
}

void grt_snapshot_stats(struct grt_snapshot_stats *s, uint64_t session_id, size_t bytes)
{
	s->stats.hdr = (struct grtrace_hdr){
		.type = GRTRACE_STATS,
		.size = sizeof(s->stats) + (bytes + 8) / 8 * 8,
		.ts = grt_snapshot_now(CLOCK_MONOTONIC),
	};
	s->stats.session_id = session_id;
}
