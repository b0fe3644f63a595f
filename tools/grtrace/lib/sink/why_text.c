// SPDX-License-Identifier: LGPL-2.1
/* The chain of a job as text for people. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "error.h"
#include "job_table.h"
#include "job_words.h"
#include "number.h"
#include "quote.h"
#include "why_table.h"

#define TEXT_MAX	(GRT_CULPRIT_MAX + 160)
#define STACK_MAX	100	/* a part of the stack is enough here */
#define SHORT_PERMILLE	5	/* of the job's total: shorter waits are left out */

static const struct grt_names *names_of(const struct grt_job_out *o)
{
	return grt_model_names(o->summary->model);
}

/* When it was submitted: in the trace, and by the clock of the trace. */
static void at_line(const struct grt_job_out *o, const struct grt_job *job)
{
	uint64_t at_ns = job->at_ns[GRT_AT_SUBMIT];

	if (grt_job_has(job, GRT_AT_SUBMIT))
		fprintf(o->file, "submitted %.6f s after the first event, at %" PRIu64 ".%06" PRIu64
			" by the clock of the trace\n",
			(int64_t)(at_ns - grt_model_totals(o->summary->model)->first_ns) / 1e9,
			at_ns / 1000000000, at_ns % 1000000000 / 1000);
}

static void first_line(const struct grt_job_out *o, const struct grt_job *job)
{
	char process[GRT_WORD_MAX], ring[GRT_WORD_MAX], total[GRT_WORD_MAX];
	char flags[GRT_JOB_FLAGS_LEN], labels[GRT_CELL_MAX], status[GRT_WORD_MAX];
	const char *command = grt_word_command(names_of(o), job);
	struct grt_view view;
	uint64_t life_ns;

	grt_summary_view(o->summary, job, &view);
	fprintf(o->file, "%s%" PRIu64 ":%" PRIu64 "%s  %s  %s", grt_bold(o), job->ctx, job->seqno,
		grt_plain(o), grt_word_process(process, names_of(o), job->process),
		grt_word_ring(ring, names_of(o), job->ring));
	if (command)
		fprintf(o->file, "  %s", command);
	if (grt_job_knows(job, GRT_STAGE_TOTAL))
		fprintf(o->file, "  %s from submit to complete",
			grt_word_stage(total, o, job, GRT_STAGE_TOTAL));
	else if (grt_job_life_ns(job, &life_ns))
		fprintf(o->file, "  %s from submit on, and not over when %s",
			grt_format_ns(total, life_ns), grt_word_end(o));
	else
		fputs("  total not known", o->file);
	if (job->has_status && job->status)
		fprintf(o->file, "  %s", grt_word_status(status, job));
	if (view.labels)
		fprintf(o->file, "  %s", grt_rules_names(view.rules, view.labels, labels));
	if (job->flags)
		fprintf(o->file, "  (%s)", grt_job_flags(job->flags, flags));
	putc('\n', o->file);
	at_line(o, job);
}

/* The lines above the answer, as wide as the terminal. */
static void headline(const struct grt_job_out *o, const struct grt_job *job)
{
	struct grt_job_out lines = *o;
	char *text = NULL;
	size_t bytes;

	lines.file = open_memstream(&text, &bytes);
	if (!lines.file) {
		grt_fail_memory();
		return;
	}
	first_line(&lines, job);
	if (!fclose(lines.file))
		grt_text_fold(o->file, text, o->width, 1);
	free(text);
}

/* What the job did; the name of what it waited for follows. */
static const char *wait_words(const struct grt_charge *c)
{
	switch (c->stage) {
	case GRT_STAGE_ORDER:
		return c->reason == GRT_BLAME_FENCE ?
		       "behind an earlier job of its context, which waits for" :
		       c->reason == GRT_BLAME_RING ?
		       "behind an earlier job of its context, which is behind" :
		       "behind an earlier job of its context, which waits for";
	case GRT_STAGE_DEP:
		return "waits for";
	case GRT_STAGE_RING:
		return "ready; ring full behind";
	case GRT_STAGE_SCHED:
		return "ready; waits for";
	case GRT_STAGE_QUEUE:
		return "on the ring, behind";
	default:
		return "waits for";
	}
}

