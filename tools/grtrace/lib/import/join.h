/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Finds keys for events without one.  Until Linux 6.16 the scheduler's events name a job by the
 * address of its fence and by a number within its ring, but a signalled fence is named by context
 * and number.  Jobs of an entity are numbered one by one: if both names of one job are known, so
 * are those of all jobs of its entity.  One pass learns, the next one uses it.
 */
#ifndef GRT_JOIN_H
#define GRT_JOIN_H

#include <stdbool.h>
#include <stdint.h>

#include "map.h"
#include "vec.h"

/* A job with all its names. */
struct grt_joined {
	uint64_t ctx, seqno;
	uint64_t fence;		/* its address */
	uint64_t id;		/* its number within the ring */
	int64_t nth;		/* its number among the entity's jobs in this trace, from 1 */
	uint32_t ring;
	uint32_t entity;	/* row + 1; 0: its event had the key */
};

/* The last events of a CPU: the next event there may be about the same job. */
struct grt_last {
	uint64_t ctx, seqno;	/* fence that was created; 0:0: none */
	uint32_t ring;		/* its ring */
	uint64_t ended;		/* address of the fence of the job that ended; 0: none */
	uint64_t emitted_ctx, emitted_seqno;	/* fence that was passed to the hardware */
	uint64_t failed_ctx, failed_seqno;	/* fence that is about to be signalled with ... */
	int32_t error;		/* ... this error */
};

/* Zeroed memory is an empty table. */
struct grt_join {
	struct grt_map entities;	/* address -> row + 1 */
	struct grt_vec entity_rows;
	struct grt_vec segments;	/* context of each entity, and from which job on */
	struct grt_map fences;		/* address -> row of @jobs + 1 */
	struct grt_vec jobs;		/* struct grt_joined */
	struct grt_vec windows;		/* struct grt_joined *, owned: the latest jobs of a ring, by id */
	struct grt_keymap window_at;	/* ring -> row of @windows */
	struct grt_vec cpus;		/* struct grt_last */
	bool is_second;			/* this is the second pass */
};

/*
 * Adds a job that was submitted or, if that was before the trace, committed.  Its key is the
 * learned one, or else its number in context @minted.  NULL without memory; valid until the next
 * call.
 */
struct grt_joined *grt_join_submit(struct grt_join *j, uint64_t entity, uint64_t fence,
				   uint32_t ring, uint64_t id, uint64_t minted);
struct grt_joined *grt_join_commit(struct grt_join *j, uint64_t entity, uint64_t fence,
				   uint32_t ring, uint64_t id, uint64_t minted);

/*
 * Finds a job by the address of its fence, or by its number on a ring; NULL if it is not known.
 * An address means the latest job that had its fence there.
 */
struct grt_joined *grt_join_fence(const struct grt_join *j, uint64_t fence);
struct grt_joined *grt_join_id(const struct grt_join *j, uint32_t ring, uint64_t id);

/* Notes that the job with this number on its ring has this key. */
void grt_join_note(struct grt_join *j, uint32_t ring, uint64_t id, uint64_t ctx, uint64_t seqno);

/* Learns that the job has this key.  Does nothing without memory. */
void grt_join_learn(struct grt_join *j, const struct grt_joined *job, uint64_t ctx,
		    uint64_t seqno);

/* Gives a job of the first pass the key that it has, instead of the one that was made up. */
void grt_join_rename(struct grt_join *j, struct grt_joined *job, uint64_t ctx, uint64_t seqno);

/* NULL without memory. */
struct grt_last *grt_join_cpu(struct grt_join *j, uint32_t cpu);

/* Starts the second pass, and keeps what was learned. */
void grt_join_rewind(struct grt_join *j);
void grt_join_free(struct grt_join *j);

#endif /* GRT_JOIN_H */
