/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Tells how far apart the clocks of different machines are, from the PEER records of their traces.
 *
 * An axis is the clock of one boot of one machine.  The times of a trace can be turned into those of its own boot,
 * and of each peer that its recorder asked.  Two traces can be compared if they have an axis in common.
 */
#ifndef GRT_PEERS_H
#define GRT_PEERS_H

#include <stdbool.h>
#include <stdint.h>

#include "vec.h"

struct grt_stream;

struct grt_axis {
	char boot_id[37];
	/* What to add to a time of the trace, for CLOCK_MONOTONIC and CLOCK_REALTIME of the axis; if @has_... */
	int64_t mono_ns, real_ns;
	bool has_mono, has_real;
	bool is_own;		/* of the trace's own boot */
	uint64_t within_ns;	/* the sum is off by no more than this */
	uint64_t drift_ns;	/* how far the two clocks moved apart while the trace was recorded, at least */
};

/* Zeroed memory is empty. */
struct grt_peers {
	struct grt_vec axes;	/* of struct grt_axis */
};

/*
 * Finds the axes of the trace of @s, which is a file, so that all its definitions are known.  @has_own: its times
 * are those of its own boot; in a merged trace of several boots they were shifted.  A trace with the times of
 * CLOCK_REALTIME has no axis, because it does not say which boot it is of.  0 or -errno with a cause.
 */
int grt_peers_find(struct grt_peers *p, const struct grt_stream *s, bool has_own);
void grt_peers_free(struct grt_peers *p);

/* The boot of the trace itself, "" if it is not known. */
const char *grt_peers_boot(const struct grt_peers *p);

/* How the times of two traces compare. */
struct grt_apart {
	int64_t ns;		/* to add to a time of the one for a time of the other */
	uint64_t within_ns, drift_ns;
};

/*
 * Compares @a with @b by the axis that both have; of several, by the most exact one.  @is_real: @b has no axis, but
 * its times are CLOCK_REALTIME of the only peer of @a.  False: they have no axis in common.
 */
bool grt_peers_apart(const struct grt_peers *a, const struct grt_peers *b, bool is_real, struct grt_apart *apart);

#endif /* GRT_PEERS_H */