static void wait_text(char *text, const struct grt_job_out *o, const struct grt_why_line *line)
{
	char culprit[GRT_CULPRIT_MAX], more[64] = "";

	if (line->wait_jobs > 1)
		snprintf(more, sizeof(more), " and %" PRIu32 " more", line->wait_jobs - 1);
	if (line->wait.reason == GRT_BLAME_UNKNOWN && line->wait.stage == GRT_STAGE_QUEUE)
		snprintf(text, TEXT_MAX, "on the ring, but no job was seen to run there");
	else
		snprintf(text, TEXT_MAX, "%s %s%s", wait_words(&line->wait),
			 grt_word_culprit(culprit, o->summary->model, &line->wait), more);
}

/* ", in ioctl < drmIoctl < draw": the innermost functions, of the process if they are known. */
static void stack_text(char to[STACK_MAX], const struct grt_job_out *o, const struct grt_job *job)
{
	uint32_t stack = job->user_stack && job->user_stack != GRT_NONE ? job->user_stack :
			 job->kernel_stack;
	const char *text = stack && stack != GRT_NONE ?
			   grt_stack_names_text(&names_of(o)->stacks, stack - 1) : NULL;
	char top[STACK_MAX - 8], word[STACK_MAX];

	*to = '\0';
	if (text)
		snprintf(to, STACK_MAX, ", in %s", grt_quote_text(word, sizeof(word) - 8,
							      grt_stack_names_top(top, sizeof(top), text)));
}

static void submit_text(char *text, const struct grt_job_out *o, const struct grt_why_line *line)
{
	const struct grt_job *job = line->job;
	char process[GRT_WORD_MAX], ring[GRT_WORD_MAX], stack[STACK_MAX];

	stack_text(stack, o, job);
	if (line->depth)
		snprintf(text, TEXT_MAX, "%" PRIu64 ":%" PRIu64 " (%s, %s) submitted%s", job->ctx,
			 job->seqno, grt_word_process(process, names_of(o), job->process),
			 grt_word_ring(ring, names_of(o), job->ring), stack);
	else if (job->tid)
		snprintf(text, TEXT_MAX, "submitted by thread %" PRIu32 "%s", job->tid, stack);
	else
		snprintf(text, TEXT_MAX, "submitted%s", stack);
}

/* The time of a line is that long at most. */
static bool is_bound(const struct grt_why_line *line)
{
	uint32_t flags = line->job->flags;

	return line->step == GRT_WHY_END ? grt_flags_bound(flags, GRT_STAGE_COMPLETE) :
	       (line->step == GRT_WHY_RUN || line->step == GRT_WHY_RUN_OR_QUEUE) &&
	       grt_flags_bound(flags, GRT_STAGE_EXEC);
}

static void end_text(char *text, const struct grt_why_line *line)
{
	const struct grt_job *job = line->job;
	char ns[GRT_WORD_MAX], status[GRT_WORD_MAX];
	char how[GRT_WORD_MAX + 24] = "done";

	if (job->has_status && job->status)
		snprintf(how, sizeof(how), "over, with %s", grt_word_status(status, job));
	if (line->has_ns)
		snprintf(text, TEXT_MAX, "%s; visible to waiters %s later", how,
			 grt_word_ns(ns, line->ns, is_bound(line)));
	else
		snprintf(text, TEXT_MAX, "%s", how);
}

/* The last line of a job that is not over. */
static void in_flight_text(char *text, const struct grt_job_out *o, const struct grt_job *job)
{
	snprintf(text, TEXT_MAX, "%s when %s%s", job->inflight.run_ns ? "it still runs" : "it still waits",
		 grt_word_end(o), job->flags & GRT_JOB_HUNG ? "; it HUNG" : "");
}

