// SPDX-License-Identifier: LGPL-2.1
#include "summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "charge_sum.h"
#include "error.h"

/* Every report has these groups.  The first is the base of all others but clients and contexts. */
#define ALWAYS	(1u << GRT_BY_RING_PROCESS | 1u << GRT_BY_RING)

int grt_summary_init(struct grt_summary *s, const struct grt_model *model,
		     const struct grt_summary_wants *wants)
{
	uint32_t quantiles = wants->has_quantiles ? UINT32_MAX : 1u << GRT_STAGE_TOTAL;

	*s = (struct grt_summary){ .wants = *wants, .model = model };
	s->wants.groups |= ALWAYS;
	s->blame.kinds = GRT_NR_BLAME_REASONS;
	s->root_sums.kinds = GRT_NR_ROOTS;
	s->steps.step_ns = wants->step_ns;
	s->steps.skips_bounds = wants->skips_bounds;
	s->steps.by_process = wants->has_step_processes;
	if (s->wants.max_worst > GRT_SUMMARY_MAX_WORST)
		s->wants.max_worst = GRT_SUMMARY_MAX_WORST;
	for (int i = 0; i < GRT_NR_GROUPS; i++) {
		s->groups[i].group = i;
		s->groups[i].quantiles = quantiles;
		s->groups[i].skips_bounds = wants->skips_bounds;
	}
	s->worst = calloc(s->wants.max_worst + 1, sizeof(*s->worst));
	return s->worst ? 0 : grt_fail_memory();
}

/* Adds a job to the sorted list of the longest ones.  Most jobs are too short and return early. */
static int add_worst(struct grt_summary *s, const struct grt_view *view)
{
	const struct grt_job *job = view->job;
	uint64_t total_ns = job->stage_ns[GRT_STAGE_TOTAL];
	uint32_t i = s->nr_worst;
	struct grt_charge greatest;
	uint64_t until_ns;

	if (!grt_job_knows(job, GRT_STAGE_TOTAL) || !s->wants.max_worst)
		return 0;
	if (i == s->wants.max_worst && total_ns <= s->worst[i - 1].job.stage_ns[GRT_STAGE_TOTAL])
		return 0;
	if (grt_charge_greatest(job, 0, UINT64_MAX, false, &greatest, &until_ns))
		return -ENOMEM;
	while (i && s->worst[i - 1].job.stage_ns[GRT_STAGE_TOTAL] < total_ns) {
		s->worst[i] = s->worst[i - 1];
		i--;
	}
	s->worst[i] = (struct grt_worst){
		.job = grt_job_alone(job), .charge = greatest,
	};
	if (s->nr_worst < s->wants.max_worst)
		s->nr_worst++;
	return 0;
}

static void count_outcome(struct grt_outcome *o, const struct grt_job *job)
{
	o->jobs++;
	o->hung += !!(job->flags & GRT_JOB_HUNG);
	if (!o->status || job->flags & GRT_JOB_HUNG || o->jobs - o->hung != 1)
		return;
	o->first = grt_job_alone(job);
}

static int add_outcome(struct grt_summary *s, const struct grt_job *job)
{
	struct grt_outcome own = {
		.status = job->has_status ? job->status : 0, .has_status = job->has_status,
		.is_killed = job->flags & GRT_JOB_KILLED,
		.is_cut = !job->has_status && job->flags & GRT_JOB_CUT,
	};

	/* A search is fast: there are few outcomes, and nearly all jobs have the first. */
	for (size_t i = 0; i < grt_vec_count(&s->outcomes, struct grt_outcome); i++) {
		struct grt_outcome *o = grt_vec_at(&s->outcomes, struct grt_outcome, i);

		if (o->status == own.status && o->has_status == own.has_status &&
		    o->is_killed == own.is_killed && o->is_cut == own.is_cut) {
			count_outcome(o, job);
			return 0;
		}
	}
	if (grt_vec_count(&s->outcomes, struct grt_outcome) == GRT_MAX_OUTCOMES) {
		s->more_outcomes++;
		return 0;
	}
	count_outcome(&own, job);
	return grt_vec_append(&s->outcomes, &own, sizeof(own));
}

void grt_summary_view(const struct grt_summary *s, const struct grt_job *job,
		      struct grt_view *view)
{
	*view = (struct grt_view){
		.job = job, .names = grt_model_names(s->model), .rules = s->wants.rules,
	};
	if (view->rules)
		view->labels = grt_rules_labels(view->rules, view);
}

/* Flags that are rare, except in imported traces. */
#define INFERRED	(GRT_JOB_INFERRED_KEY | GRT_JOB_INFERRED_END | GRT_JOB_INFERRED_COMPLETE)
#define BOTH_INFERRED	(GRT_JOB_INFERRED_END | GRT_JOB_INFERRED_COMPLETE)

