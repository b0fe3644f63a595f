// SPDX-License-Identifier: LGPL-2.1
/*
 * gseq counts the events of all CPUs, and rises on each of them: taking the CPUs'
 * events in its order, the next is always the one before plus one.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cursor.h"
#include "error.h"
#include "inside.h"
#include "io.h"

#define WINDOW_BYTES	(256u << 10)

struct source {
	struct grt_verify *v;
	const struct lane *lane;
	size_t next;			/* piece */
	struct piece piece;		/* what of it is not read yet */
	uint8_t *window;		/* owned */
	struct grt_cursor bytes;
	const struct grtrace_hdr *head;	/* NULL at the end */
};

struct order {
	uint64_t last_gseq, last_ns;
	uint64_t from, to;	/* between these no event may be missing */
	bool has_last;
};

/* More bytes of the lane: 1, 0 at its end, or -errno. */
static int refill(struct source *s)
{
	const struct verify_file *f;
	uint64_t bytes;

	while (!s->piece.bytes) {
		if (s->next == grt_vec_count(&s->lane->pieces, struct piece))
			return 0;
		s->piece = *grt_vec_at(&s->lane->pieces, struct piece, s->next++);
	}
	f = &s->v->files[s->piece.file];
	bytes = s->piece.bytes < WINDOW_BYTES ? s->piece.bytes : WINDOW_BYTES;
	if (grt_pread(f->fd, s->window, bytes, s->piece.offset) != (ssize_t)bytes)
		return grt_fail_errno(NULL, "cannot read '%s'", f->name);
	s->bytes = grt_cursor(s->window, bytes);
	return 1;
}

/* What was read is done with, but for a record that the window cuts. */
static void step(struct source *s)
{
	uint64_t done = s->bytes.pos ? s->bytes.pos - s->window : 0;

	/* Damage, told before: nothing of this piece can be known behind it. */
	if (s->bytes.failed && !done)
		done = s->piece.bytes;
	s->piece.offset += done;
	s->piece.bytes -= done;
}

static int load(struct source *s)
{
	int got;

	for (;;) {
		while ((s->head = grt_take_record(&s->bytes)))
			if (s->head->type < GRTRACE_STREAM_BASE)
				return 0;
		step(s);
		s->bytes = (struct grt_cursor){ 0 };
		got = refill(s);
		if (got <= 0)
			return got;
	}
}

/*
 * Where this trace must have all: from where each CPU's events begin to where they
 * end, unless they do so with the session itself.
 */
static void find_bounds(const struct grt_verify *v, struct order *o)
{
	o->from = 0;
	o->to = UINT64_MAX;
	for (size_t i = 0; i < grt_vec_count(&v->lanes, struct lane *); i++) {
		const struct lane *lane = *grt_vec_at(&v->lanes, struct lane *, i);
		uint64_t from = lane->has_gseq ? lane->first_gseq : UINT64_MAX;

		if (!lane->is_from_start && lane->has_cseq && from > o->from)
			o->from = from;
		if (!lane->has_ended && lane->last_gseq < o->to)
			o->to = lane->last_gseq;
	}
	/* From the start of the session on, the first is number 1. */
	o->has_last = !o->from;
}

/* An event missing before @ev must have been of a time that this trace has whole. */
static bool may_not_miss(const struct grt_verify *v, const struct order *o,
			 const struct grtrace_hdr *ev)
{
	if (o->last_gseq + 1 < o->from)
		return false;
	return ev->gseq <= o->to || ev->ts + v->slack_ns < v->last_watermark_ns;
}

static void take(struct grt_verify *v, struct order *o, const struct grtrace_hdr *ev)
{
	if (o->has_last && ev->gseq > o->last_gseq + 1 && may_not_miss(v, o, ev))
		grt_problem(v, GRT_CHECK_GSEQ, "%" PRIu64 " numbers are missing before %" PRIu64,
			    (uint64_t)ev->gseq - o->last_gseq - 1, (uint64_t)ev->gseq);
	if (o->has_last && ev->gseq == o->last_gseq)
		grt_problem(v, GRT_CHECK_GSEQ, "two events have the number %" PRIu64,
			    (uint64_t)ev->gseq);
	if (ev->ts + v->slack_ns < o->last_ns)
		grt_problem(v, GRT_CHECK_ORDER, "gseq %" PRIu64 " of CPU %u at %" PRIu64
			    " ns comes after an event of %" PRIu64 " ns", (uint64_t)ev->gseq,
			    ev->cpu, (uint64_t)ev->ts, o->last_ns);
	o->has_last = true;
	o->last_gseq = ev->gseq;
	if (ev->ts > o->last_ns)
		o->last_ns = ev->ts;
}

/* The lane to go on with, and where another comes first. */
static struct source *least(struct source *sources, size_t count, uint64_t *until)
{
	struct source *first = NULL;

	*until = UINT64_MAX;
	for (size_t i = 0; i < count; i++) {
		struct source *s = &sources[i];

		if (!s->head)
			continue;
		if (!first || s->head->gseq < first->head->gseq) {
			if (first)
				*until = first->head->gseq;
			first = s;
		} else if (s->head->gseq < *until) {
			*until = s->head->gseq;
		}
	}
	return first;
}

static int merge(struct grt_verify *v, struct source *sources, size_t count)
{
	struct order o = { 0 };
	struct source *s;
	uint64_t until;
	int err = 0;

	find_bounds(v, &o);
	while (!err && (s = least(sources, count, &until))) {
		do {
			v->file = s->piece.file;
			v->offset = s->piece.offset + ((const uint8_t *)s->head - s->window);
			take(v, &o, s->head);
			err = load(s);
		} while (!err && s->head && s->head->gseq <= until);
	}
	return err;
}

int grt_verify_gseq(struct grt_verify *v)
{
	size_t count = grt_vec_count(&v->lanes, struct lane *);
	struct source *sources = calloc(count + 1, sizeof(*sources));
	int err = sources ? 0 : grt_fail_memory();

	for (size_t i = 0; !err && i < count; i++) {
		sources[i].v = v;
		sources[i].lane = *grt_vec_at(&v->lanes, struct lane *, i);
		sources[i].window = malloc(WINDOW_BYTES);
		err = sources[i].window ? load(&sources[i]) : grt_fail_memory();
	}
	if (!err)
		err = merge(v, sources, count);
	for (size_t i = 0; sources && i < count; i++)
		free(sources[i].window);
	free(sources);
	return err;
}
