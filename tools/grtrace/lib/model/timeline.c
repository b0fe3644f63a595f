// SPDX-License-Identifier: LGPL-2.1
/*
 * The time of a ring as stretches: open, while jobs that look ready may turn out to
 * have waited; then settled, and summed up.  Every nanosecond of the trace is told
 * exactly once, so that busy and idle sum to it.
 */
#include <errno.h>
#include <stdlib.h>

#include "error.h"
#include "inside.h"

/* Bounds memory where a job looks ready for ever: the older half counts as unknown. */
#define MAX_OPEN	4096

#define SIGNAL_LAG_NS	1000

static struct grt_stretch *open_at(const struct grt_timeline *line, size_t i)
{
	return grt_deque_at(&line->open, struct grt_stretch, i);
}

static size_t open_count(const struct grt_timeline *line)
{
	return grt_deque_count(&line->open, struct grt_stretch);
}

static bool goes_on(const struct grt_stretch *a, const struct grt_stretch *b)
{
	return a->to_ns == b->from_ns && a->state == b->state && a->party == b->party &&
	       (a->party != GRT_NONE || a->ctx == b->ctx);
}

static struct grt_idle_row *row_of(struct grt_model *m, uint32_t ring, const struct grt_stretch *s)
{
	uint64_t what = (uint64_t)ring << 8 | s->state;
	uint32_t i = grt_keymap_get(&m->idle_index, what, s->party);
	struct grt_idle_row *row;

	if (i != GRT_NONE)
		return grt_vec_at(&m->idle_rows, struct grt_idle_row, i);
	i = grt_vec_count(&m->idle_rows, struct grt_idle_row);
	row = grt_vec_grow(&m->idle_rows, sizeof(*row));
	if (!row || grt_keymap_put(&m->idle_index, what, s->party, i)) {
		m->err = -ENOMEM;
		return NULL;
	}
	*row = (struct grt_idle_row){ .ring = ring, .party = s->party, .cause = s->state };
	return row;
}

/* One stretch of one cause and culprit is over. */
static void count_stretch(struct grt_model *m, struct grt_track *t)
{
	const struct grt_stretch *s = &t->line.last;
	struct grt_idle_row *row;

	if (s->state >= GRT_NR_IDLES || s->from_ns == s->to_ns || t->is_synthetic)
		return;
	row = row_of(m, t->ring, s);
	if (!row)
		return;
	row->ns += s->to_ns - s->from_ns;
	row->stretches++;
	if (s->to_ns - s->from_ns <= row->longest_ns)
		return;
	row->longest_ns = s->to_ns - s->from_ns;
	row->ctx = s->ctx;
	row->seqno = s->seqno;
}

static void count(struct grt_model *m, struct grt_track *t, const struct grt_stretch *s)
{
	struct grt_stretch *last = &t->line.last;

	if (s->state == GRT_LINE_BUSY)
		t->line.use.busy_ns += s->to_ns - s->from_ns;
	else if (s->state < GRT_NR_IDLES)
		t->line.use.idle_ns[s->state] += s->to_ns - s->from_ns;
	grt_device_take(m, t, s);
	if (goes_on(last, s)) {
		last->to_ns = s->to_ns;
		return;
	}
	count_stretch(m, t);
	*last = *s;
}

