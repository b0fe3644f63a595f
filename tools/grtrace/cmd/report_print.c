// SPDX-License-Identifier: GPL-2.0
/* Prints a report after everything was read. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "control.h"
#include "error.h"
#include "job_words.h"
#include "list.h"
#include "number.h"
#include "print.h"
#include "report.h"

/* Formats for programs have no place for a note on losses, so this warns on stderr. */
void report_warn_of_losses(const struct report *r)
{
	const uint64_t *lost = grt_model_totals(r->trace.replay.model)->lost;
	uint64_t sum = 0;

	for (int i = 0; i < GRTRACE_NR_FATES; i++)
		sum += lost[i];
	if (sum)
		grt_warn(NULL, "%" PRIu64 " %s missing in this trace; values that depend on them are blank",
			 sum, grt_plural(sum, "event is", "events are"));
	else if (grt_model_totals(r->trace.replay.model)->uncounted || grt_model_totals(r->trace.replay.model)->is_cut)
		grt_warn(NULL, "an unknown number of events may be missing in this trace; values that "
			 "depend on them are blank");
	grt_print_unknown(r->trace.out.unknown_events);
}

/* Where the beginning is incomplete, and left out or not. */
static void warn_of_late(const struct report *r)
{
	const struct grt_model_totals *t = grt_model_totals(r->trace.replay.model);
	const struct grt_window *w = &r->trace.window;
	char late[GRT_NUMBER_MAX], hint[GRT_SHELL_MAX + 64], cause[GRT_LATE_MAX];

	if (!t->late_cpus || (w->is_narrow && !w->is_known_part && w->from_ns >= t->late_ns))
		return;
	snprintf(hint, sizeof(hint), "grtrace report --all-time%s", r->trace.out.again ? r->trace.out.again : "");
	grt_warn(w->is_known_part && r->trace.out.again ? hint : NULL,
		 "the first %s are incomplete (%s)%s",
		 grt_format_ns(late, t->late_ns - t->first_ns), grt_word_late(cause, &r->trace.out),
		 w->is_known_part ? " and left out" : "");
}

/* Folded lines have no place for a note, too. */
static void warn_of_stacks(const struct report *r, bool is_folded)
{
	struct grt_stack_sum all = grt_stack_sums_all(&r->trace.summary.stacks);
	uint64_t unknown = all.jobs - all.known[r->trace.out.stack_weight];

	if (unknown && is_folded)
		grt_warn(NULL, "%" PRIu64 " %s not in these lines: %s not known", unknown,
			 grt_plural(unknown, "job is", "jobs are"),
			 r->trace.out.stack_weight == GRT_STACK_GPU ? "when it ran on the GPU is" : "how long it waited is");
	if (all.jobs && !grt_vec_count(&grt_model_names(r->trace.replay.model)->stacks.rows, char *))
		grt_warn("sudo grtrace record --source=bpf --stacks=kernel,user",
			 "this trace has no call stacks");
}

/* No such job.  The hint is the command that shows the nearest job, or all contexts. */
static void print_no_job(const struct report *r)
{
	uint64_t ctx, seqno;
	char hint[GRT_SHELL_MAX + 128];

	if (!r->trace.out.again)
		*hint = '\0';
	else if (grt_why_nearest(r->trace.why, &ctx, &seqno))
		snprintf(hint, sizeof(hint), "grtrace report --why %" PRIu64 ":%" PRIu64
			 "%s    # the nearest", ctx, seqno, r->trace.out.again);
	else
		snprintf(hint, sizeof(hint), "grtrace report --per-ctx%s    # the contexts",
			 r->trace.out.files);
	grt_print_error(*hint ? hint : grt_hint(), grt_cause());
}

static int print_why(struct report *r)
{
	int err = grt_why_finish(r->trace.why);

	if (err == -ENOENT) {
		print_no_job(r);
		return GRT_EXIT_USAGE;
	}
	if (err)
		return grt_print_failure(err);
	grt_why_warn(r->trace.why);
	r->sink->why(&r->trace.out, r->trace.why);
	return GRT_EXIT_OK;
}

int report_print(struct report *r)
{
	bool is_folded = r->sink == &grt_job_text && r->trace.out.tables >> GRT_TABLE_STACKS & 1;
	char list[LIST_MAX];

	if (trace_check_ring(&r->trace)) {
		grt_print_failure(-EINVAL);
		return GRT_EXIT_USAGE;
	}
	if (is_folded || (r->sink != &grt_job_text && (r->has_jobs || r->trace.why || r->sink != &grt_job_json)))
		report_warn_of_losses(r);
	if ((is_folded || r->sink != &grt_job_text) && !r->trace.why)
		warn_of_late(r);
	grt_roots_warn(&r->trace.summary.roots);
	if (r->trace.why)
		return print_why(r);
	if ((is_folded || r->sink != &grt_job_text) && !r->trace.summary.all.jobs && r->trace.summary.other_jobs)
		grt_warn(list_names(list, grt_model_names(r->trace.replay.model)), "no jobs among those asked for");
	if (r->trace.out.tables >> GRT_TABLE_STACKS & 1)
		warn_of_stacks(r, is_folded);
	if (r->has_jobs)
		r->sink->end(&r->trace.out);
	else
		r->sink->summary(&r->trace.out);
	return GRT_EXIT_OK;
}
