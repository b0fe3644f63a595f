// SPDX-License-Identifier: LGPL-2.1
#include "summary.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"

int grt_summary_init(struct grt_summary *s, const struct grt_model *model,
		     const struct grt_query *query, uint32_t max_worst)
{
	*s = (struct grt_summary){ .query = *query, .model = model };
	s->max_worst = max_worst < GRT_SUMMARY_MAX_WORST ? max_worst : GRT_SUMMARY_MAX_WORST;
	s->worst = calloc(s->max_worst + 1, sizeof(*s->worst));
	return s->worst ? 0 : grt_fail_memory();
}

/* Keeps the list sorted; few jobs get past the first line. */
static void add_worst(struct grt_summary *s, const struct grt_job *job)
{
	uint64_t total_ns = job->stage_ns[GRT_STAGE_TOTAL];
	uint32_t i = s->nr_worst;

	if (!grt_job_knows(job, GRT_STAGE_TOTAL) || !s->max_worst)
		return;
	if (i == s->max_worst && total_ns <= s->worst[i - 1].stage_ns[GRT_STAGE_TOTAL])
		return;
	while (i && s->worst[i - 1].stage_ns[GRT_STAGE_TOTAL] < total_ns) {
		s->worst[i] = s->worst[i - 1];
		i--;
	}
	s->worst[i] = *job;
	if (s->nr_worst < s->max_worst)
		s->nr_worst++;
}

int grt_summary_add(struct grt_summary *s, const struct grt_job *job, bool *is_wanted)
{
	*is_wanted = grt_query_wants(&s->query, grt_model_names(s->model), job);
	if (job->flags & GRT_JOB_SYNTHETIC)
		s->synthetic_jobs++;
	else if (!*is_wanted)
		s->other_jobs++;
	if (!*is_wanted)
		return 0;
	add_worst(s, job);
	return grt_rollup_add(&s->by_process, job);
}

static int count_processes(struct grt_summary *s)
{
	const struct grt_names *names = grt_model_names(s->model);
	struct grt_keymap seen = { 0 };
	int err = 0;

	for (size_t i = 0; i < grt_rollup_count(&s->by_process) && !err; i++) {
		uint32_t row = grt_rollup_at(&s->by_process, i)->process;
		uint32_t tgid;

		if (row == GRT_NONE)
			continue;
		tgid = grt_names_process_at(names, row)->tgid;
		if (grt_keymap_get(&seen, tgid, 0) == GRT_NONE)
			err = grt_keymap_put(&seen, tgid, 0, 0);
	}
	s->processes = seen.used;
	grt_keymap_free(&seen);
	return err;
}

int grt_summary_close(struct grt_summary *s)
{
	int err = grt_rollup_by_ring(&s->by_ring, &s->by_process);

	if (!err)
		err = grt_rollup_all(&s->all, &s->by_process);
	if (!err)
		err = count_processes(s);
	grt_rollup_sort(&s->by_process);
	grt_rollup_sort(&s->by_ring);
	return err;
}

void grt_summary_free(struct grt_summary *s)
{
	grt_rollup_free(&s->by_process);
	grt_rollup_free(&s->by_ring);
	grt_rollup_row_free(&s->all);
	free(s->worst);
	*s = (struct grt_summary){ 0 };
}
