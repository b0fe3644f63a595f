// SPDX-License-Identifier: GPL-2.0
/* Compares two reports of one trace when something is missing in one of them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "property-check.h"

struct compare {
	struct property_faults *faults;
	const struct property_view *part, *whole;
	enum property_rule rule;
	struct property_share *share;
};

/* --- jobs -------------------------------------------------------------------------------- */

static void check_number(const struct compare *c, const struct property_job *job,
			 const char *name, bool is_known, uint64_t value, bool was_known,
			 uint64_t was)
{
	enum property_topic topic = strstr(name, "dependency") ? PROPERTY_LASTDEP : PROPERTY_JOBS;
	bool must_stay = c->rule != PROPERTY_LESS;

	if (is_known && was_known && value == was)
		return;
	if (is_known)
		property_object(c->faults, topic, "job %" PRIu64 ":%" PRIu64 ": %s is %" PRId64 ", it was %"
				PRId64 "%s", job->ctx, job->seqno, name, (int64_t)value, (int64_t)was,
				was_known ? "" : " (not known)");
	else if (was_known && must_stay)
		property_object(c->faults, topic, "job %" PRIu64 ":%" PRIu64 ": %s is not known any more, it was %"
				PRId64, job->ctx, job->seqno, name, (int64_t)was);
}

static void compare_stages(const struct compare *c, const struct property_job *job,
			   const struct property_job *whole)
{
	static const char *const stamps[] = {
#define GRT_X(NAME, name) #NAME,
		GRT_STAMPS(GRT_X)
#undef GRT_X
	};

	for (int i = 0; i < GRT_NR_STAMPS; i++)
		check_number(c, job, stamps[i], job->stamps >> i & 1, job->at_ns[i],
			     whole->stamps >> i & 1, whole->at_ns[i]);
	for (int i = 0; i < GRT_NR_STAGES; i++) {
		check_number(c, job, grt_stage_name(i), job->stages >> i & 1, job->stage_ns[i],
			     whole->stages >> i & 1, whole->stage_ns[i]);
		c->share->all += whole->stages >> i & 1;
		c->share->known += job->stages >> i & 1;
	}
}

static uint64_t charge_of(const struct property_view *v, const struct property_job *job,
			  uint32_t client, uint8_t through)
{
	uint64_t ns = 0;

	for (uint32_t i = 0; i < job->nr_charges; i++) {
		const struct property_charge *ch =
			grt_vec_at(&v->charges, struct property_charge, job->first_charge + i);

		if (ch->client == client && ch->reason == through)
			ns += ch->ns;
	}
	return ns;
}

static void compare_charges(const struct compare *c, const struct property_job *job,
			    const struct property_job *whole)
{
	for (uint32_t i = 0; i < job->nr_charges; i++) {
		const struct property_charge *ch =
			grt_vec_at(&c->part->charges, struct property_charge, job->first_charge + i);
		uint64_t ns = charge_of(c->part, job, ch->client, ch->reason);
		uint64_t was_ns = charge_of(c->whole, whole, ch->client, ch->reason);

		/* The client that was charged may be unknown now. */
		if (c->rule == PROPERTY_LESS && (ch->reason == GRT_BLAME_UNKNOWN || !ch->client))
			continue;
		if (c->rule == PROPERTY_LESS ? ns > was_ns : ns != was_ns)
			property_object(c->faults, PROPERTY_BLAME,
					"job %" PRIu64 ":%" PRIu64 ": way %u, %" PRIu64
					" ns by %s, it was %" PRIu64,
					job->ctx, job->seqno, ch->reason, ns,
					property_name_at(ch->client), was_ns);
	}
}

/* Flags about events, not about gaps in our knowledge. */
#define FACTS	(GRT_JOB_NO_HW | GRT_JOB_KILLED | GRT_JOB_KERNEL_JOB | GRT_JOB_SYNTHETIC)

