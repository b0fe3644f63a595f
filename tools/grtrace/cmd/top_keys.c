// SPDX-License-Identifier: GPL-2.0
/* What the keys of grtrace top do. */
#include <ctype.h>
#include <string.h>

#include "top.h"
#include "top_curses.h"

#define PAGE	10

static void select_row(struct top *t, long step)
{
	size_t rows = grt_top_rows(&t->rows);
	long to = (long)t->look.selected + step;

	if (to >= (long)rows)
		to = rows ? (long)rows - 1 : 0;
	t->look.selected = to < 0 ? 0 : to;
}

static void sort_by(struct top *t, int step)
{
	t->wants.sort = (t->wants.sort + GRT_NR_TOP_SORTS + step) % GRT_NR_TOP_SORTS;
}

static void zoom(struct top *t)
{
	size_t rings = grt_top_rings(&t->rows), i = t->look.selected;

	if (i >= grt_top_rows(&t->rows) || t->wants.has_ring || t->wants.has_process)
		return;
	if (i < rings) {
		t->wants.has_ring = true;
		t->wants.ring = grt_top_ring_at(&t->rows, i)->ring;
	} else if (grt_top_user_at(&t->rows, i - rings)->process != GRT_NONE) {
		t->wants.has_process = true;
		t->wants.process = grt_top_user_at(&t->rows, i - rings)->process;
	}
	t->look.selected = 0;
}

static void go_back(struct top *t)
{
	t->look.has_help = t->wants.has_ring = t->wants.has_process = false;
	t->wants.filter = NULL;
	*t->filter = '\0';
	t->look.selected = 0;
}

/* A key while the filter is typed: the rows follow at once. */
static void type(struct top *t, int key)
{
	size_t len = strlen(t->filter);

	if (key == GRT_KEY_ENTER || key == GRT_KEY_ESCAPE)
		t->look.is_typing = false;
	if (key == GRT_KEY_ESCAPE)
		len = 0;
	else if (key == GRT_KEY_ERASE && len)
		len--;
	else if (key < 0x80 && isprint(key) && len + 1 < sizeof(t->filter))
		t->filter[len++] = key;
	t->filter[len] = '\0';
	t->wants.filter = *t->filter ? t->filter : NULL;
	t->look.selected = 0;
}

static void obey(struct top *t, int key)
{
	switch (key) {
	case GRT_KEY_UP:
		return select_row(t, -1);
	case GRT_KEY_DOWN:
		return select_row(t, 1);
	case GRT_KEY_PAGE_UP:
		return select_row(t, -PAGE);
	case GRT_KEY_PAGE_DOWN:
		return select_row(t, PAGE);
	case GRT_KEY_HOME:
		return select_row(t, -(long)t->look.selected);
	case GRT_KEY_END:
		return select_row(t, grt_top_rows(&t->rows));
	case GRT_KEY_LEFT:
		return sort_by(t, -1);
	case GRT_KEY_RIGHT:
	case 'F':
	case 'f':
		return sort_by(t, 1);
	case GRT_KEY_ENTER:
		return zoom(t);
	case GRT_KEY_ESCAPE:
		return go_back(t);
	case '/':
		t->look.is_typing = true;
		return;
	case ' ':
		t->look.is_frozen = !t->look.is_frozen;
		return;
	case 'g':
		t->wants.by_cgroup = !t->wants.by_cgroup;
		t->look.selected = 0;
		return;
	case 'h':
	case '?':
		t->look.has_help = !t->look.has_help;
		return;
	case 'q':
		t->is_over = true;
	}
}

void top_obey(struct top *t)
{
	int key;

	while (!t->is_over && (key = grt_top_curses_key()) != GRT_KEY_NONE) {
		if (t->look.is_typing)
			type(t, key);
		else
			obey(t, key);
		t->wants_frame = true;
	}
}
