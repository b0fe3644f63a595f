// SPDX-License-Identifier: LGPL-2.1
/* Draws lanes in text: a line for the execution of each ring, and one for jobs that wait for it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "glyphs.h"
#include "job_words.h"
#include "key_names.h"
#include "lanes_sink.h"
#include "model.h"
#include "number.h"
#include "quote.h"
#include "text_cells.h"

#define SHARE_CELLS	8	/* " 100.0%*" behind a lane */
#define CROWD		3	/* so many jobs in a cell are not drawn one by one */
#define TICK_CELLS	16	/* at least, from one time of the axis to the next */
#define DIM		244	/* the colour of idle time */
#define ALERT		203	/* of what should not be */

/* What a cell may show beside a box: X(NAME, sign, in ASCII, colour, text of the legend). */
#define SIGNS(X)								\
	X(STARVED,    "░", ".", DIM,   "idle: no work")				\
	X(DEPENDENCY, "·", "-", DIM,   "idle: waits for fence")			\
	X(SCHEDULER,  "~", "~", ALERT, "idle: not handed over")			\
	X(HARDWARE,   "▒", ":", DIM,   "idle: handed over, not begun")		\
	X(RECOVERY,   "!", "!", ALERT, "reset")					\
	X(UNKNOWN,    "?", "?", DIM,   "not known")				\
	X(BUSY,	      "█", "#", 0,     "runs")					\
	X(OCCUPIED,   "▓", "%", 0,     "occupied") \
	X(ASLEEP,     "_", "_", DIM,   "the machine slept")

/* The first ones have the numbers of enum grt_idle and GRT_RING_BUSY. */
enum sign {
#define ROW(NAME, sign, ascii, colour, text) SIGN_##NAME,
	SIGNS(ROW)
#undef ROW
	NR_SIGNS
};

static const struct {
	const char *sign, *ascii, *text;
	uint8_t colour;
} signs[] = {
#define ROW(NAME, sign, ascii, colour, text) { sign, ascii, text, colour },
	SIGNS(ROW)
#undef ROW
};

_Static_assert((int)SIGN_UNKNOWN == GRT_IDLE_UNKNOWN && (int)SIGN_BUSY == GRT_RING_BUSY,
	       "states have signs");

struct picture {
	const struct grt_lanes_out *o;
	const struct grt_lanes *lanes;
	const struct grt_names *names;
	struct grt_lanes_people people;
	struct grt_glyphs line;
	uint32_t used;		/* bit per sign */
	bool has_on_ring, has_waiting;
	size_t label;
};

size_t grt_lanes_label(size_t width)
{
	return width < 80 ? 12 : 16;
}

uint32_t grt_lanes_columns(size_t width)
{
	if (width < GRT_LANES_MIN_WIDTH)
		width = GRT_LANES_MIN_WIDTH;
	if (width > GRT_LANES_MAX_WIDTH)
		width = GRT_LANES_MAX_WIDTH;
	return width - grt_lanes_label(width) - SHARE_CELLS;
}

static FILE *file_of(const struct picture *p)
{
	return p->o->out->file;
}

static void end_line(const struct picture *p, bool is_whole)
{
	grt_glyphs_print(&p->line, file_of(p), p->o->out->has_colour, is_whole);
}

/* --- the axis --- */

/* The least 1, 2 or 5 times a power of ten that leaves room for the texts. */
static uint64_t step_of(const struct grt_lanes *l)
{
	uint64_t least = (unsigned __int128)(l->to_ns - l->from_ns) * TICK_CELLS / l->columns, unit = 1;

	while (unit < least && unit < 10000000000000000000ull) {
		if (unit * 2 >= least)
			return unit * 2;
		if (unit * 5 >= least)
			return unit * 5;
		unit *= 10;
	}
	return unit;
}

/* "+20 ms" */
static void format_tick(char *buf, size_t bytes, uint64_t ns, uint64_t step_ns)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };
	size_t i = 0;

	while (step_ns < units[i].ns)
		i++;
	snprintf(buf, bytes, "+%" PRIu64 " %s", ns / units[i].ns, units[i].name);
}

/* "904.0580 s", to a tenth of a step. */
static void format_begin(char *buf, size_t bytes, uint64_t ns, uint64_t step_ns)
{
	uint64_t unit = 1000000000;
	char part[16];
	int digits = 0;

	while (digits < 9 && unit * 10 > step_ns) {
		unit /= 10;
		digits++;
	}
	snprintf(part, sizeof(part), "%09u", (unsigned int)(ns % 1000000000));
	snprintf(buf, bytes, "%" PRIu64 "%s%.*s s", ns / 1000000000, digits ? "." : "", digits, part);
}

