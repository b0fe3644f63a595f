// SPDX-License-Identifier: GPL-2.0
#include "sim-script.h"

#include <stdlib.h>
#include <string.h>

static const char * const ring_names[] = { "gfx", "compute", "copy", NULL };
static const char * const priorities[] = { "low", "normal", "high", "kernel", NULL };
static const char * const flag_names[] = { "fail", "run_error", "hang", "no_hw", NULL };

/* Index of @name among @words, or SIM_NONE. */
static uint32_t find_word(const char *name, const char * const *words)
{
	for (uint32_t i = 0; name && words[i]; i++)
		if (!strcmp(name, words[i]))
			return i;
	return SIM_NONE;
}

static uint32_t find_name(const char *name, char (*names)[32], uint32_t count)
{
	for (uint32_t i = 0; name && i < count; i++)
		if (!strcmp(name, names[i]))
			return i;
	return SIM_NONE;
}

static bool add_deps(struct sim_script *script, struct sim_job *job, char *list, bool are_fences)
{
	const struct sim *s = &script->sim;
	char *save;

	for (char *name = strtok_r(list, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
		struct sim_dep *dep = &job->deps[job->nr_deps];
		uint32_t i = are_fences ? find_name(name, script->fence_names, s->nr_fences) :
					  find_name(name, script->job_names, s->nr_jobs);

		if (i == SIM_NONE || job->nr_deps == SIM_MAX_DEPS)
			return false;
		dep->job = are_fences ? SIM_NONE : i;
		dep->fence = are_fences ? i : SIM_NONE;
		job->nr_deps++;
	}
	return true;
}

struct place {
	const char *ctx;
	uint32_t ring, priority;
};

static bool take_option(struct sim_script *script, struct sim_job *job, struct place *place,
			char *word)
{
	char *value = strchr(word, '=');
	uint32_t flag;

	if (!value)
		return false;
	*value++ = '\0';
	if (!strcmp(word, "dep"))
		return add_deps(script, job, value, false);
	if (!strcmp(word, "fence"))
		return add_deps(script, job, value, true);
	if (!strcmp(word, "ctx")) {
		place->ctx = value;
	} else if (!strcmp(word, "ring")) {
		place->ring = find_word(value, ring_names);
	} else if (!strcmp(word, "prio")) {
		place->priority = find_word(value, priorities);
		return place->priority != SIM_NONE;
	} else if (!strcmp(word, "credits")) {
		job->credits = strtoul(value, NULL, 10);
	} else if (!strcmp(word, "flags")) {
		flag = find_word(value, flag_names);
		job->flags = 1 << flag;
		return flag != SIM_NONE;
	} else {
		return false;
	}
	return true;
}

/* The first job of a context creates it. */
static uint32_t find_ctx(struct sim_script *script, const struct place *place)
{
	struct sim *s = &script->sim;
	uint32_t i = find_name(place->ctx, script->ctx_names, s->nr_ctxs);

	if (!place->ctx || place->ring == SIM_NONE)
		return SIM_NONE;
	if (i != SIM_NONE)
		return s->ctxs[i].ring == place->ring && !s->ctxs[i].is_dead ? i : SIM_NONE;
	if (s->nr_ctxs == SIM_MAX_CTXS)
		return SIM_NONE;
	i = sim_add_ctx(s, place->ring, 10 + s->nr_ctxs, 0, place->priority);
	snprintf(script->ctx_names[i], sizeof(script->ctx_names[i]), "%s", place->ctx);
	return i;
}

static bool do_submit(struct sim_script *script, const char *name, char **save)
{
	struct sim *s = &script->sim;
	struct sim_job job = { .credits = 1 };
	struct place place = { .ring = SIM_NONE, .priority = 1 };
	char *word;

	if (!name || s->nr_jobs == SIM_MAX_JOBS)
		return false;
	while ((word = strtok_r(NULL, " ", save)))
		if (!take_option(script, &job, &place, word))
			return false;
	job.ctx = find_ctx(script, &place);
	if (job.ctx == SIM_NONE)
		return false;
	snprintf(script->job_names[s->nr_jobs], sizeof(script->job_names[0]), "%s", name);
	sim_submit(s, &job);
	return true;
}

static bool do_fence(struct sim_script *script, const char *name)
{
	uint32_t i;

	if (!name || script->sim.nr_fences == SIM_MAX_FENCES)
		return false;
	i = sim_add_fence(&script->sim);
	snprintf(script->fence_names[i], sizeof(script->fence_names[i]), "%s", name);
	return true;
}

/* Handles verbs that need only a name and a number. */
static bool do_simple(struct sim_script *script, const char *verb, const char *name,
		      const char *number)
{
	struct sim *s = &script->sim;
	uint32_t ring = find_word(name, ring_names), i;

	if (!strcmp(verb, "signal")) {
		i = find_name(name, script->fence_names, s->nr_fences);
		if (i != SIM_NONE)
			sim_signal(s, i);
		return i != SIM_NONE;
	}
	if (!strcmp(verb, "kill")) {
		i = find_name(name, script->ctx_names, s->nr_ctxs);
		if (i != SIM_NONE)
			sim_kill(s, i);
		return i != SIM_NONE;
	}
	if (ring == SIM_NONE)
		return false;
	if (!strcmp(verb, "advance") && number)
		sim_advance(s, ring, strtoul(number, NULL, 10));
	else if (!strcmp(verb, "hang"))
		sim_hang_next(s, ring);
	else if (!strcmp(verb, "reset"))
		return sim_reset(s, ring);
	else
		return false;
	return true;
}

static bool do_line(struct sim_script *script, char *line)
{
	char *save, *verb = strtok_r(line, " \n", &save), *name;

	if (!verb || *verb == '#')
		return true;
	name = strtok_r(NULL, " \n", &save);
	if (!strcmp(verb, "submit")) {
		save[strcspn(save, "\n")] = '\0';
		return do_submit(script, name, &save);
	}
	if (!strcmp(verb, "fence"))
		return do_fence(script, name);
	if (!strcmp(verb, "step") && name) {
		script->sim.now_ns += strtoul(name, NULL, 10) * SIM_UNIT_NS;
		return true;
	}
	return do_simple(script, verb, name, strtok_r(NULL, " \n", &save));
}

bool sim_script_play(struct sim_script *script, const char *path, uint32_t credit_limit,
		     bool is_popped)
{
	struct sim *s = &script->sim;
	FILE *in = fopen(path, "r");
	unsigned int number = 0;
	char line[256];
	bool ok = in;

	memset(script, 0, sizeof(*script));
	*s = (struct sim){
		.is_manual = true, .is_popped = is_popped, .has_ties = true, .nr_cpus = 1, .grid_ns = 1,
		.now_ns = SIM_UNIT_NS,
	};
	for (uint32_t i = 0; ring_names[i]; i++) {
		sim_add_ring(s, 0, i, GRTRACE_ORDER_FIFO, credit_limit);
		snprintf(s->rings[i].name, sizeof(s->rings[i].name), "%s", ring_names[i]);
	}
	while (ok && number++ < UINT32_MAX && fgets(line, sizeof(line), in)) {
		ok = do_line(script, line);
		sim_run(s, s->now_ns);
	}
	if (!ok)
		printf("# %s:%u: not understood\n", path, number);
	if (in)
		fclose(in);
	sim_sort_events(s);
	return ok;
}
