// SPDX-License-Identifier: LGPL-2.1
/* What roots.c found of the latest job: its spans one by one, and their sums. */
#include <errno.h>

#include "error.h"
#include "number.h"
#include "roots_private.h"
#include "sorted.h"

struct grt_held_roots {
	uint64_t ctx, seqno;
	struct grt_vec list, totals;	/* owned */
	uint32_t wait, waits;
};

const char *grt_root_name(enum grt_root root)
{
	static const char *const names[] = {
#define GRT_X(NAME, name, text) [GRT_ROOT_##NAME] = #name,
		GRT_ROOTS(GRT_X)
#undef GRT_X
	};

	return names[root];
}

/* The latest job came once more: what was kept of it.  NULL: it did not. */
static struct grt_held_roots *given(const struct grt_roots *r)
{
	return r->given ? grt_vec_at(&r->held, struct grt_held_roots, r->given - 1) : NULL;
}

/* Whether a span goes on with the root of another one. */
static bool is_like(const struct grt_root_span *a, const struct grt_root_span *b)
{
	if (a->kind != b->kind || a->client != b->client || a->to_ns != b->from_ns)
		return false;
	if (a->kind != GRT_ROOT_HANG && a->kind != GRT_ROOT_FOREIGN)
		return true;
	return a->ctx == b->ctx && a->seqno == b->seqno;
}

static int list_span(void *arg, const struct grt_root_span *span)
{
	struct grt_vec *list = arg;
	struct grt_root_span *last = grt_vec_at(list, struct grt_root_span,
						grt_vec_count(list, struct grt_root_span) - 1);

	if (last->from_ns < last->to_ns && is_like(last, span)) {
		last->to_ns = span->to_ns;
		return 0;
	}
	if (last->from_ns == last->to_ns) {
		*last = *span;
		return 0;
	}
	return grt_vec_append(list, span, sizeof(*span));
}

/* Lists the spans [@from, @to), the first one as a span of its own. */
static int list_spans(struct grt_roots *r, struct grt_vec *list, uint64_t from, uint64_t to)
{
	static const struct grt_root_span empty;
	int err = from < to ? grt_vec_append(list, &empty, sizeof(empty)) : 0;

	for (; from < to && !err; from++) {
		const struct grt_root_span span = *grt_roots_span(r, from);

		err = grt_root_span_walk(r->logs, &span, list_span, list);
	}
	return err ? grt_fail_memory() : 0;
}

static int walk_list(const struct grt_vec *list, uint32_t from, uint32_t to, grt_root_fn *fn, void *arg)
{
	int err = 0;

	for (; from < to && !err; from++)
		err = fn(arg, grt_vec_at(list, struct grt_root_span, from));
	return err;
}

int grt_roots_walk(struct grt_roots *r, bool is_life, grt_root_fn *fn, void *arg)
{
	uint64_t from = is_life ? r->life : r->own, to = is_life ? grt_roots_next(r) : r->life;
	const struct grt_held_roots *held = given(r);
	int err = 0;

	if (held)
		return walk_list(&held->list, is_life ? held->waits : 0,
				 is_life ? grt_vec_count(&held->list, struct grt_root_span) : held->waits, fn, arg);
	for (; from < to && !err; from++) {
		const struct grt_root_span span = *grt_roots_span(r, from);

		err = grt_root_span_walk(r->logs, &span, fn, arg);
	}
	return err;
}

void grt_roots_parts(const struct grt_roots *r, const struct grt_root_span **spans, uint32_t *count)
{
	const struct grt_held_roots *held = given(r);

	*spans = held ? held->list.data : grt_roots_span(r, r->own);
	*count = held ? held->waits : r->life - r->own;
}

int grt_roots_walk_parts(struct grt_roots *r, const struct grt_root_span *spans, uint32_t count, uint64_t from_ns,
			 uint64_t to_ns, grt_root_fn *fn, void *arg)
{
	uint32_t i = grt_sorted_behind(spans, count, struct grt_root_span, to_ns, from_ns);
	struct grt_root_logs *logs = r ? r->logs : NULL;
	int err = 0;

	for (; i < count && spans[i].from_ns < to_ns && !err; i++) {
		struct grt_root_span span = spans[i];

		if (span.from_ns < from_ns)
			span.from_ns = from_ns;
		if (span.to_ns > to_ns)
			span.to_ns = to_ns;
		if (span.from_ns < span.to_ns)
			err = grt_root_span_walk(logs, &span, fn, arg);
	}
	return err;
}

static int make_list(struct grt_roots *r, struct grt_vec *list, uint32_t *wait, uint32_t *waits)
{
	int err = list_spans(r, list, r->own, r->wait);

	*wait = grt_vec_count(list, struct grt_root_span);
	if (!err)
		err = list_spans(r, list, r->wait, r->life);
	*waits = grt_vec_count(list, struct grt_root_span);
	return err ? err : list_spans(r, list, r->life, grt_roots_next(r));
}