static void line_text(char *text, const struct grt_job_out *o, const struct grt_why_line *line)
{
	static const char *const words[] = {
		[GRT_WHY_COMMIT] = "handed to the ring",
		[GRT_WHY_RUN] = "runs",
		[GRT_WHY_RUN_OR_QUEUE] = "on the ring; when it began is not known",
		[GRT_WHY_KILLED] = "killed with its process, before it ran",
		[GRT_WHY_ABOVE] = "(see above)",
		[GRT_WHY_CYCLE] = "(a cycle: that job waits for this one)",
		[GRT_WHY_TOO_DEEP] = "(deeper levels are not shown)",
		[GRT_WHY_MISSING] = "(that job is not in this trace)",
	};

	if (line->step == GRT_WHY_SUBMIT)
		submit_text(text, o, line);
	else if (line->step == GRT_WHY_WAIT)
		wait_text(text, o, line);
	else if (line->step == GRT_WHY_END)
		end_text(text, line);
	else if (line->step == GRT_WHY_IN_FLIGHT)
		in_flight_text(text, o, line->job);
	else
		snprintf(text, TEXT_MAX, "%s", words[line->step]);
}

/* Shares are of the first job's total, also in lines of other jobs. */
static void add_line(struct grt_table *t, const struct grt_job_out *o, const struct grt_job *first,
		     const struct grt_why_line *line)
{
	bool is_part = line->has_ns && line->step != GRT_WHY_END;
	char text[TEXT_MAX], word[GRT_WORD_MAX];
	uint64_t life_ns;

	line_text(text, o, line);
	if (line->has_at)
		grt_table_add(t, "%.3f", line->at_ns / 1e6);
	else
		grt_table_add(t, "%s", "");
	grt_table_add(t, "%*s%s", 4 * (int)line->depth, "", text);
	grt_table_add(t, "%s", is_part ? grt_word_ns(word, line->ns, is_bound(line)) : "");
	grt_table_add(t, "%s", is_part && grt_job_life_ns(first, &life_ns) ?
		      grt_word_share(word, o, line->ns, life_ns) : "");
}

/* A wait that is too short to matter. */
static bool is_short(const struct grt_job *first, const struct grt_why_line *line)
{
	uint64_t life_ns;

	return line->step == GRT_WHY_WAIT && grt_job_life_ns(first, &life_ns) &&
	       line->ns < life_ns / 1000 * SHORT_PERMILLE;
}

void grt_why_text(const struct grt_job_out *o, const struct grt_why *w)
{
	const struct grt_job *first = grt_why_job(w);
	uint64_t left_out = 0, left_out_ns = 0;
	char word[GRT_NUMBER_MAX], rest[128];
	struct grt_table t;

	headline(o, first);
	if (!o->has_steps) {
		grt_why_short(o, w);
		return;
	}
	grt_table_init(&t, "rlrr");
	grt_table_fit(&t, o->width, "0001");
	for (int i = 0; i < 4; i++)
		grt_table_add(&t, "%s", i ? "" : "ms");
	for (size_t i = 0; i < grt_why_count(w); i++) {
		const struct grt_why_line *line = grt_why_line(w, i);

		if (!is_short(first, line)) {
			add_line(&t, o, first, line);
			continue;
		}
		left_out++;
		left_out_ns += line->ns;
		/* Skip the lines below it as well. */
		while (i + 1 < grt_why_count(w) && grt_why_line(w, i + 1)->depth > line->depth)
			i++;
	}
	grt_table_print(&t, o->file, "", "");
	grt_table_free(&t);
	if (left_out) {
		snprintf(rest, sizeof(rest), "%" PRIu64 " %s, %s in all, left out; --format csv has them\n",
			 left_out, grt_plural(left_out, "shorter wait", "shorter waits"),
			 grt_format_ns(word, left_out_ns));
		grt_text_fold(o->file, rest, o->width, 1);
	}
}
