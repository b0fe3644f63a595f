// SPDX-License-Identifier: LGPL-2.1
/*
 * gseq counts the events of all CPUs and rises on each of them.  In the order of gseq, each event
 * must have the number of the one before plus one.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cursor.h"
#include "error.h"
#include "io.h"
#include "meaning.h"
#include "number.h"
#include "verify_private.h"

#define WINDOW_BYTES	(256u << 10)

struct source {
	struct grt_verify *v;
	const struct cpu_state *state;
	size_t next;			/* index of the next piece */
	struct piece piece;		/* the part of the current piece that is not read yet */
	uint8_t *window;		/* owned */
	struct grt_cursor bytes;
	const struct grtrace_hdr *head;	/* NULL at the end */
};

struct order {
	uint64_t last_gseq, last_ns;
	uint64_t from, to;	/* no event between these numbers may be missing */
	bool has_last;
};

/* Reads more bytes of the CPU: 1, 0 at its end, or -errno. */
static int refill(struct source *s)
{
	const struct verify_file *f;
	uint64_t bytes;

	while (!s->piece.bytes) {
		if (s->next == grt_vec_count(&s->state->pieces, struct piece))
			return 0;
		s->piece = *grt_vec_at(&s->state->pieces, struct piece, s->next++);
	}
	f = &s->v->files[s->piece.file];
	bytes = s->piece.bytes < WINDOW_BYTES ? s->piece.bytes : WINDOW_BYTES;
	if (grt_pread(f->fd, s->window, bytes, s->piece.offset) != (ssize_t)bytes)
		return grt_fail_errno(NULL, "cannot read '%s'", f->name);
	s->bytes = grt_cursor(s->window, bytes);
	return 1;
}

/* Drops the bytes that were read, except a record that the window cuts. */
static void step(struct source *s)
{
	uint64_t done = s->bytes.pos ? s->bytes.pos - s->window : 0;

	/* Damage, which another check reports: ignore the rest of the piece. */
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
 * Finds the range of numbers that this trace must have completely: from the CPU that begins last
 * to the CPU that ends first.  CPUs that begin or end with the session do not limit it.
 */
static void find_bounds(const struct grt_verify *v, struct order *o)
{
	o->from = 0;
	o->to = UINT64_MAX;
	for (size_t i = 0; i < grt_vec_count(&v->cpus, struct cpu_state *); i++) {
		const struct cpu_state *state = *grt_vec_at(&v->cpus, struct cpu_state *, i);
		uint64_t from = state->has_gseq ? state->first_gseq : UINT64_MAX;

		if (!grt_is_cpu(&v->info, state->cpu))
			continue;
		if (!state->is_from_start && state->has_cseq && from > o->from)
			o->from = from;
		if (!state->has_ended && state->last_gseq < o->to)
			o->to = state->last_gseq;
	}
	/* The first event of a session has number 1. */
	o->has_last = !o->from;
}

/* Whether an event missing before @ev must be in this trace. */
static bool may_not_miss(const struct grt_verify *v, const struct order *o,
			 const struct grtrace_hdr *ev)
{
	if (o->last_gseq + 1 < o->from)
		return false;
	return ev->gseq <= o->to || ev->ts + v->slack_ns < v->last_watermark_ns;
}

static void check_gseq(struct grt_verify *v, struct order *o, const struct grtrace_hdr *ev)
{
	if (o->has_last && ev->gseq > o->last_gseq + 1 && may_not_miss(v, o, ev))
		grt_problem(v, GRT_CHECK_GSEQ, "%" PRIu64 " %s missing before %" PRIu64,
			    (uint64_t)ev->gseq - o->last_gseq - 1,
			    grt_plural(ev->gseq - o->last_gseq - 1, "number is", "numbers are"),
			    (uint64_t)ev->gseq);
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

/* Finds the CPU with the lowest number, and the number at which another CPU takes over. */
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
			check_gseq(v, &o, s->head);
			err = load(s);
		} while (!err && s->head && s->head->gseq <= until);
	}
	return err;
}

int grt_verify_gseq(struct grt_verify *v)
{
	size_t count = grt_vec_count(&v->cpus, struct cpu_state *);
	struct source *sources = calloc(count + 1, sizeof(*sources));
	int err = sources ? 0 : grt_fail_memory();

	for (size_t i = 0; !err && i < count; i++) {
		sources[i].v = v;
		sources[i].state = *grt_vec_at(&v->cpus, struct cpu_state *, i);
		if (!grt_is_cpu(&v->info, sources[i].state->cpu))
			continue;	/* it has no numbers */
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
