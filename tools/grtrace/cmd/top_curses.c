// SPDX-License-Identifier: GPL-2.0
#include "top_curses.h"

#include <locale.h>
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "top_sink.h"

static FILE *keys;		/* the terminal, for reading */
static SCREEN *terminal;
static bool is_coloured;

/* Programs ask the terminal before curses does: a failed newterm() may leave it changed. */
static bool may_show(void)
{
	const char *term = getenv("TERM");

	return term && *term && strcmp(term, "dumb") != 0 && isatty(STDOUT_FILENO);
}

static void begin_colours(bool has_colour)
{
	is_coloured = has_colour && has_colors() && start_color() == OK && use_default_colors() == OK;
	for (short i = 1; is_coloured && i < 8; i++)
		init_pair(i, i, -1);
}

bool grt_top_curses_open(bool has_colour)
{
	if (!may_show())
		return false;
	setlocale(LC_CTYPE, "");
	keys = fopen("/dev/tty", "re");
	terminal = keys ? newterm(NULL, stdout, keys) : NULL;
	if (!terminal) {
		if (keys)
			fclose(keys);
		return false;
	}
	begin_colours(has_colour);
	cbreak();
	noecho();
	nodelay(stdscr, TRUE);
	typeahead(-1);		/* else refresh() looks for keys before each line */
	keypad(stdscr, TRUE);
	set_escdelay(25);
	curs_set(0);
	return true;
}

void grt_top_curses_close(void)
{
	if (!terminal)
		return;
	endwin();
	delscreen(terminal);
	fclose(keys);
	terminal = NULL;
}

void grt_top_curses_size(size_t *width, size_t *height)
{
	*width = COLS > 0 ? COLS : 80;
	*height = LINES > 0 ? LINES : 24;
}

static void show_line(int row, const struct grt_glyphs *line)
{
	for (uint32_t i = 0; i < line->columns && i < (uint32_t)COLS; i++) {
		const struct grt_glyph *glyph = &line->at[i];

		/* erase() left these. */
		if (*glyph->sign == ' ' && !glyph->is_inverse)
			continue;
		attrset(glyph->is_inverse ? A_REVERSE : A_NORMAL);
		if (is_coloured && glyph->colour)
			attron(COLOR_PAIR(glyph->colour));
		mvaddstr(row, i, glyph->sign);
	}
}

void grt_top_curses_show(const struct grt_top_screen *screen)
{
	erase();
	for (size_t i = 0; i < grt_vec_count(&screen->lines, struct grt_glyphs) && i < (size_t)LINES; i++)
		show_line(i, grt_vec_at(&screen->lines, struct grt_glyphs, i));
	refresh();
}

static const struct {
	int curses, key;
} names[] = {
	{ KEY_UP, GRT_KEY_UP }, { KEY_DOWN, GRT_KEY_DOWN }, { KEY_LEFT, GRT_KEY_LEFT },
	{ KEY_RIGHT, GRT_KEY_RIGHT }, { KEY_PPAGE, GRT_KEY_PAGE_UP }, { KEY_NPAGE, GRT_KEY_PAGE_DOWN },
	{ KEY_HOME, GRT_KEY_HOME }, { KEY_END, GRT_KEY_END }, { KEY_RESIZE, GRT_KEY_RESIZE },
	{ KEY_ENTER, GRT_KEY_ENTER }, { '\r', GRT_KEY_ENTER }, { KEY_BACKSPACE, GRT_KEY_ERASE },
	{ '\b', GRT_KEY_ERASE },
};

int grt_top_curses_key(void)
{
	int key = getch();

	if (key == ERR)
		return GRT_KEY_NONE;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].curses == key)
			return names[i].key;
	return key < GRT_KEY_UP ? key : GRT_KEY_NONE;
}
