// SPDX-License-Identifier: GPL-2.0
#include "trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "colour.h"
#include "control.h"
#include "error.h"
#include "list.h"
#include "open_trace.h"
#include "print.h"
#include "stream.h"
#include "terminal.h"

bool trace_is_ascii(void)
{
	const char *locale = getenv("LC_ALL");

	if (!locale || !*locale)
		locale = getenv("LC_CTYPE");
	if (!locale || !*locale)
		locale = getenv("LANG");
	return locale && *locale && !strcasestr(locale, "utf-8") && !strcasestr(locale, "utf8");
}

void trace_begin_out(struct trace *t)
{
	t->out.file = stdout;
	t->out.summary = &t->summary;
	t->out.info = &t->info;
	t->out.has_colour = grt_may_colour(STDOUT_FILENO);
	t->out.is_ascii = trace_is_ascii();
	t->out.width = grt_terminal_width(STDOUT_FILENO);
}

/* Reads the module's mean time per event, if it measured that. */
static int read_stats(struct trace *t, const struct grtrace_stats *rec)
{
	/* The NUL at the end may be missing. */
	char *text = strndup((const char *)(rec + 1), rec->hdr.size - sizeof(*rec)), value[32];

	if (!text)
		return grt_fail_memory();
	if (grt_control_value(text, "mean_write_ns", value, sizeof(value))) {
		t->out.cost.write_ns = strtoull(value, NULL, 10);
		t->out.cost.has_write_ns = true;
	}
	free(text);
	return 0;
}

static int begin_pass(void *arg, struct grt_model *model)
{
	struct trace *t = arg;
	int err;

	if (!t->wants.query.pid && !t->select->is_all && t->info.focus_pid) {
		t->wants.query.pid = t->info.focus_pid;
		t->out.is_focus = true;
	}
	t->wants.query.with_synthetic = t->replay.with_synthetic;
	t->wants.query.window = &t->window;
	/* These events are told of a snapshot only, and their names take memory. */
	t->wants.has_last_events &= grt_stream_has(t->stream, GRTRACE_SNAPSHOT);
	grt_summary_free(&t->summary);
	err = grt_summary_init(&t->summary, model, &t->wants);
	if (!err && t->wants.step_ns)
		err = grt_steps_begin(&t->summary.steps, model, &t->window);
	return err;
}

static int add_record(void *arg, const struct grtrace_hdr *rec)
{
	struct trace *t = arg;
	int err = 0;

	if (rec->type == GRTRACE_STATS)
		err = read_stats(t, (const struct grtrace_stats *)rec);
	/* A definition, so it comes before the events. */
	if (rec->type == GRTRACE_SNAPSHOT && t->wants.has_last_events)
		t->replay.watches_events = true;
	return err ? err : grt_summary_record(&t->summary, rec);
}

static int add_job(void *arg, const struct grt_job *job)
{
	struct trace *t = arg;
	bool is_wanted;
	int err;

	if (t->why)
		return t->wants.query.with_synthetic || !(job->flags & GRT_JOB_SYNTHETIC) ?
		       grt_why_add(t->why, job) : 0;
	err = grt_summary_add(&t->summary, job, &is_wanted);
	return err || !is_wanted || !t->show ? err : t->show(t->arg, job);
}

static int early(void *arg, const struct grt_job *job)
{
	struct trace *t = arg;

	if (!t->why)
		return grt_summary_early(&t->summary, job);
	return t->wants.query.with_synthetic || !(job->flags & GRT_JOB_SYNTHETIC) ?
	       grt_why_early(t->why, job) : 0;
}

static int end_pass(void *arg)
{
	struct trace *t = arg;
	const char *metadata = grt_model_names(t->replay.model)->metadata;

	/* A raw stream has the kernel's release in its definitions. */
	if (!*t->info.kernel && metadata)
		grt_control_value(metadata, "kernel", t->info.kernel, sizeof(t->info.kernel));
	t->out.unknown_events = grt_stream_stats(t->stream)->unknown_events;
	return grt_summary_close(&t->summary);
}

/* Roots take time, so a first screen has them only where a job hung: who waited because of it? */
static bool wants_hangs(const struct trace *t)
{
	return !t->why && !t->show && t->wants.has_blame && grt_out_is_screen(&t->out) && t->summary.hung_jobs &&
	       !t->wants.has_roots;
}

static bool wants_more(void *arg)
{
	struct trace *t = arg;

	if (t->why)
		return grt_why_wants_more(t->why);
	if (!wants_hangs(t))
		return false;
	t->wants.has_roots = t->replay.keeps_pieces = true;
	return true;
}

static const struct grt_replay_ops ops = {
	.begin = begin_pass, .record = add_record, .job = add_job, .early = early, .end = end_pass,
	.wants_more = wants_more,
};

int trace_open(struct trace *t)
{
	int err = grt_open_trace(&t->stream, t->nr_files, t->files, t->select->session);

	if (!err)
		t->info = *grt_stream_info(t->stream);
	return err;
}

static void prepare(struct trace *t)
{
	t->window = t->select->window;
	t->replay = (struct grt_replay){
		.ops = &ops, .arg = t,
		.window = &t->window, .is_final = t->show || t->why || t->wants.step_ns,
		.keeps_pieces = t->why || t->wants.has_roots,
		.watches_events = t->wants.has_sizes,
		.with_synthetic = t->wants.query.with_synthetic,
	};
}

int trace_read(struct trace *t)
{
	int err = trace_open(t);

	if (err)
		return err;
	prepare(t);
	return grt_replay_run(&t->replay, t->stream);
}

int trace_follow(struct trace *t, struct grt_stream *stream)
{
	t->stream = stream;
	t->info = *grt_stream_info(stream);
	prepare(t);
	return grt_replay_begin(&t->replay, stream);
}

int trace_failure(int err)
{
	int code = grt_print_failure(err);

	return err == -EDOM ? GRT_EXIT_USAGE : code;	/* a time that the trace does not have */
}

void trace_close(struct trace *t)
{
	grt_summary_free(&t->summary);
	grt_replay_free(&t->replay);
	grt_why_destroy(t->why);
	grt_stream_close(t->stream);
}

int trace_check_ring(const struct trace *t)
{
	const struct grt_names *names = grt_model_names(t->replay.model);
	const char *ring = t->wants.query.ring;
	char list[LIST_MAX];

	if (!ring || list_has_ring(names, ring))
		return 0;
	return grt_fail(EINVAL, list_rings(list, names), "no ring '%s' in this trace", ring);
}
