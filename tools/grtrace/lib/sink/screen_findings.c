// SPDX-License-Identifier: LGPL-2.1
/* The first screen: what is wrong.  Each finding is a sentence and a command that shows more. */
#include "screen_private.h"

#include <inttypes.h>
#include <stdlib.h>

#include "error.h"
#include "finding.h"
#include "job_words.h"
#include "number.h"

#define INDENT	3

static const struct grt_names *names_of(const struct grt_job_out *o)
{
	return grt_model_names(o->summary->model);
}

/* "15:43 of batch[116] on compute" */
static void say_job(FILE *f, const struct grt_job_out *o, const struct grt_job *job)
{
	char process[GRT_WORD_MAX], ring[GRT_WORD_MAX];

	fprintf(f, "%" PRIu64 ":%" PRIu64, job->ctx, job->seqno);
	if (job->process != GRT_NONE)
		fprintf(f, " of %s", grt_word_process(process, names_of(o), job->process));
	fprintf(f, " on %s", grt_word_ring(ring, names_of(o), job->ring));
}

/* How long a job that hung has been at it when the trace ends. */
static void say_so_far(FILE *f, const struct grt_job_out *o, const struct grt_job *job)
{
	uint64_t until_ns = job->inflight.until_ns;
	char ns[GRT_NUMBER_MAX];

	fprintf(f, ": when %s, it ", grt_word_end(o));
	if (job->inflight.run_ns)
		fprintf(f, "had run %s%s", grt_format_ns(ns, until_ns - job->inflight.run_ns),
			job->inflight.is_run_inferred ? " (START inferred)" : "");
	else if (grt_job_has(job, GRT_AT_COMMIT))
		fprintf(f, "had been on its ring %s, how long of that it ran is not known,",
			grt_format_ns(ns, until_ns - job->at_ns[GRT_AT_COMMIT]));
	else
		fputs("had run for an unknown time", f);
	fputs(" and was not over.", f);
}

/* "batch[131], copier[132] and 2 more" */
static void say_processes(FILE *f, const struct grt_job_out *o, const struct grt_hang *h)
{
	uint64_t shown = h->behind_processes < GRT_HANG_NAMES ? h->behind_processes : GRT_HANG_NAMES;
	char word[GRT_WORD_MAX], more[GRT_NUMBER_MAX];

	if (!shown)
		fputs("an unknown process", f);
	for (uint64_t i = 0; i < shown; i++)
		fprintf(f, "%s%s", !i ? "" : i + 1 == h->behind_processes ? " and " : ", ",
			grt_word_process(word, names_of(o), h->process[i]));
	if (h->behind_processes > shown)
		fprintf(f, " and %s more", grt_format_count(more, h->behind_processes - shown));
}

/* The jobs that cannot run before it is over. */
static void say_behind(FILE *f, const struct grt_job_out *o, const struct grt_hang *h)
{
	uint64_t all = o->summary->hangs.inflight, unknown = o->summary->hangs.unknown, age_ns;
	uint64_t others = all > h->has_job ? all - h->has_job : 0;
	char count[GRT_NUMBER_MAX], ns[GRT_NUMBER_MAX];

	if (h->behind) {
		fprintf(f, " %s %s of ", grt_format_count(count, h->behind),
			grt_plural(h->behind, "job", "jobs"));
		say_processes(f, o, h);
		fprintf(f, " %s behind it; %s ", grt_plural(h->behind, "waits", "wait"),
			grt_plural(h->behind, "it is", "the oldest is"));
		say_job(f, o, &h->oldest);
		if (grt_job_life_ns(&h->oldest, &age_ns))
			fprintf(f, ", submitted %s before %s", grt_format_ns(ns, age_ns), grt_word_end(o));
		putc('.', f);
	} else if (others) {
		fprintf(f, " %s %s in flight, and %s behind it.", grt_format_count(count, others),
			grt_plural(others, "other job is", "other jobs are"),
			grt_plural(others, "does not wait", "none waits"));
	} else if (!unknown) {
		fputs(" The trace shows no other job in flight.", f);
	}
	if (unknown)
		fprintf(f, " Whether %s %s without an end %s for it is not known: events are missing.",
			grt_format_count(count, unknown), grt_plural(unknown, "job", "jobs"),
			grt_plural(unknown, "waits", "wait"));
}

