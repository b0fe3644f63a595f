/* SPDX-License-Identifier: GPL-2.0 */
/* The session that record starts, or finds. */
#ifndef GRT_SESSION_H
#define GRT_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#define GRT_NR_FILTERS	3

struct grt_session {
	/* What is asked for; NULL and 0: nothing. */
	const char *types, *engines;	/* names, separated by commas */
	uint64_t ring, buffer_bytes;

	bool is_ours;			/* we started it, we stop it */
	int hold;			/* closing it ends the session; -1 = none */
	struct {
		uint64_t value;
		char before[32];	/* "" = was not changed */
	} filters[GRT_NR_FILTERS];
};

#define GRT_SESSION_INIT	{ .hold = -1 }

/* Reads the names.  0, or -EINVAL with a cause that says which there are. */
int grt_session_parse(struct grt_session *s);

/* Starts one unless one runs.  0 or -errno with a cause. */
int grt_session_start(struct grt_session *s);

/* Stops it if it is ours.  0 or -errno with a cause. */
int grt_session_stop(struct grt_session *s);

/* Stops it if that is still to do, and gives the module back the filters it had. */
void grt_session_release(struct grt_session *s);

#endif /* GRT_SESSION_H */
