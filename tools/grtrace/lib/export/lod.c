// SPDX-License-Identifier: LGPL-2.1
#include "lod.h"

#include <stdlib.h>

#include "error.h"
#include "keymap.h"

#define MAX_BUCKETS	(1u << (GRT_LOD_LEVELS - 1))
#define FEW_RINGS	32	/* with all buckets */
#define MANY_RINGS	256	/* nobody looks at each of them: with more, a quarter of the memory is enough */
#define EIGHTHS		8
#define VOTES		1024	/* how often the buckets of a ring may be looked at */

/* Jobs of a queue in a bucket: those in a part of it, and how many more are in all of it from here on. */
struct depth {
	float part;
	int32_t more;
};

/* Times are in parts of a bucket: 1 is all of it. */
struct grt_lod_bucket {
	float busy, idle[GRT_NR_IDLES];
	float unsure;			/* of the unknown idle time: the ring may have been busy */
	struct depth waiting, on_ring;
	float process_share;		/* by how much @process is ahead of the others */
	uint32_t process;		/* row + 1, 0: none */
};

void grt_lod_begin(struct grt_lod *l, uint64_t from_ns, uint64_t to_ns, size_t rings)
{
	uint64_t span_ns = to_ns > from_ns ? to_ns - from_ns : 1;
	size_t most = (size_t)FEW_RINGS * MAX_BUCKETS / (rings > MANY_RINGS ? 4 : 1);

	l->buckets = MAX_BUCKETS;
	while (l->buckets > 1 && rings * l->buckets > most)
		l->buckets /= 2;
	/* Shorter traces need no bucket below a nanosecond. */
	while (l->buckets > 1 && span_ns / l->buckets == 0)
		l->buckets /= 2;
	l->from_ns = from_ns;
	l->to_ns = to_ns;
	l->bucket_ns = span_ns / l->buckets + 1;
	l->votes_left = (uint64_t)VOTES * l->buckets;
}

/* NULL without memory, and for a job of no ring. */
static struct grt_lod_bucket *buckets_of(struct grt_lod *l, uint32_t ring, int *err)
{
	struct grt_lod_bucket *none = NULL, **place;

	*err = 0;
	if (ring == GRT_NONE)
		return NULL;
	if (grt_vec_reach(&l->rings, ring, &none, sizeof(none))) {
		*err = grt_fail_memory();
		return NULL;
	}
	place = grt_vec_at(&l->rings, struct grt_lod_bucket *, ring);
	if (*place)
		return *place;
	*place = calloc(l->buckets, sizeof(**place));
	if (!*place)
		*err = grt_fail_memory();
	return *place;
}

/*
 * The process with most time in a bucket, as far as it can be found in one number: each time of
 * another process takes as much away from its lead.
 */
static void vote(struct grt_lod_bucket *b, uint32_t process, float part)
{
	if (b->process == process) {
		b->process_share += part;
	} else if (b->process_share >= part) {
		b->process_share -= part;
	} else {
		b->process_share = part - b->process_share;
		b->process = process;
	}
}

/* A span in buckets: from a part of @first to a part of @last. */
struct span {
	uint32_t first, last;
	float first_part, last_part;	/* of these buckets, how much is in the span; 0: none of @last */
};

/* False: no part of it is in the picture. */
static bool cut(const struct grt_lod *l, uint64_t from_ns, uint64_t to_ns, struct span *s)
{
	float length = l->bucket_ns;

	if (from_ns < l->from_ns)
		from_ns = l->from_ns;
	if (to_ns > l->to_ns)
		to_ns = l->to_ns;
	if (from_ns >= to_ns)
		return false;
	from_ns -= l->from_ns;
	to_ns -= l->from_ns;
	s->first = from_ns / l->bucket_ns;
	s->last = (to_ns - 1) / l->bucket_ns;
	if (s->first == s->last) {
		s->first_part = (to_ns - from_ns) / length;
		s->last_part = 0;
	} else {
		s->first_part = ((s->first + 1) * l->bucket_ns - from_ns) / length;
		s->last_part = (to_ns - s->last * l->bucket_ns) / length;
	}
	return true;
}

