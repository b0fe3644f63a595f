// SPDX-License-Identifier: LGPL-2.1
/*
 * The time of a ring as stretches.  A stretch is open while jobs that look ready may turn out to
 * have waited; then it becomes final and is summed up.  Every nanosecond of the trace is counted
 * exactly once, so that busy and idle time sum to the whole.
 */
#include <errno.h>
#include <stdlib.h>

#include "error.h"
#include "model_private.h"

/* Bounds memory where a job looks ready for ever: the older half counts as unknown. */
#define MAX_OPEN	4096

#define SIGNAL_LAG_NS	1000

static struct grt_open *open_at(const struct grt_timeline *line, uint32_t nr)
{
	return grt_vec_at(&line->open, struct grt_open, nr - 1);
}

/* Jobs wait: one of them may turn out to have been ready. */
static bool is_waiting(const struct grt_stretch *s)
{
	return s->state == GRT_IDLE_DEPENDENCY || s->state == GRT_LINE_MAYBE;
}

/* Whether a stretch like @s is in @chain. */
static bool belongs(const struct grt_stretch *s, enum grt_chain chain)
{
	return chain == GRT_CHAIN_ALL || s->state == GRT_IDLE_DEPENDENCY ||
	       (chain == GRT_CHAIN_WAITING && s->state == GRT_LINE_MAYBE);
}

/* Links @nr behind @at, which is in the chain, or at its front if @at is 0. */
static void link_behind(struct grt_timeline *line, enum grt_chain chain, uint32_t at, uint32_t nr)
{
	struct grt_open *open = open_at(line, nr), *before = at ? open_at(line, at) : NULL;

	open->prev[chain] = at;
	open->next[chain] = before ? before->next[chain] : line->first[chain];
	*(open->next[chain] ? &open_at(line, open->next[chain])->prev[chain] :
			      &line->end[chain]) = nr;
	*(before ? &before->next[chain] : &line->first[chain]) = nr;
}

static void drop(struct grt_timeline *line, enum grt_chain chain, const struct grt_open *open)
{
	*(open->prev[chain] ? &open_at(line, open->prev[chain])->next[chain] :
			      &line->first[chain]) = open->next[chain];
	*(open->next[chain] ? &open_at(line, open->next[chain])->prev[chain] :
			      &line->end[chain]) = open->prev[chain];
}

/*
 * Opens a stretch like @s behind number @at, or at the front if @at is 0.  Number @at is the last
 * one, or in all chains of @s.
 */
static bool open_behind(struct grt_model *m, struct grt_timeline *line, uint32_t at,
			const struct grt_stretch *s)
{
	bool is_last = at == line->end[GRT_CHAIN_ALL];
	uint32_t nr = line->free;

	if (nr) {
		line->free = open_at(line, nr)->next[GRT_CHAIN_ALL];
	} else if (grt_vec_grow(&line->open, sizeof(struct grt_open))) {
		nr = grt_vec_count(&line->open, struct grt_open);
	} else {
		m->err = -ENOMEM;
		return false;
	}
	open_at(line, nr)->s = *s;
	for (int chain = 0; chain < GRT_NR_CHAINS; chain++)
		if (belongs(s, chain))
			link_behind(line, chain, is_last ? line->end[chain] : at, nr);
	line->nr_open++;
	return true;
}

static void close_open(struct grt_timeline *line, uint32_t nr)
{
	struct grt_open *open = open_at(line, nr);

	for (int chain = 0; chain < GRT_NR_CHAINS; chain++)
		if (belongs(&open->s, chain))
			drop(line, chain, open);
	open->next[GRT_CHAIN_ALL] = line->free;
	line->free = nr;
	/* Usually only one is open. */
	if (!--line->nr_open) {
		line->open.bytes = 0;
		line->free = 0;
	}
}

/*
 * Stretch @nr turns out to have the state and charge of @s.  If it was in doubt, another job may have been ready first:
 * nobody is charged with it.
 */