static void count_inferred(struct grt_summary *s, const struct grt_job *job)
{
	s->inferred_keys += !!(job->flags & GRT_JOB_INFERRED_KEY);
	s->inferred_ends += !!(job->flags & GRT_JOB_INFERRED_END);
	/* Only a later job bounds an END that no COMPLETE shows, see model/coalesced.c. */
	if (job->flags & GRT_JOB_INFERRED_END && job->flags & GRT_JOB_UPPER_BOUND)
		s->coalesced_ends++;
	/* Then neither is derived from the other one alone, see adapters/virtio_gpu.c. */
	else if ((job->flags & BOTH_INFERRED) == BOTH_INFERRED)
		s->ordered_ends++;
	s->inferred_completes += !!(job->flags & GRT_JOB_INFERRED_COMPLETE);
}

static int count_row(struct grt_vec *jobs, uint32_t row)
{
	static const uint64_t none;
	int err = row == GRT_NONE ? 0 : grt_vec_reach(jobs, row, &none, sizeof(none));

	if (!err && row != GRT_NONE)
		++*grt_vec_at(jobs, uint64_t, row);
	return err;
}

/* Counts a job that does not match.  If none matches, reports list the rings and processes. */
static int add_other(struct grt_summary *s, const struct grt_job *job)
{
	int err = count_row(&s->other_rings, job->ring);

	s->other_jobs++;
	return err ? err : count_row(&s->other_processes, job->process);
}

/* Follows the waits of a job.  Jobs that are left out count as well: others may wait for them. */
static int add_roots(struct grt_summary *s, const struct grt_job *job, bool is_wanted)
{
	int err = grt_roots_add(&s->roots, job);
	const struct grt_root_total *totals;
	uint32_t count;

	if (!err)
		err = grt_hangs_add(&s->hangs, job, is_wanted, &s->roots);
	if (err || !is_wanted || !grt_matrix_begin(&s->root_sums, job))
		return err;
	err = grt_roots_totals(&s->roots, &totals, &count);
	for (uint32_t i = 0; i < count && !err; i++)
		err = grt_matrix_add(&s->root_sums, totals[i].client, totals[i].kind, totals[i].ns);
	return err ? err : grt_matrix_end(&s->root_sums);
}

int grt_summary_early(struct grt_summary *s, const struct grt_job *job)
{
	return s->wants.has_roots ? grt_roots_add(&s->roots, job) : 0;
}

int grt_summary_add(struct grt_summary *s, const struct grt_job *job, bool *is_wanted)
{
	struct grt_view view;
	int err = 0;

	*is_wanted = !grt_query_is_outside(&s->wants.query, job);
	if (!*is_wanted && s->wants.has_roots)
		err = add_roots(s, job, false);
	if (!*is_wanted)
		return err || job->flags & GRT_JOB_SYNTHETIC ? err :
		       count_row(&s->outside_rings, job->ring);
	view = (struct grt_view){ .job = job, .names = grt_model_names(s->model) };
	if (s->wants.has_labels)
		grt_summary_view(s, job, &view);
	*is_wanted = grt_query_wants(&s->wants.query, &view);
	if (job->flags & GRT_JOB_SYNTHETIC)
		s->synthetic_jobs++;
	s->hung_jobs += job->flags & GRT_JOB_HUNG || job->inflight.hang_ctx || job->inflight.hang_seqno;
	if (s->wants.has_roots)
		err = add_roots(s, job, *is_wanted);
	if (err)
		return err;
	if (!*is_wanted && (s->wants.query.with_synthetic || !(job->flags & GRT_JOB_SYNTHETIC)))
		return add_other(s, job);
	if (!*is_wanted)
		return 0;
	if (job->flags & INFERRED)
		count_inferred(s, job);
	if (job->flags & GRT_JOB_NO_SUBMIT && !(job->flags & (GRT_JOB_CUT | GRT_JOB_LOSSY)))
		s->untold_submits++;
	err = add_worst(s, &view);
	if (!err)
		err = add_outcome(s, job);
	if (!err && s->wants.has_long_jobs)
		err = grt_long_jobs_add(&s->long_jobs, s->model, job);
	if (!err && s->wants.has_blame)
		err = grt_matrix_add_blame(&s->blame, job);
	if (!err)
		err = grt_rollup_add(&s->groups[GRT_BY_RING_PROCESS], &view);
	if (!err && s->wants.has_blocks)
		err = grt_time_blocks_add(&s->blocks, job);
	if (!err && s->wants.has_stacks)
		err = grt_stack_sums_add(&s->stacks, job);
	if (!err && s->wants.step_ns)
		err = grt_steps_add(&s->steps, job, &s->roots);
	if (!err && s->wants.groups >> GRT_BY_CLIENT & 1)
		err = grt_rollup_add(&s->groups[GRT_BY_CLIENT], &view);
	if (!err && s->wants.groups >> GRT_BY_CTX & 1)
		err = grt_rollup_add(&s->groups[GRT_BY_CTX], &view);
	return err;
}

