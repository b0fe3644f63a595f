/* SPDX-License-Identifier: LGPL-2.1 */
/* What grtrace top shows, as rows for programs, or as a screen. */
#ifndef GRT_TOP_SINK_H
#define GRT_TOP_SINK_H

#include <stdbool.h>
#include <stdio.h>

#include "glyphs.h"
#include "top_sums.h"

/* What is said about the whole, besides the rows. */
struct grt_top_state {
	const char *source;		/* "bpf", or the name of a file */
	uint64_t lost, uncounted;	/* events; losses of an unknown number */
	bool has_cpu;
	double cpu_pct;			/* time of a CPU that grtrace took itself */
	bool is_over;			/* no more events come */
};

/* top_rows.c: a row for each ring, then one for each process.  @has_header: a line of names first. */
void grt_top_csv(const struct grt_top *t, FILE *f, bool has_header);
/* One line with one object. */
void grt_top_json(const struct grt_top *t, const struct grt_top_state *state, FILE *f);

/* top_screen.c */

/* What the user sees of the rows; all zeros is the begin. */
struct grt_top_look {
	size_t width, height;		/* cells and lines; @height 0: as many as there are */
	bool is_ascii;
	bool has_keys;			/* a terminal: the selected row, and a line of keys */
	bool is_frozen, has_help;
	bool is_typing;			/* the filter */
	size_t selected;		/* rows: rings first, then processes */
};

struct grt_top_screen {
	struct grt_vec lines;		/* of struct grt_glyphs */
	size_t height;
};

/* The screen as lines of signs: nothing but @t, @state and @look decides it.  0 or -errno. */
int grt_top_draw(struct grt_top_screen *s, const struct grt_top *t, const struct grt_top_state *state,
		 struct grt_top_look *look);
void grt_top_screen_free(struct grt_top_screen *s);

/* Rows that can be selected. */
size_t grt_top_rows(const struct grt_top *t);

/* What to tell of what found no room; NULL: all did. */
const char *grt_top_lack(const struct grt_recent *r, enum grt_recent_lack lack);

#endif /* GRT_TOP_SINK_H */