/* A part of a stretch, up to where what is known of it changes. */
static uint64_t next_edge(const struct grt_model *m, const struct grt_track *t,
			  const struct grt_stretch *s, uint8_t *state)
{
	uint64_t edge_ns = s->to_ns;
	const struct grt_span *span = grt_losses_from(&m->asleep, s->from_ns);
	uint64_t loss_ns = UINT64_MAX;
	bool is_unsure = false;

	*state = s->state;
	if (span && span->from_ns <= s->from_ns) {
		*state = GRT_LINE_ASLEEP;
		return span->to_ns < edge_ns ? span->to_ns : edge_ns;
	}
	if (span && span->from_ns < edge_ns)
		edge_ns = span->from_ns;
	span = grt_losses_from(&m->losses, s->from_ns);
	if (span)
		loss_ns = span->from_ns;
	/* The event that a fence was signalled comes a moment after that. */
	if (s->state == GRT_IDLE_DEPENDENCY && loss_ns != UINT64_MAX)
		loss_ns -= loss_ns < SIGNAL_LAG_NS ? loss_ns : SIGNAL_LAG_NS;
	if (loss_ns <= s->from_ns) {
		is_unsure = true;
		if (span->to_ns < edge_ns)
			edge_ns = span->to_ns;
	} else if (loss_ns < edge_ns) {
		edge_ns = loss_ns;
	}
	/* Something may be there that was not seen; what is seen to run does run. */
	if (s->state != GRT_LINE_BUSY && s->from_ns < t->seen_late_ns) {
		is_unsure = true;
		if (t->seen_late_ns < edge_ns)
			edge_ns = t->seen_late_ns;
	}
	if (s->state != GRT_LINE_BUSY && !m->has_hindsight && grt_losses_count(&m->losses) &&
	    grt_losses_at(&m->losses, 0)->from_ns <= s->from_ns)
		is_unsure = true;
	if (is_unsure || s->state == GRT_LINE_MAYBE)
		*state = GRT_IDLE_UNKNOWN;
	return edge_ns;
}

static void settle(struct grt_model *m, struct grt_track *t, const struct grt_stretch *s)
{
	struct grt_stretch rest, part;

	/* Mostly nothing is missing and nobody slept: it is what it looks like. */
	if (!grt_losses_count(&m->asleep) && !grt_losses_count(&m->losses) &&
	    s->state != GRT_LINE_MAYBE && s->from_ns < s->to_ns &&
	    (s->state == GRT_LINE_BUSY || s->from_ns >= t->seen_late_ns)) {
		count(m, t, s);
		return;
	}
	rest = *s;
	while (rest.from_ns < rest.to_ns) {
		part = rest;
		part.to_ns = next_edge(m, t, &rest, &part.state);
		if (part.state != s->state) {
			part.party = GRT_NONE;
			part.ctx = part.seqno = 0;
		}
		count(m, t, &part);
		rest.from_ns = part.to_ns;
	}
}

void grt_timeline_settle(struct grt_model *m, struct grt_track *t, uint64_t up_to_ns)
{
	size_t n = open_count(&t->line), i = 0;

	while (i < n && open_at(&t->line, i)->to_ns <= up_to_ns)
		settle(m, t, open_at(&t->line, i++));
	if (i)
		grt_deque_drop(&t->line.open, i * sizeof(struct grt_stretch));
}

/* Gives up waiting to learn more about the older half. */
static void settle_half(struct grt_model *m, struct grt_track *t)
{
	size_t half = open_count(&t->line) / 2;

	for (size_t i = 0; i < half; i++)
		if (open_at(&t->line, i)->state == GRT_IDLE_DEPENDENCY)
			open_at(&t->line, i)->state = GRT_LINE_MAYBE;
	grt_timeline_settle(m, t, open_at(&t->line, half - 1)->to_ns);
}

/* Jobs wait: one of them may turn out to have been ready. */
static bool is_waiting(const struct grt_stretch *s)
{
	return s->state == GRT_IDLE_DEPENDENCY || s->state == GRT_LINE_MAYBE;
}

void grt_timeline_add(struct grt_model *m, struct grt_track *t, const struct grt_stretch *s)
{
	size_t n = open_count(&t->line);
	struct grt_stretch *to;

	if (s->from_ns >= s->to_ns)
		return;
	if (!n && (!is_waiting(s) || t->ready == GRT_NONE)) {
		settle(m, t, s);
		return;
	}
	if (n && !is_waiting(s) && goes_on(open_at(&t->line, n - 1), s)) {
		open_at(&t->line, n - 1)->to_ns = s->to_ns;
		return;
	}
	if (n == MAX_OPEN)
		settle_half(m, t);
	to = grt_vec_grow(&t->line.open.vec, sizeof(*to));
	if (to)
		*to = *s;
	else
		m->err = -ENOMEM;
}

