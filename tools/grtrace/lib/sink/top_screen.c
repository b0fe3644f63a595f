// SPDX-License-Identifier: LGPL-2.1
/* The screen of grtrace top, line by line. */
#include "top_private.h"

#include <stdarg.h>
#include <string.h>

#include "error.h"
#include "number.h"

#define RING_NAME	10
#define LEAST_SPARK	10
#define LEAST_NAME	16
#define MOST_NAME	32
#define LEAST_WIDTH	40
#define CHART_LABEL	12

/* The state of a drawing. */
struct draw {
	struct grt_top_screen *screen;
	const struct grt_top *top;
	const struct grt_top_state *state;
	const struct grt_top_look *look;
	size_t line;
	int err;
};

/* Which columns fit. */
struct layout {
	const struct grt_top_column *columns;
	unsigned int nr;
	bool is_narrow, is_shown[GRT_TOP_MAX_COLUMNS];
	size_t first;		/* cells of the first column, and of the spark line behind it */
	size_t spark;
};

void grt_top_screen_free(struct grt_top_screen *s)
{
	for (size_t i = 0; i < grt_vec_count(&s->lines, struct grt_glyphs); i++)
		grt_glyphs_free(grt_vec_at(&s->lines, struct grt_glyphs, i));
	grt_vec_free(&s->lines);
	s->height = 0;
}

size_t grt_top_rows(const struct grt_top *t)
{
	return grt_top_rings(t) + grt_top_users(t);
}

/* Begins the next line.  NULL: there is no room, or no memory. */
static struct grt_glyphs *next_line(struct draw *d)
{
	struct grt_glyphs line = { .at = NULL };

	if (d->err || (d->look->height && d->line >= d->look->height))
		return NULL;
	d->err = grt_glyphs_init(&line, d->look->width);
	if (!d->err && grt_vec_append(&d->screen->lines, &line, sizeof(line)))
		d->err = grt_fail_memory();
	if (d->err) {
		grt_glyphs_free(&line);
		return NULL;
	}
	d->line++;
	d->screen->height = d->line;
	return grt_vec_at(&d->screen->lines, struct grt_glyphs, d->line - 1);
}

/* A sign for each character; of those that are not ASCII nobody knows how wide they are. */
static size_t put(struct grt_glyphs *line, size_t at, const char *text, uint8_t colour)
{
	for (; line && *text; text++) {
		char sign[2] = { *text, '\0' };

		if ((*text & 0xc0) == 0x80)
			continue;
		if (*text & 0x80)
			*sign = '?';
		grt_glyphs_put(line, at++, sign, colour);
	}
	return at;
}

static void put_right(struct grt_glyphs *line, size_t end, size_t width, const char *text, uint8_t colour)
{
	size_t len = strlen(text);

	put(line, len < width ? end - len : end - width + 1, text, colour);
}

static void invert(struct grt_glyphs *line)
{
	for (uint32_t i = 0; line && i < line->columns; i++) {
		line->at[i].is_inverse = true;
		line->at[i].colour = GRT_TOP_PLAIN;
	}
}

static void __attribute__((format(printf, 2, 3))) say(struct draw *d, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	put(next_line(d), 0, text, GRT_TOP_PLAIN);
}

/* --- the first line --- */

static void headline(struct draw *d)
{
	char ns[GRT_NUMBER_MAX], span[GRT_NUMBER_MAX + 8] = "no event yet", lost[GRT_NUMBER_MAX];
	char text[512], cpu[32] = "-";

	if (d->state->has_cpu)
		snprintf(cpu, sizeof(cpu), "%.1f%%", d->state->cpu_pct);
	if (d->top->recent->has_begun)
		snprintf(span, sizeof(span), "last %s", grt_format_ns(ns, d->top->now_ns - d->top->from_ns));
	snprintf(text, sizeof(text), "grtrace top  %s  %s  %s%s %s lost  own CPU %s%s", d->state->source, span,
		 d->state->uncounted ? "at least " : "", grt_format_count(lost, d->state->lost),
		 grt_plural(d->state->lost, "event", "events"), cpu,
		 d->state->is_over ? "  THE END" : d->look->is_frozen ? "  FROZEN" : "");
	put(next_line(d), 0, text, d->state->lost || d->state->uncounted ? GRT_TOP_YELLOW : GRT_TOP_PLAIN);
}