/* What it waited for itself before it ran, or got its ring. */
static void say_waited(FILE *f, const struct grt_job_out *o, const struct grt_hang *h)
{
	const struct grt_job *job = &h->job;
	uint64_t to_ns = job->inflight.run_ns ? job->inflight.run_ns : job->at_ns[GRT_AT_COMMIT];
	char wait[GRT_NUMBER_MAX], most[GRT_NUMBER_MAX], culprit[GRT_CULPRIT_MAX];

	if (!grt_job_has(job, GRT_AT_SUBMIT) || !grt_job_has(job, GRT_AT_COMMIT) ||
	    to_ns <= job->at_ns[GRT_AT_SUBMIT])
		return;
	fprintf(f, " It had itself waited %s before it %s",
		grt_format_ns(wait, to_ns - job->at_ns[GRT_AT_SUBMIT]),
		job->inflight.run_ns ? "ran" : "got its ring");
	if (h->waited.ns && h->waited.reason != GRT_BLAME_UNKNOWN)
		fprintf(f, ", %s of that %s %s", grt_format_ns(most, h->waited.ns),
			h->waited.reason == GRT_BLAME_RING ? "behind" : "for",
			grt_word_culprits(culprit, o->summary->model, &h->waited));
	putc('.', f);
}

static void say_hang(FILE *f, const struct grt_job_out *o, const struct grt_finding *found)
{
	const struct grt_hang *h = found->hang;
	char word[GRT_WORD_MAX], jobs[GRT_NUMBER_MAX], processes[GRT_NUMBER_MAX];

	if (!h->has_job && h->behind) {
		fprintf(f, "%" PRIu64 ":%" PRIu64 " hung, and the trace has no other event of it.", h->ctx,
			h->seqno);
		say_behind(f, o, h);
		return;
	} else if (!h->has_job) {
		fprintf(f, h->ctx ? "%" PRIu64 ":%" PRIu64 " hung" : "A job hung", h->ctx, h->seqno);
	} else if (h->job.inflight.until_ns) {
		say_job(f, o, &h->job);
		fputs(" hung", f);
		say_so_far(f, o, &h->job);
		say_behind(f, o, h);
		say_waited(f, o, h);
		return;
	} else {
		say_job(f, o, &h->job);
		fputs(" hung", f);
		if (grt_job_knows(&h->job, GRT_STAGE_EXEC))
			fprintf(f, ": it ran %s", grt_word_stage(word, o, &h->job, GRT_STAGE_EXEC));
		else if (grt_job_knows(&h->job, GRT_STAGE_HW))
			fprintf(f, ": it was on its ring %s",
				grt_word_stage(word, o, &h->job, GRT_STAGE_HW));
		else
			fputs(": the trace does not show its end", f);
		if (h->job.has_status && h->job.status)
			fprintf(f, " and ended with %s", grt_word_status(word, &h->job));
	}
	if (!h->jobs) {
		fprintf(f, ". No other job %s for it.", o->summary->hangs.unknown ? "is known to have waited" :
			"waited");
		return;
	}
	fprintf(f, ". %s %s of %s %s waited for it, ", grt_format_count(jobs, h->jobs),
		grt_plural(h->jobs, "job", "jobs"), grt_format_count(processes, h->processes),
		grt_plural(h->processes, "process", "processes"));
	fprintf(f, "the longest %" PRIu64 ":%" PRIu64 ", %s.", h->worst_ctx, h->worst_seqno,
		grt_format_ns(word, h->worst_ns));
}

