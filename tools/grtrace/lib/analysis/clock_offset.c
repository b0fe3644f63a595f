// SPDX-License-Identifier: LGPL-2.1
/*
 * Every pair of a SUBMIT and an ioctl of its thread allows a range of offsets.  First some SUBMITs
 * vote: a histogram counts, for each small bin of offsets, how many pairs allow it.  Then the
 * highest peaks are looked at exactly, with many SUBMITs.
 */
#include "clock_offset.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"

#define VOTERS		64	/* SUBMITs that vote */
#define JUDGES		1024	/* SUBMITs that decide between peaks */
#define PEAKS		16
#define SLICE_BINS	(1 << 18)
#define LEAST_BIN_NS	(1 << 14)
#define MOST_SLICES	1024
#define BINS_BESIDE	16
/* An offset that is so much farther away than the error is another one. */
#define FAR_NS		100000
#define FAR_TIMES	4

struct grt_clock_submit {
	uint64_t ns;
	uint32_t span;		/* of its thread */
};

struct grt_clock_ioctl {
	int64_t enter_ns, exit_ns;
	uint32_t span;
};

/* The ioctls of a thread: rows of the sorted ioctls. */
struct grt_clock_span {
	uint32_t first, end;
};

struct peak {
	int64_t lo, hi;		/* offsets */
	uint32_t votes;
};

struct finder {
	const struct grt_clock_submit *submits;	/* of threads with ioctls */
	size_t nr_submits;
	const struct grt_clock_ioctl *ioctls;	/* by thread, then by time */
	const struct grt_clock_span *spans;
	int32_t *bins;		/* owned: SLICE_BINS + 1 */
	struct grt_vec ends;	/* struct end */
	struct peak peaks[PEAKS];
	size_t nr_peaks;
};

int grt_clock_pairs_submit(struct grt_clock_pairs *p, uint32_t tid, uint64_t ns)
{
	struct grt_clock_submit submit = { .ns = ns };
	static const struct grt_clock_span none;

	if (grt_vec_count(&p->submits, struct grt_clock_submit) == GRT_OFFSET_SUBMITS)
		return 1;
	/* Stamps that do not fit a signed number are no times. */
	if (!tid || ns > INT64_MAX / 2)
		return 0;
	submit.span = grt_keymap_get(&p->threads, tid, 0);
	if (submit.span == GRT_NONE) {
		submit.span = grt_vec_count(&p->spans, struct grt_clock_span);
		if (grt_vec_append(&p->spans, &none, sizeof(none)) ||
		    grt_keymap_put(&p->threads, tid, 0, submit.span))
			return grt_fail_memory();
	}
	return grt_vec_append(&p->submits, &submit, sizeof(submit)) ? grt_fail_memory() : 0;
}

int grt_clock_pairs_ioctl(struct grt_clock_pairs *p, uint32_t tid, uint64_t enter_ns,
			  uint64_t exit_ns)
{
	struct grt_clock_ioctl ioctl = {
		.enter_ns = enter_ns, .exit_ns = exit_ns, .span = grt_keymap_get(&p->threads, tid, 0),
	};

	if (grt_vec_count(&p->ioctls, struct grt_clock_ioctl) == GRT_OFFSET_IOCTLS)
		return 1;
	if (ioctl.span == GRT_NONE || exit_ns < enter_ns || exit_ns > INT64_MAX / 2)
		return 0;
	return grt_vec_append(&p->ioctls, &ioctl, sizeof(ioctl)) ? grt_fail_memory() : 0;
}

static int compare_ioctls(const void *a, const void *b)
{
	const struct grt_clock_ioctl *x = a, *y = b;

	if (x->span != y->span)
		return x->span < y->span ? -1 : 1;
	return (x->enter_ns > y->enter_ns) - (x->enter_ns < y->enter_ns);
}