/* What is chosen, if not everything is. */
static void chosen(struct draw *d)
{
	const struct grt_top_wants *w = &d->top->wants;
	char text[256] = "", word[GRT_WORD_MAX];
	size_t at = 0;

	if (w->has_ring)
		at += snprintf(text, sizeof(text), "only ring %s", grt_word_ring(word, d->top->names, w->ring));
	if (w->has_process)
		at += snprintf(text, sizeof(text), "only process %s, ring by ring",
			       grt_word_process(word, d->top->names, w->process));
	if (at && d->look->has_keys)
		at += snprintf(text + at, sizeof(text) - at, " (Esc: back)");
	if (w->filter || d->look->is_typing)
		snprintf(text + at, sizeof(text) - at, "%sonly names with: %s%s", at ? "; " : "",
			 w->filter ? w->filter : "", d->look->is_typing ? "_" : "");
	put(next_line(d), 0, text, GRT_TOP_CYAN);
}

/* --- columns --- */

static size_t width_of(const struct layout *l, unsigned int i)
{
	return l->is_narrow ? l->columns[i].narrow : l->columns[i].width;
}

static size_t shown_width(const struct layout *l)
{
	size_t sum = 0;

	for (unsigned int i = 0; i < l->nr; i++)
		sum += l->is_shown[i] ? width_of(l, i) : 0;
	return sum;
}

/* Leaves out the columns that come first to go.  False: no other may. */
static bool drop_columns(struct layout *l)
{
	uint8_t most = 0;

	for (unsigned int i = 0; i < l->nr; i++)
		if (l->is_shown[i] && l->columns[i].drop > most)
			most = l->columns[i].drop;
	for (unsigned int i = 0; i < l->nr; i++)
		l->is_shown[i] &= !most || l->columns[i].drop != most;
	return most;
}

static void lay_out(struct layout *l, const struct draw *d, const struct grt_top_column *columns,
		    unsigned int nr, size_t least)
{
	*l = (struct layout){
		.columns = columns, .nr = nr, .is_narrow = d->look->width < GRT_TOP_NARROW,
	};
	for (unsigned int i = 0; i < nr; i++)
		l->is_shown[i] = !columns[i].is_there || columns[i].is_there(d->top, columns[i].arg);
	while (shown_width(l) + least > d->look->width && drop_columns(l))
		;
	l->first = d->look->width > shown_width(l) ? d->look->width - shown_width(l) : 1;
}

/* Titles over the columns; @sort: the one by which rows are sorted, or NULL. */
static void titles(struct draw *d, const struct layout *l, const char *first, const char *sort)
{
	struct grt_glyphs *line = next_line(d);
	size_t at = l->first;

	put(line, 0, first, GRT_TOP_PLAIN);
	for (unsigned int i = 0; i < l->nr; i++) {
		char title[32];

		if (!l->is_shown[i])
			continue;
		at += width_of(l, i);
		snprintf(title, sizeof(title), "%s%s", sort && !strcmp(sort, l->columns[i].title) ? ">" : "",
			 l->columns[i].title);
		put_right(line, at, width_of(l, i), title, GRT_TOP_PLAIN);
	}
	invert(line);
}