static float part_in(const struct span *s, uint32_t bucket)
{
	return bucket == s->first ? s->first_part : bucket == s->last ? s->last_part : 1;
}

int grt_lod_stretch(struct grt_lod *l, const struct grt_ring_stretch *s)
{
	struct grt_lod_bucket *buckets;
	struct span span;
	int err;

	buckets = buckets_of(l, s->ring, &err);
	if (!buckets || !cut(l, s->from_ns, s->to_ns, &span))
		return err;
	for (uint32_t i = span.first; i <= span.last; i++) {
		if (s->state == GRT_RING_BUSY)
			buckets[i].busy += part_in(&span, i);
		else
			buckets[i].idle[s->state] += part_in(&span, i);
		if (s->state == GRT_IDLE_UNKNOWN && !s->is_unexplained)
			buckets[i].unsure += part_in(&span, i);
	}
	return 0;
}

/* Adds a job to a queue.  This takes the same time however long the job is there. */
static void add_depth(const struct grt_lod *l, struct grt_lod_bucket *buckets, size_t offset,
		      uint64_t from_ns, uint64_t to_ns)
{
	struct span span;

#define DEPTH(i)	((struct depth *)((char *)&buckets[i] + offset))
	if (!cut(l, from_ns, to_ns, &span))
		return;
	DEPTH(span.first)->part += span.first_part;
	DEPTH(span.last)->part += span.last_part;
	if (span.last > span.first + 1) {
		DEPTH(span.first + 1)->more++;
		DEPTH(span.last)->more--;
	}
#undef DEPTH
}

/*
 * Rings run jobs one after the other, so all jobs of a ring together cover its buckets once, or a few
 * times.  Only a broken trace has more; then later jobs leave the colour as it is.
 */
static void add_process(struct grt_lod *l, struct grt_lod_bucket *buckets, const struct grt_job *job,
			uint64_t from_ns)
{
	struct span span;

	if (job->process == GRT_NONE || !cut(l, from_ns, job->at_ns[GRT_AT_END], &span))
		return;
	if (span.last - span.first >= l->votes_left)
		return;
	if (span.last > span.first)
		l->votes_left -= span.last - span.first;
	for (uint32_t i = span.first; i <= span.last; i++)
		vote(&buckets[i], job->process + 1, part_in(&span, i));
}

int grt_lod_job(struct grt_lod *l, const struct grt_job *job)
{
	const size_t waiting = offsetof(struct grt_lod_bucket, waiting);
	const size_t on_ring = offsetof(struct grt_lod_bucket, on_ring);
	const uint64_t *at_ns = job->at_ns;
	struct grt_lod_bucket *buckets;
	int err;

	buckets = buckets_of(l, job->ring, &err);
	if (!buckets)
		return err;
	if (grt_job_knows(job, GRT_STAGE_SUBMIT_HOST))
		add_depth(l, buckets, waiting, at_ns[GRT_AT_SUBMIT], at_ns[GRT_AT_COMMIT]);
	if (grt_job_knows(job, GRT_STAGE_HW))
		add_depth(l, buckets, on_ring, at_ns[GRT_AT_COMMIT], at_ns[GRT_AT_END]);
	if (grt_job_knows(job, GRT_STAGE_EXEC))
		add_process(l, buckets, job, at_ns[GRT_AT_START]);
	else if (grt_job_knows(job, GRT_STAGE_HW))
		add_process(l, buckets, job, at_ns[GRT_AT_COMMIT]);
	return 0;
}

unsigned int grt_lod_levels(const struct grt_lod *l)
{
	return __builtin_ctz(l->buckets) + 1;
}

/* Turns "how many more from here on" into how many jobs there are in each bucket. */
static void sum_depths(struct grt_lod_bucket *buckets, uint32_t count)
{
	int64_t waiting = 0, on_ring = 0;

	for (uint32_t i = 0; i < count; i++) {
		waiting += buckets[i].waiting.more;
		on_ring += buckets[i].on_ring.more;
		buckets[i].waiting.part += waiting;
		buckets[i].on_ring.part += on_ring;
	}
}

