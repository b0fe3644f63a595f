/* SPDX-License-Identifier: LGPL-2.1 */
/* Prints lanes: as a picture in text, or their cells as CSV. */
#ifndef GRT_LANES_SINK_H
#define GRT_LANES_SINK_H

#include "job_lanes.h"
#include "job_sink.h"
#include "lanes.h"
#include "tracks.h"

struct grt_glyphs;

#define GRT_LANES_MIN_WIDTH	40
#define GRT_LANES_WIDTH		100	/* where there is no terminal */
#define GRT_LANES_MAX_WIDTH	(GRT_LANES_MAX_COLUMNS + 24)

struct grt_lanes_out {
	const struct grt_job_out *out;	/* file, width, colour, ASCII */
	const struct grt_lanes *lanes;
	const struct grt_job_lanes *job;	/* NULL: none was asked for */
	const struct grt_tracks *tracks;
};

/* How many columns of time fit a line of @width cells. */
uint32_t grt_lanes_columns(size_t width);

/* 0 or -errno. */
int grt_lanes_text(const struct grt_lanes_out *o);

/* A row for each cell. */
void grt_lanes_csv(const struct grt_lanes_out *o);

/* lanes_people.c: the processes of a picture, each with a letter and a colour. */
struct grt_lanes_person {
	uint32_t process;	/* row of the names */
	char letter;		/* 0: there are none left */
	uint8_t colour;
	char name[32];		/* "game", or "game[7]" if others have that name; "": not ASCII */
};

struct grt_lanes_people {
	struct grt_vec list;	/* struct grt_lanes_person, by row of the names */
};

/* Those that run in some cell.  0 or -errno. */
int grt_lanes_people(struct grt_lanes_people *p, const struct grt_lanes *lanes);
const struct grt_lanes_person *grt_lanes_person(const struct grt_lanes_people *p, uint32_t process);
void grt_lanes_people_free(struct grt_lanes_people *p);

/* job_lanes_text.c: the life of a job below the lanes. */
int grt_job_lanes_text(const struct grt_lanes_out *o, size_t label);

/* tracks_text.c: frames and frequencies, and what their lines mean. */
void grt_tracks_text(const struct grt_lanes_out *o, struct grt_glyphs *line, size_t label);
void grt_tracks_legend(FILE *f, const struct grt_lanes_out *o);

/* The width of labels in front of lanes of @width cells. */
size_t grt_lanes_label(size_t width);

#endif /* GRT_LANES_SINK_H */
