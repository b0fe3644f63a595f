/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Keys for events that have none.  Until Linux 6.16 the scheduler's events name a job
 * by the address of its fence and by a number that counts the jobs of its ring, while a
 * fence that is signalled is named by context and number.  Jobs of an entity are numbered
 * one by one: wherever both names of one job are seen, those of all others of its entity
 * are known.  That takes a pass to learn and one to use it.
 */
#ifndef GRT_JOIN_H
#define GRT_JOIN_H

#include <stdbool.h>
#include <stdint.h>

#include "map.h"
#include "vec.h"

/* A job, by what its events call it. */
struct grt_joined {
	uint64_t ctx, seqno;
	uint64_t fence;		/* address */
	uint64_t id;		/* of the ring's jobs */
	int64_t nth;		/* of the entity's jobs in this trace, from 1 */
	uint32_t ring;
	uint32_t entity;	/* row + 1; 0: its event named the key */
};

/* What a CPU said just before: the next event there may be about the same job. */
struct grt_last {
	uint64_t ctx, seqno;	/* fence that was made; 0:0: none */
	uint32_t ring;		/* of it */
	uint64_t ended;		/* address of the fence whose job ended; 0: none */
};

/* Zeroed memory is an empty one. */
struct grt_join {
	struct grt_map entities;	/* address to row + 1 */
	struct grt_vec entity_rows;
	struct grt_vec segments;	/* what each entity's context was, and from which job on */
	struct grt_map fences;		/* address to row of @jobs + 1 */
	struct grt_vec jobs;		/* of struct grt_joined */
	struct grt_vec windows;		/* the latest jobs of each ring, by id */
	struct grt_vec cpus;		/* of struct grt_last */
	bool is_second;			/* pass */
};

/*
 * A job was submitted, or, where that was before the trace, committed.  Its key is what
 * was learned, or else its number in @minted.  NULL without memory; valid until the next.
 */
struct grt_joined *grt_join_submit(struct grt_join *j, uint64_t entity, uint64_t fence,
				   uint32_t ring, uint64_t id, uint64_t minted);
struct grt_joined *grt_join_commit(struct grt_join *j, uint64_t entity, uint64_t fence,
				   uint32_t ring, uint64_t id, uint64_t minted);

/* By the address of its fence, or by its number on a ring; NULL if it is not known.  A fence
 * stands for the latest job it was of.
 */
struct grt_joined *grt_join_fence(const struct grt_join *j, uint64_t fence);
struct grt_joined *grt_join_id(const struct grt_join *j, uint32_t ring, uint64_t id);

/* An event names the number of a job on its ring together with its key. */
void grt_join_note(struct grt_join *j, uint32_t ring, uint64_t id, uint64_t ctx, uint64_t seqno);

/* That job has this key.  Without memory it is not learned. */
void grt_join_learn(struct grt_join *j, const struct grt_joined *job, uint64_t ctx,
		    uint64_t seqno);

/* NULL without memory. */
struct grt_last *grt_join_cpu(struct grt_join *j, uint32_t cpu);

/* The second pass begins: what was learned stays. */
void grt_join_rewind(struct grt_join *j);
void grt_join_free(struct grt_join *j);

#endif /* GRT_JOIN_H */
