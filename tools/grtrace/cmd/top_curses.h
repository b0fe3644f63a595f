/* SPDX-License-Identifier: GPL-2.0 */
/* The terminal of grtrace top: puts lines of signs on it, and reads keys. */
#ifndef GRT_TOP_CURSES_H
#define GRT_TOP_CURSES_H

#include <stdbool.h>
#include <stddef.h>

struct grt_top_screen;

/* Keys that are not the sign that they type. */
enum {
	GRT_KEY_NONE = 0, GRT_KEY_ENTER = '\n', GRT_KEY_ESCAPE = 27, GRT_KEY_ERASE = 127,
	GRT_KEY_UP = 0x100, GRT_KEY_DOWN, GRT_KEY_LEFT, GRT_KEY_RIGHT, GRT_KEY_PAGE_UP, GRT_KEY_PAGE_DOWN,
	GRT_KEY_HOME, GRT_KEY_END, GRT_KEY_RESIZE,
};

/*
 * Takes the terminal over.  Keys come from the terminal also where standard input is something else.
 * False: this terminal cannot show a screen, as a "dumb" one.
 */
bool grt_top_curses_open(bool has_colour);
/* Gives the terminal back as it was. */
void grt_top_curses_close(void);

void grt_top_curses_size(size_t *width, size_t *height);
void grt_top_curses_show(const struct grt_top_screen *screen);
/* The next key; GRT_KEY_NONE: there is none now. */
int grt_top_curses_key(void);

#endif /* GRT_TOP_CURSES_H */
