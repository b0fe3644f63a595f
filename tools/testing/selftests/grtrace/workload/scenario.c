// SPDX-License-Identifier: GPL-2.0
/*
 * What the processes submit.  A role repeats rounds of jobs; its rows have the ring of each job
 * and its dependencies.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "workload.h"

#define MAX_STEPS	8
#define MAX_DEPTH	4
#define BIT(n)		(1u << (n))
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

struct step {
	uint32_t ring;
	uint32_t needs;		/* steps of this round, BIT(step) */
	uint32_t needs_last;	/* steps of the previous round */
};

struct role {
	const char *comm;
	int (*work)(struct worker *w);	/* used instead of rounds of steps */
	const struct step *steps;
	uint32_t step_cnt;
	uint32_t depth;		/* rounds in flight before waiting for the first */
	uint64_t pace_ns;	/* least time between two rounds; 0 = none */
};

/* A frame: upload, two draws that need the upload, post-processing of the last draw. */
static const struct step game_steps[] = {
	{ .ring = GRTRACE_MOCK_RING_COPY },
	{ .ring = GRTRACE_MOCK_RING_GFX, .needs = BIT(0) },
	{ .ring = GRTRACE_MOCK_RING_GFX, .needs = BIT(0) },
	{ .ring = GRTRACE_MOCK_RING_COMPUTE, .needs = BIT(2) },
};

/* Dispatches, then the result is copied before the next round begins. */
static const struct step batch_steps[] = {
	{ .ring = GRTRACE_MOCK_RING_COMPUTE, .needs_last = BIT(5) },
	{ .ring = GRTRACE_MOCK_RING_COMPUTE },
	{ .ring = GRTRACE_MOCK_RING_COMPUTE },
	{ .ring = GRTRACE_MOCK_RING_COMPUTE },
	{ .ring = GRTRACE_MOCK_RING_COMPUTE },
	{ .ring = GRTRACE_MOCK_RING_COPY, .needs = BIT(4) },
};

/* Textures: copied in, smaller sizes drawn from them, copied back. */
static const struct step copier_steps[] = {
	{ .ring = GRTRACE_MOCK_RING_COPY },
	{ .ring = GRTRACE_MOCK_RING_GFX, .needs = BIT(0) },
	{ .ring = GRTRACE_MOCK_RING_COPY, .needs = BIT(1) },
};

static const struct role game = {
	.comm = "game",
	.steps = game_steps,
	.step_cnt = COUNT(game_steps),
	.depth = 2,		/* double buffering */
	.pace_ns = 4000000,	/* much faster than a screen, so tests are short */
};

static const struct role batch = {
	.comm = "batch",
	.steps = batch_steps,
	.step_cnt = COUNT(batch_steps),
	.depth = 3,
};

static const struct role copier = {
	.comm = "copier",
	.steps = copier_steps,
	.step_cnt = COUNT(copier_steps),
	.depth = 4,
};

static int work_chain(struct worker *w);

static const struct role chain_link = { .comm = "link", .work = work_chain };
static const struct role importer = { .comm = "importer", .work = foreign_work };

static const struct role *const all_roles[] = { &game, &batch, &copier };
static const struct role *const game_roles[] = { &game };
static const struct role *const batch_roles[] = { &batch };
static const struct role *const chain_roles[] = { &chain_link };
static const struct role *const foreign_roles[] = { &importer };

const struct scenario scenarios[] = {
	{ "mixed", "a game, a compute batch and a copier, side by side",
	  all_roles, COUNT(all_roles), 3, false },
	{ "frame", "a game: per frame upload, draws, post-process; double buffered",
	  game_roles, COUNT(game_roles), 1, false },
	{ "batch", "compute with a full queue, results copied out",
	  batch_roles, COUNT(batch_roles), 1, false },
	{ "chain", "each job needs the one before, of another process and ring",
	  chain_roles, COUNT(chain_roles), 2, false },
	{ "hang", "mixed, with one job that hangs until the reset",
	  all_roles, COUNT(all_roles), 3, true },
	{ "foreign", "each job needs a fence that is no job, signalled before or after",
	  foreign_roles, COUNT(foreign_roles), 1, false },
};

const uint32_t scenario_cnt = COUNT(scenarios);