static void cells(struct grt_glyphs *line, const struct layout *l, const struct grt_top_place *p)
{
	size_t at = l->first;

	for (unsigned int i = 0; i < l->nr; i++) {
		char word[GRT_WORD_MAX];

		if (!l->is_shown[i])
			continue;
		at += width_of(l, i);
		put_right(line, at, width_of(l, i), l->columns[i].word(word, p, l->columns[i].arg),
			  GRT_TOP_PLAIN);
	}
}

/* --- spark lines --- */

/* How many seconds a cell stands for, so that a minute fits. */
static unsigned int cell_seconds(size_t cells)
{
	return cells >= GRT_RECENT_SECONDS ? 1 : (GRT_RECENT_SECONDS + cells - 1) / cells;
}

/* The use of cell @nr of @count; the last one ends now.  False: nothing is kept of it. */
static bool cell_use(const struct draw *d, const struct grt_top_ring *ring, size_t nr, size_t count,
		     unsigned int seconds, struct grt_ring_use *sum)
{
	bool has = false;

	*sum = (struct grt_ring_use){ .busy_ns = 0 };
	for (unsigned int i = 0; i < seconds; i++) {
		struct grt_ring_use use;

		if (!grt_recent_ring_use(d->top->recent, ring->recent, (count - 1 - nr) * seconds + i, &use))
			continue;
		has = true;
		grt_use_add_times(sum, &use);
	}
	return has;
}

static const uint8_t state_colours[GRT_RING_BUSY + 1] = {
	[GRT_IDLE_STARVED] = GRT_TOP_BLUE, [GRT_IDLE_DEPENDENCY] = GRT_TOP_YELLOW,
	[GRT_IDLE_SCHEDULER] = GRT_TOP_MAGENTA, [GRT_IDLE_HARDWARE] = GRT_TOP_CYAN,
	[GRT_IDLE_RECOVERY] = GRT_TOP_RED, [GRT_IDLE_UNKNOWN] = GRT_TOP_PLAIN,
	[GRT_RING_BUSY] = GRT_TOP_GREEN,
};

static uint64_t state_ns(const struct grt_ring_use *use, unsigned int state)
{
	return state == GRT_RING_BUSY ? use->busy_ns : use->idle_ns[state];
}

/* The share of a state in each part of the last minute; ? where it is not known, . where it is 0. */
static void spark(struct draw *d, struct grt_glyphs *line, size_t at, size_t room,
		  const struct grt_top_ring *ring, unsigned int state)
{
	unsigned int seconds = cell_seconds(room);
	size_t count = GRT_RECENT_SECONDS / seconds + !!(GRT_RECENT_SECONDS % seconds);

	for (size_t i = 0; line && i < count && i < room; i++) {
		struct grt_ring_use use;
		bool is_known;
		uint64_t ns;

		if (!cell_use(d, ring, i, count, seconds, &use))
			continue;
		is_known = state == GRT_IDLE_UNKNOWN || grt_use_known_ns(&use);
		ns = state_ns(&use, state);
		grt_glyphs_put(line, at + i, !is_known ? "?" : !ns ? "." :
			       grt_glyph_bar(ns, grt_use_span_ns(&use), d->look->is_ascii),
			       is_known && ns ? state_colours[state] : GRT_TOP_PLAIN);
	}
}

/* --- rows --- */

static void mark_selected(const struct draw *d, struct grt_glyphs *line, size_t row)
{
	if (d->look->has_keys && row == d->look->selected)
		invert(line);
}

static void put_name(struct grt_glyphs *line, const char *name, size_t width)
{
	char text[GRT_WORD_MAX];

	snprintf(text, sizeof(text), "%.*s", (int)(width < sizeof(text) ? width : sizeof(text) - 1), name);
	put(line, 0, text, GRT_TOP_PLAIN);
}

