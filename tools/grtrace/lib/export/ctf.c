// SPDX-License-Identifier: LGPL-2.1
/*
 * A trace as a folder in the Common Trace Format 1.8, for babeltrace2, Trace Compass and other readers.
 * Each event is one event there, with the same fields; so is each finished job.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ctf_event.h"
#include "ctf_folder.h"
#include "ctf_job.h"
#include "ctf_stream.h"
#include "ctf_tsdl.h"
#include "error.h"
#include "formats.h"
#include "input.h"
#include "model.h"
#include "number.h"

struct ctf {
	struct ctf_folder folder;
	struct ctf_streams streams;
	struct ctf_threads threads;
	uint64_t now_ns;		/* latest time of an event so far */
	uint64_t clamped;		/* events with another time than in the trace */
	struct grtrace_stream_info info;
	int64_t offset_ns;		/* real time when it shows 0, if @has_offset */
	bool has_offset, is_done;
};

static int begin(struct grt_export *x)
{
	struct ctf *c = calloc(1, sizeof(*c));

	if (!c)
		return grt_fail_memory();
	x->state = c;
	c->streams.folder = &c->folder;
	c->info.clock = GRTRACE_CLOCK_OTHER;
	c->now_ns = x->from_ns < CTF_MAX_NS ? x->from_ns : CTF_MAX_NS;
	memcpy(c->streams.uuid, &x->info->session_id, sizeof(x->info->session_id));
	memcpy(c->streams.uuid + 8, &x->info->start_ns, sizeof(x->info->start_ns));
	return ctf_folder_open(&c->folder, x->path);
}

/* The first instant that is known on both clocks counts. */
static void learn_offset(struct ctf *c, uint64_t ns, uint64_t real_ns)
{
	if (c->has_offset || !real_ns || ns > CTF_MAX_NS || real_ns > CTF_MAX_NS)
		return;
	c->has_offset = true;
	c->offset_ns = (int64_t)real_ns - (int64_t)ns;
}

static void learn_clock(struct ctf *c, const struct grtrace_clock *rec)
{
	if (c->info.clock == GRTRACE_CLOCK_MONOTONIC)
		learn_offset(c, rec->mono_ns, rec->real_ns);
	else if (c->info.clock == GRTRACE_CLOCK_BOOTTIME)
		learn_offset(c, rec->boot_ns, rec->real_ns);
	else if (c->info.clock == GRTRACE_CLOCK_REALTIME)
		learn_offset(c, rec->real_ns, rec->real_ns);
}

static int put_definition(struct ctf *c, const struct grt_type *type, const struct grtrace_hdr *rec)
{
	struct grt_vec *to = ctf_streams_event(&c->streams, CTF_DEFINITIONS, type->number, c->now_ns);
	uint64_t ns = rec->ts;
	int err = to ? ctf_put(to, &ns, sizeof(ns)) : -EIO;

	return err ? err : ctf_put_fields(to, type, rec, &c->threads);
}

static int add_definition(struct ctf *c, const struct grt_type *type, const struct grtrace_hdr *rec)
{
	int err = 0;

	if (rec->type == GRTRACE_STREAM_INFO)
		c->info = *(const struct grtrace_stream_info *)rec;
	else if (rec->type == GRTRACE_CLOCK)
		learn_clock(c, (const struct grtrace_clock *)rec);
	else if (rec->type == GRTRACE_PROCESS)
		err = ctf_threads_learn(&c->threads, (const struct grtrace_process *)rec);
	return err ? err : put_definition(c, type, rec);
}

static int put_context(struct grt_vec *to, const struct grtrace_hdr *rec)
{
	int err = ctf_put(to, &rec->flags, sizeof(rec->flags));

	/* gseq and cseq are neighbours. */
	return err ? err : ctf_put(to, &rec->gseq, sizeof(rec->gseq) + sizeof(rec->cseq));
}

/* Says what the time of the next event is, which must not go back. */
static int put_clamped(struct ctf *c, const struct grtrace_hdr *rec, uint64_t ns)
{
	struct grt_vec *to = ctf_streams_event(&c->streams, CTF_CPU0 + rec->cpu, CTF_CLAMPED, ns);
	uint64_t real_ns = rec->ts;
	int err = to ? put_context(to, rec) : -EIO;

	c->clamped++;
	return err ? err : ctf_put(to, &real_ns, sizeof(real_ns));
}

/* The time of the record, or the next one that its stream can have. */
static uint64_t time_of(const struct ctf *c, const struct grtrace_hdr *rec)
{
	uint64_t last_ns = ctf_streams_last_ns(&c->streams, CTF_CPU0 + rec->cpu);
	uint64_t ns = rec->ts < CTF_MAX_NS ? rec->ts : CTF_MAX_NS;

	return ns > last_ns ? ns : last_ns;
}

static int put_record(struct ctf *c, const struct grt_type *type, const struct grtrace_hdr *rec,
		      struct grt_vec *to)
{
	int err = to ? put_context(to, rec) : -EIO;

	return err ? err : ctf_put_fields(to, type, rec, &c->threads);
}

static int add_event(struct ctf *c, const struct grt_type *type, const struct grtrace_hdr *rec)
{
	uint64_t ns = time_of(c, rec);
	int err = ns != rec->ts ? put_clamped(c, rec, ns) : 0;

	if (ns > c->now_ns)
		c->now_ns = ns;
	return err ? err : put_record(c, type, rec, ctf_streams_event(&c->streams, CTF_CPU0 + rec->cpu,
								      rec->type, ns));
}

