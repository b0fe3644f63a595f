// SPDX-License-Identifier: GPL-2.0
/* The laws that every report must keep, whatever is missing in its trace. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "property-check.h"

const char *property_topic_name(enum property_topic topic)
{
	static const char *const names[] = {
#define PROPERTY_X(NAME, name, text) #name,
		PROPERTY_TOPICS(PROPERTY_X)
#undef PROPERTY_X
	};

	return names[topic];
}

void property_object(struct property_faults *f, enum property_topic topic, const char *text, ...)
{
	va_list args;

	f->topics |= 1u << topic;
	if (f->count++ >= PROPERTY_MAX_FAULTS)
		return;
	va_start(args, text);
	vsnprintf(f->text[f->count - 1], sizeof(f->text[0]), text, args);
	va_end(args);
}

/* --- jobs ------------------------------------------------------------------------------ */

static uint64_t sum_charges(const struct property_view *v, const struct property_job *job)
{
	uint64_t ns = 0;

	for (uint32_t i = 0; i < job->nr_charges; i++)
		ns += grt_vec_at(&v->charges, struct property_charge, job->first_charge + i)->ns;
	return ns;
}

static bool has_stamp(const struct property_job *job, enum grt_stamp stamp)
{
	return job->stamps >> stamp & 1;
}

/* The time from SUBMIT to START, as far as it is known. */
static uint64_t wait_of(const struct property_job *job)
{
	enum grt_stamp to = has_stamp(job, GRT_AT_START) ? GRT_AT_START : GRT_AT_COMMIT;

	if (!has_stamp(job, GRT_AT_SUBMIT) || !has_stamp(job, to))
		return 0;
	return job->at_ns[to] - job->at_ns[GRT_AT_SUBMIT];
}

static void check_sums(struct property_faults *f, const struct property_view *v,
		       const struct property_job *job)
{
	const uint16_t host = (1u << (GRT_STAGE_SCHED + 1)) - 1;
	const uint16_t total = 1u << GRT_STAGE_SUBMIT_HOST | 1u << GRT_STAGE_QUEUE |
			       1u << GRT_STAGE_EXEC | 1u << GRT_STAGE_COMPLETE |
			       1u << GRT_STAGE_TOTAL;
	const uint64_t *ns = job->stage_ns;

	if ((job->stages & host) == host &&
	    ns[GRT_STAGE_ORDER] + ns[GRT_STAGE_DEP] + ns[GRT_STAGE_RING] + ns[GRT_STAGE_SCHED] !=
	    ns[GRT_STAGE_SUBMIT_HOST])
		property_object(f, PROPERTY_JOBS, "job %" PRIu64 ":%" PRIu64 ": t_submit_host is not the sum of its parts",
				job->ctx, job->seqno);
	if ((job->stages & total) == total &&
	    ns[GRT_STAGE_SUBMIT_HOST] + ns[GRT_STAGE_QUEUE] + ns[GRT_STAGE_EXEC] +
	    ns[GRT_STAGE_COMPLETE] != ns[GRT_STAGE_TOTAL])
		property_object(f, PROPERTY_JOBS, "job %" PRIu64 ":%" PRIu64 ": total is not the sum of its stages",
				job->ctx, job->seqno);
	if (job->nr_charges && sum_charges(v, job) != wait_of(job))
		property_object(f, PROPERTY_BLAME, "job %" PRIu64 ":%" PRIu64 ": blame sums to %" PRIu64 ", it waited %"
				PRIu64, job->ctx, job->seqno, sum_charges(v, job), wait_of(job));
}

