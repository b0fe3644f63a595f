// SPDX-License-Identifier: LGPL-2.1
#include "root_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH	64	/* parts in parts */
#define SOME_SPANS	256	/* are added to a log before old ones are dropped */
#define MAX_OPENS	64	/* waits for jobs that have not come yet */
#define SPANS_OF_LOG	8	/* that need as much memory as an empty log */

struct grt_root_log {
	struct grt_deque spans;	/* of struct grt_root_span; @seqno and @client of a part say where its sums are */
	struct grt_deque sums;	/* of struct grt_root_sum */
	uint64_t gone, gone_sums;
	uint64_t cut_ns;	/* there were too many spans: those before it are dropped */
	struct grt_sum_tree tree;
	struct grt_vec opens;	/* of struct grt_root_open */
	uint64_t number, ctx;
	uint32_t older, newer;
	bool is_chain, is_of_ctx, is_synthetic;
};

/* Sums over what a ring ran. */
struct grt_root_runs {
	const struct grt_spans *spans;
	struct grt_sum_tree tree;
};

/* One log, for functions of its tree. */
struct in_log {
	struct grt_root_logs *logs;
	const struct grt_root_log *log;
};

struct in_runs {
	struct grt_root_logs *logs;
	const struct grt_spans *spans;
	uint8_t kind;
};

static struct grt_root_log **place(const struct grt_root_logs *l, uint32_t row)
{
	return grt_vec_at(&l->rows, struct grt_root_log *, row);
}

static struct grt_root_log *find(const struct grt_root_logs *l, uint64_t number)
{
	uint32_t row = grt_keymap_get(&l->by_number, number, 0);

	return row == GRT_NONE ? NULL : *place(l, row);
}

static struct grt_root_span *span_at(const struct grt_root_log *log, uint64_t nr)
{
	return grt_deque_at(&log->spans, struct grt_root_span, nr - log->gone);
}

static uint64_t end_of(const struct grt_root_log *log)
{
	return log->gone + grt_deque_count(&log->spans, struct grt_root_span);
}

/* --- the list of logs, by their latest span --- */

static void leave_list(struct grt_root_logs *l, uint32_t row)
{
	struct grt_root_log *log = *place(l, row);

	*(log->older == GRT_NONE ? &l->oldest : &(*place(l, log->older))->newer) = log->newer;
	*(log->newer == GRT_NONE ? &l->newest : &(*place(l, log->newer))->older) = log->older;
	l->count--;
}

static void enter_list(struct grt_root_logs *l, uint32_t row)
{
	struct grt_root_log *log = *place(l, row);

	log->older = l->count ? l->newest : GRT_NONE;
	log->newer = GRT_NONE;
	if (l->count)
		(*place(l, l->newest))->newer = row;
	else
		l->oldest = row;
	l->newest = row;
	l->count++;
}

static void free_log(struct grt_root_log *log)
{
	grt_deque_free(&log->spans);
	grt_deque_free(&log->sums);
	grt_vec_free(&log->opens);
	grt_sum_tree_free(&log->tree);
	free(log);
}

static int forget(struct grt_root_logs *l, uint32_t row)
{
	struct grt_root_log *log = *place(l, row);

	leave_list(l, row);
	grt_keymap_del(&l->by_number, log->number, 0);
	if (log->is_of_ctx)
		grt_keymap_del(&l->by_ctx, log->ctx, log->is_synthetic);
	l->spans -= grt_deque_count(&log->spans, struct grt_root_span);
	free_log(log);
	*place(l, row) = NULL;
	return grt_vec_append(&l->free_rows, &row, sizeof(row));
}

/* A row without a log; GRT_NONE without memory. */
static uint32_t free_row(struct grt_root_logs *l)
{
	static struct grt_root_log *const none;
	uint32_t rows = grt_vec_count(&l->rows, struct grt_root_log *), count;

	count = grt_vec_count(&l->free_rows, uint32_t);
	if (!count)
		return grt_vec_append(&l->rows, &none, sizeof(struct grt_root_log *)) ? GRT_NONE : rows;
	l->free_rows.bytes -= sizeof(uint32_t);
	return *grt_vec_at(&l->free_rows, uint32_t, count - 1);
}

