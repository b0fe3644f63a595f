// SPDX-License-Identifier: GPL-2.0
/* Passes over a trace. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "control.h"
#include "error.h"
#include "io.h"
#include "moment.h"
#include "number.h"
#include "print.h"
#include "report.h"
#include "source.h"
#include "stream.h"

/* Whether the input is gone once it was read, or was made for this reading. */
static bool is_once(const struct report *r)
{
	if (!r->nr_files || r->info.is_imported)
		return true;
	for (int i = 0; i < r->nr_files; i++)
		if (!strcmp(r->files[i], "-"))
			return true;
	return false;
}

/* Events outside the time asked for; definitions and losses stay, but no policy from behind it. */
static bool is_outside(struct report *r, const struct grtrace_hdr *rec)
{
	if (rec->type >= GRTRACE_NR_EVENTS)
		return rec->type == GRTRACE_POLICY && r->has_begun && rec->ts > r->begin_ns &&
		       rec->ts - r->begin_ns >= r->select->until_ns;
	if (!r->has_begun) {
		r->has_begun = true;
		r->begin_ns = rec->ts;
	}
	return rec->ts - r->begin_ns < r->select->since_ns ||
	       rec->ts - r->begin_ns >= r->select->until_ns;
}

/* How long the module took for an event, where it measured that. */
static void take_stats(struct report *r, const struct grtrace_stats *rec)
{
	char value[32];

	if (!grt_control_value((const char *)(rec + 1), "mean_write_ns", value, sizeof(value)))
		return;
	r->out.cost.write_ns = strtoull(value, NULL, 10);
	r->out.cost.has_write_ns = true;
}

/* What is done with a record before the model has it.  1: the model does not, 0 or -errno. */
static int look_at(struct report *r, const struct grtrace_hdr *rec)
{
	if (r->is_taping && fwrite(rec, rec->size, 1, r->tape) != 1)
		return grt_fail_errno("set TMPDIR to a folder with room",
				      "cannot keep the events in a temporary file");
	if (is_outside(r, rec))
		return 1;
	if (rec->type == GRTRACE_STATS)
		take_stats(r, (const struct grtrace_stats *)rec);
	grt_summary_record(&r->summary, rec);
	return 0;
}

int report_take(struct report *r, const struct grtrace_hdr *rec)
{
	int got = 0;

	/* Events are many: whether anybody looks at them is not asked of each. */
	if (r->looks_at_events || rec->type >= GRTRACE_NR_EVENTS)
		got = look_at(r, rec);
	if (got)
		return got < 0 ? got : 0;
	got = grt_model_feed(r->model, rec);
	return got ? got : r->err;
}

static int read_stream(struct report *r, struct grt_stream *stream)
{
	const struct grtrace_hdr *rec;
	uint64_t until_ns = UINT64_MAX;
	bool has_span = false;
	int got, err;

	if (!r->nr_files) {
		/* A session that goes on has no end: what is in it now is reported. */
		until_ns = grt_moment_now(CLOCK_MONOTONIC);
		grt_stream_set_timeout(stream, 300);
	}
	while ((got = grt_stream_next(stream, &rec)) == 1) {
		if (rec->ts > until_ns && rec->type < GRTRACE_NR_EVENTS)
			return 0;
		err = report_take(r, rec);
		if (err)
			return err;
		/* Times count from the first event; the rest of the file may stay unread. */
		if (r->has_begun && !has_span && (r->select->since_ns || r->select->until_ns != UINT64_MAX))
			grt_stream_set_span(stream, grt_time_after(r->begin_ns, r->select->since_ns),
					    grt_time_after(r->begin_ns, r->select->until_ns));
		has_span = r->has_begun;
		if (r->has_jobs && ferror(stdout))
			return 0;
	}
	return got == -EAGAIN || got == -EINTR ? 0 : got;
}

static int read_tape(struct report *r)
{
	_Alignas(8) static unsigned char buf[UINT16_MAX + 1];
	const struct grtrace_hdr *rec = (const void *)buf;
	int err = 0;

	rewind(r->tape);
	while (!err && fread(buf, sizeof(*rec), 1, r->tape) == 1) {
		if (fread(buf + sizeof(*rec), 1, rec->size - sizeof(*rec), r->tape) !=
		    rec->size - sizeof(*rec))
			break;
		err = report_take(r, rec);
	}
	if (!err && ferror(r->tape))
		err = grt_fail_errno(NULL, "cannot read the events back");
	return err;
}