static void become(struct grt_timeline *line, uint32_t nr, const struct grt_stretch *s)
{
	struct grt_open *open = open_at(line, nr);
	bool was_maybe = open->s.state == GRT_LINE_MAYBE;

	for (int chain = 0; chain < GRT_NR_CHAINS; chain++)
		if (belongs(&open->s, chain) && !belongs(s, chain))
			drop(line, chain, open);
	open->s.state = s->state;
	open->s.client = was_maybe ? GRT_NONE : s->client;
	open->s.ctx = was_maybe ? 0 : s->ctx;
	open->s.seqno = was_maybe ? 0 : s->seqno;
}

static bool goes_on(const struct grt_stretch *a, const struct grt_stretch *b)
{
	return a->to_ns == b->from_ns && a->state == b->state &&
	       a->is_unexplained == b->is_unexplained && a->client == b->client &&
	       (a->client != GRT_NONE || a->ctx == b->ctx);
}

/* The key of an idle row: a client, or a context whose fences belong to no job. */
static uint64_t culprit_of(const struct grt_stretch *s)
{
	return s->client == GRT_NONE ? s->ctx | 1ull << 63 : s->client;
}

static struct grt_idle_row *row_of(struct grt_model *m, uint32_t ring, const struct grt_stretch *s)
{
	uint64_t what = (uint64_t)ring << 8 | s->state, culprit = culprit_of(s);
	uint32_t i = grt_keymap_get(&m->idle_index, what, culprit);
	struct grt_idle_row *row;

	if (i != GRT_NONE)
		return grt_vec_at(&m->idle_rows, struct grt_idle_row, i);
	i = grt_vec_count(&m->idle_rows, struct grt_idle_row);
	row = grt_vec_grow(&m->idle_rows, sizeof(*row));
	if (!row || grt_keymap_put(&m->idle_index, what, culprit, i)) {
		m->err = -ENOMEM;
		return NULL;
	}
	*row = (struct grt_idle_row){ .ring = ring, .client = s->client, .cause = s->state };
	return row;
}

/* One stretch of one state, cause and culprit is over. */
static void count_stretch(struct grt_model *m, struct grt_ring_state *t)
{
	const struct grt_stretch *s = &t->line.last;
	uint64_t ns = grt_window_ns(m, s->from_ns, s->to_ns);
	struct grt_idle_row *row;

	grt_watch_tell(m, t, s);
	if (m->skips_sums || s->state >= GRT_NR_IDLES || !ns || t->is_synthetic)
		return;
	row = row_of(m, t->ring, s);
	if (!row)
		return;
	row->ns += ns;
	row->stretches++;
	if (ns <= row->longest_ns)
		return;
	row->longest_ns = ns;
	row->ctx = s->ctx;
	row->seqno = s->seqno;
}

static void count(struct grt_model *m, struct grt_ring_state *t, const struct grt_stretch *s)
{
	struct grt_stretch *last = &t->line.last;

	if (s->state == GRT_LINE_BUSY)
		t->line.use.busy_ns += grt_window_ns(m, s->from_ns, s->to_ns);
	else if (s->state < GRT_NR_IDLES)
		t->line.use.idle_ns[s->state] += grt_window_ns(m, s->from_ns, s->to_ns);
	if (s->is_unexplained)
		t->line.use.unexplained_ns += grt_window_ns(m, s->from_ns, s->to_ns);
	grt_device_add(m, t, s);
	if (goes_on(last, s)) {
		last->to_ns = s->to_ns;
		return;
	}
	count_stretch(m, t);
	*last = *s;
}

/* Whether nothing ran, and a job that waits unseen would be the cause. */
static bool may_be_for_unseen(const struct grt_stretch *s)
{
	return is_waiting(s) || s->state == GRT_IDLE_STARVED || s->state == GRT_IDLE_SCHEDULER;
}

/*
 * Unseen jobs may be there while the ring looks idle in @s; but a job that is seen to run does run.  Returns the time
 * at which that changes, at most @edge_ns.
 */
