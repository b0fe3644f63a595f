// SPDX-License-Identifier: LGPL-2.1
/* Why one job took so long, in short: where its time went, and the chain behind most of it. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "error.h"
#include "job_table.h"
#include "job_words.h"
#include "number.h"
#include "why_table.h"

#define ROWS	8	/* of roots; the others are added up */
#define INDENT	19	/* of a text behind time and share */

static const struct grt_names *names_of(const struct grt_job_out *o)
{
	return grt_model_names(o->summary->model);
}

/* "batch[116]" and "compute"; "a process" and "a ring" if they are not known. */
struct whose {
	char process[GRT_WORD_MAX], ring[GRT_WORD_MAX];
	const char *of, *on;
};

static void find_whose(struct whose *w, const struct grt_job_out *o, uint32_t client)
{
	const struct grt_client *c = client == GRT_NONE ? NULL :
				     grt_model_client(o->summary->model, client);

	w->of = c && c->process != GRT_NONE ?
		grt_word_process(w->process, names_of(o), c->process) : "an unknown process";
	w->on = c && c->ring != GRT_NONE ?
		grt_word_ring(w->ring, names_of(o), c->ring) : "an unknown ring";
}

/* A part of the job's time. */
struct part {
	uint64_t ns;
	bool is_bound;		/* that long at most */
};

static struct part exactly(uint64_t ns)
{
	return (struct part){ .ns = ns };
}

/* Prints a part, its share, and a text that may take several lines. */
static void row(const struct grt_job_out *o, const struct grt_job *job, struct part part,
		const char *fmt, ...) __attribute__((format(printf, 4, 5)));

static void row(const struct grt_job_out *o, const struct grt_job *job, struct part part,
		const char *fmt, ...)
{
	char time[GRT_WORD_MAX], share[GRT_WORD_MAX], *text = NULL;
	size_t bytes;
	uint64_t life_ns;
	FILE *f = open_memstream(&text, &bytes);
	va_list args;

	if (!f) {
		grt_fail_memory();
		return;
	}
	fprintf(f, " %10s  %4s  ", grt_word_ns(time, part.ns, part.is_bound),
		grt_job_life_ns(job, &life_ns) ? grt_word_share(share, o, part.ns, life_ns) : "");
	va_start(args, fmt);
	vfprintf(f, fmt, args);
	va_end(args);
	putc('\n', f);
	if (!fclose(f))
		grt_text_fold(o->file, text, o->width, INDENT);
	free(text);
}

static void own_row(const struct grt_job_out *o, const struct grt_job *job,
		    const struct grt_why_root *r)
{
	const char *start = job->inflight.is_run_inferred ? " (START inferred)" : "";
	struct part part = {
		.ns = r->ns,
		.is_bound = grt_flags_bound(job->flags, r->kind == GRT_ROOT_SIGNAL ? GRT_STAGE_COMPLETE :
							GRT_STAGE_EXEC),
	};

	if (r->kind == GRT_ROOT_RUN)
		row(o, job, part, job->inflight.until_ns ? "it ran%s, and is not over when %s" : "it ran",
		    start, grt_word_end(o));
	else if (r->kind == GRT_ROOT_SIGNAL)
		row(o, job, part, "it was done, until waiters could see it");
	else if (r->kind != GRT_ROOT_HANG)
		row(o, job, part, "it was on the ring; %s", job->flags & GRT_JOB_NO_HW ?
		    "it did not run" : "when it began to run is not known");
	else if (r->ctx == job->ctx && r->seqno == job->seqno)
		row(o, job, part, job->inflight.until_ns ?
		    "it ran%s, and HUNG: it is not over when %s" : "it ran, and HUNG", start,
		    grt_word_end(o));
	else
		row(o, job, part, "it was on the ring behind %" PRIu64 ":%" PRIu64 ", which HUNG",
		    r->ctx, r->seqno);
}