int grt_roots_list(struct grt_roots *r, struct grt_root_list *list)
{
	const struct grt_held_roots *held = given(r);
	const struct grt_vec *from = held ? &held->list : &r->list;
	int err = 0;

	if (held) {
		list->wait = held->wait;
		list->waits = held->waits;
	} else {
		r->list.bytes = 0;
		err = make_list(r, &r->list, &list->wait, &list->waits);
	}
	list->spans = from->data;
	list->all = grt_vec_count(from, struct grt_root_span);
	return err;
}

/* Adds up the spans [@from, @to). */
static int make_totals(struct grt_roots *r, struct grt_vec *totals, uint64_t from, uint64_t to)
{
	struct grt_root_sums *sums = &r->logs->own;
	int err = 0;

	totals->bytes = 0;
	for (; from < to && !err; from++)
		err = grt_root_span_sum(r->logs, grt_roots_span(r, from), sums);
	for (size_t i = 0; i < grt_vec_count(&sums->rows, struct grt_root_sum) && !err; i++) {
		const struct grt_root_sum *sum = grt_vec_at(&sums->rows, struct grt_root_sum, i);
		const struct grt_root_key *key = grt_vec_at(&r->logs->keys.rows, struct grt_root_key, sum->key);

		err = grt_vec_append(totals, &(struct grt_root_total){
			.ns = sum->ns, .ctx = key->ctx, .seqno = key->seqno, .client = key->client,
			.kind = key->kind,
		}, sizeof(struct grt_root_total));
	}
	grt_root_sums_clear(sums);
	return err ? grt_fail_memory() : 0;
}

/* Most jobs are not in flight. */
int grt_roots_flight_totals(struct grt_roots *r, const struct grt_root_total **totals, uint32_t *count)
{
	int err = 0;

	*count = 0;
	if (r->given || r->wait == r->life)
		return 0;
	r->has_totals = false;
	err = make_totals(r, &r->totals, r->wait, r->life);
	*totals = r->totals.data;
	*count = grt_vec_count(&r->totals, struct grt_root_total);
	return err;
}

int grt_roots_totals(struct grt_roots *r, const struct grt_root_total **totals, uint32_t *count)
{
	const struct grt_vec *from = r->given ? &given(r)->totals : &r->totals;
	int err = 0;

	if (!r->given && !r->has_totals)
		err = make_totals(r, &r->totals, r->own, r->wait);
	r->has_totals = !r->given;
	*totals = from->data;
	*count = grt_vec_count(from, struct grt_root_total);
	return err;
}

/* --- jobs that come twice --- */

static void free_held(struct grt_held_roots *held)
{
	grt_vec_free(&held->list);
	grt_vec_free(&held->totals);
}

/* Keeps all of a job that comes once more: what it refers to may be forgotten by then. */
int grt_roots_hold(struct grt_roots *r, const struct grt_job *job)
{
	struct grt_held_roots *held = grt_vec_grow(&r->held, sizeof(*held));
	int err;

	if (!held)
		return grt_fail_memory();
	*held = (struct grt_held_roots){ .ctx = job->ctx, .seqno = job->seqno };
	err = make_totals(r, &held->totals, r->own, r->wait);
	return err ? err : make_list(r, &held->list, &held->wait, &held->waits);
}

/* Nobody asks for the roots of the job that came twice any more. */
void grt_roots_drop_given(struct grt_roots *r)
{
	struct grt_held_roots *last;

	if (!r->given)
		return;
	last = grt_vec_at(&r->held, struct grt_held_roots, grt_vec_count(&r->held, struct grt_held_roots) - 1);
	free_held(given(r));
	*given(r) = *last;
	r->held.bytes -= sizeof(*last);
	r->given = 0;
}

bool grt_roots_take_held(struct grt_roots *r, const struct grt_job *job)
{
	for (size_t i = 0; i < grt_vec_count(&r->held, struct grt_held_roots) && !r->given; i++) {
		const struct grt_held_roots *held = grt_vec_at(&r->held, struct grt_held_roots, i);

		if (held->ctx == job->ctx && held->seqno == job->seqno)
			r->given = i + 1;
	}
	return r->given;
}

void grt_roots_free_held(struct grt_roots *r)
{
	for (size_t i = 0; i < grt_vec_count(&r->held, struct grt_held_roots); i++)
		free_held(grt_vec_at(&r->held, struct grt_held_roots, i));
	grt_vec_free(&r->held);
}

void grt_roots_warn(const struct grt_roots *r)
{
	char count[GRT_NUMBER_MAX];

	if (r->forgotten)
		grt_warn(NULL, "some roots of %s %s not known: what %s waited for was over too long before, or too "
			 "much was going on", grt_format_count(count, r->forgotten),
			 grt_plural(r->forgotten, "job are", "jobs are"),
			 grt_plural(r->forgotten, "it", "they"));
}