const struct scenario *scenario_find(const char *name)
{
	for (uint32_t i = 0; i < scenario_cnt; i++)
		if (!strcmp(name, scenarios[i].name))
			return &scenarios[i];
	return NULL;
}

static const struct role *role_of(const struct scenario *s, uint32_t process)
{
	return s->roles[process % s->role_cnt];
}

const char *scenario_comm(const struct scenario *s, uint32_t process)
{
	return role_of(s, process)->comm;
}

static void sleep_until(uint64_t time_ns)
{
	const struct timespec until = {
		.tv_sec = (time_t)(time_ns / 1000000000ull),
		.tv_nsec = (long)(time_ns % 1000000000ull),
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

/* The jobs of one round; NULL if the process had no jobs left. */
struct round {
	struct job *jobs[MAX_STEPS];
};

static int submit_step(struct worker *w, const struct step *step,
		       const struct round *last, struct round *now, uint32_t index)
{
	const struct job *deps[MAX_DEPS];
	uint32_t dep_cnt = 0;

	for (uint32_t i = 0; i < MAX_STEPS && dep_cnt < MAX_DEPS; i++) {
		if (step->needs & BIT(i))
			deps[dep_cnt++] = now->jobs[i];
		else if ((step->needs_last & BIT(i)) && last->jobs[i])
			deps[dep_cnt++] = last->jobs[i];
	}
	now->jobs[index] = gpu_submit(w, step->ring, deps, dep_cnt);
	return now->jobs[index] ? 0 : -1;
}

static int wait_round(struct worker *w, const struct round *round)
{
	for (uint32_t i = 0; i < MAX_STEPS; i++)
		if (round->jobs[i] && gpu_wait(w, round->jobs[i]))
			return -1;
	return 0;
}

static int work_rounds(struct worker *w, const struct role *role)
{
	/* One more than are in flight, because a round needs the previous one. */
	struct round rounds[MAX_DEPTH + 1] = { 0 };
	uint64_t begin_ns = clock_ns();

	for (uint32_t n = 0; jobs_left(w); n++) {
		const struct round *last = &rounds[(n + role->depth) % (role->depth + 1)];
		struct round *now = &rounds[n % (role->depth + 1)];

		/* now still is the round that began depth + 1 rounds ago */
		*now = (struct round){ 0 };
		for (uint32_t i = 0; i < role->step_cnt && jobs_left(w); i++)
			if (submit_step(w, &role->steps[i], last, now, i))
				return -1;
		/* the oldest in flight sits right behind now in the circle */
		if (wait_round(w, &rounds[(n + 1) % (role->depth + 1)]))
			return -1;
		begin_ns += role->pace_ns;
		if (role->pace_ns && clock_ns() < begin_ns)
			sleep_until(begin_ns);
	}
	return 0;
}

/* Passes the key of its job to the next process, whose job depends on it. */
static int work_chain(struct worker *w)
{
	const uint32_t place = (uint32_t)(w->self - w->run->processes);

	while (jobs_left(w)) {
		const uint32_t link = place + w->submitted * w->run->process_cnt;
		struct job before = { 0 };
		const struct job *dep = &before;
		struct job *job;

		if (link && read(w->chain_in, &before.key, sizeof(before.key)) !=
			    sizeof(before.key)) {
			fprintf(stderr, "workload: the process before '%s' in the chain died\n",
				w->self->comm);
			return -1;
		}
		job = gpu_submit(w, link % GRTRACE_MOCK_RINGS, &dep, link ? 1 : 0);
		if (!job)
			return -1;
		/* Nobody reads the last key. */
		if (link + 1 < w->run->job_cnt &&
		    write(w->chain_out, &job->key, sizeof(job->key)) !=
		    sizeof(job->key)) {
			perror("workload: cannot pass a key on");
			return -1;
		}
	}
	return 0;
}

/* Submits and waits for all jobs of a process. */
int scenario_work(struct worker *w)
{
	const struct role *role =
		role_of(w->run->scenario, (uint32_t)(w->self - w->run->processes));

	if (role->work ? role->work(w) : work_rounds(w, role))
		return -1;
	for (uint32_t i = 0; i < w->submitted; i++)
		if (gpu_wait(w, &w->run->jobs[w->self->first_job + i]))
			return -1;
	return 0;
}
