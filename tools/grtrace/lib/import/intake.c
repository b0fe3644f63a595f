// SPDX-License-Identifier: LGPL-2.1
/* What becomes of the events of a file: each is looked at in the first pass, and written in the second. */
#include "import_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cursor.h"
#include "describe.h"
#include "error.h"
#include "lines.h"
#include "reader.h"
#include "run.h"

#define MAX_CPUS	4096

struct grt_import_cpu *grt_import_cpu_at(struct grt_import_job *j, uint32_t cpu)
{
	static const struct grt_import_cpu none;

	if (cpu >= MAX_CPUS || grt_vec_reach(&j->cpus, cpu, &none, sizeof(none)))
		return NULL;
	return grt_vec_at(&j->cpus, struct grt_import_cpu, cpu);
}

void grt_import_put_loss(struct grt_import *im, uint32_t cpu, uint32_t reason, uint64_t count,
			 uint64_t from_ns, uint64_t to_ns)
{
	struct grtrace_loss *rec = grt_out_add(&im->out, cpu, to_ns, GRTRACE_LOSS, sizeof(*rec),
					       0);

	if (!rec)
		return;
	rec->reason = reason;
	rec->count = count;
	rec->from_ns = from_ns;
	rec->to_ns = to_ns;
}

void grt_import_put_missing(struct grt_import_job *j, uint32_t nr, struct grt_import_cpu *cpu, uint64_t to_ns)
{
	uint64_t from_ns = cpu->last_ns > j->begin_ns ? cpu->last_ns : j->begin_ns;

	grt_import_put_loss(&j->im, nr, GRTRACE_FATE_BUFFER_FULL, cpu->missing,
		 from_ns < to_ns ? from_ns : to_ns, to_ns);
	cpu->is_missing = false;
}

void grt_import_put_unread(struct grt_import_job *j, uint32_t cpu, uint64_t to_ns)
{
	uint64_t from_ns = j->latest_ns > j->begin_ns ? j->latest_ns : j->begin_ns;

	grt_import_put_loss(&j->im, cpu, GRTRACE_FATE_WRITTEN, j->unread, from_ns < to_ns ? from_ns : to_ns,
		 to_ns);
	j->unread = 0;
}

static void put_foreign(struct grt_import *im, const struct grt_foreign *ev)
{
	char text[4352];
	int len = snprintf(text, sizeof(text), "%.*s: %.*s",
			   (int)(ev->name.len < 128 ? ev->name.len : 128), ev->name.at,
			   (int)(ev->text.len < 4096 ? ev->text.len : 4096), ev->text.at);

	grt_put_mark(im, ev, (struct grt_piece){ text, len });
}

/*
 * A trace may have events of grtrace's module and of drivers or other tracers, for the same jobs.  Whether an event
 * is left out because it would become a record of a type that the module's events give.
 */
static bool is_told_by_module(const struct grt_import *im, const struct grt_event_kind *kind)
{
	uint32_t types = im->kind_types[kind - grt_event_kinds];

	return !im->is_learning && !grt_is_module_kind(kind) && types && !(types & ~im->module_types);
}

static bool is_own_kind(const struct grt_event_kind *kind)
{
	return kind >= grt_event_kinds && kind < grt_event_kinds + grt_nr_event_kinds;
}

static void handle_kind(struct grt_import *im, const struct grt_foreign *ev)
{
	const struct grt_event_kind *kind = ev->kind;

	/* A line of "grtrace merge". */
	if (!is_own_kind(kind)) {
		kind->handle(im, ev);
		return;
	}
	if (is_told_by_module(im, kind)) {
		im->told_by_module++;
		return;
	}
	im->out.refused_types = grt_is_module_kind(kind) ? 0 : im->module_types;
	if (im->is_learning)
		im->out.refused_types = 0;
	im->out.added_types = 0;
	kind->handle(im, ev);
	im->out.refused_types = 0;
	if (!im->is_learning)
		return;
	im->kind_types[kind - grt_event_kinds] |= im->out.added_types;
	if (grt_is_module_kind(kind))
		im->module_types |= im->out.added_types;
}

