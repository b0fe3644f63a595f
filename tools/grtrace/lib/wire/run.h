/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Cuts a stream into runs: stretches of whole records that are either all definitions or all data.
 *  A file stores the two apart.
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
	bool is_plain;	/* only known events, SUBBUF and STREAM_END, and time never runs back */
	uint64_t first_ts, last_ts, events;
};

/* A record that describes others, or the machine: it may come at any place. */
bool grt_is_definition(unsigned int type);

/* Known events, SUBBUF and STREAM_END. */
bool grt_is_plain(unsigned int type);

/*
 * The next run, at most @goal bytes unless its first record is longer.  False at the end of the
 * bytes or, with c->failed, if no valid record begins at c->pos.  A STREAM_INFO always begins a
 * new run, because it starts a new stream.
 */
bool grt_next_run(struct grt_cursor *c, size_t goal, struct grt_run *run);

#endif /* GRT_RUN_H */
