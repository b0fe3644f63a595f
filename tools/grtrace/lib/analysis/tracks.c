// SPDX-License-Identifier: LGPL-2.1
#include "tracks.h"

#include <stdlib.h>

#include <linux/grtrace.h>

#include "error.h"
#include "meaning.h"

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

/* The clock kept its frequency until now. */
static void add_time(struct grt_tracks *t, struct grt_track_clock *c, uint64_t to_ns)
{
	uint64_t at_ns = c->since_ns, ns;
	uint32_t column;

	while (next_part(t->lanes, &at_ns, to_ns, &column, &ns)) {
		c->cells[column].sum += (unsigned __int128)c->now_hz * ns;
		c->cells[column].ns += ns;
		if (c->now_hz > c->most_hz)
			c->most_hz = c->now_hz;
	}
	c->since_ns = to_ns;
}

static struct grt_track_clock *clock_of(struct grt_tracks *t, uint32_t ring, int *err)
{
	struct grt_track_clock *c = t->clocks;

	while (c < t->clocks + t->nr_clocks && c->ring != ring)
		c++;
	if (c < t->clocks + t->nr_clocks)
		return c;
	if (t->nr_clocks == GRT_TRACKS_CLOCKS)
		return NULL;
	*c = (struct grt_track_clock){ .ring = ring };
	c->cells = calloc(t->lanes->columns, sizeof(*c->cells));
	if (!c->cells) {
		*err = grt_fail_memory();
		return NULL;
	}
	t->nr_clocks++;
	return c;
}

int grt_tracks_record(struct grt_tracks *t, const struct grtrace_hdr *rec)
{
	const struct grtrace_frequency *freq = (const struct grtrace_frequency *)rec;
	struct grt_track_clock *c;
	int err = 0;

	if (rec->type != GRTRACE_FREQUENCY || !grt_is_engine_clock(freq))
		return 0;
	c = clock_of(t, freq->ring, &err);
	if (!c)
		return err;
	if (c->now_hz)
		add_time(t, c, rec->ts);
	c->since_ns = rec->ts;
	c->now_hz = freq->freq_hz;
	return 0;
}

void grt_tracks_close(struct grt_tracks *t)
{
	for (unsigned int i = 0; i < t->nr_clocks; i++)
		if (t->clocks[i].now_hz)
			add_time(t, &t->clocks[i], t->lanes->to_ns);
}

void grt_tracks_free(struct grt_tracks *t)
{
	for (unsigned int i = 0; i < t->nr_clocks; i++)
		free(t->clocks[i].cells);
	free(t->frames);
	*t = (struct grt_tracks){ .frames = NULL };
}
