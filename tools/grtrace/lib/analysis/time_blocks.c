// SPDX-License-Identifier: LGPL-2.1
#include "time_blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

#define FIRST_SHIFT	10	/* a block of 1 us: the first jobs of a trace decide nothing */
#define SUB_BITS	4
#define SUB		(1u << SUB_BITS)
#define BANDS		(64 - SUB_BITS + 1)

/* Counts of one band, a power of two: all its buckets in block 0, and so on. */
struct band {
	uint32_t counts[GRT_TIME_BLOCKS][SUB];
};

struct grt_block_counts {
	uint32_t jobs[GRT_TIME_BLOCKS];
	struct band *bands[GRT_NR_STAGES][BANDS];	/* owned; NULL until a time falls there */
};

/* As in hist.c: band 0 holds times below 16 ns, one bucket each. */
static unsigned int band_of(uint64_t ns)
{
	return ns < SUB ? 0 : 63 - __builtin_clzll(ns) - SUB_BITS + 1;
}

static unsigned int bucket_of(uint64_t ns, unsigned int band)
{
	return (band ? ns >> (band - 1) : ns) & (SUB - 1);
}

static void fold(uint32_t *counts, size_t width)
{
	for (size_t to = 0; to < GRT_TIME_BLOCKS; to++)
		for (size_t i = 0; i < width; i++)
			counts[to * width + i] = to >= GRT_TIME_BLOCKS / 2 ? 0 :
				counts[2 * to * width + i] + counts[(2 * to + 1) * width + i];
}

static void fold_row(struct grt_block_counts *c)
{
	fold(c->jobs, 1);
	for (int stage = 0; stage < GRT_NR_STAGES; stage++)
		for (int band = 0; band < BANDS; band++)
			if (c->bands[stage][band])
				fold(&c->bands[stage][band]->counts[0][0], SUB);
}

/* The block of an instant; makes blocks longer until there is one. */
static unsigned int block_of(struct grt_time_blocks *b, uint64_t ns)
{
	if (!b->shift) {
		b->shift = FIRST_SHIFT;
		b->begin_ns = b->end_ns = ns;
	}
	if (ns <= b->begin_ns)
		return 0;
	while ((ns - b->begin_ns) >> b->shift >= GRT_TIME_BLOCKS) {
		b->shift++;
		for (size_t i = 0; i < grt_time_blocks_rows(b); i++)
			if (grt_time_blocks_row(b, i)->counts)
				fold_row(grt_time_blocks_row(b, i)->counts);
	}
	return (ns - b->begin_ns) >> b->shift;
}

/* The number of a row, made if there is none; GRT_NONE without memory. */
static uint32_t number_of(struct grt_time_blocks *b, uint32_t ring, uint32_t process)
{
	const struct grt_block_row row = { .ring = ring, .process = process };
	uint32_t i = grt_keymap_get(&b->index, ring, process);

	if (i != GRT_NONE)
		return i;
	i = grt_time_blocks_rows(b);
	if (grt_vec_append(&b->rows, &row, sizeof(row)) ||
	    grt_keymap_put(&b->index, ring, process, i))
		return GRT_NONE;
	return i;
}

/* Whether row @i has counts; gives it some once it has jobs enough. */
static int count_by_block(struct grt_time_blocks *b, struct grt_block_row *row)
{
	bool is_rest = row->process == GRT_TIME_BLOCK_REST;
	uint32_t *used = is_rest ? &b->rings : &b->processes;
	uint32_t most = is_rest ? GRT_TIME_BLOCK_RINGS : GRT_TIME_BLOCK_PROCESSES;

	if (row->counts || row->jobs <= GRT_TIME_BLOCK_JOBS || *used == most)
		return 0;
	row->counts = calloc(1, sizeof(*row->counts));
	if (!row->counts)
		return grt_fail_memory();
	++*used;
	return 0;
}

static int add_times(struct grt_block_counts *c, const struct grt_job *job, unsigned int block)
{
	for (unsigned int left = job->stages & ~grt_bound_stages(job->flags); left; left &= left - 1) {
		int stage = __builtin_ctz(left);
		uint64_t ns = job->stage_ns[stage];
		unsigned int band = band_of(ns);
		struct band **at = &c->bands[stage][band];

		if (!*at)
			*at = calloc(1, sizeof(**at));
		if (!*at)
			return grt_fail_memory();
		(*at)->counts[block][bucket_of(ns, band)]++;
	}
	return 0;
}

