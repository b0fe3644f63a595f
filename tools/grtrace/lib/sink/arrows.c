// SPDX-License-Identifier: LGPL-2.1
#include "arrows.h"

#define LONG_LINES	1000

enum part { BLANK, BAR, BEGIN, MIDDLE, END, LINE, CROSS, HEAD };

static const char *const parts[] = {
	[BLANK] = " ", [BAR] = "│", [BEGIN] = "┌", [MIDDLE] = "├", [END] = "└", [LINE] = "─",
	[CROSS] = "┼", [HEAD] = "▶",
};

static const char ascii_parts[] = {
	[BLANK] = ' ', [BAR] = '|', [BEGIN] = '/', [MIDDLE] = '|', [END] = '\\', [LINE] = '-',
	[CROSS] = '|', [HEAD] = '>',
};

static bool is_of(const struct grt_arrow_column *c, const struct grt_arrow_event *ev)
{
	if (!c->is_used)
		return false;
	if (ev->kind == GRT_ARROW_ENTER || ev->kind == GRT_ARROW_EXIT)
		return c->has_ioctl && c->tid == ev->tid;
	return c->has_job && c->ctx == ev->ctx && c->seqno == ev->seqno;
}

static struct grt_arrow_column *find(struct grt_arrows *a, const struct grt_arrow_event *ev)
{
	for (struct grt_arrow_column *c = a->columns; c < a->columns + GRT_ARROWS; c++)
		if (is_of(c, ev))
			return c;
	return NULL;
}

/* The column of the ioctl that a job was submitted in, unless an earlier job has it. */
static struct grt_arrow_column *find_ioctl(struct grt_arrows *a, const struct grt_arrow_event *ev)
{
	struct grt_arrow_column *c = a->columns;

	if (!ev->has_ioctl)
		return NULL;
	while (c < a->columns + GRT_ARROWS && !(c->is_used && c->has_ioctl && !c->has_job && c->tid == ev->tid))
		c++;
	return c < a->columns + GRT_ARROWS ? c : NULL;
}

/* A free column; or one whose job had no event for long, because its last ones may be missing. */
static struct grt_arrow_column *find_free(struct grt_arrows *a)
{
	struct grt_arrow_column *oldest = a->columns;

	for (struct grt_arrow_column *c = a->columns; c < a->columns + GRT_ARROWS; c++) {
		if (!c->is_used)
			return c;
		if (c->line < oldest->line)
			oldest = c;
	}
	return a->line - oldest->line > LONG_LINES ? oldest : NULL;
}

/*
 * Returns the column in which the event's line is drawn, NULL if there is none.  *part tells
 * whether the line begins, goes on or ends there; without a column it means nothing.
 */
static struct grt_arrow_column *place(struct grt_arrows *a, const struct grt_arrow_event *ev,
				      enum part *part)
{
	bool is_job = ev->kind == GRT_ARROW_JOB || ev->kind == GRT_ARROW_OVER;
	struct grt_arrow_column *c = ev->kind == GRT_ARROW_NONE ? NULL : find(a, ev);

	*part = MIDDLE;
	if (!c && is_job)
		c = find_ioctl(a, ev);
	if (!c && (ev->kind == GRT_ARROW_ENTER || ev->kind == GRT_ARROW_JOB)) {
		c = find_free(a);
		*part = BEGIN;
	}
	if (!c)
		return NULL;
	if (*part == BEGIN)
		*c = (struct grt_arrow_column){ .is_used = true };
	c->line = a->line;
	if (ev->kind == GRT_ARROW_ENTER) {
		c->has_ioctl = true;
		c->tid = ev->tid;
	} else if (is_job) {
		c->has_job = true;
		c->ctx = ev->ctx;
		c->seqno = ev->seqno;
	}
	if (ev->kind == GRT_ARROW_OVER)
		c->has_job = false;
	if (ev->kind == GRT_ARROW_EXIT || ev->kind == GRT_ARROW_OVER)
		c->has_ioctl = c->has_ioctl && ev->kind == GRT_ARROW_OVER;
	if (!c->has_job && !c->has_ioctl)
		*part = END;
	return c;
}

static void put(const struct grt_arrows *a, FILE *f, enum part part)
{
	if (a->is_ascii)
		putc(ascii_parts[part], f);
	else
		fputs(parts[part], f);
}

void grt_arrows_print(struct grt_arrows *a, FILE *f, const struct grt_arrow_event *ev)
{
	enum part part;
	const struct grt_arrow_column *own = place(a, ev, &part);
	bool has_passed = false;

	a->line++;
	for (const struct grt_arrow_column *c = a->columns; c < a->columns + GRT_ARROWS; c++) {
		if (c == own)
			put(a, f, part);
		else if (has_passed)
			put(a, f, c->is_used ? CROSS : LINE);
		else
			put(a, f, c->is_used ? BAR : BLANK);
		has_passed |= c == own;
	}
	put(a, f, own ? LINE : BLANK);
	put(a, f, own ? HEAD : BLANK);
	putc(' ', f);
	if (own && part == END)
		a->columns[own - a->columns].is_used = false;
}