static void draw_axis(struct picture *p)
{
	const struct grt_lanes *l = p->lanes;
	uint64_t step_ns = step_of(l), span_ns = l->to_ns - l->from_ns;
	const char *tick = p->o->out->is_ascii ? "|" : "▏";
	char text[64];

	grt_glyphs_clear(&p->line);
	format_begin(text, sizeof(text), l->from_ns, step_ns);
	grt_glyphs_text(&p->line, 0, text, 0, false);
	for (uint64_t ns = step_ns; span_ns && ns < span_ns && ns >= step_ns; ns += step_ns) {
		uint32_t column = grt_lanes_column(l, l->from_ns + ns);

		format_tick(text, sizeof(text), ns, step_ns);
		if (column + 1 + strlen(text) > l->columns)
			break;
		grt_glyphs_put(&p->line, column, tick, DIM);
		grt_glyphs_text(&p->line, column + 1, text, 0, false);
	}
	grt_glyphs_label(file_of(p), "", p->label);
	end_line(p, true);
	fputs("   busy\n", file_of(p));
}

/* --- boxes --- */

/* Who has a cell: a job, or a process whose jobs are short. */
struct owner {
	int sign;
	uint64_t ctx, seqno;	/* 0:0 many jobs */
	uint32_t who;		/* process; of idle time: culprit */
};

static struct owner owner_of(const struct grt_lane *lane, uint32_t column)
{
	const struct grt_lane_cell *cell = &lane->cells[column];
	struct owner owner = { .sign = grt_lane_state(cell), .who = GRT_NONE };

	if (owner.sign < 0) {
		owner.sign = lane->has_time ? SIGN_ASLEEP : SIGN_UNKNOWN;
	} else if (owner.sign == SIGN_BUSY) {
		if (!lane->is_fifo)
			owner.sign = SIGN_OCCUPIED;
		owner.who = cell->runner.ns ? cell->runner.who : GRT_NONE;
		if (cell->runs < CROWD) {
			owner.ctx = cell->ctx;
			owner.seqno = cell->seqno;
		}
	} else if (cell->culprit.ns * 2 > cell->ns[owner.sign]) {
		owner.who = cell->culprit.who;
	}
	return owner;
}

static bool is_same(const struct owner *a, const struct owner *b)
{
	return a->sign == b->sign && a->who == b->who && a->ctx == b->ctx && a->seqno == b->seqno;
}

/* The longest text that leaves a cell of the box free; at least a letter. */
static void label_box(struct picture *p, const struct owner *owner, uint32_t from, uint32_t to)
{
	const struct grt_lanes_person *person = grt_lanes_person(&p->people, owner->who);
	char text[96];

	if (!person) {
		snprintf(text, sizeof(text), "%" PRIu64 ":%" PRIu64, owner->ctx, owner->seqno);
		if ((owner->ctx || owner->seqno) && strlen(text) < to - from)
			grt_glyphs_text(&p->line, from, text, 0, true);
		return;
	}
	snprintf(text, sizeof(text), "%s %" PRIu64 ":%" PRIu64, person->name, owner->ctx, owner->seqno);
	if (*person->name && (owner->ctx || owner->seqno) && strlen(text) < to - from)
		grt_glyphs_text(&p->line, from, text, person->colour, true);
	else if (*person->name && strlen(person->name) < to - from)
		grt_glyphs_text(&p->line, from, person->name, person->colour, true);
	else if (person->letter)
		grt_glyphs_text(&p->line, from, (char[]){ person->letter, 0 }, person->colour, true);
}

/* Idle time of several cells in a row with one culprit. */
static void label_idle(struct picture *p, const struct owner *owner, uint32_t from, uint32_t to)
{
	static const char *const words[] = {
		[SIGN_DEPENDENCY] = "dep", [SIGN_SCHEDULER] = "sched", [SIGN_RECOVERY] = "reset",
		[SIGN_OCCUPIED] = NULL, [NR_SIGNS] = NULL,
	};
	const struct grt_lane_culprit *c;
	char text[64];
	size_t len;

	if (owner->who == GRT_NONE || !words[owner->sign])
		return;
	c = grt_lane_culprit_at(p->lanes, owner->who);
	len = snprintf(text, sizeof(text), "%s %" PRIu64 ":%" PRIu64, words[owner->sign], c->ctx, c->seqno);
	if (len + 2 <= to - from)
		grt_glyphs_text(&p->line, from + (to - from - len) / 2, text, 0, false);
}