static void count_record(struct grt_summary *s, const struct grtrace_hdr *rec)
{
	uint32_t i = rec->type;

	if (rec->type >= GRTRACE_STREAM_BASE)
		i = GRTRACE_NR_EVENTS + rec->type - GRTRACE_STREAM_BASE;
	else if (i >= GRTRACE_NR_EVENTS)
		return;
	if (i >= GRT_SUMMARY_TYPES)
		return;
	s->records[i].records++;
	s->records[i].bytes += rec->size;
}

int grt_summary_record(struct grt_summary *s, const struct grtrace_hdr *rec)
{
	if (s->wants.has_sizes)
		count_record(s, rec);
	return s->wants.has_last_events ? grt_last_events_record(&s->last_events, rec) : 0;
}
/* Counts the devices of the rings that had jobs. */
static int count_devices(struct grt_summary *s)
{
	const struct grt_rollup *rows = &s->groups[GRT_BY_RING];
	const struct grt_names *names = grt_model_names(s->model);
	int err = 0;

	for (size_t i = 0; i < grt_rollup_count(rows) && !err; i++) {
		uint32_t row = grt_rollup_key_at(rows, i)->ring;

		if (row != GRT_NONE)
			err = grt_namemap_add(&s->rings_of_device,
					      grt_names_ring_at(names, row)->device, 1);
	}
	s->devices = s->rings_of_device.map.used -
		     (grt_namemap_get(&s->rings_of_device, "") != GRT_NONE);
	return err;
}

static int count_processes(struct grt_summary *s)
{
	const struct grt_rollup *rows = &s->groups[GRT_BY_RING_PROCESS];
	const struct grt_names *names = grt_model_names(s->model);
	struct grt_keymap seen = { 0 };
	int err = 0;

	for (size_t i = 0; i < grt_rollup_count(rows) && !err; i++) {
		uint32_t row = grt_rollup_key_at(rows, i)->process;
		const struct grt_process *p;

		if (row == GRT_NONE)
			continue;
		p = grt_names_process_at(names, row);
		if (grt_keymap_get(&seen, p->tgid, p->start_ns) == GRT_NONE)
			err = grt_keymap_put(&seen, p->tgid, p->start_ns, 0);
	}
	s->processes = seen.used;
	grt_keymap_free(&seen);
	return err;
}

int grt_summary_close(struct grt_summary *s)
{
	const struct grt_rollup *base = &s->groups[GRT_BY_RING_PROCESS];
	int err = 0;

	for (int i = 0; i < GRT_NR_GROUPS && !err; i++)
		err = grt_rollup_close(&s->groups[i]);
	if (!err)
		err = grt_rollup_all(&s->all, base);
	for (int i = 0; i < GRT_NR_GROUPS && !err; i++)
		if (s->wants.groups >> i & 1 && i != GRT_BY_RING_PROCESS &&
		    i != GRT_BY_CLIENT && i != GRT_BY_CTX)
			err = grt_rollup_regroup(&s->groups[i], base, grt_model_names(s->model));
	if (!err)
		err = count_processes(s);
	if (!err)
		err = count_devices(s);
	for (int i = 0; i < GRT_NR_GROUPS; i++)
		grt_rollup_sort(&s->groups[i]);
	grt_matrix_sort(&s->blame);
	grt_matrix_sort(&s->root_sums);
	grt_steps_close(&s->steps);
	return err ? err : grt_stack_sums_close(&s->stacks, grt_model_names(s->model));
}

void grt_summary_free(struct grt_summary *s)
{
	for (int i = 0; i < GRT_NR_GROUPS; i++)
		grt_rollup_free(&s->groups[i]);
	grt_rollup_row_free(&s->all);
	grt_matrix_free(&s->blame);
	grt_roots_free(&s->roots);
	grt_matrix_free(&s->root_sums);
	grt_hangs_free(&s->hangs);
	grt_long_jobs_free(&s->long_jobs);
	grt_stack_sums_free(&s->stacks);
	grt_steps_free(&s->steps);
	grt_time_blocks_free(&s->blocks);
	grt_last_events_free(&s->last_events);
	grt_vec_free(&s->outcomes);
	grt_namemap_free(&s->rings_of_device);
	grt_vec_free(&s->other_rings);
	grt_vec_free(&s->outside_rings);
	grt_vec_free(&s->other_processes);
	free(s->worst);
	*s = (struct grt_summary){ 0 };
}