static uint64_t unseen_edge(const struct grt_ring_state *t, const struct grt_stretch *s, uint64_t edge_ns,
			    bool *is_unsure, bool *has_doubt)
{
	uint64_t ns = UINT64_MAX;

	if (s->from_ns < t->unseen.on_ns) {
		*is_unsure = true;
		ns = t->unseen.on_ns;
	} else if (s->from_ns < t->unseen.waiting_ns && may_be_for_unseen(s)) {
		*has_doubt = true;
		ns = t->unseen.waiting_ns;
	}
	return ns < edge_ns ? ns : edge_ns;
}

/*
 * The end of the first part of @s about which the same is known, and that part's state.
 * *is_unexplained: its state is unknown, but it is certain that nothing ran.
 */
static uint64_t next_edge(const struct grt_model *m, const struct grt_ring_state *t,
			  const struct grt_stretch *s, uint8_t *state, bool *is_unexplained)
{
	uint64_t edge_ns = s->to_ns;
	const struct grt_span *span = grt_losses_from(&m->asleep, s->from_ns);
	uint64_t loss_ns = UINT64_MAX;
	bool is_unsure = t->is_untracked, has_doubt = s->state == GRT_LINE_MAYBE;

	*state = s->state;
	*is_unexplained = false;
	if (span && span->from_ns <= s->from_ns) {
		*state = GRT_LINE_ASLEEP;
		return span->to_ns < edge_ns ? span->to_ns : edge_ns;
	}
	if (span && span->from_ns < edge_ns)
		edge_ns = span->from_ns;
	span = grt_losses_from(&m->losses, s->from_ns);
	if (span)
		loss_ns = span->from_ns;
	/* The event of a fence comes a moment after its signal. */
	if (s->state == GRT_IDLE_DEPENDENCY && loss_ns != UINT64_MAX)
		loss_ns -= loss_ns < SIGNAL_LAG_NS ? loss_ns : SIGNAL_LAG_NS;
	if (loss_ns <= s->from_ns) {
		is_unsure = true;
		if (span->to_ns < edge_ns)
			edge_ns = span->to_ns;
	} else if (loss_ns < edge_ns) {
		edge_ns = loss_ns;
	}
	if (s->state == GRT_IDLE_DEPENDENCY) {
		span = grt_losses_from(&t->doubts, s->from_ns);
		if (span && span->from_ns <= s->from_ns) {
			has_doubt = true;
			if (span->to_ns < edge_ns)
				edge_ns = span->to_ns;
		} else if (span && span->from_ns < edge_ns) {
			edge_ns = span->from_ns;
		}
	}
	if (s->state != GRT_LINE_BUSY)
		edge_ns = unseen_edge(t, s, edge_ns, &is_unsure, &has_doubt);
	if (s->state != GRT_LINE_BUSY && !m->has_hindsight && grt_losses_count(&m->losses) &&
	    grt_losses_at(&m->losses, 0)->from_ns <= s->from_ns)
		is_unsure = true;
	if (is_unsure || has_doubt)
		*state = GRT_IDLE_UNKNOWN;
	*is_unexplained = has_doubt && !is_unsure;
	return edge_ns;
}

/* Whether the event that ended the stretch before @rest may be missing. */
static bool ends_unseen(const struct grt_model *m, const struct grt_ring_state *t,
			const struct grt_stretch *rest)
{
	bool is_unexplained;
	uint8_t state;

	if (rest->from_ns >= rest->to_ns || rest->state == GRT_IDLE_RECOVERY)
		return false;
	next_edge(m, t, rest, &state, &is_unexplained);
	return state == GRT_IDLE_UNKNOWN;
}

