// SPDX-License-Identifier: LGPL-2.1
#include "late_jobs.h"

#include <string.h>

#include "error.h"
#include "model.h"
#include "once.h"
#include "rollup.h"

static bool is_given_up(const struct grt_late_jobs *l, uint32_t process)
{
	return process < grt_vec_count(&l->given_up, bool) && *grt_vec_at(&l->given_up, bool, process);
}

static bool may_get_owner(const struct grt_late_jobs *l, const struct grt_model *model, uint32_t process)
{
	return process != GRT_NONE && grt_rollup_owner(grt_model_names(model), process) == GRT_NONE &&
	       !is_given_up(l, process);
}

static uint32_t process_of(const struct grt_model *model, const struct grt_charge *c)
{
	return c->client == GRT_NONE ? GRT_NONE : grt_model_client(model, c->client)->process;
}

static bool is_late(const struct grt_late_jobs *l, const struct grt_model *model, const struct grt_job *job)
{
	bool is_late = may_get_owner(l, model, job->process);

	for (uint32_t i = 0; i < job->nr_charges && !is_late; i++)
		is_late = may_get_owner(l, model, process_of(model, &job->charges[i]));
	return is_late;
}

int grt_late_jobs_take(struct grt_late_jobs *l, const struct grt_model *model, const struct grt_job *job)
{
	struct grt_job kept = grt_job_alone(job);

	if (!is_late(l, model, job))
		return 0;
	if (grt_vec_count(&l->jobs, struct grt_job) == GRT_LATE_MAX) {
		grt_warn_once("more than %d jobs wait for the names of the owners of their processes: of further jobs they are "
			      "not known", GRT_LATE_MAX);
		return 0;
	}
	kept.nr_charges = job->nr_charges;
	if (grt_vec_append(&l->charges, job->charges, job->nr_charges * sizeof(*job->charges)) ||
	    grt_vec_append(&l->jobs, &kept, sizeof(kept)))
		return grt_fail_memory();
	return 1;
}

static int give_up_on(struct grt_late_jobs *l, const struct grt_model *model, uint32_t process)
{
	static const bool is_not;

	if (!may_get_owner(l, model, process))
		return 0;
	if (grt_vec_reach(&l->given_up, process, &is_not, sizeof(is_not)))
		return grt_fail_memory();
	*grt_vec_at(&l->given_up, bool, process) = true;
	return 0;
}

static int give_up(struct grt_late_jobs *l, const struct grt_model *model, const struct grt_job *job)
{
	int err = give_up_on(l, model, job->process);

	for (uint32_t i = 0; i < job->nr_charges && !err; i++)
		err = give_up_on(l, model, process_of(model, &job->charges[i]));
	return err;
}

static void drop(struct grt_vec *v, size_t bytes)
{
	if (!bytes)
		return;
	v->bytes -= bytes;
	memmove(v->data, (char *)v->data + bytes, v->bytes);
}

/* Gives jobs in the order in which they came, up to the first one that has to wait longer. */
int grt_late_jobs_give(struct grt_late_jobs *l, const struct grt_model *model, uint64_t now_ns,
		       int (*fn)(void *arg, const struct grt_job *job), void *arg)
{
	size_t count = grt_vec_count(&l->jobs, struct grt_job), given = 0, charges = 0;
	int err = 0;

	for (; given < count && !err; given++) {
		struct grt_job job = *grt_vec_at(&l->jobs, struct grt_job, given);

		job.charges = grt_vec_at(&l->charges, struct grt_charge, charges);
		if (is_late(l, model, &job)) {
			if (now_ns < grt_job_last_ns(&job) + GRT_LATE_NS)
				break;
			err = give_up(l, model, &job);
		}
		charges += job.nr_charges;
		if (!err)
			err = fn(arg, &job);
	}
	drop(&l->jobs, given * sizeof(struct grt_job));
	drop(&l->charges, charges * sizeof(struct grt_charge));
	return err;
}

void grt_late_jobs_free(struct grt_late_jobs *l)
{
	grt_vec_free(&l->jobs);
	grt_vec_free(&l->charges);
	grt_vec_free(&l->given_up);
}