/* The job was ready; for part of that time the thread that hands jobs over had no CPU. */
static void scheduler_row(const struct grt_job_out *o, const struct grt_job *job, uint64_t ns)
{
	char time[GRT_NUMBER_MAX];

	if (grt_job_knows(job, GRT_STAGE_SCHED_CPU) && job->stage_ns[GRT_STAGE_SCHED_CPU])
		row(o, job, exactly(ns), "it was ready, but the scheduler did not hand it over: for %s its "
		    "thread waited for a CPU", grt_format_ns(time, job->stage_ns[GRT_STAGE_SCHED_CPU]));
	else
		row(o, job, exactly(ns), "it was ready, but the scheduler did not hand it over");
}

static void unknown_row(const struct grt_job_out *o, const struct grt_job *job, uint64_t ns)
{
	const struct grt_inflight *f = &job->inflight;

	if (f->hang_ctx)
		row(o, job, exactly(ns), "not known; it could not run before %" PRIu64 ":%" PRIu64 ", which HUNG",
		    f->hang_ctx, f->hang_seqno);
	else
		row(o, job, exactly(ns), job->flags & GRT_JOB_LOSSY ? "not known: events are missing there" :
		    job->flags & GRT_JOB_HUNG && f->until_ns ?
		    "not known: it HUNG, and the trace does not show that it began to run" :
		    "not known: the trace does not show what it waited for");
}

static void wait_row(const struct grt_job_out *o, const struct grt_job *job,
		     const struct grt_why_root *r)
{
	bool is_own = r->client != GRT_NONE && r->client == job->client;
	struct whose w;

	find_whose(&w, o, r->client);
	switch (r->kind) {
	case GRT_ROOT_HANG:
		if (r->ctx)
			row(o, job, exactly(r->ns), "%s was blocked by %" PRIu64 ":%" PRIu64 " of %s, which HUNG",
			    w.on, r->ctx, r->seqno, w.of);
		else
			row(o, job, exactly(r->ns), "its ring was being reset");
		break;
	case GRT_ROOT_RUN:
		row(o, job, exactly(r->ns), is_own ? "%s ran other jobs of its own process, %s" :
		    "%s ran jobs of %s", w.on, w.of);
		break;
	case GRT_ROOT_FULL:
		row(o, job, exactly(r->ns), is_own ? "%s was full, and ran other jobs of its own process, %s" :
		    "%s was full, and ran jobs of %s", w.on, w.of);
		break;
	case GRT_ROOT_ON_RING:
		row(o, job, exactly(r->ns), "jobs of %s were on %s; whether they ran is not known", w.of, w.on);
		break;
	case GRT_ROOT_SIGNAL:
		row(o, job, exactly(r->ns), "jobs of %s on %s were done, until their fences were signalled",
		    w.of, w.on);
		break;
	case GRT_ROOT_NOT_SUBMITTED:
		row(o, job, exactly(r->ns), "%s had not submitted a job for %s yet that this one needs", w.of,
		    w.on);
		break;
	case GRT_ROOT_FOREIGN:
		row(o, job, exactly(r->ns), "the fence %" PRIu64 ":%" PRIu64 ", which belongs to no job%s, was not "
		    "signalled", r->ctx, r->seqno, job->inflight.until_ns ? " of this trace" : "");
		break;
	case GRT_ROOT_SCHEDULER:
		scheduler_row(o, job, r->ns);
		break;
	default:
		unknown_row(o, job, r->ns);
	}
}