static void compare_job(const struct compare *c, const struct property_job *job)
{
	const struct property_job *whole = property_find_job(c->whole, job->ctx, job->seqno);

	if (!whole) {
		property_object(c->faults, PROPERTY_JOBS, "job %" PRIu64 ":%" PRIu64 " never was", job->ctx, job->seqno);
		return;
	}
	compare_stages(c, job, whole);
	compare_charges(c, job, whole);
	check_number(c, job, "status", job->has_status, job->status, whole->has_status,
		     whole->status);
	check_number(c, job, "ring", job->ring, job->ring, whole->ring, whole->ring);
	check_number(c, job, "client", job->client, job->client, whole->client, whole->client);
	check_number(c, job, "tid", job->tid, job->tid, whole->tid, whole->tid);
	check_number(c, job, "credits", job->credits, job->credits, whole->credits, whole->credits);
	check_number(c, job, "hw_done", job->hw_done_ns, job->hw_done_ns, whole->hw_done_ns,
		     whole->hw_done_ns);
	check_number(c, job, "context of the last dependency", job->dep_ctx, job->dep_ctx,
		     whole->dep_ctx, whole->dep_ctx);
	check_number(c, job, "number of the last dependency", job->dep_ctx, job->dep_seqno,
		     whole->dep_ctx, whole->dep_seqno);
	if (job->flags & FACTS & ~whole->flags)
		property_object(c->faults, PROPERTY_JOBS, "job %" PRIu64 ":%" PRIu64 ": flags %x, they were %x", job->ctx,
				job->seqno, job->flags, whole->flags);
}

static void compare_jobs(const struct compare *c)
{
	size_t count = grt_vec_count(&c->part->jobs, struct property_job);
	size_t before = grt_vec_count(&c->whole->jobs, struct property_job);

	for (size_t i = 0; i < count; i++)
		compare_job(c, grt_vec_at(&c->part->jobs, struct property_job, i));
	if (c->rule != PROPERTY_LESS && count != before)
		property_object(c->faults, PROPERTY_TWICE, "%zu jobs, there were %zu", count, before);
}

/* --- rows -------------------------------------------------------------------------------- */

static const struct property_use *find_use(const struct property_view *v,
					   const struct property_use *like)
{
	for (size_t i = 0; i < grt_vec_count(&v->uses, struct property_use); i++) {
		const struct property_use *use = grt_vec_at(&v->uses, struct property_use, i);

		if (use->name == like->name && use->is_device == like->is_device)
			return use;
	}
	return NULL;
}

/* A merged trace is longer: busy times stay the same, idle times may grow. */
static bool is_right(enum property_rule rule, int i, uint64_t ns, uint64_t was_ns)
{
	if (rule == PROPERTY_SAME)
		return ns == was_ns;
	if (i == GRT_IDLE_UNKNOWN + 1 || (i == GRT_IDLE_STARVED + 1 && rule == PROPERTY_SAME_JOBS))
		return rule == PROPERTY_LESS || ns >= was_ns || i == GRT_IDLE_UNKNOWN + 1;
	return rule == PROPERTY_LESS ? ns <= was_ns : ns == was_ns;
}

/*
 * How long jobs were there of which the part has no event, so that it can know nothing of them: before a slice
 * and after it, or from within one loss to within another one.  The ring looks starved; see model.rst.
 */
static uint64_t unseen_ns(const struct compare *c, uint32_t ring)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < grt_vec_count(&c->whole->jobs, struct property_job); i++) {
		const struct property_job *job = grt_vec_at(&c->whole->jobs, struct property_job, i);
		uint64_t from_ns = c->whole->first_ns, to_ns = c->whole->last_ns;

		if ((ring && job->ring != ring) || property_find_job(c->part, job->ctx, job->seqno))
			continue;
		if (job->stamps >> GRT_AT_SUBMIT & 1)
			from_ns = job->at_ns[GRT_AT_SUBMIT];
		if (job->stamps >> GRT_AT_COMPLETE & 1)
			to_ns = job->at_ns[GRT_AT_COMPLETE];
		ns += to_ns - from_ns;
	}
	return ns;
}

/* Time in which nothing ran, by all that is known. */
static uint64_t idle_ns(const struct property_use *use)
{
	uint64_t ns = use->unexplained_ns;

	for (int i = 0; i < GRT_IDLE_UNKNOWN; i++)
		ns += use->ns[i + 1];
	return ns;
}