/* Cuts the first part with one state off @rest; false: nothing is left. */
static bool next_part(const struct grt_model *m, const struct grt_ring_state *t,
		      struct grt_stretch *rest, struct grt_stretch *part)
{
	if (rest->from_ns >= rest->to_ns)
		return false;
	*part = *rest;
	part->to_ns = next_edge(m, t, rest, &part->state, &part->is_unexplained);
	rest->from_ns = part->to_ns;
	if (part->state != rest->state || ends_unseen(m, t, rest)) {
		part->client = GRT_NONE;
		part->ctx = part->seqno = 0;
	}
	return true;
}

static void finalize(struct grt_model *m, struct grt_ring_state *t, const struct grt_stretch *s)
{
	struct grt_stretch rest, part;

	/* Usually nothing is missing and the machine never slept: it is what it looks like. */
	if (!grt_losses_count(&m->asleep) && !grt_losses_count(&m->losses) &&
	    !grt_losses_count(&t->doubts) && !t->is_untracked && s->state != GRT_LINE_MAYBE &&
	    s->from_ns < s->to_ns &&
	    (s->state == GRT_LINE_BUSY || s->from_ns >= t->unseen.waiting_ns)) {
		count(m, t, s);
		return;
	}
	rest = *s;
	while (next_part(m, t, &rest, &part))
		count(m, t, &part);
}

void grt_timeline_show(struct grt_model *m, struct grt_ring_state *t, const struct grt_stretch *s)
{
	struct grt_stretch rest = *s, part;

	while (next_part(m, t, &rest, &part))
		grt_device_add(m, t, &part);
	if (t->line.shown_ns < s->to_ns)
		t->line.shown_ns = s->to_ns;
}

void grt_timeline_finalize(struct grt_model *m, struct grt_ring_state *t, uint64_t up_to_ns)
{
	struct grt_timeline *line = &t->line;
	uint32_t nr;

	while ((nr = line->first[GRT_CHAIN_ALL]) && open_at(line, nr)->s.to_ns <= up_to_ns) {
		finalize(m, t, &open_at(line, nr)->s);
		close_open(line, nr);
	}
}

/* Gives up waiting to learn more about the older half. */
static void finalize_half(struct grt_model *m, struct grt_ring_state *t)
{
	uint32_t nr = t->line.first[GRT_CHAIN_ALL];
	struct grt_stretch maybe;

	for (uint32_t i = t->line.nr_open / 2; i; i--) {
		maybe = open_at(&t->line, nr)->s;
		maybe.state = GRT_LINE_MAYBE;
		if (open_at(&t->line, nr)->s.state == GRT_IDLE_DEPENDENCY)
			become(&t->line, nr, &maybe);
		nr = open_at(&t->line, nr)->next[GRT_CHAIN_ALL];
	}
	grt_timeline_finalize(m, t, maybe.to_ns);
}

void grt_timeline_add(struct grt_model *m, struct grt_ring_state *t, const struct grt_stretch *s)
{
	struct grt_timeline *line = &t->line;
	uint32_t last = line->end[GRT_CHAIN_ALL];

	if (s->from_ns >= s->to_ns)
		return;
	if (!last && (!is_waiting(s) || t->ready == GRT_NONE)) {
		finalize(m, t, s);
		return;
	}
	if (last && !is_waiting(s) && goes_on(&open_at(line, last)->s, s)) {
		open_at(line, last)->s.to_ns = s->to_ns;
		return;
	}
	if (line->nr_open >= MAX_OPEN)
		finalize_half(m, t);
	open_behind(m, line, line->end[GRT_CHAIN_ALL], s);
}

/* Splits open stretch @nr at @ns, which lies inside it. */
static bool split(struct grt_model *m, struct grt_timeline *line, uint32_t nr, uint64_t ns)
{
	struct grt_stretch rest = open_at(line, nr)->s;

	rest.from_ns = ns;
	if (!open_behind(m, line, nr, &rest))
		return false;
	open_at(line, nr)->s.to_ns = ns;
	return true;
}