/* "3 jobs failed with EIO, the first was 12:5 of game[7] on gfx after 2.1 ms." */
static void say_failed(FILE *f, const struct grt_job_out *o, const struct grt_finding *found)
{
	const struct grt_outcome *outcome = found->outcome;
	uint64_t jobs = outcome->jobs - outcome->hung;
	char word[GRT_WORD_MAX], count[GRT_NUMBER_MAX];

	if (found->kind == GRT_FINDING_KILLED)
		fprintf(f, "%s %s killed with %s process, before %s ran: ",
			grt_format_count(count, jobs), grt_plural(jobs, "job was", "jobs were"),
			grt_plural(jobs, "its", "their"), grt_plural(jobs, "it", "they"));
	else
		fprintf(f, "%s %s failed with %s: ", grt_format_count(count, jobs),
			grt_plural(jobs, "job", "jobs"), grt_word_status(word, &outcome->first));
	if (jobs > 1)
		fputs("first ", f);
	say_job(f, o, &outcome->first);
	if (grt_job_knows(&outcome->first, GRT_STAGE_TOTAL))
		fprintf(f, ", %s after its SUBMIT", grt_word_stage(word, o, &outcome->first,
								  GRT_STAGE_TOTAL));
	putc('.', f);
}

/* "12:5 of game[7] on gfx ran 504.0 ms; the median of the 60 jobs of its client there is 3.0 ms." */
static void say_long(FILE *f, const struct grt_job_out *o, const struct grt_finding *found)
{
	const struct grt_long_job *job = &found->long_job;
	const struct grt_client *client = grt_model_client(o->summary->model, job->client);
	char process[GRT_WORD_MAX], ring[GRT_WORD_MAX], ns[GRT_NUMBER_MAX], median[GRT_NUMBER_MAX], count[GRT_NUMBER_MAX];

	fprintf(f, "%" PRIu64 ":%" PRIu64, job->ctx, job->seqno);
	if (client->process != GRT_NONE)
		fprintf(f, " of %s", grt_word_process(process, names_of(o), client->process));
	fprintf(f, " on %s %s %s; ", grt_word_ring(ring, names_of(o), client->ring),
		grt_names_ring_at(names_of(o), client->ring)->order == GRTRACE_ORDER_FIFO ? "ran" : "was on its ring",
		grt_format_ns(ns, job->ns));
	fprintf(f, "the median of the %s jobs of its client there is %s.", grt_format_count(count, job->jobs),
		grt_format_ns(median, job->median_ns));
	if (job->may_lack_interrupt)
		fputs(" Inferred from that time: the interrupt came late or was lost, and amdgpu looked itself, after 500 ms.", f);
}

/* Who the ring was idle for, most of the time. */
static void say_culprit(FILE *f, const struct grt_job_out *o, const struct grt_finding *found)
{
	const struct grt_model *m = o->summary->model;
	char process[GRT_WORD_MAX], ring[GRT_WORD_MAX], ns[GRT_NUMBER_MAX];
	bool is_wait = found->cause == GRT_IDLE_DEPENDENCY;

	fprintf(f, " %s of that %s", grt_format_ns(ns, found->culprit_ns),
		is_wait ? "it waited for " :
		found->cause == GRT_IDLE_RECOVERY ? "the reset was for " : "the next job was one of ");
	if (found->client == GRT_NONE) {
		fprintf(f, is_wait ? "fences of context %" PRIu64 ", which belong to no job." :
			"context %" PRIu64 ".", found->ctx);
		return;
	}
	fprintf(f, is_wait || found->cause == GRT_IDLE_RECOVERY ? "jobs of %s on %s" : "%s on %s",
		grt_word_process(process, names_of(o), grt_model_client(m, found->client)->process),
		grt_word_ring(ring, names_of(o), grt_model_client(m, found->client)->ring));
	if (found->exec_ns && is_wait)
		fprintf(f, ", which ran %s each on average", grt_word_ns(ns, found->exec_ns, found->is_exec_bound));
	putc('.', f);
}

/* Where it is not known of all of the time whether the ring was busy. */
static const char *at_least(const struct grt_finding *found)
{
	return found->unsure_ns ? "at least " : "";
}

