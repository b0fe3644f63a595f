// SPDX-License-Identifier: GPL-2.0
#include "busy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	CREDITS = 4,			/* of each ring; a job needs one */
	QUEUE = 4096,			/* jobs that an entity may have waiting */
	FRAME_NS = 16666667,
	HANG_NS = 500000000,		/* until the timeout */
	RESET_NS = 3000000,
};

enum { GFX, COMPUTE, COPY, NR_RINGS };
enum { GAME, COMPOSITOR, BATCH, COPIER, NR_PROCESSES };

static const char *const processes[] = { "game", "compositor", "batch", "copier" };

/* An entity: jobs of one process in order, on one ring. */
enum { GAME_GFX, GAME_COMPUTE, COMPOSITOR_GFX, BATCH_COMPUTE, BATCH_COPY, COPIER_COPY, NR_ENTITIES };

static const struct {
	uint32_t process, ring;
} owners[NR_ENTITIES] = {
	{ GAME, GFX }, { GAME, COMPUTE }, { COMPOSITOR, GFX }, { BATCH, COMPUTE },
	{ BATCH, COPY }, { COPIER, COPY },
};

enum word {
	JOBS, SEED, LOAD, DRIFT, BY, ON, SPREAD, HANG, FAIL, NR_WORDS
};

static const struct {
	const char *name;
	uint64_t value;
} defaults[NR_WORDS] = {
	[JOBS] = { "jobs", 4000 }, [SEED] = { "seed", 1 }, [LOAD] = { "load", 100 },
	[DRIFT] = { "drift", 15 }, [BY] = { "by", 0 }, [ON] = { "on", 0 },
	[SPREAD] = { "spread", 0 }, [HANG] = { "hang", 0 }, [FAIL] = { "fail", 0 },
};

enum act { FRAME, COMPOSE, WORK, BURST, LOOK, END_JOB, DONE_JOB, TIMEOUT, RECOVER };

struct action {
	uint64_t ns;
	enum act act;
	uint32_t what;			/* ring, or job */
};

struct job {
	uint32_t entity;
	uint64_t seqno, exec_ns;
	uint32_t dep;			/* number of the job it waits for; 0: none */
	bool is_done, hangs, fails;
};

struct entity {
	uint32_t queue[QUEUE], first, count;
	uint64_t submitted;
	uint32_t last;			/* its latest job */
};

struct ring {
	uint32_t fifo[CREDITS], first, in_use, turn;
	bool is_stopped;
};

struct busy {
	struct synth *s;
	uint64_t value[NR_WORDS];
	uint32_t slow;			/* the process; NR_PROCESSES: none */
	uint64_t dice, now_ns, last_ns;
	double scene, pace;
	struct entity entities[NR_ENTITIES];
	struct ring rings[NR_RINGS];
	struct job *jobs;		/* from 1 on */
	uint32_t nr_jobs;
	struct action actions[1024];
	uint32_t nr_actions;
	uint32_t frame, batch;		/* the last job of each */
	uint32_t composed;		/* the frame of the game that was shown last */
};

static double roll(struct busy *b)
{
	b->dice = b->dice * 6364136223846793005u + 1442695040888963407u;
	return (b->dice >> 11) * 0x1p-53;
}

static uint32_t below(struct busy *b, uint32_t n) { return roll(b) * n; }

/* About normal: mean 0, deviation 1. */
static double normal(struct busy *b)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += roll(b);
	return sum;
}

/* About log-normal: median 1. */
static double around(struct busy *b, double sigma)
{
	double x = 1 + sigma * normal(b) / 8;

	x = x < 0.5 ? 0.5 : x;
	x *= x;
	x *= x;
	return x * x;
}

/* Exponential with mean 1: how many times a number of chance grows smaller (von Neumann). */
static double pause_of(struct busy *b)
{
	for (double whole = 0;; whole++) {
		double first = roll(b), last = first, next;
		unsigned int n = 0;

		while ((next = roll(b)) < last) {
			last = next;
			n++;
		}
		if (!(n & 1))
			return whole + first;
	}
}