static void compare_bounds(const struct compare *c, const struct property_use *use, const struct property_use *was)
{
	uint64_t most_ns = idle_ns(was) + was->ns[GRT_IDLE_UNKNOWN + 1] - was->unexplained_ns;

	if (c->rule == PROPERTY_LESS && idle_ns(use) > most_ns)
		property_object(c->faults, use->is_device ? PROPERTY_DEVICES : PROPERTY_RINGS,
				"%s: idle %" PRIu64 ", it was at most %" PRIu64, property_name_at(use->name), idle_ns(use),
				most_ns);
}

static void compare_uses(const struct compare *c)
{
	for (size_t i = 0; i < grt_vec_count(&c->part->uses, struct property_use); i++) {
		const struct property_use *use = grt_vec_at(&c->part->uses, struct property_use, i);
		const struct property_use *was = find_use(c->whole, use);
		enum property_topic topic = use->is_device ? PROPERTY_DEVICES : PROPERTY_RINGS;

		if (!use->is_live)
			continue;
		if (!was) {
			property_object(c->faults, topic, "%s never was", property_name_at(use->name));
			continue;
		}
		for (int k = 0; k < PROPERTY_NR_USES; k++)
			if (!is_right(c->rule, k, use->ns[k], was->ns[k]) &&
			    (k != GRT_IDLE_STARVED + 1 ||
			     use->ns[k] > was->ns[k] + unseen_ns(c, use->is_device ? 0 : use->name)))
				property_object(c->faults, topic, "%s: %s %" PRIu64 ", it was %" PRIu64,
						property_name_at(use->name),
						k ? grt_idle_name(k - 1) : "busy", use->ns[k], was->ns[k]);
		compare_bounds(c, use, was);
		if (c->rule == PROPERTY_LESS ? use->jobs > was->jobs : use->jobs != was->jobs)
			property_object(c->faults, topic, "%s: %" PRIu64 " jobs, there were %" PRIu64,
					property_name_at(use->name), use->jobs, was->jobs);
	}
}

static uint64_t idle_of(const struct property_view *v, const struct property_idle *like)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < grt_vec_count(&v->idles, struct property_idle); i++) {
		const struct property_idle *row = grt_vec_at(&v->idles, struct property_idle, i);

		if (row->ring == like->ring && row->client == like->client && row->ctx == like->ctx &&
		    row->cause == like->cause)
			ns += row->ns;
	}
	return ns;
}

/* A fence of a job, whose job it was being not known any more. */
static bool is_of_job(const struct property_view *v, const struct property_idle *row)
{
	for (size_t i = 0; !row->client && i < grt_vec_count(&v->jobs, struct property_job); i++)
		if (grt_vec_at(&v->jobs, struct property_job, i)->ctx == row->ctx)
			return true;
	return false;
}

/* Who a ring was idle for: the one that is named now was named before. */
static void compare_idles(const struct compare *c)
{
	for (size_t i = 0; i < grt_vec_count(&c->part->idles, struct property_idle); i++) {
		const struct property_idle *row = grt_vec_at(&c->part->idles, struct property_idle, i);
		uint64_t ns = idle_of(c->part, row), was_ns = idle_of(c->whole, row);

		if (row->cause == GRT_IDLE_UNKNOWN || (!row->client && !row->ctx) ||
		    is_of_job(c->whole, row))
			continue;
		if (row->cause == GRT_IDLE_STARVED && c->rule == PROPERTY_LESS && ns > was_ns)
			was_ns += unseen_ns(c, row->ring);
		if (c->rule == PROPERTY_SAME ? ns != was_ns :
		    ns > was_ns && (c->rule == PROPERTY_LESS || row->cause != GRT_IDLE_STARVED))
			property_object(c->faults, PROPERTY_IDLE, "%s: %s for %s/%" PRIu64 " %" PRIu64 ", it was %" PRIu64,
					property_name_at(row->ring), grt_idle_name(row->cause),
					property_name_at(row->client), row->ctx, ns, was_ns);
	}
}

void property_compare(struct property_faults *f, enum property_rule rule,
		      const struct property_view *part, const struct property_view *whole,
		      struct property_share *share)
{
	struct compare c = { f, part, whole, rule, share };

	compare_jobs(&c);
	compare_uses(&c);
	compare_idles(&c);
}