int report_open_stream(struct report *r, struct grt_stream **stream)
{
	struct grt_input *in;
	int err = r->nr_files ? grt_source_open(&in, r->nr_files, r->files, r->select->session) :
				grt_source_open_live(&in);

	if (!err)
		err = grt_stream_open(stream, in);
	if (!err)
		r->info = *grt_stream_info(*stream);
	return err;
}

static void take_job(void *arg, const struct grt_job *job)
{
	struct report *r = arg;
	bool is_wanted;

	if (r->err || r->is_scouting)
		return;
	if (r->why) {
		if (r->wants.query.with_synthetic || !(job->flags & GRT_JOB_SYNTHETIC))
			r->err = grt_why_add(r->why, job);
		return;
	}
	r->err = grt_summary_add(&r->summary, job, &is_wanted);
	if (r->err || !is_wanted || !r->has_jobs || r->shown >= r->limit)
		return;
	r->sink->job(&r->out, job);
	r->shown++;
	r->shown_ns = grt_job_last_ns(job);
}

int report_begin_model(struct report *r)
{
	int err;

	r->model = grt_model_create(take_job, r);
	if (!r->model)
		return -ENOMEM;
	if (r->why)
		grt_model_keep_pieces(r->model);
	if (!r->wants.query.pid && !r->select->is_all && r->info.focus_pid) {
		r->wants.query.pid = r->info.focus_pid;
		r->out.is_focus = true;
	}
	r->has_begun = false;
	r->looks_at_events = r->is_taping || r->select->since_ns || r->select->until_ns != UINT64_MAX ||
			     r->wants.has_sizes;
	err = grt_summary_init(&r->summary, r->model, &r->wants);
	if (!err && r->earlier)
		err = grt_model_learn(r->model, r->earlier);
	return err;
}

static void end_model(struct report *r)
{
	grt_summary_free(&r->summary);
	grt_model_destroy(r->model);
	r->model = NULL;
}

/* A file without a name. */
static int open_tape(struct report *r)
{
	int fd = grt_temporary();

	if (fd < 0)
		return fd;
	r->tape = fdopen(fd, "w+");
	if (r->tape)
		return 0;
	close(fd);
	return grt_fail_memory();
}

int report_end(struct report *r, struct grt_stream *stream, int err)
{
	if (!err)
		err = grt_model_finish(r->model);
	if (!err)
		err = r->err;
	if (!err)
		err = grt_summary_close(&r->summary);
	/* A raw stream tells it in its definitions. */
	if (!err && !*r->info.kernel && grt_model_names(r->model)->metadata)
		grt_control_value(grt_model_names(r->model)->metadata, "kernel", r->info.kernel,
				  sizeof(r->info.kernel));
	grt_stream_close(stream);
	return err;
}

static int pass(struct report *r)
{
	struct grt_stream *stream = NULL;
	bool from_tape = r->tape;
	int err = from_tape ? 0 : report_open_stream(r, &stream);

	if (!err && !from_tape && is_once(r))
		err = open_tape(r);
	r->is_taping = !err && r->tape && !from_tape;
	if (!err)
		err = report_begin_model(r);
	if (!err)
		err = from_tape ? read_tape(r) : read_stream(r, stream);
	return report_end(r, stream, err);
}

/* What jobs that came early could not know then is told to the next pass. */
static int first_pass(struct report *r)
{
	int err = pass(r);

	r->is_taping = r->is_scouting = false;
	grt_warn_to(NULL);	/* this pass said it all */
	return err;
}

static int next_pass(struct report *r)
{
	if (!r->earlier) {
		r->earlier = r->model;
		r->model = NULL;
	}
	end_model(r);
	return pass(r);
}

int report_read(struct report *r)
{
	int err;

	/* What is printed as it comes cannot be taken back. */
	r->is_scouting = r->has_jobs;
	err = first_pass(r);
	if (!err && (r->has_jobs || grt_model_wants_hindsight(r->model)))
		err = next_pass(r);
	grt_warn_to(grt_print_warning);
	return err;
}

int report_read_why(struct report *r)
{
	int err;

	r->is_scouting = true;
	err = first_pass(r);
	if (!err) {
		do {
			err = next_pass(r);
		} while (!err && grt_why_wants_more(r->why));
	}
	grt_warn_to(grt_print_warning);
	return err;
}

void report_close(struct report *r)
{
	end_model(r);
	grt_model_destroy(r->earlier);
	grt_why_destroy(r->why);
	if (r->tape)
		fclose(r->tape);
}