uint64_t grt_root_log_new(struct grt_root_logs *l, bool is_chain)
{
	uint32_t row = free_row(l);
	struct grt_root_log *log = row == GRT_NONE ? NULL : calloc(1, sizeof(*log));

	if (!log)
		return 0;
	log->number = ++l->numbers;
	log->is_chain = is_chain;
	if (grt_keymap_put(&l->by_number, log->number, 0, row)) {
		free(log);
		return 0;
	}
	*place(l, row) = log;
	enter_list(l, row);
	return log->number;
}

uint64_t grt_root_log_find(const struct grt_root_logs *l, uint64_t ctx, bool is_synthetic)
{
	uint32_t row = grt_keymap_get(&l->by_ctx, ctx, is_synthetic);

	return row == GRT_NONE ? 0 : (*place(l, row))->number;
}

uint64_t grt_root_log_of(struct grt_root_logs *l, uint64_t ctx, bool is_synthetic)
{
	uint64_t number = grt_root_log_find(l, ctx, is_synthetic);
	struct grt_root_log *log;

	if (number)
		return number;
	number = grt_root_log_new(l, false);
	if (!number || grt_keymap_put(&l->by_ctx, ctx, is_synthetic, l->newest))
		return 0;
	log = *place(l, l->newest);
	log->ctx = ctx;
	log->is_synthetic = is_synthetic;
	log->is_of_ctx = true;
	return number;
}

int grt_root_log_open(struct grt_root_logs *l, uint64_t number, const struct grt_root_open *open)
{
	struct grt_root_log *log = find(l, number);

	if (!log)
		return 0;
	if (grt_vec_count(&log->opens, struct grt_root_open) == MAX_OPENS) {
		log->opens.bytes -= sizeof(*open);
		memmove(log->opens.data, grt_vec_at(&log->opens, struct grt_root_open, 1), log->opens.bytes);
	}
	return grt_vec_append(&log->opens, open, sizeof(*open));
}

const struct grt_vec *grt_root_log_opens(const struct grt_root_logs *l, uint64_t number)
{
	static const struct grt_vec none;
	const struct grt_root_log *log = find(l, number);

	return log ? &log->opens : &none;
}

uint64_t grt_root_log_end(const struct grt_root_logs *l, uint64_t number)
{
	const struct grt_root_log *log = find(l, number);

	return log && end_of(log) > log->gone ? span_at(log, end_of(log) - 1)->to_ns : 0;
}

bool grt_root_part_is_end(const struct grt_root_logs *l, const struct grt_root_span *part)
{
	const struct grt_root_log *log = part->kind == GRT_ROOT_IN_LOG ? find(l, part->ctx) : NULL;

	return log && log->is_chain && grt_root_log_end(l, part->ctx) == part->to_ns;
}

/* --- what is forgotten --- */

/* Drops the first spans of a log: those that ended by @ns, and @count in any case. */
static void drop_spans(struct grt_root_logs *l, struct grt_root_log *log, uint64_t ns, uint64_t count)
{
	uint64_t first = log->gone, sums = log->gone_sums;

	while (first < end_of(log) && (first - log->gone < count || span_at(log, first)->to_ns <= ns)) {
		if (grt_root_is_part(span_at(log, first)))
			sums = span_at(log, first)->seqno + span_at(log, first)->client;
		if (first - log->gone < count)
			log->cut_ns = span_at(log, first)->to_ns;
		first++;
	}
	if (first == log->gone)
		return;
	grt_deque_drop(&log->spans, (first - log->gone) * sizeof(struct grt_root_span));
	if (sums > log->gone_sums)
		grt_deque_drop(&log->sums, (sums - log->gone_sums) * sizeof(struct grt_root_sum));
	l->spans -= first - log->gone;
	log->gone = first;
	log->gone_sums = sums;
	grt_sum_tree_drop(&log->tree, first);
}

