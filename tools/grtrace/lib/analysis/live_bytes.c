// SPDX-License-Identifier: LGPL-2.1
#include "live_bytes.h"

#define COLUMNS_OF_PART	(GRT_LIVE_COLUMNS / GRT_LIVE_PARTS)
_Static_assert(GRT_LIVE_COLUMNS % GRT_LIVE_PARTS == 0, "a part has whole columns");

uint64_t grt_live_part_ns(const struct grt_live_window *w, uint64_t i, uint64_t parts)
{
	/* Rounded up, so that grt_live_part() of this instant is @i. */
	return w->from_ns + ((unsigned __int128)(w->to_ns - w->from_ns) * i + parts - 1) / parts;
}

uint64_t grt_live_part(const struct grt_live_window *w, uint64_t ns, uint64_t parts)
{
	return (unsigned __int128)(ns - w->from_ns) * parts / (w->to_ns - w->from_ns);
}

static void begin(struct grt_live_level *l, const struct grt_live_window *w)
{
	if (l->has_begun)
		return;
	l->has_begun = true;
	l->begin_bytes = l->peak_bytes = l->bytes;
	l->peak_ns = w->from_ns;
}

void grt_live_level_set(struct grt_live_level *l, const struct grt_live_window *w, uint64_t ns,
			uint64_t bytes)
{
	if (ns >= w->from_ns)
		begin(l, w);
	l->bytes = bytes;
	if (!l->has_begun || bytes <= l->peak_bytes)
		return;
	l->peak_bytes = bytes;
	l->peak_ns = ns;
}

/* The bytes stay as they are until column @to. */
static void go_on(struct grt_live_bytes *l, uint32_t to)
{
	if (!l->level.has_begun)
		l->columns[0].low_bytes = l->level.bytes;
	while (l->column < to) {
		l->columns[l->column++].end_bytes = l->level.bytes;
		l->columns[l->column].low_bytes = l->level.bytes;
	}
}

void grt_live_bytes_set(struct grt_live_bytes *l, const struct grt_live_window *w, uint64_t ns,
			uint64_t bytes)
{
	struct grt_live_column *c;

	if (ns >= w->from_ns)
		go_on(l, grt_live_part(w, ns, GRT_LIVE_COLUMNS));
	grt_live_level_set(&l->level, w, ns, bytes);
	c = &l->columns[l->column];
	if (bytes < c->low_bytes)
		c->low_bytes = bytes;
}

void grt_live_level_close(struct grt_live_level *l, const struct grt_live_window *w)
{
	begin(l, w);
}

void grt_live_bytes_close(struct grt_live_bytes *l, const struct grt_live_window *w)
{
	go_on(l, GRT_LIVE_COLUMNS - 1);
	l->columns[l->column].end_bytes = l->level.bytes;
	grt_live_level_close(&l->level, w);
}

uint64_t grt_live_floor(const struct grt_live_bytes *l, unsigned int i)
{
	const struct grt_live_column *c = &l->columns[i * COLUMNS_OF_PART];
	uint64_t bytes = c->low_bytes;

	for (unsigned int j = 1; j < COLUMNS_OF_PART; j++)
		if (c[j].low_bytes < bytes)
			bytes = c[j].low_bytes;
	return bytes;
}

bool grt_live_rises(const struct grt_live_bytes *l, uint64_t *bytes)
{
	for (unsigned int i = 1; i < GRT_LIVE_PARTS; i++)
		if (grt_live_floor(l, i) <= grt_live_floor(l, i - 1))
			return false;
	*bytes = grt_live_floor(l, GRT_LIVE_PARTS - 1) - grt_live_floor(l, 0);
	return true;
}