static void ring_row(struct draw *d, const struct layout *l, size_t i)
{
	struct grt_glyphs *line = next_line(d);
	char word[GRT_WORD_MAX];
	const struct grt_top_place p = {
		.top = d->top, .ring = grt_top_ring_at(d->top, i), .is_narrow = l->is_narrow,
	};

	put_name(line, grt_top_name(word, &p), RING_NAME - 1);
	spark(d, line, RING_NAME, l->first - RING_NAME, p.ring, GRT_RING_BUSY);
	cells(line, l, &p);
	mark_selected(d, line, i);
}

static void user_row(struct draw *d, const struct layout *l, size_t i)
{
	struct grt_glyphs *line = next_line(d);
	char word[GRT_WORD_MAX];
	const struct grt_top_place p = {
		.top = d->top, .user = grt_top_user_at(d->top, i), .is_narrow = l->is_narrow,
	};

	put_name(line, grt_top_name(word, &p), l->first);
	cells(line, l, &p);
	mark_selected(d, line, grt_top_rings(d->top) + i);
}

/* Shows @count rows from @first on, of @all, in @room lines at most; the last one says how many are left out. */
static void rows(struct draw *d, const struct layout *l, size_t first, size_t all, size_t room,
		 void (*row)(struct draw *d, const struct layout *l, size_t i))
{
	size_t left = all - first, shown = left <= room ? left : room ? room - 1 : 0;

	for (size_t i = first; i < first + shown; i++)
		row(d, l, i);
	if (shown < left && room)
		say(d, "... %zu more", left - shown);
}

/* The first row to show, so that the selected one is among @room. */
static size_t first_row(size_t selected, size_t all, size_t room)
{
	if (selected >= all || all <= room || selected + 1 < room || !room)
		return 0;
	return selected + 2 - room < all ? selected + 2 - room : all - 1;
}

/* --- the parts --- */

static size_t lines_left(const struct draw *d)
{
	size_t keys = d->look->has_keys ? 1 : 0;

	if (!d->look->height)
		return SIZE_MAX / 2;
	return d->look->height > d->line + keys ? d->look->height - d->line - keys : 0;
}

/* If there is room: what has no row.  Returns the number of lines. */
static size_t say_lack(struct draw *d, enum grt_recent_lack lack, size_t room)
{
	const char *text = room ? grt_top_lack(d->top->recent, lack) : NULL;

	if (text)
		say(d, "%s", text);
	return text ? 1 : 0;
}

static void rings(struct draw *d)
{
	size_t all = grt_top_rings(d->top), room = lines_left(d);
	struct layout l;

	lay_out(&l, d, grt_top_ring_columns, grt_top_nr_ring_columns, RING_NAME + LEAST_SPARK);
	/* A spark line of a minute needs no more. */
	if (l.first > RING_NAME + GRT_RECENT_SECONDS)
		l.first = RING_NAME + GRT_RECENT_SECONDS;
	titles(d, &l, l.first >= RING_NAME + 14 ? "RING      busy, 60 s" : "RING      60 s", NULL);
	/* Processes get half of the screen, or what they need. */
	if (room < SIZE_MAX / 2)
		room = room > grt_top_users(d->top) + 3 + room / 2 ? room - grt_top_users(d->top) - 3 : room / 2;
	room -= say_lack(d, GRT_RECENT_LACKS_RINGS, room);
	rows(d, &l, first_row(d->look->selected, all, room), all, room, ring_row);
}

/* A ring alone: a line for each state. */
static void chart(struct draw *d, const struct grt_top_ring *ring)
{
	const struct grt_ring_use *use = &ring->sums.use;
	char share[GRT_WORD_MAX], ns[GRT_NUMBER_MAX];
	size_t room = d->look->width > CHART_LABEL + 20 ? d->look->width - CHART_LABEL - 20 : LEAST_SPARK;

	if (room > GRT_RECENT_SECONDS)
		room = GRT_RECENT_SECONDS;
	for (int state = GRT_RING_BUSY; state >= 0; state--) {
		struct grt_glyphs *line = next_line(d);
		uint64_t all_ns = state_ns(use, state);
		char text[64];

		put(line, 0, state == GRT_RING_BUSY ? "busy" : grt_idle_name(state), GRT_TOP_PLAIN);
		spark(d, line, CHART_LABEL, room, ring, state);
		snprintf(text, sizeof(text), "%10s %7s", grt_format_ns(ns, all_ns),
			 state == GRT_IDLE_UNKNOWN ? grt_top_percent(share, all_ns, grt_use_span_ns(use), false) :
						     grt_top_share(share, use, all_ns, false));
		put(line, CHART_LABEL + room, text, GRT_TOP_PLAIN);
	}
}

