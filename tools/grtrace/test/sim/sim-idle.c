// SPDX-License-Identifier: GPL-2.0
#include "sim-idle.h"

#include <stdlib.h>
#include <string.h>

static struct sim_idle_row *find(const struct sim_idle *idle, const struct sim_idle_row *like)
{
	for (uint32_t i = 0; i < idle->count; i++) {
		const struct sim_idle_row *row = &idle->row[i];

		if (row->ring == like->ring && row->client == like->client &&
		    row->cause == like->cause)
			return (struct sim_idle_row *)row;
	}
	return NULL;
}

uint64_t sim_idle_ns(const struct sim_idle *idle, const struct sim_idle_row *like)
{
	const struct sim_idle_row *row = find(idle, like);

	return row ? row->ns : 0;
}

void sim_idle_add(struct sim_idle *idle, const struct sim_idle_row *what)
{
	struct sim_idle_row *row = find(idle, what);

	if (row) {
		row->ns += what->ns;
		return;
	}
	if (idle->count == SIM_MAX_IDLE_ROWS)
		abort();
	idle->row[idle->count++] = *what;
}

static uint32_t party_of_job(const struct sim_truth *t, const struct sim *s, uint32_t j)
{
	return j == SIM_NONE ? SIM_NONE : t->client_of[s->jobs[j].ctx];
}

/* The job whose stamp ends a stretch of this cause. */
static uint32_t find_ending(const struct sim_truth *t, const struct sim *s, uint32_t ring,
			    const struct sim_stretch *st)
{
	for (uint32_t j = 0; j < s->nr_jobs; j++) {
		uint64_t ns = st->cause == GRT_IDLE_STARVED ? s->jobs[j].submit_ns :
							      t->jobs[j].start_ns;

		if (s->jobs[j].ring == ring && ns == st->to_ns)
			return j;
	}
	return SIM_NONE;
}

/*
 * The dependency that made a job ready at the end of the stretch; of several jobs, the one
 * committed first.
 */
static const struct sim_dep *find_dep(const struct sim_truth *t, const struct sim *s,
				      uint32_t ring, uint64_t to_ns)
{
	const struct sim_dep *dep, *found = NULL;
	uint64_t commit_ns = SIM_NEVER;

	for (uint32_t j = 0; j < s->nr_jobs; j++) {
		const struct sim_job *job = &s->jobs[j];

		dep = sim_last_dep(s, job);
		if (job->ring != ring || !t->jobs[j].has_stages || !dep ||
		    t->jobs[j].eligible_ns != to_ns || sim_dep_end_ns(s, dep) != to_ns ||
		    job->submit_ns >= to_ns || job->commit_ns >= commit_ns)
			continue;
		commit_ns = job->commit_ns;
		found = dep;
	}
	return found;
}

/* Of the jobs that were ready at @ns, the one that was handed over first. */
static uint32_t find_handed_over(const struct sim_truth *t, const struct sim *s, uint32_t ring,
				 uint64_t ns, uint64_t *until_ns)
{
	uint32_t found = SIM_NONE;

	for (uint32_t j = 0; j < s->nr_jobs; j++) {
		const struct sim_job *job = &s->jobs[j];
		uint64_t ready_ns = t->jobs[j].eligible_ns;

		if (job->ring != ring || job->submit_ns >= *until_ns)
			continue;
		/* For a killed job that is not known. */
		if (!t->jobs[j].has_stages && sim_gone_ns(job) > ns)
			return SIM_NONE;
		if (!t->jobs[j].has_stages)
			continue;
		if (ready_ns > ns && ready_ns < *until_ns)
			*until_ns = ready_ns;
		if (ready_ns <= ns && ns < job->commit_ns &&
		    (found == SIM_NONE || job->commit_ns < s->jobs[found].commit_ns))
			found = j;
	}
	return found;
}

static uint32_t lost_job(const struct sim *s, uint32_t ring, uint64_t ns)
{
	for (uint32_t i = 0; i < s->nr_resets; i++)
		if (s->resets[i].ring == ring && s->resets[i].from_ns <= ns &&
		    ns < s->resets[i].to_ns)
			return s->resets[i].job;
	return SIM_NONE;
}

/* False: no particular client. */
static bool find_culprit(struct sim_idle_row *row, const struct sim_truth *t, const struct sim *s,
			 const struct sim_stretch *st)
{
	const struct sim_dep *dep;
	uint32_t j = SIM_NONE;

	switch (st->cause) {
	case GRT_IDLE_DEPENDENCY:
		dep = find_dep(t, s, row->ring, st->to_ns);
		if (!dep)
			return false;
		j = dep->job;
		break;
	case GRT_IDLE_RECOVERY:
		j = lost_job(s, row->ring, st->from_ns);
		if (j == SIM_NONE)
			return false;
		break;
	default:
		j = find_ending(t, s, row->ring, st);
		if (j == SIM_NONE)
			return false;
		break;
	}
	row->client = party_of_job(t, s, j);
	return true;
}

static void add(struct sim_idle *idle, const struct sim_truth *t, const struct sim *s,
		const struct sim_stretch *st, uint32_t ring)
{
	struct sim_idle_row row = {
		.ring = ring, .client = SIM_NONE, .cause = st->cause, .ns = st->to_ns - st->from_ns,
	};

	if (find_culprit(&row, t, s, st))
		sim_idle_add(idle, &row);
	else
		idle->open_ns[ring][st->cause] += row.ns;
}

/* Each moment counts for the job that was handed over first, of those that were ready. */
static void add_scheduler(struct sim_idle *idle, const struct sim_truth *t, const struct sim *s,
			  const struct sim_stretch *st, uint32_t ring)
{
	uint64_t from_ns = st->from_ns;

	while (from_ns < st->to_ns) {
		uint64_t until_ns = st->to_ns;
		uint32_t j = find_handed_over(t, s, ring, from_ns, &until_ns);

		if (j == SIM_NONE)
			idle->open_ns[ring][st->cause] += until_ns - from_ns;
		else
			sim_idle_add(idle, &(struct sim_idle_row){
				.ring = ring, .client = party_of_job(t, s, j), .cause = st->cause,
				.ns = until_ns - from_ns,
			});
		from_ns = until_ns;
	}
}

void sim_idle(struct sim_idle *idle, const struct sim_truth *t, const struct sim *s)
{
	memset(idle, 0, sizeof(*idle));
	for (uint32_t r = 0; r < s->nr_rings; r++) {
		for (uint32_t i = 0; i < t->nr_stretches[r]; i++) {
			const struct sim_stretch *st = &t->stretches[r][i];

			if (st->cause == GRT_IDLE_SCHEDULER)
				add_scheduler(idle, t, s, st, r);
			else if (st->cause != GRT_NR_IDLES && st->cause != GRT_IDLE_UNKNOWN)
				add(idle, t, s, st, r);
		}
	}
}