/* Splits open stretch @i at @ns, which lies inside it. */
static bool split(struct grt_model *m, struct grt_timeline *line, size_t i, uint64_t ns)
{
	size_t n = open_count(line);

	if (!grt_vec_grow(&line->open.vec, sizeof(struct grt_stretch))) {
		m->err = -ENOMEM;
		return false;
	}
	memmove(open_at(line, i + 1), open_at(line, i), (n - i) * sizeof(struct grt_stretch));
	open_at(line, i)->to_ns = ns;
	open_at(line, i + 1)->from_ns = ns;
	return true;
}

/*
 * What is open within @s was of this state, and is charged so, if all that was said
 * of it was that jobs waited.  @before is charged with the waiting up to @s.
 */
void grt_timeline_claim(struct grt_model *m, struct grt_track *t, const struct grt_stretch *s,
			const struct grt_stretch *before)
{
	struct grt_timeline *line = &t->line;

	/* Time ran back. */
	if (s->from_ns > s->to_ns)
		return;
	for (size_t i = open_count(line); i; i--) {
		struct grt_stretch *open = open_at(line, i - 1);

		if (open->to_ns < s->from_ns || (open->to_ns == s->from_ns && !before->ctx))
			return;
		if (open->from_ns >= s->to_ns || !is_waiting(open))
			continue;
		if (open->to_ns == s->from_ns) {
			if (open->party == GRT_NONE && !open->ctx) {
				open->party = before->party;
				open->ctx = before->ctx;
				open->seqno = before->seqno;
			}
			return;
		}
		if (open->to_ns > s->to_ns && !split(m, line, i - 1, s->to_ns))
			return;
		if (open_at(line, i - 1)->from_ns < s->from_ns) {
			if (!split(m, line, i - 1, s->from_ns))
				return;
			/* It ends here: who let another job go later does not count. */
			open_at(line, i - 1)->party = GRT_NONE;
			open_at(line, i - 1)->ctx = 0;
			i += 2;	/* back to the new one, then to what is before it */
			continue;
		}
		open = open_at(line, i - 1);
		open->state = s->state;
		open->party = s->party;
		open->ctx = s->ctx;
		open->seqno = s->seqno;
	}
}

void grt_timeline_finish(struct grt_model *m, struct grt_track *t)
{
	grt_timeline_settle(m, t, UINT64_MAX);
	count_stretch(m, t);
	t->line.last = (struct grt_stretch){ .state = GRT_LINE_ASLEEP };
	if (!t->is_untracked)
		return;
	/* Its source tells of no COMMIT: nothing of this was seen. */
	for (int i = 0; i < GRT_NR_IDLES; i++)
		t->line.use.idle_ns[i] = 0;
	t->line.use.busy_ns = 0;
	t->line.use.idle_ns[GRT_IDLE_UNKNOWN] = grt_model_wall_ns(m);
}

void grt_timeline_free(struct grt_timeline *line)
{
	grt_deque_free(&line->open);
	grt_deque_free(&line->parts);
}

static int compare_idle(const void *a, const void *b)
{
	const struct grt_idle_row *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	if (x->ring != y->ring)
		return x->ring < y->ring ? -1 : 1;
	if (x->cause != y->cause)
		return x->cause - y->cause;
	return (x->party > y->party) - (x->party < y->party);
}

/* Most time first, now that nothing is added. */
void grt_idle_sort(struct grt_model *m)
{
	grt_keymap_free(&m->idle_index);
	if (m->idle_rows.bytes)
		qsort(m->idle_rows.data, grt_vec_count(&m->idle_rows, struct grt_idle_row),
		      sizeof(struct grt_idle_row), compare_idle);
}

const char *grt_idle_name(enum grt_idle cause)
{
	static const char *const names[] = {
#define GRT_X(NAME, name, text) [GRT_IDLE_##NAME] = #name,
		GRT_IDLES(GRT_X)
#undef GRT_X
	};

	return names[cause];
}
