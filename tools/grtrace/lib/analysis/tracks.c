// SPDX-License-Identifier: LGPL-2.1
#include "tracks.h"

#include <stdlib.h>

#include <linux/grtrace.h>

#include "crtcs.h"
#include "error.h"
#include "gauge.h"

int grt_tracks_begin(struct grt_tracks *t, const struct grt_lanes *lanes)
{
	grt_tracks_free(t);
	t->lanes = lanes;
	t->process = GRT_NONE;
	t->frames = calloc(lanes->columns, sizeof(*t->frames));
	return t->frames ? 0 : grt_fail_memory();
}

/* The part of a time that is in the picture, column by column: true as long as there is one. */
static bool next_part(const struct grt_lanes *l, uint64_t *at_ns, uint64_t to_ns, uint32_t *column,
		      uint64_t *ns)
{
	uint64_t end_ns;

	if (*at_ns < l->from_ns)
		*at_ns = l->from_ns;
	if (to_ns > l->to_ns)
		to_ns = l->to_ns;
	if (*at_ns >= to_ns)
		return false;
	*column = grt_lanes_column(l, *at_ns);
	end_ns = grt_lanes_ns(l, *column + 1);
	if (end_ns > to_ns)
		end_ns = to_ns;
	*ns = end_ns - *at_ns;
	*at_ns = end_ns;
	return true;
}

void grt_tracks_frame(struct grt_tracks *t, const struct grt_frame *frame)
{
	uint64_t at_ns = frame->start_ns, ns;
	uint32_t column;

	t->nr_frames++;
	t->process = frame->process;
	while (next_part(t->lanes, &at_ns, frame->end_ns, &column, &ns))
		t->frames[column].ns[frame->verdict] += ns;
	if (frame->start_ns < t->lanes->from_ns || frame->start_ns >= t->lanes->to_ns)
		return;
	column = grt_lanes_column(t->lanes, frame->start_ns);
	t->frames[column].begins++;
	t->frames[column].has_late |= frame->verdict == GRT_FRAME_LATE;
	t->frames[column].number = frame->number;
	t->frames[column].duration_ns = frame->end_ns - frame->start_ns;
	t->frames[column].end_ns = frame->end_ns;
	t->frames[column].verdict = frame->verdict;
}

/* The gauge kept its value until now, as far as that is known. */
static void add_time(struct grt_tracks *t, struct grt_track_gauge *g, uint64_t to_ns)
{
	uint64_t at_ns = g->since_ns, ns;
	uint32_t column;

	if (to_ns > g->until_ns)
		to_ns = g->until_ns;
	while (g->is_known && next_part(t->lanes, &at_ns, to_ns, &column, &ns)) {
		g->cells[column].sum += (__int128)g->now * ns;
		g->cells[column].ns += ns;
		if (!g->has_most || g->now > g->most)
			g->most = g->now;
		g->has_most = true;
	}
}

static struct grt_track_gauge *gauge_of(struct grt_tracks *t, const struct grtrace_frequency *rec,
					int *err)
{
	struct grt_track_gauge *g = t->gauges;
	uint32_t gpu = grt_gauge_gpu(rec);

	while (g < t->gauges + t->nr_gauges &&
	       (g->gauge != rec->gauge || g->ring != rec->ring || g->gpu != gpu))
		g++;
	if (g < t->gauges + t->nr_gauges)
		return g;
	t->lacks_gauges |= t->nr_gauges == GRT_TRACKS_GAUGES;
	if (t->lacks_gauges)
		return NULL;
	*g = (struct grt_track_gauge){ .gauge = rec->gauge, .ring = rec->ring, .gpu = gpu };
	g->cells = calloc(t->lanes->columns, sizeof(*g->cells));
	if (!g->cells) {
		*err = grt_fail_memory();
		return NULL;
	}
	t->nr_gauges++;
	return g;
}

static int add_gauge(struct grt_tracks *t, const struct grtrace_frequency *rec)
{
	struct grt_track_gauge *g;
	int err = 0;

	if (rec->gauge >= GRT_NR_GAUGES)
		return 0;
	g = gauge_of(t, rec, &err);
	if (!g)
		return err;
	add_time(t, g, rec->hdr.ts);
	g->is_known = grt_gauge_value(rec, &g->now);
	g->since_ns = rec->hdr.ts;
	g->until_ns = grt_gauge_until(rec);
	return 0;
}

static struct grt_track_crtc *crtc_of(struct grt_tracks *t, const struct grtrace_vblank *rec, int *err)
{
	struct grt_track_crtc *c = t->crtcs;
	uint32_t gpu = grt_member(rec, pci_address);

	while (c < t->crtcs + t->nr_crtcs && !grt_is_of_crtc(rec, c->crtc, c->gpu))
		c++;
	if (c < t->crtcs + t->nr_crtcs) {
		c->gpu = c->gpu ? c->gpu : gpu;
		return c;
	}
	t->lacks_crtcs |= t->nr_crtcs == GRT_TRACKS_CRTCS;
	if (t->lacks_crtcs)
		return NULL;
	*c = (struct grt_track_crtc){ .gpu = gpu, .crtc = rec->crtc };
	c->cells = calloc(t->lanes->columns, sizeof(*c->cells));
	if (!c->cells) {
		*err = grt_fail_memory();
		return NULL;
	}
	t->nr_crtcs++;
	return c;
}

static int add_vblank(struct grt_tracks *t, const struct grtrace_vblank *rec)
{
	struct grt_track_crtc *c;
	uint64_t ns;
	int err = 0;

	if (!grt_is_blank(rec))
		return 0;
	ns = grt_blank_ns(&t->blanks, rec);
	if (ns < t->lanes->from_ns || ns >= t->lanes->to_ns)
		return 0;
	c = crtc_of(t, rec, &err);
	if (!c)
		return err;
	c->cells[grt_lanes_column(t->lanes, ns)]++;
	return 0;
}

int grt_tracks_record(struct grt_tracks *t, const struct grtrace_hdr *rec)
{
	grt_blank_clock_record(&t->blanks, rec);
	switch (rec->type) {
	case GRTRACE_FREQUENCY:
		return add_gauge(t, (const struct grtrace_frequency *)rec);
	case GRTRACE_VBLANK:
		return add_vblank(t, (const struct grtrace_vblank *)rec);
	default:
		return 0;
	}
}

static int compare(const void *a, const void *b)
{
	const struct grt_track_gauge *x = a, *y = b;

	if (x->gpu != y->gpu)
		return x->gpu < y->gpu ? -1 : 1;
	if (x->ring != y->ring)
		return x->ring < y->ring ? -1 : 1;
	return (x->gauge > y->gauge) - (x->gauge < y->gauge);
}

void grt_tracks_close(struct grt_tracks *t)
{
	for (unsigned int i = 0; i < t->nr_gauges; i++)
		add_time(t, &t->gauges[i], t->lanes->to_ns);
	qsort(t->gauges, t->nr_gauges, sizeof(*t->gauges), compare);
}

void grt_tracks_free(struct grt_tracks *t)
{
	for (unsigned int i = 0; i < t->nr_gauges; i++)
		free(t->gauges[i].cells);
	for (unsigned int i = 0; i < t->nr_crtcs; i++)
		free(t->crtcs[i].cells);
	free(t->frames);
	*t = (struct grt_tracks){ .frames = NULL };
}