static void at(struct busy *b, double delay_ns, enum act act, uint32_t what)
{
	struct action a = { b->now_ns + (uint64_t)delay_ns, act, what };
	uint32_t i = b->nr_actions++;

	if (b->nr_actions == sizeof(b->actions) / sizeof(b->actions[0]))
		abort();
	while (i && b->actions[i - 1].ns <= a.ns) {
		b->actions[i] = b->actions[i - 1];
		i--;
	}
	b->actions[i] = a;
}

/* Times of events differ: what is true at once is written 50 ns later. */
static uint64_t stamp(struct busy *b)
{
	b->last_ns = b->now_ns > b->last_ns ? b->now_ns : b->last_ns + 50;
	return b->last_ns;
}

static void *put(struct busy *b, uint16_t type, uint32_t nr)
{
	const struct job *job = &b->jobs[nr];
	struct grtrace_job_key *key;

	if (b->s->bytes.bytes > 1 && b->s->cseq % 400 == 0)
		synth_subbuf(b->s, b->last_ns);
	key = synth_event(b->s, type, stamp(b));
	key->ctx = 100 + job->entity;
	key->seqno = job->seqno;
	key->ring = 1 + owners[job->entity].ring;
	return key;
}

static uint32_t submit(struct busy *b, uint32_t e, double exec_ns, uint32_t dep)
{
	struct entity *entity = &b->entities[e];
	uint32_t nr = b->nr_jobs + 1, process = owners[e].process, ring = owners[e].ring;
	struct grtrace_submit *rec;

	if (b->nr_jobs >= b->value[JOBS] || entity->count == QUEUE)
		return 0;
	b->nr_jobs++;
	exec_ns *= b->pace * b->value[LOAD] / 100;
	if (process == b->slow && (!b->value[ON] || b->value[ON] == 1 + ring))
		exec_ns *= 1 + b->value[BY] / 100.0;
	b->jobs[nr] = (struct job){
		.entity = e, .seqno = ++entity->submitted, .exec_ns = exec_ns,
		.dep = dep && !b->jobs[dep].is_done ? dep : 0,
	};
	entity->queue[(entity->first + entity->count++) % QUEUE] = nr;
	entity->last = nr;
	rec = put(b, GRTRACE_SUBMIT, nr);
	rec->tgid = rec->tid = 10 + process;
	rec->client_id = 1 + process;
	rec->credits = 1;
	if (b->jobs[nr].dep) {
		const struct job *on = &b->jobs[b->jobs[nr].dep];
		struct grtrace_dependency *d = put(b, GRTRACE_DEPENDENCY, nr);

		d->hdr.flags = GRTRACE_F_DECLARED;
		d->dep_ctx = 100 + on->entity;
		d->dep_seqno = on->seqno;
	}
	at(b, 5000 + 8000 * pause_of(b), LOOK, ring);
	return nr;
}

static void run_first(struct busy *b, uint32_t r)
{
	struct ring *ring = &b->rings[r];
	const struct job *job = &b->jobs[ring->fifo[ring->first]];

	if (ring->in_use)
		at(b, job->hangs ? HANG_NS : job->exec_ns, job->hangs ? TIMEOUT : END_JOB, r);
}

static bool is_ready(const struct busy *b, uint32_t e, uint32_t r)
{
	const struct entity *entity = &b->entities[e];
	uint32_t dep;

	if (owners[e].ring != r || !entity->count)
		return false;
	dep = b->jobs[entity->queue[entity->first]].dep;
	return !dep || b->jobs[dep].is_done;
}

/* The scheduler's thread hands over what it can, entities in turn. */
static void look(struct busy *b, uint32_t r)
{
	struct ring *ring = &b->rings[r];

	for (uint32_t i = 0; i < NR_ENTITIES && !ring->is_stopped; i++) {
		uint32_t e = (ring->turn + i) % NR_ENTITIES;
		struct entity *entity = &b->entities[e];
		uint32_t nr = entity->queue[entity->first];
		struct grtrace_commit *rec;

		if (ring->in_use == CREDITS)
			return;
		if (!is_ready(b, e, r))
			continue;
		entity->first = (entity->first + 1) % QUEUE;
		entity->count--;
		ring->fifo[(ring->first + ring->in_use++) % CREDITS] = nr;
		rec = put(b, GRTRACE_COMMIT, nr);
		rec->credits = 1;
		rec->hw_credits = ring->in_use;
		if (ring->in_use == 1)
			run_first(b, r);
		ring->turn = e + 1;
		i = UINT32_MAX;
	}
}