/* A log of its own needs the memory of some more spans. */
static bool is_full(const struct grt_root_logs *l)
{
	return l->spans + (uint64_t)l->count * SPANS_OF_LOG > GRT_ROOTS_LOGGED;
}

int grt_root_logs_drop(struct grt_root_logs *l, uint64_t ns)
{
	int err = 0;

	l->oldest_ns = ns;
	while (l->count > 1 && !err) {
		uint64_t end_ns = grt_root_log_end(l, (*place(l, l->oldest))->number);

		if (end_ns > ns && !is_full(l))
			break;
		if (end_ns > ns && end_ns > l->cut_ns)
			l->cut_ns = end_ns;
		err = forget(l, l->oldest);
	}
	if (l->count && is_full(l))
		drop_spans(l, *place(l, l->newest), 0, GRT_ROOTS_LOGGED / 16);
	return err;
}

void grt_root_logs_free(struct grt_root_logs *l)
{
	for (size_t i = 0; i < grt_vec_count(&l->rows, struct grt_root_log *); i++)
		if (*place(l, i))
			free_log(*place(l, i));
	for (size_t i = 0; i < grt_vec_count(&l->runs.rows, struct grt_root_runs); i++)
		grt_sum_tree_free(&grt_vec_at(&l->runs.rows, struct grt_root_runs, i)->tree);
	grt_vec_free(&l->rows);
	grt_vec_free(&l->free_rows);
	grt_keyrows_free(&l->runs);
	grt_keymap_free(&l->by_number);
	grt_keymap_free(&l->by_ctx);
	grt_root_keys_free(&l->keys);
	grt_root_sums_free(&l->scratch);
	grt_root_sums_free(&l->full);
	grt_root_sums_free(&l->part);
	grt_root_sums_free(&l->own);
	*l = (struct grt_root_logs){ .count = 0 };
}

/* --- parts --- */

static bool is_run(const struct grt_root_span *span)
{
	return span->kind == GRT_ROOT_RAN || span->kind == GRT_ROOT_RAN_FULL;
}

static const struct grt_spans *runs_of(const struct grt_root_span *part)
{
	return (const struct grt_spans *)(uintptr_t)part->ctx;
}

static struct grt_root_span span_of_run(const struct grt_span_by *by, uint8_t kind)
{
	return (struct grt_root_span){
		.from_ns = by->from_ns, .to_ns = by->to_ns, .ctx = by->ctx, .seqno = by->seqno,
		.client = by->client,
		.kind = by->is_hung ? GRT_ROOT_HANG : kind == GRT_ROOT_RAN ? GRT_ROOT_RUN : GRT_ROOT_FULL,
	};
}

/* Span @nr of what @part is a part of. */
static struct grt_root_span nth(const struct grt_root_log *log, const struct grt_root_span *part, uint64_t nr)
{
	return log ? *span_at(log, nr) : span_of_run(grt_spans_at(runs_of(part), nr), part->kind);
}

/* When span @nr of what @part is a part of begins, or ends. */
static uint64_t time_of(const struct grt_root_log *log, const struct grt_root_span *part, uint64_t nr, bool is_begin)
{
	const struct grt_root_span *span;
	const struct grt_span_by *by;

	if (log) {
		span = span_at(log, nr);
		return is_begin ? span->from_ns : span->to_ns;
	}
	by = grt_spans_at(runs_of(part), nr);
	return is_begin ? by->from_ns : by->to_ns;
}

