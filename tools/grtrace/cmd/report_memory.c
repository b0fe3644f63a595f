// SPDX-License-Identifier: GPL-2.0
/* report --memory: which memory of GPUs is live, was moved, and may leak. */
#include <errno.h>

#include "error.h"
#include "memory_sink.h"
#include "report.h"
#include "stream.h"

struct memory {
	struct report *report;
	struct grt_memory memory;
	struct grt_summary_wants wants;
};

static int begin_pass(void *arg, struct grt_model *model)
{
	struct memory *m = arg;
	struct trace *t = &m->report->trace;
	int err;

	m->wants.query.with_synthetic = m->memory.wants.with_synthetic = t->replay.with_synthetic;
	m->wants.query.window = &t->window;
	grt_summary_free(&t->summary);
	err = grt_summary_init(&t->summary, model, &m->wants);
	return err ? err : grt_memory_begin(&m->memory, model);
}

static int add_record(void *arg, const struct grtrace_hdr *rec)
{
	struct memory *m = arg;

	return grt_memory_record(&m->memory, rec);
}

static int add_job(void *arg, const struct grt_job *job)
{
	struct memory *m = arg;
	bool is_wanted;

	return grt_summary_add(&m->report->trace.summary, job, &is_wanted);
}

static int end_pass(void *arg)
{
	struct memory *m = arg;
	struct trace *t = &m->report->trace;
	int err = grt_memory_end(&m->memory);

	t->out.unknown_events = grt_stream_stats(t->stream)->unknown_events;
	return err ? err : grt_summary_close(&t->summary);
}

static const struct grt_replay_ops ops = {
	.begin = begin_pass, .record = add_record, .job = add_job, .end = end_pass,
};

int report_memory_check(const struct report *r)
{
	const struct grt_query *q = &r->trace.select->query;

	if (!r->has_memory)
		return 0;
	if (r->has_jobs || r->has_events || r->has_frames || r->trace.why || r->trace.out.tables ||
	    r->trace.out.groups)
		return grt_fail(EINVAL, "leave the others out", "--memory prints no other tables");
	if (q->ring || q->engines || q->filter || q->slower_ns)
		return grt_fail(EINVAL, "-p and -c choose a process, --since and --until a time",
				"--memory is of whole processes, without other filters of jobs");
	return 0;
}

static int run(struct memory *m)
{
	struct report *r = m->report;
	struct trace *t = &r->trace;
	const struct grt_query *query = &t->wants.query;
	int err;

	m->memory.wants = (struct grt_memory_wants){
		.pid = query->pid, .comm = query->comm, .window = &t->window,
	};
	if (!query->pid && !query->comm && !t->select->is_all)
		m->memory.wants.pid = t->info.focus_pid;
	t->window = t->select->window;
	t->replay = (struct grt_replay){
		.ops = &ops, .arg = m, .window = &t->window, .is_final = true,
		.watches_events = true, .with_synthetic = query->with_synthetic,
	};
	err = grt_replay_run(&t->replay, t->stream);
	if (err)
		return err;
	if (r->sink != &grt_job_text)
		report_warn_of_losses(r);
	if (r->sink != &grt_job_text && !m->memory.events)
		grt_warn(NULL, "no events of memory in this trace, or none of this process");
	grt_memory_print(&t->out, &m->memory, r->sink);
	return 0;
}

int report_memory(struct report *r)
{
	struct memory m = { .report = r };
	int err = trace_open(&r->trace);

	if (!err)
		err = run(&m);
	grt_memory_free(&m.memory);
	return err;
}