static void end_job(struct busy *b, uint32_t r)
{
	struct ring *ring = &b->rings[r];
	uint32_t nr = ring->fifo[ring->first];
	const struct job *job = &b->jobs[nr];
	struct grtrace_end *rec = put(b, GRTRACE_END, nr);

	rec->status = job->hangs ? -ETIME : job->fails ? -EIO : 0;
	ring->first = (ring->first + 1) % CREDITS;
	ring->in_use--;
	at(b, 2000 + 3000 * pause_of(b), DONE_JOB, nr);
	if (!ring->is_stopped)
		run_first(b, r);
	at(b, 3000 + 4000 * pause_of(b), LOOK, r);
}

static void put_error(struct busy *b, uint32_t r, uint32_t code)
{
	struct grtrace_error *rec = put(b, GRTRACE_ERROR, b->rings[r].fifo[b->rings[r].first]);

	rec->code = code;
	rec->ring = 1 + r;
}

static void time_out(struct busy *b, uint32_t r)
{
	put_error(b, r, GRTRACE_ERROR_TIMEOUT);
	put_error(b, r, GRTRACE_ERROR_RESET);
	b->rings[r].is_stopped = true;
	end_job(b, r);
	at(b, RESET_NS, RECOVER, r);
}

static void recover(struct busy *b, uint32_t r)
{
	struct grtrace_error *rec = synth_event(b->s, GRTRACE_ERROR, stamp(b));

	rec->code = GRTRACE_ERROR_RECOVERED;
	rec->ring = 1 + r;
	b->rings[r].is_stopped = false;
	run_first(b, r);
	look(b, r);
}

/* Work of the game for one frame, unless the last one is not done. */
static void frame(struct busy *b)
{
	static const double base_ns[] = { 350e3, 900e3, 1600e3, 2400e3, 700e3, 250e3 };
	uint32_t jobs = 4 + below(b, 3), ahead = 0;

	at(b, FRAME_NS, FRAME, 0);
	if (b->frame && !b->jobs[b->frame].is_done)
		return;
	/* A scene lasts about 30 frames. */
	b->scene = 0.97 * b->scene + 0.24 * b->value[DRIFT] / 100 * normal(b);
	if (roll(b) < 0.7)
		ahead = submit(b, GAME_COMPUTE, 1.1e6 * (1 + b->scene) * around(b, 0.15), 0);
	for (uint32_t i = 0; i < jobs; i++)
		b->frame = submit(b, GAME_GFX, base_ns[i] * (1 + b->scene) * around(b, 0.15),
				  i == 2 ? ahead : 0) ?: b->frame;
}

/* Shows the latest frame. */
static void compose(struct busy *b)
{
	at(b, FRAME_NS, COMPOSE, 0);
	submit(b, COMPOSITOR_GFX, 600e3 * around(b, 0.1), b->frame);
}

/* One step of the batch process; its last job brings the next one. */
static void work(struct busy *b)
{
	uint32_t copy = submit(b, BATCH_COPY, 500e3 * around(b, 0.2), 0);

	submit(b, BATCH_COMPUTE, 1.5e6 * around(b, 0.2), copy);
	b->batch = submit(b, BATCH_COMPUTE, 1.0e6 * around(b, 0.2), 0);
}

static void burst(struct busy *b)
{
	for (uint32_t n = 1 + below(b, 5); n; n--)
		submit(b, COPIER_COPY, 400e3 * around(b, 0.3), 0);
	at(b, 4e6 * pause_of(b), BURST, 0);
}

static void done(struct busy *b, uint32_t nr)
{
	struct grtrace_complete *rec = put(b, GRTRACE_COMPLETE, nr);
	struct job *job = &b->jobs[nr];

	rec->status = job->hangs ? -ETIME : job->fails ? -EIO : 0;
	job->is_done = true;
	for (uint32_t r = 0; r < NR_RINGS; r++)
		at(b, 4000 + 5000 * pause_of(b), LOOK, r);
	if (nr == b->batch)
		at(b, 500e3 + 1e6 * pause_of(b), WORK, 0);
}