static void check_jobs(struct property_faults *f, const struct property_view *v)
{
	size_t count = grt_vec_count(&v->jobs, struct property_job);

	for (size_t i = 0; i < count; i++) {
		const struct property_job *job = grt_vec_at(&v->jobs, struct property_job, i);

		check_sums(f, v, job);
		if (i + 1 < count && job[1].ctx == job->ctx && job[1].seqno == job->seqno &&
		    !((job[1].flags ^ job->flags) & GRT_JOB_SYNTHETIC))
			property_object(f, PROPERTY_TWICE, "job %" PRIu64 ":%" PRIu64 " has two rows", job->ctx, job->seqno);
	}
	for (int g = 0; g < GRT_NR_GROUPS; g++)
		if (v->group_jobs[g] != count)
			property_object(f, PROPERTY_TWICE, "%" PRIu64 " jobs by %s, %zu one by one", v->group_jobs[g],
					grt_group_name(g), count);
	if (v->all_jobs != count || v->outcome_jobs != count)
		property_object(f, PROPERTY_TWICE, "%" PRIu64 " jobs in all, %" PRIu64 " by outcome, %zu one by one",
				v->all_jobs, v->outcome_jobs, count);
}

/* --- blame ------------------------------------------------------------------------------- */

static bool is_looked_at(const struct property_view *v, size_t i)
{
	const struct property_blame *row = grt_vec_at(&v->blames, struct property_blame, i);

	while (i--)
		if (grt_vec_at(&v->blames, struct property_blame, i)->victim == row->victim)
			return true;
	return false;
}

static void check_victim(struct property_faults *f, const struct property_view *v, uint32_t victim)
{
	uint64_t rows_ns = 0, jobs_ns = 0;

	for (size_t i = 0; i < grt_vec_count(&v->blames, struct property_blame); i++) {
		const struct property_blame *row = grt_vec_at(&v->blames, struct property_blame, i);

		rows_ns += row->victim == victim ? row->ns : 0;
	}
	for (size_t i = 0; i < grt_vec_count(&v->jobs, struct property_job); i++) {
		const struct property_job *job = grt_vec_at(&v->jobs, struct property_job, i);

		/* A job that is cut by an end of the trace is not part of any sum. */
		if (job->client == victim && job->nr_charges && !(job->flags & GRT_JOB_CUT))
			jobs_ns += wait_of(job);
	}
	if (rows_ns != jobs_ns)
		property_object(f, PROPERTY_BLAME, "%s: blame sums to %" PRIu64 ", its jobs waited %" PRIu64,
				property_name_at(victim), rows_ns, jobs_ns);
}

static void check_blame(struct property_faults *f, const struct property_view *v)
{
	for (size_t i = 0; i < grt_vec_count(&v->blames, struct property_blame); i++)
		if (!is_looked_at(v, i))
			check_victim(f, v, grt_vec_at(&v->blames, struct property_blame, i)->victim);
}

/* --- rings and devices ------------------------------------------------------------------- */

static const char *use_word(int i)
{
	return i ? grt_idle_name(i - 1) : "busy";
}

/* Sums the rows of all clients for one ring and cause. */
static uint64_t sum_idles(const struct property_view *v, uint32_t ring, uint8_t cause)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < grt_vec_count(&v->idles, struct property_idle); i++) {
		const struct property_idle *row = grt_vec_at(&v->idles, struct property_idle, i);

		if (row->ring == ring && row->cause == cause)
			ns += row->ns;
	}
	return ns;
}

/* A FIFO ring runs one job at a time: its jobs run no longer than the ring is busy. */
static void check_runs(struct property_faults *f, const struct property_view *v,
		       const struct property_use *use)
{
	uint64_t ran_ns = 0;

	for (size_t i = 0; i < grt_vec_count(&v->jobs, struct property_job); i++) {
		const struct property_job *job = grt_vec_at(&v->jobs, struct property_job, i);

		if (job->ring == use->name && !(job->flags & GRT_JOB_SYNTHETIC) &&
		    job->stages >> GRT_STAGE_EXEC & 1)
			ran_ns += job->stage_ns[GRT_STAGE_EXEC];
	}
	if (ran_ns > use->ns[0])
		property_object(f, PROPERTY_RINGS, "%s: its jobs ran %" PRIu64 ", it was busy %" PRIu64,
				property_name_at(use->name), ran_ns, use->ns[0]);
}