/* The instant when a job was over, or the last one that is known of it. */
static bool end_of(const struct grt_job *job, uint64_t *ns)
{
	for (int i = GRT_NR_STAMPS - 1; i >= 0; i--)
		if (job->stamps >> i & 1) {
			*ns = job->at_ns[i];
			return true;
		}
	return false;
}

/* The row of the job's process or, while that has no counts, of what is left of its ring. */
static struct grt_block_row *row_of(struct grt_time_blocks *b, const struct grt_job *job, int *err)
{
	struct grt_block_row *row = grt_vec_at(&b->rows, struct grt_block_row, b->recent);
	uint32_t i = b->recent;

	if (!b->rows.bytes || row->ring != job->ring || row->process != job->process)
		i = number_of(b, job->ring, job->process);
	*err = i == GRT_NONE ? -ENOMEM : 0;
	if (*err)
		return NULL;
	b->recent = i;
	row = grt_vec_at(&b->rows, struct grt_block_row, i);
	row->jobs++;
	*err = count_by_block(b, row);
	if (*err || row->counts)
		return row;
	i = number_of(b, job->ring, GRT_TIME_BLOCK_REST);
	*err = i == GRT_NONE ? -ENOMEM : 0;
	if (*err)
		return NULL;
	row = grt_vec_at(&b->rows, struct grt_block_row, i);
	row->jobs++;
	*err = count_by_block(b, row);
	return row;
}

int grt_time_blocks_add(struct grt_time_blocks *b, const struct grt_job *job)
{
	struct grt_block_row *row;
	unsigned int block;
	uint64_t ns;
	int err;

	if (!end_of(job, &ns))
		return 0;
	row = row_of(b, job, &err);
	if (err)
		return err;
	block = block_of(b, ns);
	if (job->stamps >> GRT_AT_COMPLETE & 1 && ns > b->end_ns)
		b->end_ns = ns;
	if (!row->counts)
		return 0;
	row->counts->jobs[block] += job->stamps >> GRT_AT_COMPLETE & 1;
	return job->flags & GRT_JOB_CUT ? 0 : add_times(row->counts, job, block);
}

unsigned int grt_time_blocks_count(const struct grt_time_blocks *b)
{
	return b->end_ns > b->begin_ns ? ((b->end_ns - b->begin_ns) >> b->shift) + 1 : 0;
}

uint64_t grt_time_block_ns(const struct grt_time_blocks *b, unsigned int i)
{
	uint64_t from_ns = (uint64_t)i << b->shift, ns = 1ull << b->shift;
	uint64_t left_ns = b->end_ns - b->begin_ns - from_ns;

	return left_ns < ns ? left_ns : ns;
}

/* The part of @band's bucket with @ns that is not above it, as if times were spread evenly. */
static double part_below(unsigned int band, uint64_t ns)
{
	uint64_t width = band ? 1ull << (band - 1) : 1;

	return ((ns & (width - 1)) + 1.0) / width;
}

void grt_block_row_below(const struct grt_block_row *row, enum grt_stage stage, uint64_t ns,
			 double *all, double *below)
{
	unsigned int at_band = band_of(ns), at = bucket_of(ns, at_band);
	double part = part_below(at_band, ns);

	for (unsigned int band = 0; row->counts && band < BANDS; band++) {
		const struct band *counts = row->counts->bands[stage][band];

		for (int block = 0; counts && block < GRT_TIME_BLOCKS; block++)
			for (unsigned int i = 0; i < SUB; i++) {
				uint32_t n = counts->counts[block][i];

				all[block] += n;
				if (band < at_band || (band == at_band && i < at))
					below[block] += n;
				else if (band == at_band && i == at)
					below[block] += n * part;
			}
	}
}

void grt_block_row_jobs(const struct grt_block_row *row, double *jobs)
{
	for (int block = 0; row->counts && block < GRT_TIME_BLOCKS; block++)
		jobs[block] += row->counts->jobs[block];
}

void grt_time_blocks_free(struct grt_time_blocks *b)
{
	for (size_t i = 0; i < grt_time_blocks_rows(b); i++) {
		struct grt_block_counts *c = grt_time_blocks_row(b, i)->counts;

		for (int stage = 0; c && stage < GRT_NR_STAGES; stage++)
			for (int band = 0; band < BANDS; band++)
				free(c->bands[stage][band]);
		free(c);
	}
	grt_vec_free(&b->rows);
	grt_keymap_free(&b->index);
	*b = (struct grt_time_blocks){ 0 };
}
