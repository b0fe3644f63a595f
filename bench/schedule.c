// SPDX-License-Identifier: GPL-2.0
#include "schedule.h"

#include <string.h>

enum {
	RINGS = SCHEDULE_RINGS, CREDITS = SCHEDULE_CREDITS,
	CONTEXTS = RINGS * SCHEDULE_PROCESSES,
	QUEUED = 5,		/* jobs that a context keeps in flight */
	SLOTS = 8,		/* a power of two above QUEUED */
	BETWEEN_NS = 60,	/* between two successive events */
	THINK_NS = 3000,	/* COMPLETE to the next SUBMIT */
	WAKE_NS = 1500,		/* until the scheduler's thread runs */
	LOOP_NS = 400,		/* from one job to the next in the thread's loop */
};

#define NEVER	UINT64_MAX

/* Jobs are 1, 2, ... in each context; their dependencies are in slot seqno % SLOTS. */
struct context {
	uint64_t submitted, committed, ended;
	struct {
		uint64_t seqno;		/* 0: no dependency */
		uint32_t context;
	} deps[SLOTS];
	bool is_blocked;		/* the scheduler found its first job blocked */
};

struct ring {
	uint64_t end_ns;		/* end of the running job */
	uint64_t wake_ns;		/* when the scheduler's thread runs */
	uint32_t fifo[CREDITS];		/* contexts of committed jobs */
	uint32_t first, in_use;
	uint32_t turn;			/* the context that comes next */
};

struct schedule {
	struct schedule_options options;
	void (*take)(void *arg, const struct grtrace_hdr *event);
	void *arg;
	uint64_t now_ns, dice, submitted;
	struct context contexts[CONTEXTS];
	struct ring rings[RINGS];
	/* Who submits next, and when.  In order, because all contexts think equally long. */
	struct {
		uint64_t ns;
		uint32_t context;
	} thinkers[CONTEXTS * SLOTS];
	uint32_t first_thinker, nr_thinkers;
};

static uint64_t roll(struct schedule *s, uint64_t sides)
{
	s->dice = s->dice * 6364136223846793005u + 1442695040888963407u;
	return (s->dice >> 33) % sides;
}

static uint64_t key_of(uint32_t context) { return 1000 + 2 * context; }

static struct grtrace_hdr header(struct schedule *s, uint16_t type, uint16_t bytes, uint32_t cpu,
				 uint16_t flags)
{
	s->now_ns += BETWEEN_NS;
	return (struct grtrace_hdr){
		.type = type, .size = bytes, .cpu = cpu % SCHEDULE_CPUS, .flags = flags,
		.ts = s->now_ns,
	};
}

/* An event of job @job_seqno of @context. */
#define EMIT(s, name, TYPE, on_cpu, flags, context, job_seqno, ...) do {		\
	const struct grtrace_##name event = {					\
		.hdr = header(s, GRTRACE_##TYPE, sizeof(event), on_cpu, flags), \
		.ctx = key_of(context), .seqno = job_seqno, __VA_ARGS__		\
	};									\
	(s)->take((s)->arg, &event.hdr);					\
} while (0)

static void wake(struct schedule *s, uint32_t r)
{
	if (s->rings[r].wake_ns == NEVER)
		s->rings[r].wake_ns = s->now_ns + WAKE_NS;
}

static bool is_over(const struct schedule *s, uint32_t context, uint64_t seqno)
{
	return s->contexts[context].ended >= seqno;
}

static void emit_dependency(struct schedule *s, uint32_t cpu, uint32_t c, uint64_t seqno,
			    uint16_t flags)
{
	uint32_t on = s->contexts[c].deps[seqno % SLOTS].context;
	uint64_t on_seqno = s->contexts[c].deps[seqno % SLOTS].seqno;

	if (on_seqno)
		EMIT(s, dependency, DEPENDENCY, cpu, flags, c, seqno,
		     .dep_ctx = key_of(on), .dep_seqno = on_seqno);
}

/* Picks a job in flight on another ring; none if there is none. */
static void choose_dependency(struct schedule *s, uint32_t c, uint64_t seqno)
{
	uint32_t on = (c + 1 + roll(s, RINGS - 1)) % CONTEXTS;
	const struct context *other = &s->contexts[on];
	uint64_t under_way = other->submitted - other->ended;

	s->contexts[c].deps[seqno % SLOTS].context = on;
	s->contexts[c].deps[seqno % SLOTS].seqno =
		under_way ? other->ended + 1 + roll(s, under_way) : 0;
}

static void submit(struct schedule *s)
{
	uint32_t c = s->thinkers[s->first_thinker].context, process = c / RINGS;
	struct context *context = &s->contexts[c];
	uint64_t seqno = ++context->submitted;

	s->first_thinker = (s->first_thinker + 1) % (CONTEXTS * SLOTS);
	s->nr_thinkers--;
	s->submitted++;
	choose_dependency(s, c, seqno);
	EMIT(s, submit, SUBMIT, c, 0, c, seqno, .ring = 1 + c % RINGS,
	     .tgid = SCHEDULE_TGID + process,
	     .tid = SCHEDULE_TGID + process, .client_id = 1 + process, .credits = 1,
	     .hw_credits = s->rings[c % RINGS].in_use,
	     .queue_depth = seqno - 1 - context->committed);
	if (!s->options.is_popped)
		emit_dependency(s, c, c, seqno, GRTRACE_F_DECLARED);
	wake(s, c % RINGS);
}