static void users(struct draw *d)
{
	const struct grt_top_wants *w = &d->top->wants;
	size_t all = grt_top_users(d->top), before = grt_top_rings(d->top), room;
	struct layout l;

	lay_out(&l, d, grt_top_user_columns, grt_top_nr_user_columns, LEAST_NAME);
	if (l.first > MOST_NAME)
		l.first = MOST_NAME;
	titles(d, &l, w->has_process ? "ON RING" : w->by_cgroup ? "CGROUP" : "PROCESS", grt_top_sort_name(w->sort));
	room = lines_left(d);
	room -= say_lack(d, GRT_RECENT_LACKS_USERS, room);
	room -= say_lack(d, GRT_RECENT_LACKS_FRAMES, room);
	rows(d, &l, d->look->selected >= before ? first_row(d->look->selected - before, all, room) : 0, all, room,
	     user_row);
}

static void help(struct draw *d)
{
	static const char *const text[] = {
		"",
		"up, down        select a row            Enter   only that ring or process",
		"left, right, F  sort by another column  Esc     back to all",
		"/               only names with a text  Space   freeze, go on",
		"g               cgroups or processes    q       quit",
		"h, ?            this help",
		"",
		"RINGS: shares are of the time of which it is known whether the ring was busy.",
		"busy      a job ran; * it had work, but whether that ran is not known",
		"starved   no job was there              fence   all jobs there waited for fences",
		"sched     a job was ready and was not handed over",
		"hw        a job was handed over and had not begun",
		"depth     jobs that waited, on average  now     waiting + on the ring",
		"wait      SUBMIT to START               exec    START to END",
		"PROCESSES: gpu is the share of the time shown in which its jobs ran.",
		"waited    its jobs, until they began    taken   of that, for others' jobs",
		"given     others waited for its jobs    -       not known",
	};

	for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++)
		say(d, "%s", text[i]);
}

static void keys(struct draw *d)
{
	struct grt_glyphs *line;

	if (!d->look->has_keys || !d->look->height)
		return;
	while (d->line + 1 < d->look->height && next_line(d))
		;
	line = next_line(d);
	put(line, 0, d->look->is_typing ? "Enter take it  Esc give it up" :
	    "h help  / filter  arrows, F sort  Enter zoom  Space freeze  g cgroups  q quit", GRT_TOP_PLAIN);
	invert(line);
}

int grt_top_draw(struct grt_top_screen *s, const struct grt_top *t, const struct grt_top_state *state,
		 struct grt_top_look *look)
{
	struct draw d = { .screen = s, .top = t, .state = state, .look = look };

	grt_top_screen_free(s);
	if (look->width < LEAST_WIDTH)
		look->width = LEAST_WIDTH;
	headline(&d);
	chosen(&d);
	if (look->has_help) {
		help(&d);
	} else if (!grt_top_rows(t)) {
		say(&d, "%s", t->wants.filter || t->wants.has_ring || t->wants.has_process ?
		    "nothing of this was seen in this time" : "no job was over in this time");
	} else {
		rings(&d);
		if (t->wants.has_ring && grt_top_rings(t)) {
			say(&d, "%s", "");
			chart(&d, grt_top_ring_at(t, 0));
		}
		say(&d, "%s", "");
		users(&d);
	}
	keys(&d);
	return d.err;
}
