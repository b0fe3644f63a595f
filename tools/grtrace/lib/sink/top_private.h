/* SPDX-License-Identifier: LGPL-2.1 */
/* The columns of the screen of grtrace top: top_cells.c has them, top_screen.c puts them in lines. */
#ifndef GRT_TOP_PRIVATE_H
#define GRT_TOP_PRIVATE_H

#include "job_words.h"
#include "top_sink.h"

#define GRT_TOP_MAX_COLUMNS	20
#define GRT_TOP_NARROW		110	/* cells; narrower screens show whole percents */

/* The colours of the rings' states, as of a terminal with eight. */
enum { GRT_TOP_PLAIN, GRT_TOP_RED, GRT_TOP_GREEN, GRT_TOP_YELLOW, GRT_TOP_BLUE, GRT_TOP_MAGENTA, GRT_TOP_CYAN };

/* What cells are made of; @ring or @user is NULL. */
struct grt_top_place {
	const struct grt_top *top;
	const struct grt_top_ring *ring;
	const struct grt_top_user *user;
	bool is_narrow;
};

struct grt_top_column {
	const char *title;
	uint8_t width, narrow;		/* cells, with a blank in front */
	uint8_t drop;			/* those with the greatest number go first; 0: never */
	uint8_t arg;
	/* Whether the rows have it.  NULL: always. */
	bool (*is_there)(const struct grt_top *top, unsigned int arg);
	/* Writes the cell into @buf, or returns a constant. */
	const char *(*word)(char buf[GRT_WORD_MAX], const struct grt_top_place *p, unsigned int arg);
};

extern const struct grt_top_column grt_top_ring_columns[], grt_top_user_columns[];
extern const unsigned int grt_top_nr_ring_columns, grt_top_nr_user_columns;

/* The first column. */
const char *grt_top_name(char buf[GRT_WORD_MAX], const struct grt_top_place *p);

/* "71.2%", "0%"; "-" if @whole is 0. */
const char *grt_top_percent(char buf[GRT_WORD_MAX], uint64_t part, uint64_t whole, bool is_narrow);
/* The share of a state of a ring, of all its time: at least, where not all is known.  "-": nothing is known. */
const char *grt_top_share(char buf[GRT_WORD_MAX], const struct grt_ring_use *use, uint64_t part, bool is_narrow);

#endif /* GRT_TOP_PRIVATE_H */