static void learn_name(struct grt_import *im, const struct grt_foreign *ev)
{
	grt_advice_note(&im->advice, ev->name);
	if (ev->kind && is_own_kind(ev->kind))
		im->fits[ev->kind - grt_event_kinds]++;
}

/* Counts each event once: as kept, or by the reason why it gave no record. */
static void handle_event(struct grt_import_job *j, const struct grt_foreign *ev)
{
	struct grt_import *im = &j->im;
	uint64_t records = im->out.events, unjoined = im->unjoined;

	im->seen++;
	if (im->is_learning)
		learn_name(im, ev);
	if (ev->kind) {
		im->gpu += ev->kind->is_gpu;
		handle_kind(im, ev);
	} else {
		im->foreign++;
		/* Even an unused event may name a process. */
		grt_out_procs_name(&im->procs, grt_out_tgid(&im->procs, ev), ev);
		if (im->keeps_marks)
			put_foreign(im, ev);
	}
	if (im->out.events > records)
		im->kept++;
	else if (ev->kind && im->unjoined == unjoined)
		im->unused++;
}

/* Keeps the first of the lines. */
static void keep_example(struct grt_line_example *to, const struct grt_bad_lines *lines)
{
	struct grt_piece text = lines->first;

	if (to->number)
		return;
	to->number = lines->number;
	while (text.len && (*text.at == ' ' || *text.at == '\t')) {
		text.at++;
		text.len--;
	}
	snprintf(to->text, sizeof(to->text), "%.*s",
		 (int)(text.len < GRT_EXAMPLE_BYTES ? text.len : GRT_EXAMPLE_BYTES), text.at);
}

static bool on_unreadable(void *arg, const struct grt_bad_lines *lines)
{
	struct grt_import_job *j = arg;

	keep_example(&j->unreadable_line, lines);
	j->im.unreadable += lines->count;
	j->unread += lines->count;
	return true;
}

/*
 * If other events of the kind can be read, this line is cut, and counts as lost.  If none can, the kernel prints
 * fields that are not known here: such events are left out.
 */
static bool on_unfit(void *arg, const struct grt_event_kind *kind)
{
	struct grt_import_job *j = arg;

	if (j->im.is_learning)
		j->im.unfit[kind - grt_event_kinds]++;
	return !j->im.is_learning && !j->im.fits[kind - grt_event_kinds];
}

static bool no_such_cpu(struct grt_import_job *j)
{
	return on_unreadable(j, &(struct grt_bad_lines){ .count = 1 });
}

static void on_no_events(void *arg, const struct grt_bad_lines *lines)
{
	struct grt_import_job *j = arg;

	keep_example(&j->no_event_line, lines);
	j->no_events += lines->count;
}

/* What an event's place says, whatever it is.  False: there is no such CPU. */
static bool see(struct grt_import_job *j, uint32_t nr, uint64_t ts)
{
	struct grt_import_cpu *cpu = grt_import_cpu_at(j, nr);

	if (!cpu)
		return false;
	if (j->im.is_learning) {
		if (cpu->events && ts < cpu->first_ns && cpu->first_ns - ts > cpu->silent_ns)
			cpu->silent_ns = cpu->first_ns - ts;	/* the newest events are first */
		if (!cpu->events || ts < cpu->first_ns)
			cpu->first_ns = ts;
		if (!j->all || ts < j->begin_ns)
			j->begin_ns = ts;
		if (cpu->events++ && ts > cpu->end_ns && ts - cpu->end_ns > cpu->silent_ns)
			cpu->silent_ns = ts - cpu->end_ns;
		if (ts > cpu->end_ns)
			cpu->end_ns = ts;
		if (ts > j->end_ns)
			j->end_ns = ts;
		j->all++;
	} else {
		if (cpu->is_missing)
			grt_import_put_missing(j, nr, cpu, ts);
		if (j->unread)
			grt_import_put_unread(j, nr, ts);
	}
	if (ts > j->latest_ns)
		j->latest_ns = ts;
	cpu->is_missing = false;
	if (ts < cpu->last_ns)
		j->im.late++;
	else
		cpu->last_ns = ts;
	return true;
}