static void draw_box(struct picture *p, const struct owner *owner, uint32_t from, uint32_t to)
{
	const struct grt_lanes_person *person = NULL;
	bool is_box = owner->sign == SIGN_BUSY || owner->sign == SIGN_OCCUPIED;
	const char *sign = p->o->out->is_ascii ? signs[owner->sign].ascii : signs[owner->sign].sign;

	if (is_box)
		person = grt_lanes_person(&p->people, owner->who);
	p->used |= 1u << owner->sign;
	for (uint32_t i = from; i < to; i++)
		grt_glyphs_put(&p->line, i, sign, person ? person->colour : signs[owner->sign].colour);
	if (is_box)
		label_box(p, owner, from, to);
	else
		label_idle(p, owner, from, to);
}

/* The share of busy time that reports print, in at most 8 columns: without decimals where it has two bounds. */
static void print_share(const struct picture *p, const struct grt_lane *lane)
{
	const struct grt_ring_use *use = grt_model_ring_use(p->lanes->model, lane->ring);
	uint64_t unsure_ns = grt_use_unsure_ns(use);
	double span_ns = grt_use_span_ns(use);
	char word[32];

	if (!grt_use_known_ns(use)) {
		fputs("      -\n", file_of(p));
		return;
	}
	if (unsure_ns >= span_ns / 100)
		snprintf(word, sizeof(word), "%.0f-%.0f", 100 * use->busy_ns / span_ns,
			 100 * (use->busy_ns + unsure_ns) / span_ns);
	else
		snprintf(word, sizeof(word), "%.1f", 100 * use->busy_ns / span_ns);
	fprintf(file_of(p), " %*s%s%s\n", lane->is_fifo || strlen(word) < 6 ? 5 : 6, word,
		lane->is_fifo || strlen(word) < 6 ? "%" : "", lane->is_fifo ? "" : "*");
}

static void draw_ring(struct picture *p, const struct grt_lane *lane)
{
	struct owner owner = owner_of(lane, 0), next;
	char name[GRT_RING_NAME_MAX], word[GRT_WORD_MAX];
	uint32_t from = 0;

	grt_glyphs_clear(&p->line);
	for (uint32_t i = 1; i <= p->lanes->columns; i++) {
		if (i < p->lanes->columns)
			next = owner_of(lane, i);
		if (i < p->lanes->columns && is_same(&owner, &next))
			continue;
		draw_box(p, &owner, from, i);
		owner = next;
		from = i;
	}
	grt_quote_text(word, sizeof(word), grt_ring_name(grt_names_ring_at(p->names, lane->ring), name));
	grt_glyphs_label(file_of(p), word, p->label - 1);
	putc(' ', file_of(p));
	end_line(p, true);
	print_share(p, lane);
}

/* --- jobs that wait --- */

static char digit_of(uint64_t ns, uint64_t column_ns)
{
	uint64_t jobs = column_ns ? (ns + column_ns / 2) / column_ns : 0;

	if (!ns)
		return ' ';
	return !jobs ? '.' : jobs > 9 ? '+' : '0' + jobs;
}

static void draw_depth(struct picture *p, const struct grt_lane *lane, bool is_on_ring)
{
	const struct grt_lanes *l = p->lanes;

	if (!(is_on_ring ? lane->has_on_ring : lane->has_waiting))
		return;
	grt_glyphs_clear(&p->line);
	for (uint32_t i = 0; i < l->columns; i++) {
		const struct grt_lane_cell *cell = &lane->cells[i];
		uint64_t column_ns = grt_lanes_ns(l, i + 1) - grt_lanes_ns(l, i);
		char sign[] = { digit_of(is_on_ring ? cell->on_ring_ns : cell->waiting_ns, column_ns), 0 };

		grt_glyphs_put(&p->line, i, sign, DIM);
	}
	if (is_on_ring)
		p->has_on_ring = true;
	else
		p->has_waiting = true;
	grt_glyphs_label(file_of(p), is_on_ring ? "  on ring" : "  waiting", p->label);
	end_line(p, false);
	putc('\n', file_of(p));
}

/* --- all of it --- */

static bool is_wanted(const struct picture *p, const struct grt_lane *lane)
{
	return lane->has_job && grt_lanes_want(p->lanes, lane->ring);
}

static int compare(const void *a, const void *b)
{
	const struct grt_lane *x = *(struct grt_lane *const *)a, *y = *(struct grt_lane *const *)b;

	return (x->ring > y->ring) - (x->ring < y->ring);
}

