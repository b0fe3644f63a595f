/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows of a table in order of appearance.  Readers walk them with cursors of their own,
 * and a row may go and come again as another one meanwhile: each appearance has a number
 * that is never used again, so a cursor finds out, and goes on behind that number.
 */
#ifndef _GRTRACE_LINE_H
#define _GRTRACE_LINE_H

#include <linux/list.h>
#include <linux/types.h>

/* A row's place in the line; part of the row. */
struct grt_place {
	struct list_head link;
	u64 nth;		/* 0: not in the line */
};

struct grt_line {
	struct list_head places;
	u64 last_nth;
};

/* Zeroed = nothing taken yet. */
struct grt_line_cursor {
	struct grt_place *last;	/* taken; of a table that outlives the cursor */
	u64 nth;
};

/* All under the table's lock. */

static inline void grt_line_reset(struct grt_line *line)
{
	INIT_LIST_HEAD(&line->places);
	line->last_nth = 0;
}

static inline void grt_line_add(struct grt_line *line, struct grt_place *place)
{
	place->nth = ++line->last_nth;
	list_add_tail(&place->link, &line->places);
}

static inline void grt_line_remove(struct grt_place *place)
{
	list_del(&place->link);
	place->nth = 0;
}

/* The next place behind @at, which moves on; NULL at the end. */
static inline struct grt_place *grt_line_next(const struct grt_line *line,
					      struct grt_line_cursor *at)
{
	struct grt_place *place;

	if (line->last_nth <= at->nth)
		return NULL;
	/* The one taken last may have gone, and then be another: search. */
	if (at->nth && at->last->nth == at->nth)
		place = list_next_entry(at->last, link);
	else
		list_for_each_entry(place, &line->places, link)
			if (place->nth > at->nth)
				break;
	if (list_entry_is_head(place, &line->places, link))
		return NULL;
	at->last = place;
	at->nth = place->nth;
	return place;
}

#endif