/* Halves the number of buckets: each is the mean of two. */
static void halve(struct grt_lod_bucket *buckets, uint32_t count)
{
	for (uint32_t i = 0; i < count / 2; i++) {
		const struct grt_lod_bucket a = buckets[2 * i], b = buckets[2 * i + 1];
		struct grt_lod_bucket *to = &buckets[i];

		*to = a;
		to->busy = (a.busy + b.busy) / 2;
		for (int cause = 0; cause < GRT_NR_IDLES; cause++)
			to->idle[cause] = (a.idle[cause] + b.idle[cause]) / 2;
		to->unsure = (a.unsure + b.unsure) / 2;
		to->waiting.part = (a.waiting.part + b.waiting.part) / 2;
		to->on_ring.part = (a.on_ring.part + b.on_ring.part) / 2;
		to->process_share = a.process_share / 2;
		vote(to, b.process, b.process_share / 2);
	}
}

/* Something that is there at all is at least 1. */
static uint8_t to_byte(float value)
{
	return value >= 255 ? 255 : value > 0 && value < 1 ? 1 : (uint8_t)value;
}

static int greatest_cause(const struct grt_lod_bucket *b)
{
	int greatest = 0;

	for (int cause = 1; cause < GRT_NR_IDLES; cause++)
		if (b->idle[cause] > b->idle[greatest])
			greatest = cause;
	return greatest;
}

/* One byte of the process of each bucket. A row that is too great for three bytes is none. */
static void pack_processes(const struct grt_lod_bucket *buckets, uint32_t count, unsigned int byte, struct grt_packed *p)
{
	for (uint32_t i = 0; i < count; i++)
		grt_pack_byte(p, buckets[i].process >> 24 ? 0 : buckets[i].process >> 8 * byte & 0xff);
}

static void pack_level(const struct grt_lod_bucket *buckets, uint32_t count, struct grt_packed *p)
{
	for (uint32_t i = 0; i < count; i++)
		grt_pack_byte(p, to_byte(buckets[i].busy * 255));
	for (unsigned int byte = 0; byte < 3; byte++)
		pack_processes(buckets, count, byte, p);
	for (uint32_t i = 0; i < count; i++) {
		int cause = greatest_cause(&buckets[i]);

		grt_pack_byte(p, buckets[i].idle[cause] > 0 ? cause + 1 : 0);
	}
	for (uint32_t i = 0; i < count; i++)
		grt_pack_byte(p, to_byte(buckets[i].idle[greatest_cause(&buckets[i])] * 255));
	for (uint32_t i = 0; i < count; i++)
		grt_pack_byte(p, to_byte(buckets[i].waiting.part * EIGHTHS));
	for (uint32_t i = 0; i < count; i++)
		grt_pack_byte(p, to_byte(buckets[i].on_ring.part * EIGHTHS));
	for (uint32_t i = 0; i < count; i++)
		grt_pack_byte(p, to_byte(buckets[i].unsure * 255));
}

bool grt_lod_pack(struct grt_lod *l, uint32_t ring, struct grt_packed *p)
{
	struct grt_lod_bucket *buckets = ring < grt_vec_count(&l->rings, void *) ?
		*grt_vec_at(&l->rings, struct grt_lod_bucket *, ring) : NULL;

	if (!buckets)
		return false;
	sum_depths(buckets, l->buckets);
	for (uint32_t count = l->buckets; count; count /= 2) {
		pack_level(buckets, count, p);
		halve(buckets, count);
	}
	return true;
}

void grt_lod_free(struct grt_lod *l)
{
	for (size_t i = 0; i < grt_vec_count(&l->rings, void *); i++)
		free(*grt_vec_at(&l->rings, struct grt_lod_bucket *, i));
	grt_vec_free(&l->rings);
	*l = (struct grt_lod){ 0 };
}