static void say_idle(FILE *f, const struct grt_job_out *o, const struct grt_finding *found)
{
	static const char *const why[] = {
		[GRT_IDLE_STARVED] = "without work",
		[GRT_IDLE_DEPENDENCY] = "with work queued: all of it waited for fences",
		[GRT_IDLE_SCHEDULER] = "while a job could have been handed over",
		[GRT_IDLE_HARDWARE] = "though a job was handed over",
		[GRT_IDLE_RECOVERY] = "while it was being reset",
		[GRT_IDLE_UNKNOWN] = "for unknown reasons",
	};
	char ring[GRT_WORD_MAX], ns[GRT_NUMBER_MAX];

	fprintf(f, "%s stood idle %s (%s%.1f %%) %s.", grt_word_ring(ring, names_of(o), found->ring),
		grt_format_ns(ns, found->ns), at_least(found), 100.0 * found->ns / found->span_ns,
		why[found->cause]);
	if (found->cause == GRT_IDLE_SCHEDULER && found->no_cpu_ns)
		fprintf(f, " Its jobs waited %s for a CPU that would run the scheduler's thread.",
			grt_format_ns(ns, found->no_cpu_ns));
	if (found->culprit_ns)
		say_culprit(f, o, found);
}

static void say_full(FILE *f, const struct grt_job_out *o, const struct grt_finding *found)
{
	char ring[GRT_WORD_MAX];

	fprintf(f, "%s was busy %s%.1f %% of the time, and its jobs spent %.0f %% of theirs behind "
		"others.", grt_word_ring(ring, names_of(o), found->ring), at_least(found),
		100.0 * found->ns / found->span_ns, 100.0 * found->behind_ns / found->total_ns);
}

/* The command that shows more about it. */
static void say_command(const struct grt_job_out *o, const struct grt_finding *found)
{
	const struct grt_job *job = found->kind == GRT_FINDING_HANG ?
				    &found->hang->job : found->outcome ? &found->outcome->first : NULL;

	if (!o->again || (found->kind == GRT_FINDING_HANG && !found->hang->has_job))
		return;
	fprintf(o->file, "%*sgrtrace report ", INDENT, "");
	if (job)
		fprintf(o->file, "--why %" PRIu64 ":%" PRIu64, job->ctx, job->seqno);
	else if (found->kind == GRT_FINDING_LONG)
		fprintf(o->file, "--why %" PRIu64 ":%" PRIu64, found->long_job.ctx, found->long_job.seqno);
	else
		fputs(found->kind == GRT_FINDING_IDLE ? "--idle" : "--blame", o->file);
	fprintf(o->file, "%s\n", o->again);
}

void grt_screen_findings(const struct grt_job_out *o)
{
	static void (*const say[])(FILE *f, const struct grt_job_out *o,
				   const struct grt_finding *found) = {
		[GRT_FINDING_HANG] = say_hang, [GRT_FINDING_FAILED] = say_failed,
		[GRT_FINDING_KILLED] = say_failed, [GRT_FINDING_IDLE] = say_idle,
		[GRT_FINDING_FULL] = say_full, [GRT_FINDING_LONG] = say_long,
	};
	struct grt_finding found[GRT_MAX_FINDINGS];
	unsigned int count = grt_findings(o->summary, found);

	if (!count)
		return;
	fprintf(o->file, "\n%sWHAT IS WRONG%s\n", grt_bold(o), grt_plain(o));
	for (unsigned int i = 0; i < count; i++) {
		char *text = NULL;
		size_t bytes;
		FILE *f = open_memstream(&text, &bytes);

		if (!f) {
			grt_fail_memory();
			return;
		}
		fputs(" ! ", f);
		say[found[i].kind](f, o, &found[i]);
		putc('\n', f);
		if (!fclose(f))
			grt_text_fold(o->file, text, o->width, INDENT);
		free(text);
		say_command(o, &found[i]);
	}
}