static bool on_event(void *arg, const struct grt_foreign *ev)
{
	struct grt_import_job *j = arg;
	/* It comes when a session starts, long before the first job: that is no gap on other CPUs. */
	bool is_apart = ev->kind && ev->kind->handle == grt_on_clock_sync;

	if (!is_apart && !see(j, ev->cpu, ev->ts))
		return no_such_cpu(j);
	handle_event(j, ev);
	return !j->im.out.err;
}

/* A definition that grtrace export wrote as a record.  It holds for the whole file, wherever it stands. */
static bool define(struct grt_import_job *j, const struct grtrace_hdr *rec)
{
	size_t at = j->defs.bytes;

	if (rec->type == GRTRACE_STREAM_INFO)
		j->native = *(const struct grtrace_stream_info *)rec;
	else if (rec->type == GRTRACE_METADATA)
		j->im.out.err = j->metadata.bytes ? 0 : grt_vec_append(&j->metadata, rec, rec->size);
	else if (!j->im.is_learning)
		j->im.out.err = grt_vec_append(&j->defs, rec, rec->size);
	if (j->im.out.err)
		grt_fail_memory();
	else if (rec->type == GRTRACE_RING && j->defs.bytes > at)
		/* The row of a ring is no CPU of the machine. */
		((struct grtrace_hdr *)((char *)j->defs.data + at))->cpu = 0;
	return !j->im.out.err;
}

/* Processes of threads, which marks lack. */
static void learn_thread(struct grt_import_job *j, const struct grtrace_hdr *rec)
{
	const struct grtrace_submit *submit = (const void *)rec;

	if (rec->type == GRTRACE_SUBMIT && submit->tid && submit->tgid && j->im.is_learning)
		grt_out_procs_tgid(&j->im.procs, submit->tid, submit->tgid);
}

static bool on_record(void *arg, const struct grtrace_hdr *rec)
{
	bool is_event = rec->type < GRTRACE_STREAM_BASE;
	struct grt_import_job *j = arg;
	struct grt_import_cpu *cpu;
	void *to;

	if (grt_is_definition(rec->type))
		return define(j, rec);
	/* The gap before a LOSS is what it describes. */
	cpu = grt_import_cpu_at(j, rec->cpu);
	if (cpu && rec->type == GRTRACE_LOSS)
		cpu->is_missing = false;
	if (!see(j, rec->cpu, rec->ts))
		return no_such_cpu(j);
	learn_thread(j, rec);
	j->im.seen += is_event;
	j->im.kept += is_event;
	j->im.gpu += is_event && grt_type_by_number(rec->type)->class != GRT_CLASS_EVENT;
	if (rec->type == GRTRACE_END || rec->type == GRTRACE_COMPLETE)
		grt_note(&j->im, GRT_FACT_OVER);
	to = grt_out_add(&j->im.out, rec->cpu, rec->ts, rec->type, rec->size, rec->flags);
	if (to)
		memcpy((struct grtrace_hdr *)to + 1, rec + 1, rec->size - sizeof(*rec));
	return !j->im.out.err;
}

static bool on_missing(void *arg, const struct grt_missing *missing)
{
	struct grt_import_job *j = arg;
	struct grt_import_cpu *cpu = grt_import_cpu_at(j, missing->cpu);

	if (!cpu)
		return true;
	/* Several losses before one event are added up; if one count is unknown, so is the sum. */
	if (!cpu->is_missing)
		cpu->missing = missing->count;
	else
		cpu->missing = cpu->missing && missing->count ? cpu->missing + missing->count : 0;
	cpu->is_missing = true;
	return true;
}