/* Sorts the ioctls by thread, and leaves only SUBMITs of threads with ioctls. */
static void sort(struct grt_clock_pairs *p)
{
	size_t nr = grt_vec_count(&p->ioctls, struct grt_clock_ioctl), kept = 0;
	struct grt_clock_ioctl *ioctls = p->ioctls.data;
	struct grt_clock_span *spans = p->spans.data;
	struct grt_clock_submit *submits = p->submits.data;

	if (nr)
		qsort(ioctls, nr, sizeof(*ioctls), compare_ioctls);
	for (size_t i = 0; i < nr; i++) {
		if (!i || ioctls[i].span != ioctls[i - 1].span)
			spans[ioctls[i].span].first = i;
		spans[ioctls[i].span].end = i + 1;
	}
	for (size_t i = 0; i < grt_vec_count(&p->submits, struct grt_clock_submit); i++)
		if (spans[submits[i].span].end)
			submits[kept++] = submits[i];
	p->submits.bytes = kept * sizeof(*submits);
}

/* The first ioctl of the thread of @s that ends at @ns or later.  A thread is in one at a time. */
static const struct grt_clock_ioctl *ioctl_from(const struct finder *f,
						const struct grt_clock_submit *s, int64_t ns)
{
	size_t from = f->spans[s->span].first, to = f->spans[s->span].end;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (f->ioctls[middle].exit_ns < ns)
			from = middle + 1;
		else
			to = middle;
	}
	return &f->ioctls[from];
}

static const struct grt_clock_ioctl *end_of(const struct finder *f,
					    const struct grt_clock_submit *s)
{
	return &f->ioctls[f->spans[s->span].end];
}

static struct grt_clock_fit fit_of(const struct finder *f, int64_t offset)
{
	struct grt_clock_fit fit = { 0 };

	for (size_t i = 0; i < f->nr_submits; i++) {
		const struct grt_clock_submit *s = &f->submits[i];
		int64_t ns = (int64_t)s->ns + offset;
		const struct grt_clock_ioctl *ioctl = ioctl_from(f, s, ns);

		if (ioctl == end_of(f, s) || f->ioctls[f->spans[s->span].first].enter_ns > ns)
			continue;
		fit.submits++;
		fit.inside += ioctl->enter_ns <= ns;
	}
	return fit;
}

/* --- the vote --- */

/*
 * Keeps the highest peaks; of equal ones those that are near 0.  Two ioctls of a thread in one bin
 * count twice, so the right offset may be some bins beside its peak.
 */
static void add_peak(struct finder *f, const struct peak *found, int64_t bin_ns)
{
	const struct peak wide = {
		found->lo - BINS_BESIDE * bin_ns, found->hi + BINS_BESIDE * bin_ns, found->votes,
	}, *peak = &wide;
	size_t i = f->nr_peaks;

	while (i && (f->peaks[i - 1].votes < peak->votes ||
		     (f->peaks[i - 1].votes == peak->votes &&
		      llabs(f->peaks[i - 1].lo) > llabs(peak->lo))))
		i--;
	if (i == PEAKS)
		return;
	if (f->nr_peaks < PEAKS)
		f->nr_peaks++;
	memmove(&f->peaks[i + 1], &f->peaks[i], (f->nr_peaks - i - 1) * sizeof(*peak));
	f->peaks[i] = *peak;
}

/* Adds a vote for each ioctl that allows an offset in the slice. */
static void vote(struct finder *f, const struct grt_clock_submit *s, int64_t from, int64_t bin_ns)
{
	int64_t to = from + SLICE_BINS * bin_ns;
	const struct grt_clock_ioctl *ioctl = ioctl_from(f, s, s->ns + from);

	for (; ioctl < end_of(f, s) && ioctl->enter_ns - (int64_t)s->ns < to; ioctl++) {
		int64_t lo = ioctl->enter_ns - (int64_t)s->ns, hi = ioctl->exit_ns - (int64_t)s->ns;

		f->bins[lo > from ? (lo - from) / bin_ns : 0]++;
		f->bins[hi < to ? (hi - from) / bin_ns + 1 : SLICE_BINS]--;
	}
}

