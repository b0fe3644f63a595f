/* SPDX-License-Identifier: LGPL-2.1 */
/* The SNAPSHOT records of a trace: why a flight recorder kept these events; and its NOTEs. */
#ifndef GRT_SNAPSHOT_LOG_H
#define GRT_SNAPSHOT_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "job.h"
#include "vec.h"

#define GRT_MAX_NOTE_BYTES	(256u << 10)
#define GRT_MAX_SNAPSHOTS	64	/* that are remembered; a trace has one, a merged one a few */

struct grt_snapshot {
	struct grtrace_snapshot rec;
	/* Of the job that triggered it: rows of the names, GRT_NONE: not known. */
	uint32_t ring, process;
};

struct grt_snapshot_log {
	struct grt_vec rows;	/* struct grt_snapshot, in the order of the records */
	uint64_t more;		/* records that found no room */
	struct grt_vec notes;	/* NOTE records, back to back */
};

void grt_snapshot_log_free(struct grt_snapshot_log *s);

/* @ring: the row of its ring, or GRT_NONE.  0 or -errno with a cause. */
int grt_snapshot_log_add(struct grt_snapshot_log *s, const struct grtrace_snapshot *rec, uint32_t ring);

/* Keeps a NOTE, unless there are very many.  0 or -errno with a cause. */
int grt_snapshot_log_note(struct grt_snapshot_log *s, const struct grtrace_note *note);

/* A job leaves: it may be the one that triggered a snapshot. */
void grt_snapshot_log_job(struct grt_snapshot_log *s, const struct grt_job *job);

static inline size_t grt_snapshot_log_count(const struct grt_snapshot_log *s)
{
	return grt_vec_count(&s->rows, struct grt_snapshot);
}

static inline const struct grt_snapshot *grt_snapshot_log_at(const struct grt_snapshot_log *s, size_t i)
{
	return grt_vec_at(&s->rows, struct grt_snapshot, i);
}

/* The snapshot that was taken last; NULL: there is none. */
const struct grt_snapshot *grt_snapshot_log_latest(const struct grt_snapshot_log *s);

#endif /* GRT_SNAPSHOT_LOG_H */
