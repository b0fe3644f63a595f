/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Levels of detail of a picture of rings.  The time is cut into buckets; for each ring and bucket
 * it is known how long the ring ran jobs, mostly of which process, for what it was idle, and how
 * many jobs waited on average.  Each further level has half as many buckets.  So a picture of any
 * part of the time looks at about as many buckets as it has pixels, however many jobs there are.
 */
#ifndef GRT_EXPORT_LOD_H
#define GRT_EXPORT_LOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "idle.h"
#include "job.h"
#include "packed.h"
#include "vec.h"

#define GRT_LOD_LEVELS	17	/* 65536 buckets, then half as many, down to 1 */

/* Zeroed memory is empty. */
struct grt_lod {
	uint64_t from_ns, to_ns, bucket_ns;
	uint32_t buckets;		/* of the finest level: a power of two */
	struct grt_vec rings;		/* of struct grt_lod_bucket *, owned, by row of the names */
	uint64_t votes_left;		/* private: bounds the time that a broken trace takes */
};

/* The picture has the time [@from_ns, @to_ns] and @rings rings: the more, the fewer buckets has each. */
void grt_lod_begin(struct grt_lod *l, uint64_t from_ns, uint64_t to_ns, size_t rings);

/* 0 or -ENOMEM. */
int grt_lod_stretch(struct grt_lod *l, const struct grt_ring_stretch *s);
int grt_lod_job(struct grt_lod *l, const struct grt_job *job);

/* How many levels each ring has. */
unsigned int grt_lod_levels(const struct grt_lod *l);

/*
 * Appends all levels of the ring in row @ring, the finest first; false if it has none.  The ring's
 * buckets become invalid.  A bucket is: busy 0..255, process + 1 (three bytes, 0: none), the idle
 * cause with most time + 1 (0: none), its share 0..255, jobs waiting, and jobs on the ring, in
 * eighths of a job, at most 255; and the share 0..255 in which the ring may have been busy.  Each of
 * these is a column of its own.
 */
bool grt_lod_pack(struct grt_lod *l, uint32_t ring, struct grt_packed *p);
void grt_lod_free(struct grt_lod *l);

#endif /* GRT_EXPORT_LOD_H */