/* Stretch @nr ends where the new charge begins: @before is what the ring waited for. */
static void end_with(struct grt_timeline *line, uint32_t nr, const struct grt_stretch *before)
{
	struct grt_stretch *s = &open_at(line, nr)->s;

	if (!before->ctx || s->client != GRT_NONE || s->ctx)
		return;
	s->client = before->client;
	s->ctx = before->ctx;
	s->seqno = before->seqno;
}

/* Stretch @nr, in doubt, becomes one with the next if that is in doubt and adjacent. */
static void merge(struct grt_timeline *line, uint32_t nr)
{
	struct grt_open *open = open_at(line, nr);
	uint32_t next = open->next[GRT_CHAIN_ALL];

	if (!next || open_at(line, next)->s.state != GRT_LINE_MAYBE ||
	    open_at(line, next)->s.from_ns != open->s.to_ns)
		return;
	open_at(line, next)->s.from_ns = open->s.from_ns;
	close_open(line, nr);
}

/*
 * Open stretches within @s get its state and charge, if all that is known of them is that jobs
 * waited.  @before is charged with the wait up to @s.  GRT_LINE_MAYBE means doubt: it changes
 * only stretches that are not in doubt yet, and its client does not matter.
 */
void grt_timeline_ready(struct grt_model *m, struct grt_ring_state *t, const struct grt_stretch *s,
			const struct grt_stretch *before)
{
	enum grt_chain chain = s->state == GRT_LINE_MAYBE ? GRT_CHAIN_DEPENDENCY : GRT_CHAIN_WAITING;
	struct grt_timeline *line = &t->line;
	uint32_t nr, prev;

	/* Time ran back. */
	if (s->from_ns > s->to_ns)
		return;
	for (nr = line->end[chain]; nr; nr = prev) {
		struct grt_stretch *open = &open_at(line, nr)->s;
		bool is_cut = open->from_ns < s->from_ns;

		prev = open_at(line, nr)->prev[chain];
		if (open->to_ns < s->from_ns || (open->to_ns == s->from_ns && !before->ctx))
			return;
		if (open->from_ns >= s->to_ns)
			continue;
		if (open->to_ns == s->from_ns) {
			end_with(line, nr, before);
			return;
		}
		if (open->to_ns > s->to_ns && !split(m, line, nr, s->to_ns))
			return;
		if (is_cut) {
			if (!split(m, line, nr, s->from_ns))
				return;
			/*
			 * The stretch ends here now: which fence let another job go later does
			 * not matter.
			 */
			open = &open_at(line, nr)->s;
			open->client = GRT_NONE;
			open->ctx = 0;
			end_with(line, nr, before);
			nr = open_at(line, nr)->next[GRT_CHAIN_ALL];
		}
		become(line, nr, s);
		if (s->state == GRT_LINE_MAYBE)
			merge(line, nr);
		if (is_cut)
			return;
	}
}

void grt_timeline_starved_for(struct grt_ring_state *t, uint64_t ns, uint32_t client)
{
	struct grt_stretch *last = &t->line.last;

	if (last->state == GRT_IDLE_STARVED && last->to_ns == ns && last->client == GRT_NONE)
		last->client = client;
}

void grt_timeline_finish(struct grt_model *m, struct grt_ring_state *t)
{
	grt_timeline_finalize(m, t, UINT64_MAX);
	count_stretch(m, t);
	t->line.last = (struct grt_stretch){ .state = GRT_LINE_ASLEEP };
	if (!grt_ring_state_is_untracked(m, t))
		return;
	/* Its source reports no COMMITs: none of this time is known. */
	for (int i = 0; i < GRT_NR_IDLES; i++)
		t->line.use.idle_ns[i] = 0;
	t->line.use.busy_ns = t->line.use.unexplained_ns = t->line.use.before_ns = 0;
	t->line.use.idle_ns[GRT_IDLE_UNKNOWN] = grt_model_wall_ns(m);
}

void grt_timeline_free(struct grt_timeline *line)
{
	grt_vec_free(&line->open);
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
	return (x->client > y->client) - (x->client < y->client);
}

/* Sorts the rows, most time first: no time is added any more. */
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