static int add_loss(struct ctf *c, const struct grt_type *type, const struct grtrace_loss *loss)
{
	bool is_lost = loss->reason < GRTRACE_NR_FATES && GRT_LOST_REASONS >> loss->reason & 1;
	uint64_t ns = time_of(c, &loss->hdr), from_ns = loss->from_ns < ns ? loss->from_ns : ns;
	uint32_t nr = CTF_CPU0 + loss->hdr.cpu;
	int err;

	/* Other reasons are somebody's wish; a loss of unknown size adds nothing to the sum. */
	if (!is_lost || !loss->count)
		return put_record(c, type, &loss->hdr,
				  ctf_streams_event(&c->streams, nr, GRTRACE_LOSS, ns));
	err = ctf_streams_lose(&c->streams, nr, loss->count, from_ns);
	return err ? err : put_record(c, type, &loss->hdr,
				      ctf_streams_loss(&c->streams, nr, GRTRACE_LOSS, ns));
}

/* As in grtrace dump: set before the first event, or in the time that is exported. */
static bool is_in_force(const struct grt_export *x, const struct grtrace_hdr *rec)
{
	return !x->window.is_narrow || rec->ts < x->window.first_ns ||
	       (rec->ts >= x->from_ns && rec->ts <= x->to_ns);
}

static int record(struct grt_export *x, const struct grtrace_hdr *rec)
{
	const struct grt_type *type = grt_type_by_number(rec->type);
	struct ctf *c = x->state;

	if (!type || !ctf_has_type(type))
		return 0;
	if (rec->type == GRTRACE_LOSS)
		return add_loss(c, type, (const struct grtrace_loss *)rec);
	if (ctf_class_of(type) == CTF_CLASS_DEFINITIONS)
		return add_definition(c, type, rec);
	if (rec->type == GRTRACE_POLICY && !is_in_force(x, rec))
		return 0;
	return add_event(c, type, rec);
}

/* Jobs come in the order of their ends; those without an end come last. */
static int job(struct grt_export *x, const struct grt_job *job)
{
	struct ctf *c = x->state;
	uint64_t ns = grt_job_last_ns(job), last_ns = ctf_streams_last_ns(&c->streams, CTF_JOBS);
	struct grt_view view;
	struct grt_vec *to;

	if (ns > CTF_MAX_NS)
		ns = CTF_MAX_NS;
	to = ctf_streams_event(&c->streams, CTF_JOBS, CTF_JOB_DONE, ns > last_ns ? ns : last_ns);
	grt_summary_view(&x->summary, job, &view);
	return to ? ctf_put_job(to, &view) : -EIO;
}

static int write_metadata(struct grt_export *x, struct ctf *c)
{
	static const char *const clocks[] = { "monotonic", "boottime", "realtime" };
	const struct ctf_tsdl tsdl = {
		.uuid = c->streams.uuid, .info = x->info, .names = grt_model_names(x->model),
		.clock = c->info.clock < 3 ? clocks[c->info.clock] : "recorded",
		.offset_ns = c->has_offset ? c->offset_ns : 0,
	};
	int fd = ctf_folder_file(&c->folder, "metadata"), err;
	FILE *file;

	if (fd < 0)
		return fd;
	file = fdopen(fd, "w");
	if (!file)
		return ctf_folder_fail(&c->folder);
	errno = 0;
	err = ctf_tsdl_write(file, &tsdl);
	if (ferror(file) && !err)
		err = ctf_folder_fail(&c->folder);
	if (fclose(file) && !err)
		err = ctf_folder_fail(&c->folder);
	return err ? err : ctf_folder_sync(&c->folder, "metadata");
}

static void say_clamped(const struct ctf *c)
{
	char count[GRT_NUMBER_MAX];

	if (c->clamped)
		grt_warn(NULL, "%s %s another time in the CTF trace, where time cannot go back: "
			 "a CLAMPED before each has its own", grt_format_count(count, c->clamped),
			 grt_plural(c->clamped, "event has", "events have"));
}

static int end(struct grt_export *x)
{
	struct ctf *c = x->state;
	int err = ctf_streams_close(&c->streams);

	/* Without CLOCK records, the start of the session is known on both clocks. */
	if (c->info.clock != GRTRACE_CLOCK_OTHER)
		learn_offset(c, c->info.start_ns, c->info.start_real_ns);
	if (!err)
		err = write_metadata(x, c);
	if (!err && grt_was_out_of_memory())
		err = grt_fail_memory();
	if (!err)
		err = ctf_folder_commit(&c->folder);
	c->is_done = !err;
	return err;
}

static void free_state(struct grt_export *x)
{
	struct ctf *c = x->state;

	/* Here, because warnings of the last pass over a trace are dropped. */
	if (c->is_done)
		say_clamped(c);
	ctf_streams_free(&c->streams);
	ctf_threads_free(&c->threads);
	ctf_folder_free(&c->folder);
	free(c);
	x->state = NULL;
}

const struct grt_export_format grt_export_ctf = {
	.name = "ctf", .text = "a folder for babeltrace2 and Trace Compass", .suffix = ".ctf",
	.is_folder = true, .is_of_events = true, .needs = GRT_EXPORT_EVENTS,
	.begin = begin, .record = record, .job = job, .end = end, .free = free_state,
};