static void draw_lanes(struct picture *p, const struct grt_lane **lanes, size_t count)
{
	const char *device = NULL;
	char word[GRT_WORD_MAX];
	bool has_several = false;

	for (size_t i = 1; i < count; i++)
		has_several |= strcmp(grt_names_ring_at(p->names, lanes[i]->ring)->device,
				      grt_names_ring_at(p->names, lanes[0]->ring)->device) != 0;
	draw_axis(p);
	for (size_t i = 0; i < count; i++) {
		const char *own = grt_names_ring_at(p->names, lanes[i]->ring)->device;

		if (has_several && (!device || strcmp(device, own) != 0))
			fprintf(file_of(p), "GPU %s\n", grt_word_device(word, own));
		device = own;
		draw_ring(p, lanes[i]);
		draw_depth(p, lanes[i], true);
		draw_depth(p, lanes[i], false);
	}
}

static size_t width_of(const struct picture *p)
{
	return p->o->out->width;
}

/* Adds an item of the legend, to the next line if it does not fit.  @at: cells of this line. */
static void put_item(FILE *f, const struct picture *p, size_t *at, const char *sign, const char *text)
{
	size_t cells = grt_text_cells(sign) + grt_text_cells(text);

	if (*at && *at + 2 + cells > width_of(p)) {
		putc('\n', f);
		*at = 0;
	}
	fprintf(f, "%s%s%s", *at ? "  " : " ", sign, text);
	*at += (*at ? 2 : 1) + cells;
}

static void put_people(FILE *f, const struct picture *p)
{
	size_t count = grt_vec_count(&p->people.list, struct grt_lanes_person), at = 0;
	char word[GRT_WORD_MAX];

	for (size_t i = 0; i < count; i++) {
		const struct grt_lanes_person *person = grt_vec_at(&p->people.list, struct grt_lanes_person, i);
		char sign[] = { person->letter, '=', 0 };

		if (!person->letter)
			break;
		put_item(f, p, &at, sign, grt_word_process(word, p->names, person->process));
	}
	if (count)
		putc('\n', f);
}

static void put_signs(FILE *f, const struct picture *p)
{
	size_t at = 0;

	for (unsigned int i = 0; i < NR_SIGNS; i++) {
		char sign[8];

		snprintf(sign, sizeof(sign), "%s ", p->o->out->is_ascii ? signs[i].ascii : signs[i].sign);
		if (p->used >> i & 1)
			put_item(f, p, &at, sign, signs[i].text);
	}
	putc('\n', f);
}

static void put_notes(FILE *f, const struct picture *p)
{
	if (p->has_on_ring || p->has_waiting)
		fprintf(f, "%s%s  1-9 so many on average  . less than one half  + more than 9\n",
			p->has_on_ring ? " on ring: jobs that were handed over and had not begun " : "",
			p->has_waiting ? " waiting: jobs that were not handed over yet" : "");
	if (p->used >> SIGN_OCCUPIED & 1)
		fputs(" * occupied: the ring had work, but whether it ran is not known\n", f);
	if (p->lanes->is_full)
		fputs(" whose jobs ran, or what a ring waited for, is not known in some cells: too many processes or "
		      "jobs are in the picture\n", f);
	if (p->lanes->more_rings)
		fprintf(f, " %" PRIu64 " more %s not drawn: --ring chooses one\n", p->lanes->more_rings,
			grt_plural(p->lanes->more_rings, "ring is", "rings are"));
}

static int legend(struct picture *p)
{
	char *text = NULL;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);

	if (!f)
		return grt_fail_memory();
	put_notes(f, p);
	grt_tracks_legend(f, p->o);
	if (fclose(f)) {
		free(text);
		return grt_fail_memory();
	}
	put_people(file_of(p), p);
	put_signs(file_of(p), p);
	grt_text_fold(file_of(p), text, width_of(p), 1);
	free(text);
	return 0;
}

static int draw(struct picture *p)
{
	const struct grt_lane *lanes[GRT_LANES_MAX];
	size_t count = 0;

	for (size_t i = 0; i < grt_lanes_count(p->lanes); i++)
		if (is_wanted(p, grt_lane_at(p->lanes, i)))
			lanes[count++] = grt_lane_at(p->lanes, i);
	qsort(lanes, count, sizeof(lanes[0]), compare);
	putc('\n', file_of(p));
	draw_lanes(p, lanes, count);
	grt_tracks_text(p->o, &p->line, p->label);
	return legend(p);
}

int grt_lanes_text(const struct grt_lanes_out *o)
{
	struct picture p = {
		.o = o, .lanes = o->lanes, .names = grt_model_names(o->lanes->model),
		.label = grt_lanes_label(o->out->width),
	};
	int err = grt_lanes_people(&p.people, o->lanes);

	if (!err)
		err = grt_glyphs_init(&p.line, o->lanes->columns);
	if (!err)
		err = draw(&p);
	if (!err && o->job)
		err = grt_job_lanes_text(o, p.label);
	grt_glyphs_free(&p.line);
	grt_lanes_people_free(&p.people);
	return err;
}