/* Turns the votes of a slice into peaks: bins with as many votes, and fewer on both sides. */
static void find_peaks(struct finder *f, int64_t from, int64_t bin_ns)
{
	struct peak peak = { .lo = from };
	bool has_risen = true;

	for (int i = 0; i < SLICE_BINS; i++) {
		uint32_t votes = (i ? peak.votes : 0) + f->bins[i];

		if (i && votes == peak.votes)
			continue;
		peak.hi = from + i * bin_ns;
		if (i && votes < peak.votes && has_risen)
			add_peak(f, &peak, bin_ns);
		has_risen = votes > peak.votes;
		peak.lo = peak.hi;
		peak.votes = votes;
	}
	peak.hi = from + SLICE_BINS * bin_ns;
	if (has_risen && peak.votes)
		add_peak(f, &peak, bin_ns);
}

/* All offsets that some pair allows. */
static void range_of(const struct finder *f, int64_t *from, int64_t *to)
{
	*from = INT64_MAX;
	*to = INT64_MIN;
	for (size_t i = 0; i < f->nr_submits; i++) {
		const struct grt_clock_submit *s = &f->submits[i];
		const struct grt_clock_span *span = &f->spans[s->span];
		int64_t lo = f->ioctls[span->first].enter_ns - (int64_t)s->ns;
		int64_t hi = f->ioctls[span->end - 1].exit_ns - (int64_t)s->ns;

		*from = lo < *from ? lo : *from;
		*to = hi > *to ? hi : *to;
	}
}

static void hold_vote(struct finder *f)
{
	size_t step = f->nr_submits / VOTERS + 1;
	int64_t from, to, bin_ns;

	range_of(f, &from, &to);
	bin_ns = (to - from) / ((int64_t)SLICE_BINS * MOST_SLICES) + 1;
	if (bin_ns < LEAST_BIN_NS)
		bin_ns = LEAST_BIN_NS;
	for (; from <= to; from += SLICE_BINS * bin_ns) {
		memset(f->bins, 0, (SLICE_BINS + 1) * sizeof(*f->bins));
		for (size_t i = 0; i < f->nr_submits; i += step)
			vote(f, &f->submits[i], from, bin_ns);
		find_peaks(f, from, bin_ns);
	}
}

/* --- the decision --- */

/* Where the range of offsets of a pair begins (1) or ends (-1). */
struct end {
	int64_t offset;
	int32_t step;
};

static int compare_ends(const void *a, const void *b)
{
	const struct end *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	/* Two ioctls of a thread that touch are never both right. */
	return x->step - y->step;
}

static int add_ends(struct finder *f, const struct grt_clock_submit *s, const struct peak *peak)
{
	const struct grt_clock_ioctl *ioctl = ioctl_from(f, s, s->ns + peak->lo);

	for (; ioctl < end_of(f, s) && ioctl->enter_ns - (int64_t)s->ns <= peak->hi; ioctl++) {
		const struct end ends[2] = {
			{ ioctl->enter_ns - (int64_t)s->ns, 1 }, { ioctl->exit_ns - (int64_t)s->ns, -1 },
		};

		if (grt_vec_append(&f->ends, ends, sizeof(ends)))
			return grt_fail_memory();
	}
	return 0;
}

/* Narrows a peak to the offsets that fit most SUBMITs, whose number becomes its votes. */
static int narrow(struct finder *f, struct peak *peak)
{
	size_t step = f->nr_submits / JUDGES + 1, nr;
	const struct end *ends;
	int32_t now = 0, most = 0;
	int err = 0;

	f->ends.bytes = 0;
	for (size_t i = 0; i < f->nr_submits && !err; i += step)
		err = add_ends(f, &f->submits[i], peak);
	if (err)
		return err;
	nr = grt_vec_count(&f->ends, struct end);
	if (nr)
		qsort(f->ends.data, nr, sizeof(*ends), compare_ends);
	ends = f->ends.data;
	for (size_t i = 0; i < nr; i++) {
		now += ends[i].step;
		if (now <= most)
			continue;
		most = now;
		peak->lo = ends[i].offset;
		peak->hi = ends[i + 1].offset;
	}
	peak->votes = most;
	return 0;
}