static void act(struct busy *b, const struct action *a)
{
	b->now_ns = a->ns;
	switch (a->act) {
	case FRAME:	frame(b); break;
	case COMPOSE:	compose(b); break;
	case WORK:	work(b); break;
	case BURST:	burst(b); break;
	case LOOK:	look(b, a->what); break;
	case END_JOB:	end_job(b, a->what); break;
	case DONE_JOB:	done(b, a->what); break;
	case TIMEOUT:	time_out(b, a->what); break;
	case RECOVER:	recover(b, a->what); break;
	}
}

static bool take_word(struct busy *b, const char *word)
{
	for (int i = 0; i < NR_WORDS; i++) {
		size_t len = strlen(defaults[i].name);

		if (!strncmp(word, defaults[i].name, len) && word[len] == '=') {
			b->value[i] = strtoull(word + len + 1, NULL, 10);
			return true;
		}
	}
	for (uint32_t i = 0; i < NR_PROCESSES; i++)
		if (!strncmp(word, "slow=", 5) && !strcmp(word + 5, processes[i])) {
			b->slow = i;
			return true;
		}
	return false;
}

static void define(struct busy *b)
{
	static const char *const names[] = { "gfx", "compute", "copy" };
	struct grtrace_stream_info *info;

	synth_begin(b->s, 0);
	info = synth_find(b->s, GRTRACE_STREAM_INFO, 0);
	/* Each seed is a session of its own. */
	info->session_id = b->s->session_id += b->value[SEED];
	((struct grtrace_metadata *)synth_find(b->s, GRTRACE_METADATA, 0))->session_id = b->s->session_id;
	info->features |= 1u << GRTRACE_FEATURE_DEPENDENCIES | 1u << GRTRACE_FEATURE_CLIENT_ID;
	info->subbuf_bytes = 1 << 20;
	info->cpus = 1;
	for (uint32_t r = 0; r < NR_RINGS; r++) {
		struct grtrace_ring *row;

		synth_ring(b->s, 1 + r, names[r], SYNTH_START);
		row = synth_find(b->s, GRTRACE_RING, r);
		row->engine = r;
		row->credit_limit = CREDITS;
	}
	for (uint32_t i = 0; i < NR_PROCESSES; i++)
		synth_process(b->s, 10 + i, processes[i], SYNTH_START);
	synth_subbuf(b->s, SYNTH_START);
}

/* Chooses the jobs that hang or fail, of the game from the middle on. */
static void choose(struct busy *b)
{
	struct job *last = &b->jobs[b->nr_jobs];

	if (!b->nr_jobs || b->nr_jobs < b->value[JOBS] / 2 || last->entity != GAME_GFX)
		return;
	if (b->value[HANG] && !last->hangs) {
		last->hangs = true;
		b->value[HANG]--;
	} else if (b->value[FAIL] && !last->hangs && !last->fails) {
		last->fails = true;
		b->value[FAIL]--;
	}
}

bool busy_write(struct synth *s, int count, char **words)
{
	static struct busy busy;
	struct busy *b = &busy;

	*b = (struct busy){ .s = s, .slow = NR_PROCESSES, .now_ns = SYNTH_START + 1000 };
	for (int i = 0; i < NR_WORDS; i++)
		b->value[i] = defaults[i].value;
	for (int i = 0; i < count; i++)
		if (!take_word(b, words[i]))
			return false;
	b->dice = b->value[SEED] * 0x9e3779b97f4a7c15u;
	for (int i = 0; i < 8; i++)
		roll(b);
	b->pace = 1 + b->value[SPREAD] / 100.0 * normal(b);
	b->jobs = calloc(b->value[JOBS] + 2, sizeof(*b->jobs));
	if (!b->jobs)
		abort();
	define(b);
	at(b, 0, FRAME, 0);
	at(b, FRAME_NS * 0.8, COMPOSE, 0);
	at(b, 1e6 * roll(b), WORK, 0);
	at(b, 4e6 * roll(b), BURST, 0);
	while (b->nr_actions) {
		const struct action next = b->actions[--b->nr_actions];

		/* Once all jobs were submitted, nothing new begins. */
		if (next.act <= BURST && b->nr_jobs >= b->value[JOBS])
			continue;
		act(b, &next);
		choose(b);
	}
	synth_end(s, b->last_ns);
	free(b->jobs);
	return true;
}