/* The first span from [@lo, @hi) that ends after @ns, or begins at or after it. */
static uint64_t search(const struct grt_root_log *log, const struct grt_root_span *part, uint64_t lo,
		       uint64_t hi, uint64_t ns, bool is_begin)
{
	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2, at_ns = time_of(log, part, mid, is_begin);

		if (is_begin ? at_ns < ns : at_ns <= ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The first span from @lo on that begins at @ns or later.  It is usually near @lo, so the search begins there. */
static uint64_t search_near(const struct grt_root_log *log, const struct grt_root_span *part, uint64_t lo,
			    uint64_t hi, uint64_t ns)
{
	uint64_t step = 1;

	while (step < hi - lo && time_of(log, part, lo + step - 1, true) < ns)
		step *= 2;
	return search(log, part, lo + step / 2, step < hi - lo ? lo + step : hi, ns, true);
}

/* The spans [@from, @to) that @part touches.  False: its log is forgotten. */
static bool find_spans(struct grt_root_logs *l, const struct grt_root_span *part,
		       const struct grt_root_log **log, uint64_t *from, uint64_t *to)
{
	const struct grt_spans *runs = runs_of(part);

	*log = is_run(part) ? NULL : find(l, part->ctx);
	if (!is_run(part) && !*log) {
		l->met_limit |= part->from_ns < l->cut_ns;
		return false;
	}
	*from = *log ? (*log)->gone : runs->gone;
	*to = *log ? end_of(*log) : runs->gone + grt_deque_count(&runs->spans, struct grt_span_by);
	if (part->from_ns < (*log ? (*log)->cut_ns : runs->cut_ns))
		l->met_limit = true;
	*from = search(*log, part, *from, *to, part->from_ns, false);
	*to = search_near(*log, part, *from, *to, part->to_ns);
	return true;
}

uint64_t grt_root_part_count(const struct grt_root_logs *l, const struct grt_root_span *part)
{
	const struct grt_root_log *log;
	bool met_limit = l->met_limit, is_found;
	uint64_t from, to;

	is_found = find_spans((struct grt_root_logs *)l, part, &log, &from, &to);
	((struct grt_root_logs *)l)->met_limit = met_limit;
	return is_found ? to - from : 1;
}

static struct grt_root_span unknown(uint64_t from_ns, uint64_t to_ns)
{
	return (struct grt_root_span){
		.from_ns = from_ns, .to_ns = to_ns, .client = GRT_NONE, .kind = GRT_ROOT_UNKNOWN,
	};
}

static int give(grt_root_fn *fn, void *arg, struct grt_root_span span)
{
	return span.from_ns < span.to_ns ? fn(arg, &span) : 0;
}

/* Recurses for parts of parts, down to @depth. */
static int walk(struct grt_root_logs *l, const struct grt_root_span *part, unsigned int depth, bool is_deep,
		grt_root_fn *fn, void *arg)
{
	const struct grt_root_log *log;
	uint64_t at, end, ns = part->from_ns;
	int err = 0;

	l->met_limit |= !depth;
	if (!depth || !find_spans(l, part, &log, &at, &end))
		return give(fn, arg, unknown(part->from_ns, part->to_ns));
	for (; at < end && !err; at++) {
		struct grt_root_span span = nth(log, part, at);

		if (span.from_ns < ns)
			span.from_ns = ns;
		if (span.to_ns > part->to_ns)
			span.to_ns = part->to_ns;
		err = give(fn, arg, unknown(ns, span.from_ns));
		if (!err && grt_root_is_part(&span) && is_deep)
			err = walk(l, &span, depth - 1, true, fn, arg);
		else if (!err)
			err = give(fn, arg, span);
		ns = span.to_ns;
	}
	return err ? err : give(fn, arg, unknown(ns, part->to_ns));
}

int grt_root_part_walk(struct grt_root_logs *l, const struct grt_root_span *part, bool is_deep, grt_root_fn *fn,
		       void *arg)
{
	return walk(l, part, MAX_DEPTH, is_deep, fn, arg);
}

/* --- sums --- */

static int sum_single(struct grt_root_logs *l, const struct grt_root_span *span, struct grt_root_sums *sums)
{
	bool is_hang = span->kind == GRT_ROOT_HANG;
	const struct grt_root_key key = {
		.ctx = is_hang ? span->ctx : 0, .seqno = is_hang ? span->seqno : 0,
		.client = span->client, .kind = span->kind,
	};
	uint32_t row = grt_root_key_row(&l->keys, &key);

	return row == GRT_NONE ? -ENOMEM : grt_root_sums_add(sums, row, span->to_ns - span->from_ns);
}

/* Adds span @nr of a log. */
static int sum_in_log(void *arg, uint64_t nr, struct grt_root_sums *to)
{
	const struct in_log *in = arg;
	const struct grt_root_log *log = in->log;
	const struct grt_root_span *span;
	int err = 0;

	if (nr < log->gone)
		return 0;
	span = span_at(log, nr);
	if (!grt_root_is_part(span))
		return sum_single(in->logs, span, to);
	for (uint64_t i = span->seqno; i < span->seqno + span->client && !err; i++) {
		const struct grt_root_sum *sum = grt_deque_at(&log->sums, struct grt_root_sum,
							      i - log->gone_sums);

		err = grt_root_sums_add(to, sum->key, sum->ns);
	}
	return err;
}

static int sum_in_runs(void *arg, uint64_t nr, struct grt_root_sums *to)
{
	const struct in_runs *in = arg;
	struct grt_root_span span;

	if (nr < in->spans->gone)
		return 0;
	span = span_of_run(grt_spans_at(in->spans, nr), in->kind);
	return sum_single(in->logs, &span, to);
}

/* The sums of what a ring ran, up to now. */
static struct grt_root_runs *update_runs(struct grt_root_logs *l, const struct grt_spans *spans)
{
	struct in_runs in = { l, spans, GRT_ROOT_RAN };
	struct grt_root_runs *runs = grt_keyrow(&l->runs, (uintptr_t)spans, sizeof(*runs));

	if (!runs)
		return NULL;
	runs->spans = spans;
	if (runs->tree.levels && spans->gone > runs->tree.levels[0].first_block + SOME_SPANS)
		grt_sum_tree_drop(&runs->tree, spans->gone);
	return grt_sum_tree_grow(&runs->tree, spans->gone + grt_deque_count(&spans->spans, struct grt_span_by),
				 sum_in_runs, &in, &l->scratch) ? NULL : runs;
}

/* Sums of kind _FULL are kept as those of _RUN. */
static int sum_full(struct grt_root_logs *l, const struct grt_root_runs *runs, uint64_t from, uint64_t to,
		    struct grt_root_sums *sums)
{
	struct in_runs in = { l, runs->spans, GRT_ROOT_RAN };
	struct grt_root_sums *own = &l->full;
	int err = grt_sum_tree_sum(&runs->tree, from, to, sum_in_runs, &in, own);

	for (size_t i = 0; i < grt_vec_count(&own->rows, struct grt_root_sum) && !err; i++) {
		const struct grt_root_sum *sum = grt_vec_at(&own->rows, struct grt_root_sum, i);
		struct grt_root_key key = *grt_vec_at(&l->keys.rows, struct grt_root_key, sum->key);
		uint32_t row;

		if (key.kind == GRT_ROOT_RUN)
			key.kind = GRT_ROOT_FULL;
		row = grt_root_key_row(&l->keys, &key);
		err = row == GRT_NONE ? -ENOMEM : grt_root_sums_add(sums, row, sum->ns);
	}
	grt_root_sums_clear(own);
	return err;
}

/* Adds whole spans [@from, @to) of what @part is a part of. */
static int sum_whole(struct grt_root_logs *l, const struct grt_root_log *log, const struct grt_root_span *part,
		     uint64_t from, uint64_t to, struct grt_root_sums *sums)
{
	struct in_log in = { l, log };
	struct in_runs in_runs = { l, runs_of(part), part->kind };
	const struct grt_root_runs *runs;

	if (log)
		return grt_sum_tree_sum(&log->tree, from, to, sum_in_log, &in, sums);
	runs = update_runs(l, runs_of(part));
	if (!runs)
		return -ENOMEM;
	return part->kind == GRT_ROOT_RAN ?
	       grt_sum_tree_sum(&runs->tree, from, to, sum_in_runs, &in_runs, sums) :
	       sum_full(l, runs, from, to, sums);
}

static int sum_span(struct grt_root_logs *l, const struct grt_root_span *span, unsigned int depth,
		    struct grt_root_sums *sums);

/* Adds the part of span @nr that is in @part. */
static int sum_clipped(struct grt_root_logs *l, const struct grt_root_log *log, const struct grt_root_span *part,
		       uint64_t nr, unsigned int depth, struct grt_root_sums *sums)
{
	struct grt_root_span span = nth(log, part, nr);

	if (span.from_ns < part->from_ns)
		span.from_ns = part->from_ns;
	if (span.to_ns > part->to_ns)
		span.to_ns = part->to_ns;
	return sum_span(l, &span, depth - 1, sums);
}

/* Recurses for the first and the last span of a part, down to @depth. */
static int sum_span(struct grt_root_logs *l, const struct grt_root_span *span, unsigned int depth,
		    struct grt_root_sums *sums)
{
	const struct grt_root_log *log;
	struct grt_root_span rest = unknown(0, 0);
	uint64_t from, to, before_ns = sums->ns;
	int err = 0;

	if (!grt_root_is_part(span))
		return sum_single(l, span, sums);
	l->met_limit |= !depth;
	if (!depth || !find_spans(l, span, &log, &from, &to))
		from = to = 0;
	if (from < to && nth(log, span, from).from_ns < span->from_ns)
		err = sum_clipped(l, log, span, from++, depth, sums);
	if (from < to && !err && nth(log, span, to - 1).to_ns > span->to_ns)
		err = sum_clipped(l, log, span, --to, depth, sums);
	if (from < to && !err)
		err = sum_whole(l, log, span, from, to, sums);
	/* What no span says is unknown. */
	rest.to_ns = span->to_ns - span->from_ns - (sums->ns - before_ns);
	return err || !rest.to_ns ? err : sum_single(l, &rest, sums);
}

int grt_root_span_sum(struct grt_root_logs *l, const struct grt_root_span *span, struct grt_root_sums *sums)
{
	return sum_span(l, span, MAX_DEPTH, sums);
}

/* --- a log grows --- */

/* Keeps the sums of a part that is a span of a log, so that nobody has to go into it. */
static int keep_sums(struct grt_root_logs *l, struct grt_root_log *log, struct grt_root_span *span)
{
	struct grt_root_sums *sums = &l->part;
	int err = grt_root_span_sum(l, span, sums);

	span->seqno = log->gone_sums + grt_deque_count(&log->sums, struct grt_root_sum);
	span->client = grt_vec_count(&sums->rows, struct grt_root_sum);
	if (!err && sums->rows.bytes)
		err = grt_vec_append(&log->sums.vec, sums->rows.data, sums->rows.bytes);
	grt_root_sums_clear(sums);
	return err;
}

int grt_root_log_add(struct grt_root_logs *l, uint64_t number, const struct grt_root_span *span)
{
	uint32_t row = grt_keymap_get(&l->by_number, number, 0);
	struct grt_root_log *log = row == GRT_NONE ? NULL : *place(l, row);
	struct grt_root_span own = *span;
	struct in_log in = { l, log };
	uint64_t end_ns = grt_root_log_end(l, number);
	int err = 0;

	if (own.from_ns < end_ns)
		own.from_ns = end_ns;
	if (!log || own.from_ns >= own.to_ns)
		return 0;
	if (grt_root_is_part(&own))
		err = keep_sums(l, log, &own);
	if (!err)
		err = grt_vec_append(&log->spans.vec, &own, sizeof(own));
	if (err)
		return err;
	l->spans++;
	leave_list(l, row);
	enter_list(l, row);
	if (end_of(log) % SOME_SPANS == 0)
		drop_spans(l, log, l->oldest_ns, 0);
	return grt_sum_tree_grow(&log->tree, end_of(log), sum_in_log, &in, &l->scratch);
}
