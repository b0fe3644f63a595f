// SPDX-License-Identifier: LGPL-2.1
/* Draws what goes along with lanes: frames, with the late ones marked, and frequencies. */
#include <inttypes.h>
#include <string.h>

#include "glyphs.h"
#include "job_words.h"
#include "key_names.h"
#include "lanes_sink.h"
#include "model.h"
#include "number.h"
#include "quote.h"

#define ALERT	203

static const struct {
	const char *sign, *ascii;
} verdicts[GRT_NR_FRAME_VERDICTS] = {
	[GRT_FRAME_ON_TIME] = { "─", "-" }, [GRT_FRAME_LATE] = { "═", "=" },
	[GRT_FRAME_OPEN] = { "─", "-" }, [GRT_FRAME_LOSSY] = { "?", "?" },
	[GRT_FRAME_PAUSE] = { " ", " " },
};

static int verdict_of(const struct grt_track_frames *cell)
{
	int most = -1;

	for (int i = 0; i < GRT_NR_FRAME_VERDICTS; i++)
		if (cell->ns[i] && (most < 0 || cell->ns[i] > cell->ns[most]))
			most = i;
	return most;
}

static void draw_frame_cell(const struct grt_lanes_out *o, struct grt_glyphs *line, uint32_t column)
{
	const struct grt_track_frames *cell = &o->tracks->frames[column];
	int verdict = verdict_of(cell);

	if (cell->begins > 1)
		grt_glyphs_put(line, column, cell->has_late ? "L" : "|", cell->has_late ? ALERT : 0);
	else if (cell->begins)
		grt_glyphs_put(line, column, "|", 0);
	else if (verdict >= 0)
		grt_glyphs_put(line, column, o->out->is_ascii ? verdicts[verdict].ascii : verdicts[verdict].sign,
			       verdict == GRT_FRAME_LATE ? ALERT : 0);
}

/* "7 16.6 ms" behind the begin of a frame, where it fits. */
static void label_frame(const struct grt_lanes_out *o, struct grt_glyphs *line, uint32_t column)
{
	const struct grt_track_frames *cell = &o->tracks->frames[column];
	bool is_late = cell->verdict == GRT_FRAME_LATE;
	uint32_t end = grt_lanes_column(o->lanes, cell->end_ns);
	char text[96], ns[GRT_NUMBER_MAX];

	snprintf(text, sizeof(text), "%" PRIu64 " %s%s", cell->number, is_late ? "late " : "",
		 grt_format_ns(ns, cell->duration_ns));
	if (column + 1 + strlen(text) > end)
		snprintf(text, sizeof(text), "%s", is_late ? "late" : "");
	if (column + 1 + strlen(text) <= end)
		grt_glyphs_text(line, column + 1, text, is_late ? ALERT : 0, false);
}

static void draw_frames(const struct grt_lanes_out *o, struct grt_glyphs *line, size_t label)
{
	grt_glyphs_clear(line);
	for (uint32_t i = 0; i < o->lanes->columns; i++)
		draw_frame_cell(o, line, i);
	for (uint32_t i = 0; i < o->lanes->columns; i++)
		if (o->tracks->frames[i].begins == 1)
			label_frame(o, line, i);
	grt_glyphs_label(o->out->file, "frames", label);
	grt_glyphs_print(line, o->out->file, o->out->has_colour, false);
	putc('\n', o->out->file);
}

static void draw_clock(const struct grt_lanes_out *o, struct grt_glyphs *line,
		       const struct grt_track_clock *c, size_t label)
{
	static const char *const bars[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };

	grt_glyphs_clear(line);
	for (uint32_t i = 0; i < o->lanes->columns && c->most_hz; i++) {
		unsigned int eighth;

		if (!c->cells[i].ns)
			continue;
		eighth = (double)(uint64_t)(c->cells[i].sum / c->cells[i].ns) / c->most_hz * 8;
		eighth = eighth > 7 ? 7 : eighth;
		grt_glyphs_put(line, i, o->out->is_ascii ? (char[]){ '1' + eighth, 0 } : bars[eighth], 0);
	}
	grt_glyphs_label(o->out->file, "frequency", label);
	grt_glyphs_print(line, o->out->file, o->out->has_colour, false);
	putc('\n', o->out->file);
}

void grt_tracks_text(const struct grt_lanes_out *o, struct grt_glyphs *line, size_t label)
{
	if (o->tracks->nr_frames)
		draw_frames(o, line, label);
	for (unsigned int i = 0; i < o->tracks->nr_clocks; i++)
		draw_clock(o, line, &o->tracks->clocks[i], label);
}

static const char *name_of(const struct grt_lanes_out *o, uint32_t id, char *word)
{
	const struct grt_names *names = grt_model_names(o->lanes->model);

	for (uint32_t row = 0; id && row < grt_vec_count(&names->rings, struct grt_ring); row++)
		if (grt_names_ring_at(names, row)->id == id)
			return grt_word_ring(word, names, row);
	return "the GPU";
}

void grt_tracks_legend(FILE *f, const struct grt_lanes_out *o)
{
	const struct grt_tracks *t = o->tracks;
	char word[GRT_WORD_MAX];

	if (t->nr_frames)
		fprintf(f, " frames of %s: | begins  %s on time  %s late  L several begin, late ones among them\n",
			grt_word_process(word, grt_model_names(o->lanes->model), t->process),
			o->out->is_ascii ? "-" : "─", o->out->is_ascii ? "=" : "═");
	for (unsigned int i = 0; i < t->nr_clocks; i++)
		fprintf(f, " frequency of %s: %s is %.0f MHz, the most here\n",
			name_of(o, t->clocks[i].ring, word), o->out->is_ascii ? "8" : "█",
			t->clocks[i].most_hz / 1e6);
}