static void in_short(const struct grt_job_out *o, const struct grt_why *w)
{
	const struct grt_job *job = grt_why_job(w);
	uint64_t told_ns = 0, rest_ns = 0, rest = 0, life_ns;

	fprintf(o->file, "%sIN SHORT%s\n", grt_bold(o), grt_plain(o));
	for (size_t i = 0; i < grt_why_root_count(w); i++) {
		const struct grt_why_root *r = grt_why_root(w, i);

		told_ns += r->ns;
		if (i >= ROWS) {
			rest++;
			rest_ns += r->ns;
		} else if (r->is_own) {
			own_row(o, job, r);
		} else {
			wait_row(o, job, r);
		}
	}
	if (rest)
		row(o, job, exactly(rest_ns), "%" PRIu64 " smaller %s", rest, grt_plural(rest, "cause", "causes"));
	if (!grt_job_life_ns(job, &life_ns))
		fprintf(o->file, " The trace does not show its %s, so the rest is not known.\n",
			grt_job_has(job, GRT_AT_SUBMIT) ? "COMPLETE" : "SUBMIT");
	else if (told_ns < life_ns)
		row(o, job, (struct part){ life_ns - told_ns, grt_flags_bound(job->flags, GRT_STAGE_TOTAL) },
		    job->flags & GRT_JOB_KILLED ?
		    "until it was killed with its process, before it ran" :
		    job->flags & GRT_JOB_LOSSY ? "not known: events are missing there" :
		    "not known: the trace does not show these stages");
}

/* "15:43 (batch[116], compute)" */
static void hop_job(const struct grt_job_out *o, const struct grt_job *job, FILE *f)
{
	char process[GRT_WORD_MAX], ring[GRT_WORD_MAX];

	fprintf(f, "%" PRIu64 ":%" PRIu64 " (%s, %s)", job->ctx, job->seqno,
		grt_word_process(process, names_of(o), job->process),
		grt_word_ring(ring, names_of(o), job->ring));
}

static const char *ran_words(const struct grt_job *job)
{
	return job->inflight.run_ns ? "has run" : grt_job_knows(job, GRT_STAGE_EXEC) ? "ran" :
	       "was on its ring for";
}

static void hop_line(const struct grt_job_out *o, const struct grt_why_hop *hop, FILE *f)
{
	char time[GRT_WORD_MAX], culprit[GRT_CULPRIT_MAX];
	const struct grt_charge *c = &hop->wait;

	putc(' ', f);
	hop_job(o, hop->job, f);
	if (hop->is_run) {
		fprintf(f, " %s %s%s\n", ran_words(hop->job),
			grt_word_ns(time, hop->ran_ns, hop->is_to_end && grt_flags_bound(hop->job->flags, GRT_STAGE_EXEC)),
			hop->job->flags & GRT_JOB_HUNG ? ", and HUNG" : "");
		return;
	}
	fprintf(f, " waited %s %s", grt_format_ns(time, c->ns),
		c->stage == GRT_STAGE_ORDER ? "behind its own context, which waited " : "");
	fprintf(f, "%s %s%s\n", c->reason == GRT_BLAME_RING ? "behind" : "for",
		grt_word_culprit(culprit, o->summary->model, c), c->is_hung ? ", which HUNG" : "");
}

static void chain(const struct grt_job_out *o, const struct grt_why *w)
{
	char *text = NULL;
	size_t bytes;
	FILE *f;

	if (!grt_why_hop_count(w))
		return;
	f = open_memstream(&text, &bytes);
	if (!f) {
		grt_fail_memory();
		return;
	}
	fprintf(o->file, "%sCHAIN%s\n", grt_bold(o), grt_plain(o));
	for (size_t i = 0; i < grt_why_hop_count(w); i++)
		hop_line(o, grt_why_hop(w, i), f);
	if (grt_why_has_more_hops(w))
		fputs(" and so on\n", f);
	if (!fclose(f))
		grt_text_fold(o->file, text, o->width, 4);
	free(text);
}

void grt_why_short(const struct grt_job_out *o, const struct grt_why *w)
{
	const struct grt_job *job = grt_why_job(w);

	in_short(o, w);
	chain(o, w);
	if (o->again)
		fprintf(o->file, "hint: grtrace report --why %" PRIu64 ":%" PRIu64 " --steps%s    # each "
			"step\n", job->ctx, job->seqno, o->again);
}