/* Whether the first job of @c is ready.  Emits its dependency at the first look. */
static bool is_ready(struct schedule *s, uint32_t cpu, uint32_t c)
{
	struct context *context = &s->contexts[c];
	uint64_t seqno = context->committed + 1;
	uint16_t how = s->options.is_popped ? GRTRACE_F_POPPED : 0;
	bool is_free = is_over(s, context->deps[seqno % SLOTS].context,
			       context->deps[seqno % SLOTS].seqno);

	if (context->is_blocked)
		return is_free;
	context->is_blocked = !is_free;
	if (!is_free)
		emit_dependency(s, cpu, c, seqno, how | GRTRACE_F_BLOCKED);
	else if (how)
		emit_dependency(s, cpu, c, seqno, how | GRTRACE_F_SIGNALED);
	return is_free;
}

static void execute_next(struct schedule *s, struct ring *ring)
{
	ring->end_ns = ring->in_use ? s->now_ns + 10000 + roll(s, 20000) : NEVER;
}

static void commit(struct schedule *s, uint32_t r, uint32_t cpu, uint32_t c)
{
	struct ring *ring = &s->rings[r];
	struct context *context = &s->contexts[c];

	context->is_blocked = false;
	context->committed++;
	ring->fifo[(ring->first + ring->in_use++) % CREDITS] = c;
	EMIT(s, commit, COMMIT, cpu, 0, c, context->committed, .ring = 1 + r, .credits = 1,
	     .hw_credits = ring->in_use, .queue_depth = context->submitted - context->committed);
	if (ring->in_use == 1)
		execute_next(s, ring);
}

/* The scheduler's thread: hands over one job, and runs again soon if it did. */
static void look(struct schedule *s, uint32_t r)
{
	struct ring *ring = &s->rings[r];
	uint32_t cpu = 2 * r + roll(s, 2);

	ring->wake_ns = NEVER;
	for (uint32_t i = 0; i < CONTEXTS / RINGS && ring->in_use < CREDITS; i++) {
		uint32_t c = (ring->turn + i) % (CONTEXTS / RINGS) * RINGS + r;

		if (s->contexts[c].submitted == s->contexts[c].committed || !is_ready(s, cpu, c))
			continue;
		commit(s, r, cpu, c);
		ring->turn = (c / RINGS + 1) % (CONTEXTS / RINGS);
		ring->wake_ns = s->now_ns + LOOP_NS;
		return;
	}
}

static void think(struct schedule *s, uint32_t c, uint64_t ns)
{
	uint32_t at = (s->first_thinker + s->nr_thinkers++) % (CONTEXTS * SLOTS);

	s->thinkers[at].context = c;
	s->thinkers[at].ns = ns;
}

/* Wakes the rings where a job waits for the one that just ended. */
static void wake_dependents(struct schedule *s, uint32_t ended)
{
	uint64_t last = s->contexts[ended].ended;

	for (uint32_t c = 0; c < CONTEXTS; c++) {
		const struct context *context = &s->contexts[c];
		uint32_t slot = (context->committed + 1) % SLOTS;

		if (context->is_blocked && context->deps[slot].context == ended &&
		    context->deps[slot].seqno == last)
			wake(s, c % RINGS);
	}
}

static void end(struct schedule *s, uint32_t r)
{
	struct ring *ring = &s->rings[r];
	uint32_t c = ring->fifo[ring->first], cpu = 3 * r + roll(s, 4);
	struct context *context = &s->contexts[c];

	ring->first = (ring->first + 1) % CREDITS;
	ring->in_use--;
	context->ended++;
	EMIT(s, end, END, cpu, 0, c, context->ended, .ring = 1 + r, .hw_done_ns = s->now_ns - 40);
	execute_next(s, ring);
	EMIT(s, complete, COMPLETE, cpu, 0, c, context->ended, .ring = 1 + r);
	wake(s, r);
	wake_dependents(s, c);
	think(s, c, s->now_ns + THINK_NS);
}

/* The next event on the rings: its ring, and whether it is the end of a job. */
static uint64_t next_on_rings(const struct schedule *s, uint32_t *r, bool *is_end)
{
	uint64_t next = NEVER;

	for (uint32_t i = 0; i < RINGS; i++) {
		const struct ring *ring = &s->rings[i];
		uint64_t ns = ring->end_ns < ring->wake_ns ? ring->end_ns : ring->wake_ns;

		if (ns >= next)
			continue;
		next = ns;
		*r = i;
		*is_end = ring->end_ns < ring->wake_ns;
	}
	return next;
}

static bool step(struct schedule *s)
{
	bool may_submit = s->nr_thinkers && s->submitted < s->options.jobs;
	uint64_t submit_ns = may_submit ? s->thinkers[s->first_thinker].ns : NEVER;
	bool is_end = false;
	uint64_t ns, ring_ns;
	uint32_t r = 0;

	ring_ns = next_on_rings(s, &r, &is_end);
	ns = submit_ns < ring_ns ? submit_ns : ring_ns;
	if (ns == NEVER)
		return false;
	if (s->now_ns < ns)
		s->now_ns = ns;
	if (submit_ns < ring_ns)
		submit(s);
	else if (is_end)
		end(s, r);
	else
		look(s, r);
	return true;
}

uint64_t schedule_run(const struct schedule_options *options,
		      void (*take)(void *arg, const struct grtrace_hdr *event), void *arg)
{
	static struct schedule schedule;
	struct schedule *s = &schedule;

	*s = (struct schedule){ .options = *options, .take = take, .arg = arg, .dice = 1,
				.now_ns = options->start_ns };
	for (uint32_t r = 0; r < RINGS; r++)
		s->rings[r].end_ns = s->rings[r].wake_ns = NEVER;
	for (uint32_t i = 0; i < CONTEXTS * QUEUED; i++)
		think(s, i % CONTEXTS, options->start_ns + 500 * i);
	while (step(s))
		;
	return s->now_ns;
}