static void check_ring(struct property_faults *f, const struct property_view *v,
		       const struct property_use *use)
{
	for (int i = 0; i < GRT_NR_IDLES; i++)
		if (sum_idles(v, use->name, i) > use->ns[i + 1])
			property_object(f, PROPERTY_IDLE, "%s: %s by its rows %" PRIu64 ", by the ring %" PRIu64,
					property_name_at(use->name), grt_idle_name(i),
					sum_idles(v, use->name, i), use->ns[i + 1]);
}

/* A device with one ring does what that ring does. */
static void check_only_ring(struct property_faults *f, const struct property_use *device,
			    const struct property_use *ring)
{
	for (int k = 0; k < PROPERTY_NR_USES; k++)
		if (ring->is_live && device->ns[k] != ring->ns[k])
			property_object(f, PROPERTY_DEVICES, "%s: %s %" PRIu64 ", its only ring %" PRIu64,
					property_name_at(device->name), use_word(k), device->ns[k], ring->ns[k]);
	if (ring->is_live && device->unexplained_ns != ring->unexplained_ns)
		property_object(f, PROPERTY_DEVICES, "%s: idle without a cause %" PRIu64 ", its only ring %" PRIu64,
				property_name_at(device->name), device->unexplained_ns, ring->unexplained_ns);
}

/* The device is busy while any ring is busy; otherwise unknown while any ring is unknown. */
static void check_device(struct property_faults *f, const struct property_view *v,
			 const struct property_use *device)
{
	uint64_t most_ns = 0, sum_ns = 0, starved_ns = UINT64_MAX;
	const struct property_use *only = NULL;
	uint32_t rings = 0;

	for (size_t i = 0; i < grt_vec_count(&v->uses, struct property_use); i++) {
		const struct property_use *ring = grt_vec_at(&v->uses, struct property_use, i);

		if (!ring->is_device && ring->device == device->name) {
			only = ring;
			rings++;
		}
		if (ring->is_device || !ring->is_fifo || !ring->is_live || ring->device != device->name)
			continue;
		sum_ns += ring->ns[0];
		most_ns = ring->ns[0] > most_ns ? ring->ns[0] : most_ns;
		if (ring->ns[GRT_IDLE_STARVED + 1] < starved_ns)
			starved_ns = ring->ns[GRT_IDLE_STARVED + 1];
	}
	if (rings == 1 && only->is_fifo && !v->lacks_rings)
		check_only_ring(f, device, only);
	if (device->ns[0] > sum_ns || device->ns[0] < most_ns)
		property_object(f, PROPERTY_DEVICES, "%s: busy %" PRIu64 ", its rings at most %" PRIu64 ", in all %" PRIu64,
				property_name_at(device->name), device->ns[0], most_ns, sum_ns);
	if (device->ns[GRT_IDLE_STARVED + 1] > starved_ns)
		property_object(f, PROPERTY_DEVICES, "%s: starved %" PRIu64 ", a ring of it %" PRIu64,
				property_name_at(device->name), device->ns[GRT_IDLE_STARVED + 1],
				starved_ns);
}

static void check_uses(struct property_faults *f, const struct property_view *v)
{
	for (size_t i = 0; i < grt_vec_count(&v->uses, struct property_use); i++) {
		const struct property_use *use = grt_vec_at(&v->uses, struct property_use, i);
		uint64_t sum_ns = 0;

		for (int k = 0; k < PROPERTY_NR_USES; k++)
			sum_ns += use->ns[k];
		if (use->is_live && sum_ns != v->wall_ns)
			property_object(f, use->is_device ? PROPERTY_DEVICES : PROPERTY_RINGS,
					"%s: %s and idle sum to %" PRIu64 ", the wall time is %" PRIu64,
					property_name_at(use->name), use_word(0), sum_ns, v->wall_ns);
		if (use->is_device)
			check_device(f, v, use);
		else
			check_ring(f, v, use);
		if (!use->is_device && use->is_fifo)
			check_runs(f, v, use);
	}
}

void property_check_laws(struct property_faults *f, const struct property_view *v)
{
	check_jobs(f, v);
	check_blame(f, v);
	check_uses(f, v);
}
