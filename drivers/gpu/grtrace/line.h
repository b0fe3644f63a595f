/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps rows of a table in order of appearance.  Each reader has a cursor.  A row may be
 * removed and used again while a cursor points to it.  So each appearance gets a number that is
 * never used again; a cursor compares numbers, and continues after its own number.
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

/* Zeroed = before the first row. */
struct grt_line_cursor {
	struct grt_place *last;	/* last place read; the table outlives the cursor */
	u64 nth;
};

/* The caller of each function below holds the lock of the table. */

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

/*
 * The first place whose number is above @nth.  It is near the end: a reader takes all new rows each
 * time, so few rows are newer than the one it read last.  Most of the others are older.
 */
static inline struct grt_place *grt_line_search(const struct grt_line *line, u64 nth)
{
	struct grt_place *place;

	list_for_each_entry_reverse(place, &line->places, link)
		if (place->nth <= nth)
			break;
	return list_next_entry(place, link);
}

/* Returns the place after @at and moves @at; NULL at the end. */
static inline struct grt_place *grt_line_next(const struct grt_line *line,
					      struct grt_line_cursor *at)
{
	struct grt_place *place;

	if (line->last_nth <= at->nth)
		return NULL;
	/* The row read last may have been removed or used again: then search. */
	if (!at->nth)
		place = list_first_entry(&line->places, struct grt_place, link);
	else if (at->last->nth == at->nth)
		place = list_next_entry(at->last, link);
	else
		place = grt_line_search(line, at->nth);
	if (list_entry_is_head(place, &line->places, link))
		return NULL;
	at->last = place;
	at->nth = place->nth;
	return place;
}

#endif
