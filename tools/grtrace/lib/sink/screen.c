// SPDX-License-Identifier: LGPL-2.1
#include "screen_private.h"

#include <inttypes.h>

#include "column.h"
#include "job_words.h"
#include "number.h"
#include "snapshots.h"

/* The stage that took most of its time. */
static void add_reason(struct grt_table *t, const struct grt_job_out *o, const struct grt_worst *w)
{
	const struct grt_job *job = &w->job;
	char culprit[GRT_CULPRIT_MAX], ns[GRT_NUMBER_MAX], word[GRT_WORD_MAX];

	if (job->flags & GRT_JOB_KILLED)
		grt_table_add(t, "killed with its process");
	else if (grt_job_knows(job, GRT_STAGE_EXEC) && job->stage_ns[GRT_STAGE_EXEC] >= w->charge.ns)
		grt_table_add(t, "ran %s", grt_word_stage(word, o, job, GRT_STAGE_EXEC));
	else if (!grt_job_knows(job, GRT_STAGE_EXEC) && grt_job_knows(job, GRT_STAGE_HW) &&
		 job->stage_ns[GRT_STAGE_HW] >= w->charge.ns)
		grt_table_add(t, "on the ring %s", grt_word_stage(word, o, job, GRT_STAGE_HW));
	else if (w->charge.ns)
		grt_table_add(t, "waited %s %s %s", grt_format_ns(ns, w->charge.ns),
			      w->charge.reason == GRT_BLAME_RING ? "behind" : "for",
			      grt_word_culprits(culprit, o->summary->model, &w->charge));
	else
		grt_table_add(t, "%s", "");
}

static const enum grt_stage worst_stages[] = {
	GRT_STAGE_QUEUE, GRT_STAGE_EXEC, GRT_STAGE_GPU_WAIT, GRT_STAGE_COMPLETE, GRT_STAGE_TOTAL,
};

#define NR_WORST_STAGES	(sizeof(worst_stages) / sizeof(worst_stages[0]))

/* Titles for all stages, or for the total only. */
static void worst_titles(struct grt_table *t, const struct grt_job_out *o, size_t first_stage)
{
	char count[GRT_NUMBER_MAX];

	grt_table_init(t, first_stage ? "lllrll" : "lllrrrrrll");
	grt_table_fit(t, o->width, first_stage ? "000002" : "0001111002");
	grt_table_add(t, "WORST JOBS (%u of %s)", o->summary->nr_worst,
		      grt_format_count(count, o->summary->all.jobs));
	grt_table_add(t, "%s", "");
	grt_table_add(t, "%s", "");
	for (size_t i = first_stage; i < NR_WORST_STAGES; i++)
		grt_table_add(t, "%s", first_stage ? "" : grt_stage_name(worst_stages[i]));
	grt_table_add(t, "%s", "");
	grt_table_add(t, "%s", "");
}

static void worst_table(const struct grt_job_out *o, bool has_stages)
{
	size_t first_stage = has_stages ? 0 : NR_WORST_STAGES - 1;
	const struct grt_summary *s = o->summary;
	const struct grt_names *names = grt_model_names(s->model);
	char word[GRT_WORD_MAX], labels[GRT_CELL_MAX];
	const char *command;
	struct grt_view view;
	struct grt_table t;

	if (!s->nr_worst)
		return;
	worst_titles(&t, o, first_stage);
	for (uint32_t i = 0; i < s->nr_worst; i++) {
		const struct grt_worst *w = &s->worst[i];

		grt_table_add(&t, " %" PRIu64 ":%" PRIu64, w->job.ctx, w->job.seqno);
		grt_table_add(&t, "%s", grt_word_process(word, names, w->job.process));
		grt_table_add(&t, "%s", grt_word_ring(word, names, w->job.ring));
		for (size_t j = first_stage; j < NR_WORST_STAGES; j++)
			grt_table_add(&t, "%s", grt_word_stage(word, o, &w->job, worst_stages[j]));
		add_reason(&t, o, w);
		grt_summary_view(s, &w->job, &view);
		command = grt_word_command(names, &w->job);
		grt_table_add(&t, "%s%s%s%s%s", command ?: "",
			      command && (w->job.status || view.labels) ? " " : "",
			      w->job.status ? grt_word_status(word, &w->job) : "",
			      w->job.status && view.labels ? " " : "", s->wants.rules ?
			      grt_rules_names(s->wants.rules, view.labels, labels) : "");
	}
	grt_screen_table(o, &t);
}

static void hints(const struct grt_job_out *o)
{
	const uint64_t *lost = grt_model_totals(o->summary->model)->lost;
	const struct grt_summary *s = o->summary;

	if (lost[GRTRACE_FATE_BUFFER_FULL])
		fputs("! the buffer was full at times: lost events make values of jobs unknown\n"
		      "hint: sudo grtrace record -b 16M\n", o->file);
	if (!o->again)
		return;
	if (s->nr_worst)
		fprintf(o->file, "hint: grtrace report --why %" PRIu64 ":%" PRIu64 "%s    # the chain "
			"behind the worst job\n", s->worst[0].job.ctx, s->worst[0].job.seqno, o->again);
	fprintf(o->file, "hint: grtrace report --jobs%s\n", o->again);
	grt_screen_event_hints(o);
}

void grt_screen_top(const struct grt_job_out *o)
{
	worst_table(o, true);
	/* If --blame was given, too, the whole table follows. */
	if (!(o->tables >> GRT_TABLE_BLAME & 1))
		grt_screen_blame(o);
}

void grt_screen(const struct grt_job_out *o)
{
	grt_screen_findings(o);
	grt_screen_time(o);
	grt_screen_stages(o);
	grt_screen_blame(o);
	worst_table(o, false);
	grt_screen_events(o);
	grt_snapshot_notes(o);
	putc('\n', o->file);
	hints(o);
}
