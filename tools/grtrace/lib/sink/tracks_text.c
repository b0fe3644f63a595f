// SPDX-License-Identifier: LGPL-2.1
/* Draws what goes along with lanes: frames, with the late ones marked, vertical blanks, and gauges. */
#include <inttypes.h>
#include <string.h>

#include "domain.h"
#include "gauge.h"
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

static void draw_gauge(const struct grt_lanes_out *o, struct grt_glyphs *line,
		       const struct grt_track_gauge *g, size_t label)
{
	grt_glyphs_clear(line);
	for (uint32_t i = 0; i < o->lanes->columns; i++) {
		int64_t mean = g->cells[i].ns ? g->cells[i].sum / (__int128)g->cells[i].ns : 0;

		if (g->cells[i].ns)
			grt_glyphs_put(line, i, grt_glyph_bar(mean > 0 ? mean : 0, g->most > 0 ? g->most : 1,
							      o->out->is_ascii), 0);
	}
	grt_glyphs_label(o->out->file, grt_gauges[g->gauge].name, label);
	grt_glyphs_print(line, o->out->file, o->out->has_colour, false);
	putc('\n', o->out->file);
}

static const char *name_crtc(const struct grt_tracks *t, const struct grt_track_crtc *c, char *word)
{
	bool has_gpus = false;

	for (unsigned int i = 1; i < t->nr_crtcs; i++)
		has_gpus |= t->crtcs[i].gpu != t->crtcs[0].gpu;
	return grt_word_crtc(word, c->crtc, has_gpus ? c->gpu : 0);
}

static void draw_crtc(const struct grt_lanes_out *o, struct grt_glyphs *line,
		      const struct grt_track_crtc *c, size_t label)
{
	char word[GRT_WORD_MAX];

	grt_glyphs_clear(line);
	for (uint32_t i = 0; i < o->lanes->columns; i++)
		if (c->cells[i])
			grt_glyphs_put(line, i, c->cells[i] > 9 ? "+" : (char[]){ '0' + c->cells[i], 0 }, 0);
	/* There is no room for the GPU; the legend names it, in the same order. */
	grt_glyphs_label(o->out->file, grt_word_crtc(word, c->crtc, 0), label);
	grt_glyphs_print(line, o->out->file, o->out->has_colour, false);
	putc('\n', o->out->file);
}

void grt_tracks_text(const struct grt_lanes_out *o, struct grt_glyphs *line, size_t label)
{
	if (o->tracks->nr_frames)
		draw_frames(o, line, label);
	for (unsigned int i = 0; i < o->tracks->nr_crtcs; i++)
		draw_crtc(o, line, &o->tracks->crtcs[i], label);
	for (unsigned int i = 0; i < o->tracks->nr_gauges; i++)
		if (o->tracks->gauges[i].has_most)
			draw_gauge(o, line, &o->tracks->gauges[i], label);
}

static bool has_many_gpus(const struct grt_tracks *t)
{
	uint32_t one = 0;

	for (unsigned int i = 0; i < t->nr_gauges; i++) {
		if (one && t->gauges[i].gpu && t->gauges[i].gpu != one)
			return true;
		if (t->gauges[i].gpu)
			one = t->gauges[i].gpu;
	}
	return false;
}

/* The ring or GPU of a gauge. */
static const char *name_of(const struct grt_lanes_out *o, const struct grt_track_gauge *g, char *word)
{
	const struct grt_names *names = grt_model_names(o->lanes->model);

	for (uint32_t row = 0; g->ring && row < grt_vec_count(&names->rings, struct grt_ring); row++)
		if (grt_names_ring_at(names, row)->id == g->ring)
			return grt_word_ring(word, names, row);
	return g->gpu && has_many_gpus(o->tracks) ? grt_pci_name(word, g->gpu) : "the GPU";
}

static void put_gauge(FILE *f, const struct grt_lanes_out *o, const struct grt_track_gauge *g)
{
	const struct grt_gauge *words = &grt_gauges[g->gauge];
	bool is_ascii = o->out->is_ascii;
	char word[GRT_WORD_MAX];

	fprintf(f, " %s of %s: %s is %.*f %s, the most here\n", words->name, name_of(o, g, word),
		is_ascii ? "8" : "█", words->digits, (double)g->most / words->per,
		is_ascii && g->gauge == GRTRACE_GAUGE_TEMPERATURE ? "C" : words->unit);
}

void grt_tracks_legend(FILE *f, const struct grt_lanes_out *o)
{
	const struct grt_tracks *t = o->tracks;
	char word[GRT_WORD_MAX];

	if (t->nr_frames)
		fprintf(f, " frames of %s: | begins  %s on time  %s late  L several begin, late ones among them\n",
			grt_word_process(word, grt_model_names(o->lanes->model), t->process),
			o->out->is_ascii ? "-" : "─", o->out->is_ascii ? "=" : "═");
	for (unsigned int i = 0; i < t->nr_crtcs; i++)
		fprintf(f, " %s: 1-9 so many vertical blanks  + more than 9\n", name_crtc(t, &t->crtcs[i], word));
	for (unsigned int i = 0; i < t->nr_gauges; i++)
		if (t->gauges[i].has_most)
			put_gauge(f, o, &t->gauges[i]);
	if (t->lacks_crtcs)
		fprintf(f, " more than %d CRTCs have vertical blanks: the others are not drawn\n", GRT_TRACKS_CRTCS);
	if (t->lacks_gauges)
		fprintf(f, " there are more than %d gauges: the others are not drawn\n", GRT_TRACKS_GAUGES);
}
