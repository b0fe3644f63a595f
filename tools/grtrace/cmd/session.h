/* SPDX-License-Identifier: GPL-2.0 */
/* The session of record: one that it starts, or one that runs already. */
#ifndef GRT_SESSION_H
#define GRT_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "restore.h"

/* The first three are of the module itself, the others of grtrace_filter. */
enum grt_session_filter {
	GRT_FILTER_TYPES,
	GRT_FILTER_ENGINES,
	GRT_FILTER_RING,
	GRT_FILTER_PID,
	GRT_FILTER_CHILDREN,
	GRT_FILTER_CGROUP,
	GRT_FILTER_LATENCY,
	GRT_NR_FILTERS
};

#define GRT_FILTER_TEXT	1536	/* the longest value: 64 cgroups */

struct grt_session {
	/* What the user asked for; NULL and 0: nothing. */
	const char *types, *engines;	/* names, separated by commas */
	const char *rings;		/* names or numbers, separated by commas */
	uint64_t buffer_bytes;
	bool may_discard;		/* drop unread events of a stopped session */
	bool is_flight;			/* a flight recorder: its buffers are overwritten */

	bool is_ours;			/* we started it, so we stop it */
	int hold;			/* closing it ends the session; -1 = none */
	struct {
		uint64_t value;
		const char *text;	/* instead of @value; NULL: none */
		char *before;		/* owned; NULL = not changed */
	} filters[GRT_NR_FILTERS];
	struct grt_guard restore;
};

#define GRT_SESSION_INIT	{ .hold = -1, .restore = { .fd = -1 } }

/* Parses the names.  0, or -EINVAL with a cause that lists the valid ones. */
int grt_session_parse(struct grt_session *s);

/*
 * Bytes of a stopped session that nobody has read.  0 if there are none or a session runs; or
 * -errno.
 */
int64_t grt_session_unread(void);

/* What the buffers have for readers now, also while a session runs: of a flight recorder, the snapshot.  -errno. */
int64_t grt_session_held(void);

/* Whether another reader took events of the session, so that some are missing for us. */
bool grt_session_is_partly_read(void);

/*
 * Sets a key, calls @start, and sets the key back: a session keeps the values that it was started
 * with.  NULL @value: only calls @start.  0 or -errno with a cause.
 */
int grt_session_start_with(const char *key, const char *value, int (*start)(void *arg), void *arg);

/* Fails if unread events would be dropped, unless @may_discard.  0 or -errno with a cause. */
int grt_session_check_unread(bool may_discard);

/* Starts a session unless one runs.  0 or -errno with a cause. */
int grt_session_start(struct grt_session *s);

/* Stops the session if it is ours.  0 or -errno with a cause. */
int grt_session_stop(struct grt_session *s);

/* Stops the session if that was not done, and restores the module's configuration. */
void grt_session_release(struct grt_session *s);

#endif /* GRT_SESSION_H */
