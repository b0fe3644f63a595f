/* SPDX-License-Identifier: GPL-2.0 */
/*
 * scribble: writes random lines to the control files and checks the result.
 *
 *	scribble.c	 options, the loop, the verdict
 *	scribble-view.c	 the control files: what they show, and what a write may change
 *	scribble-line.c	 the lines to write: valid lines, valid lines with a fault, noise
 */
#ifndef SCRIBBLE_H
#define SCRIBBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINES_MAX	9000	/* bytes of one write: more than two pages */
#define VIEWS_MAX	160

/* A file, and its last output. */
struct view {
	char name[40];
	int in, out;		/* out < 0: read only */
	char *was;
	size_t len;
};

struct views {
	struct view view[VIEWS_MAX];
	unsigned int cnt;
	const char *dir;
};

/* scribble-view.c: false after an error message. */
bool views_open(struct views *v, const char *dir);
/* Whether an accepted write to @name of @text may change what @other shows. */
bool view_may_change(const char *name, const char *text, size_t len, const char *other);
/* A file that changed, among those that @pick accepts; NULL: none. */
struct view *views_changed(struct views *v, bool (*pick)(const struct view *view, void *arg),
			   void *arg);
/* Remembers the current output.  Returns whether it changed. */
bool view_refresh(struct view *view);
/* The current output of the file, valid until the next call. */
const char *view_text(const struct view *view, size_t *len);

/* scribble-line.c: a line for file @name, which shows @shown.  Returns its size. */
uint64_t random_below(uint64_t *state, uint64_t limit);
size_t line_make(uint64_t *random, const char *name, const char *shown, bool must_fail, char *to);

#endif /* SCRIBBLE_H */