static int64_t middle(const struct peak *peak)
{
	if (peak->lo <= 0 && peak->hi >= 0)
		return 0;
	return peak->lo + (peak->hi - peak->lo) / 2;
}

static bool is_better(const struct peak *a, const struct peak *b)
{
	if (a->votes != b->votes)
		return a->votes > b->votes;
	return llabs(middle(a)) < llabs(middle(b));
}

static void fill(struct grt_clock_offset *found, const struct peak *best)
{
	int64_t below, above;

	found->ns = middle(best);
	below = found->ns - best->lo;
	above = best->hi - found->ns;
	found->error_ns = below > above ? below : above;
}

/* Whether a peak that fits nearly as well is another offset. */
static bool is_rival(const struct grt_clock_offset *found, const struct peak *best,
		     const struct peak *peak)
{
	uint64_t distance = llabs(middle(peak) - found->ns);
	uint64_t far = found->error_ns > FAR_NS ? found->error_ns : FAR_NS;

	return distance > FAR_TIMES * far && peak->votes * 20ull >= best->votes * 19ull;
}

static int decide(struct finder *f, struct grt_clock_offset *found)
{
	const struct peak *best = NULL;
	int err;

	for (size_t i = 0; i < f->nr_peaks; i++) {
		err = narrow(f, &f->peaks[i]);
		if (err)
			return err;
		if (!best || is_better(&f->peaks[i], best))
			best = &f->peaks[i];
	}
	if (!best || !best->votes)
		return 0;
	found->is_known = true;
	fill(found, best);
	for (size_t i = 0; i < f->nr_peaks; i++)
		if (is_rival(found, best, &f->peaks[i]) &&
		    (!found->is_ambiguous ||
		     llabs(middle(&f->peaks[i])) < llabs(found->other_ns))) {
			found->is_ambiguous = true;
			found->other_ns = middle(&f->peaks[i]);
		}
	found->best = fit_of(f, found->ns);
	found->without = fit_of(f, 0);
	return 0;
}

int grt_clock_pairs_find(struct grt_clock_pairs *p, struct grt_clock_offset *found)
{
	struct finder f = { 0 };
	int err;

	*found = (struct grt_clock_offset){ 0 };
	sort(p);
	f.submits = p->submits.data;
	f.nr_submits = grt_vec_count(&p->submits, struct grt_clock_submit);
	f.ioctls = p->ioctls.data;
	f.spans = p->spans.data;
	if (!f.nr_submits)
		return 0;
	for (size_t i = 0; i < grt_vec_count(&p->spans, struct grt_clock_span); i++)
		found->threads += f.spans[i].end > 0;
	f.bins = malloc((SLICE_BINS + 1) * sizeof(*f.bins));
	if (!f.bins)
		return grt_fail_memory();
	hold_vote(&f);
	err = decide(&f, found);
	grt_vec_free(&f.ends);
	free(f.bins);
	return err;
}

bool grt_clock_offset_differs(const struct grt_clock_offset *found)
{
	const struct grt_clock_fit *best = &found->best;

	/* Where few fit, the SUBMITs have nothing to do with the ioctls. */
	return found->is_known && found->ns && best->inside >= GRT_OFFSET_ENOUGH &&
	       best->inside * 5 >= best->submits * 4 && found->without.inside * 10 < best->inside * 9;
}

void grt_clock_pairs_free(struct grt_clock_pairs *p)
{
	grt_vec_free(&p->submits);
	grt_vec_free(&p->ioctls);
	grt_vec_free(&p->spans);
	grt_keymap_free(&p->threads);
}