static void on_tgid(void *arg, uint32_t tid, uint32_t tgid)
{
	grt_out_procs_tgid(&((struct grt_import_job *)arg)->im.procs, tid, tgid);
}

static void on_clock(void *arg, const char *name)
{
	static const struct {
		const char *name;
		enum grtrace_clock_id id;
	} clocks[] = {
		{ "mono", GRTRACE_CLOCK_MONOTONIC }, { "boot", GRTRACE_CLOCK_BOOTTIME },
		{ "realtime", GRTRACE_CLOCK_REALTIME },
	};
	struct grt_import_job *j = arg;

	snprintf(j->clock_name, sizeof(j->clock_name), "%s", name);
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (!strcmp(clocks[i].name, name))
			j->clock = clocks[i].id;
}

static void on_kernel(void *arg, const char *release)
{
	struct grt_import_job *j = arg;

	snprintf(j->kernel, sizeof(j->kernel), "%s", release);
}

/* The command comes last: it may have several lines. */
static void on_recording(void *arg, const char *text)
{
	struct grt_import_job *j = arg;
	struct grt_file_header *to = &j->recording;
	const char *command = strstr(text, "\ncommand=");
	size_t bytes = command ? (size_t)(command - text) : strlen(text);
	char number[16] = "";

	grt_line_copy(to->host, sizeof(to->host), text, bytes, "host");
	grt_line_copy(to->kernel, sizeof(to->kernel), text, bytes, "kernel");
	if (grt_line_copy(number, sizeof(number), text, bytes, "focus_pid"))
		to->focus_pid = strtoul(number, NULL, 10);
	if (grt_line_copy(number, sizeof(number), text, bytes, "is_cut"))
		to->flags |= GRT_FILE_IS_CUT;
	if (grt_line_copy(number, sizeof(number), text, bytes, "goes_on"))
		to->flags |= GRT_FILE_GOES_ON;
	if (command)
		snprintf(to->command, sizeof(to->command), "%s", command + strlen("\ncommand="));
}

static void on_pages(void *arg, uint32_t bytes)
{
	((struct grt_import_job *)arg)->im.page_bytes = bytes;
}

static void on_overwritten(void *arg, int nr, uint64_t count)
{
	struct grt_import_job *j = arg;
	struct grt_import_cpu *cpu = nr < 0 ? NULL : grt_import_cpu_at(j, nr);

	if (nr < 0)
		j->is_overwritten = true;
	if (!cpu)
		return;
	cpu->is_overwritten = true;
	cpu->overwritten = count;
}

static void on_progress(void *arg, uint64_t done, uint64_t all)
{
	struct grt_import_job *j = arg;
	bool is_first = j->im.is_learning;

	if (!j->options->progress)
		return;
	if (all)
		j->options->progress((is_first ? 0 : 500) + (done < all ? done : all) * 500 / all);
	else
		j->options->progress(is_first || !j->all ? 250 : 500 + j->im.seen * 500 / j->all);
}

int grt_import_read(struct grt_import_job *j, int fd, const char *name)
{
	const struct grt_visitor visitor = {
		.arg = j, .kinds = grt_event_kinds, .nr_kinds = grt_nr_event_kinds,
		.reads_merged = true, .tick_hz = j->options->tick_hz,
		.wants_text = !j->im.is_learning && j->im.keeps_marks,
		.event = on_event, .record = on_record, .missing = on_missing, .unreadable = on_unreadable,
		.unfit = on_unfit,
		.no_events = on_no_events,
		.tgid = on_tgid, .clock = on_clock,
		.recording = on_recording, .kernel = on_kernel, .pages = on_pages,
		.overwritten = on_overwritten, .progress = on_progress,
	};
	char probe[16];
	ssize_t got = pread(fd, probe, sizeof(probe), 0);

	if (got > 0 && grt_is_dat(probe, got))
		return grt_dat_read(fd, name, &visitor);
	return grt_text_read(fd, name, &visitor);
}
