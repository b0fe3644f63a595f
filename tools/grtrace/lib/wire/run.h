/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Cuts a stream into runs: stretches of whole records that are all definitions
 * or all data, so that a file can keep the two apart.
 */
#ifndef GRT_RUN_H
#define GRT_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/grtrace.h>

struct grt_cursor;

struct grt_run {
	const void *data;
	size_t bytes;
	bool is_defs;
	bool is_plain;	/* events that are known, SUBBUF and STREAM_END only, and time never runs back */
	uint64_t first_ts, last_ts, events;
};

/* STREAM_INFO, METADATA, RING, PROCESS, POLICY, CLOCK and STATS. */
bool grt_is_definition(unsigned int type);

/* Events of types that are known, SUBBUF and STREAM_END. */
bool grt_is_plain(unsigned int type);

/*
 * The next run, of at most @goal bytes unless its first record is longer.
 * False when the bytes are used up or, with c->failed, no record begins at
 * c->pos.  A STREAM_INFO begins a run of its own kind: it starts a new stream.
 */
bool grt_next_run(struct grt_cursor *c, size_t goal, struct grt_run *run);

#endif /* GRT_RUN_H */
