// SPDX-License-Identifier: LGPL-2.1
#include "import.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/grtrace.h>
#include <xxhash.h>

#include "child.h"
#include "cursor.h"
#include "describe.h"
#include "error.h"
#include "file.h"
#include "import_private.h"
#include "lines.h"
#include "number.h"
#include "reader.h"
#include "run.h"
#include "shell.h"
#include "writer.h"

#define MAX_CPUS	4096

/*
 * The buffer of a CPU was overwritten if the CPU was silent at the start for SILENT_TIMES the
 * longest silence later on; SILENT_EVENTS make that comparison reliable.
 */
#define SILENT_TIMES	4
#define SILENT_EVENTS	100

struct cpu {
	uint64_t first_ns, end_ns, events;	/* from the first pass */
	uint64_t silent_ns;		/* the same: the longest time without an event */
	uint64_t last_ns;		/* time of the latest event so far */
	uint64_t overwritten;		/* number of events; valid if is_overwritten */
	bool is_overwritten, is_missing;
	uint64_t missing;		/* before its next event; 0: unknown number */
};

/* The import of one file. */
struct job {
	struct grt_import im;
	const struct grt_import_options *options;
	struct grt_vec cpus;		/* struct cpu */
	uint32_t clock;			/* enum grtrace_clock_id */
	char clock_name[32], kernel[64];
	uint64_t begin_ns, end_ns;	/* times of the first and last event of all CPUs */
	uint64_t all;			/* number of events in the first pass */
	bool has_inferred_keys;		/* found in the first pass */
	bool is_overwritten;		/* the buffer of some CPU, which one is not known */
	uint64_t latest_ns;		/* time of the latest event */
	uint64_t unread;		/* unreadable lines since then */
	uint64_t no_events;		/* lines that are none */
	struct grt_line_example unreadable_line, no_event_line;
	struct grtrace_stream_info native;	/* of a file of grtrace export; hdr.size 0: it is none */
	struct grt_vec metadata;	/* the same: its first METADATA */
	struct grt_file_header recording;	/* the same: what the head of the exported file said */
	struct grt_vec defs;		/* its rings and processes */
};

static struct cpu *cpu_at(struct job *j, uint32_t cpu)
{
	static const struct cpu none;

	if (cpu >= MAX_CPUS || grt_vec_reach(&j->cpus, cpu, &none, sizeof(none)))
		return NULL;
	return grt_vec_at(&j->cpus, struct cpu, cpu);
}

static void put_loss(struct grt_import *im, uint32_t cpu, uint32_t reason, uint64_t count,
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

/* Adds a LOSS for events that are missing on a CPU between its latest event and @to_ns. */
static void put_missing(struct job *j, uint32_t nr, struct cpu *cpu, uint64_t to_ns)
{
	uint64_t from_ns = cpu->last_ns > j->begin_ns ? cpu->last_ns : j->begin_ns;

	put_loss(&j->im, nr, GRTRACE_FATE_BUFFER_FULL, cpu->missing,
		 from_ns < to_ns ? from_ns : to_ns, to_ns);
	cpu->is_missing = false;
}

/* Adds a LOSS for unreadable lines, which may be of any CPU, between the events around them. */
static void put_unread(struct job *j, uint32_t cpu, uint64_t to_ns)
{
	uint64_t from_ns = j->latest_ns > j->begin_ns ? j->latest_ns : j->begin_ns;

	put_loss(&j->im, cpu, GRTRACE_FATE_WRITTEN, j->unread, from_ns < to_ns ? from_ns : to_ns,
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
 * Whether an event of another tracer or driver is left out, because the trace also has events of
 * grtrace's module that become the same types of records: both would tell of the same jobs.
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
static void handle_event(struct job *j, const struct grt_foreign *ev)
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
	struct job *j = arg;

	keep_example(&j->unreadable_line, lines);
	j->im.unreadable += lines->count;
	j->unread += lines->count;
	return true;
}

/*
 * Some lines of an event that others of this file fit are cut.  If none fits, the kernel prints fields that are
 * not known: such events are left out, and nothing is lost.
 */
static bool on_unfit(void *arg, const struct grt_event_kind *kind)
{
	struct job *j = arg;

	if (j->im.is_learning)
		j->im.unfit[kind - grt_event_kinds]++;
	return !j->im.is_learning && !j->im.fits[kind - grt_event_kinds];
}

static bool no_such_cpu(struct job *j)
{
	return on_unreadable(j, &(struct grt_bad_lines){ .count = 1 });
}

static void on_no_events(void *arg, const struct grt_bad_lines *lines)
{
	struct job *j = arg;

	keep_example(&j->no_event_line, lines);
	j->no_events += lines->count;
}

/* What an event's place says, whatever it is.  False: there is no such CPU. */
static bool see(struct job *j, uint32_t nr, uint64_t ts)
{
	struct cpu *cpu = cpu_at(j, nr);

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
			put_missing(j, nr, cpu, ts);
		if (j->unread)
			put_unread(j, nr, ts);
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
	struct job *j = arg;
	/* It comes when a session starts, long before the first job: that is no gap on other CPUs. */
	bool is_apart = ev->kind && ev->kind->handle == grt_on_clock_sync;

	if (!is_apart && !see(j, ev->cpu, ev->ts))
		return no_such_cpu(j);
	handle_event(j, ev);
	return !j->im.out.err;
}

/* A record that grtrace export wrote.  Its definitions count for the whole file. */
static bool define(struct job *j, const struct grtrace_hdr *rec)
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
static void learn_thread(struct job *j, const struct grtrace_hdr *rec)
{
	const struct grtrace_submit *submit = (const void *)rec;

	if (rec->type == GRTRACE_SUBMIT && submit->tid && submit->tgid && j->im.is_learning)
		grt_out_procs_tgid(&j->im.procs, submit->tid, submit->tgid);
}

static bool on_record(void *arg, const struct grtrace_hdr *rec)
{
	bool is_event = rec->type < GRTRACE_STREAM_BASE;
	struct job *j = arg;
	struct cpu *cpu;
	void *to;

	if (grt_is_definition(rec->type))
		return define(j, rec);
	/* The gap before a LOSS is what it describes. */
	cpu = cpu_at(j, rec->cpu);
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
	struct job *j = arg;
	struct cpu *cpu = cpu_at(j, missing->cpu);

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
	grt_out_procs_tgid(&((struct job *)arg)->im.procs, tid, tgid);
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
	struct job *j = arg;

	snprintf(j->clock_name, sizeof(j->clock_name), "%s", name);
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (!strcmp(clocks[i].name, name))
			j->clock = clocks[i].id;
}

static void on_kernel(void *arg, const char *release)
{
	struct job *j = arg;

	snprintf(j->kernel, sizeof(j->kernel), "%s", release);
}

/* The command comes last: it may have several lines. */
static void on_recording(void *arg, const char *text)
{
	struct job *j = arg;
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
	((struct job *)arg)->im.page_bytes = bytes;
}

static void on_overwritten(void *arg, int nr, uint64_t count)
{
	struct job *j = arg;
	struct cpu *cpu = nr < 0 ? NULL : cpu_at(j, nr);

	if (nr < 0)
		j->is_overwritten = true;
	if (!cpu)
		return;
	cpu->is_overwritten = true;
	cpu->overwritten = count;
}

static void on_progress(void *arg, uint64_t done, uint64_t all)
{
	struct job *j = arg;
	bool is_first = j->im.is_learning;

	if (!j->options->progress)
		return;
	if (all)
		j->options->progress((is_first ? 0 : 500) + (done < all ? done : all) * 500 / all);
	else
		j->options->progress(is_first || !j->all ? 250 : 500 + j->im.seen * 500 / j->all);
}

/* Whether the CPU was silent at the start for longer than could be normal. */
static bool began_late(const struct job *j, const struct cpu *cpu)
{
	return cpu->events > SILENT_EVENTS &&
	       (cpu->first_ns - j->begin_ns) / SILENT_TIMES > cpu->silent_ns;
}

/* Reports CPUs whose first events were overwritten, while other CPUs have events of that time. */
static void report_overwritten(struct job *j, const char *name)
{
	struct grt_shell hint = { .is_cut = !strcmp(name, "-") };
	uint32_t late = 0, last = 0;
	uint64_t late_us;
	char since[32];

	/* It has LOSS records of its own. */
	if (j->native.hdr.size)
		return;

	for (uint32_t i = 0; i < grt_vec_count(&j->cpus, struct cpu); i++) {
		struct cpu *cpu = cpu_at(j, i);

		if (!cpu->events || cpu->first_ns == j->begin_ns ||
		    !(cpu->is_overwritten || j->is_overwritten || began_late(j, cpu)))
			continue;
		put_loss(&j->im, i, GRTRACE_FATE_WRITTEN, cpu->overwritten, j->begin_ns,
			 cpu->first_ns);
		if (!late++ || cpu->first_ns > cpu_at(j, last)->first_ns)
			last = i;
	}
	if (!late || grt_late_is_told)
		return;
	/* Rounded up: not before the CPU's first event. */
	late_us = (cpu_at(j, last)->first_ns - j->begin_ns + 999) / 1000;
	snprintf(since, sizeof(since), "%" PRIu64 ".%06" PRIu64 "s", late_us / 1000000,
		 late_us % 1000000);
	grt_shell_plain(&hint, "grtrace report --since ");
	grt_shell_plain(&hint, since);
	grt_shell_file(&hint, name);
	grt_shell_plain(&hint, "    # the part with all events");
	grt_warn(grt_shell_text(&hint),
		 "the %s of %u %s late, the last (CPU %u) %.*s s after the first: earlier "
		 "events were overwritten", grt_plural(late, "buffer", "buffers"), late,
		 grt_plural(late, "CPU begins", "CPUs begin"), last,
		 (int)strlen(since) - 1, since);
}

static void between_passes(struct job *j)
{
	for (size_t i = 0; i < grt_vec_count(&j->cpus, struct cpu); i++) {
		struct cpu *cpu = grt_vec_at(&j->cpus, struct cpu, i);

		cpu->is_missing = false;
		cpu->last_ns = 0;
	}
	j->im.is_learning = false;
	if (j->native.hdr.size)
		j->im.out.session_id = j->native.session_id;
	j->has_inferred_keys = j->im.inferred_keys && !(j->im.module_types >> GRTRACE_SUBMIT & 1);
	grt_ctxs_rewind(&j->im.ctxs);
	grt_join_rewind(&j->im.join);
	j->im.merged.count = 0;
	memset(&j->im.virtio, 0, sizeof(j->im.virtio));
	memset(&j->im.qemu, 0, sizeof(j->im.qemu));
	grt_out_rings_rewind(&j->im.rings);
	grt_out_procs_rewind(&j->im.procs);
	j->im.out.events = j->im.late = 0;
	j->im.seen = j->im.kept = j->im.foreign = j->im.gpu = 0;
	j->im.unjoined = j->im.unused = j->im.unreadable = j->im.inferred_keys = 0;
	j->latest_ns = j->unread = j->no_events = 0;
}

static int read_file(struct job *j, int fd, const char *name)
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

static int append_text(struct grt_vec *defs, uint64_t ts, uint64_t session, const char *text)
{
	size_t len = strlen(text), room = (len / 8 + 1) * 8;
	struct grtrace_metadata *rec = grt_vec_grow(defs, sizeof(*rec) + room);

	if (!rec)
		return grt_fail_memory();
	memset(rec, 0, sizeof(*rec) + room);
	rec->hdr.type = GRTRACE_METADATA;
	rec->hdr.size = sizeof(*rec) + room;
	rec->hdr.ts = ts;
	rec->session_id = session;
	memcpy(rec + 1, text, len);
	return 0;
}

/* Writes the definitions that describe the whole file. */
static int define_stream(struct job *j, struct grt_vec *defs)
{
	struct grt_import *im = &j->im;
	struct grtrace_stream_info info = {
		.hdr = { .type = GRTRACE_STREAM_INFO, .size = sizeof(info),
			 .ts = j->native.hdr.size ? j->native.hdr.ts : j->begin_ns },
		.magic = GRTRACE_STREAM_MAGIC, .version = GRTRACE_FORMAT_VERSION,
		.clock = j->clock, .session_id = im->out.session_id, .start_ns = j->begin_ns,
		.features = 1u << GRTRACE_FEATURE_SIZE_SKIP,
		.cpus = grt_vec_count(&j->cpus, struct cpu),
	};
	char text[512];
	int err;

	if (j->clock == GRTRACE_CLOCK_REALTIME)
		info.start_real_ns = j->begin_ns;
	if (im->facts[GRT_FACT_DEPENDENCY])
		info.features |= 1u << GRTRACE_FEATURE_DEPENDENCIES;
	if (j->native.hdr.size) {
		/* Events of all CPUs are counted anew. */
		info.features = j->native.features & ~(1ull << GRTRACE_FEATURE_GLOBAL_SEQ);
		info.cpus = j->native.cpus;
		info.start_ns = j->native.start_ns;
		info.start_real_ns = j->native.start_real_ns;
	}
	snprintf(text, sizeof(text), "imported=1\nclock_name=%s\nkeys=%s\n%s%s%s",
		 *j->clock_name ? j->clock_name : "unknown",
		 j->has_inferred_keys ? "inferred" : "exact",
		 *j->kernel ? "kernel=" : "", j->kernel, *j->kernel ? "\n" : "");
	err = grt_vec_append(defs, &info, sizeof(info));
	if (!err && j->native.hdr.size && j->metadata.bytes)
		return grt_vec_append(defs, j->metadata.data, j->metadata.bytes);
	return err ? err : append_text(defs, j->begin_ns, im->out.session_id, text);
}

static int define_names(struct job *j, struct grt_vec *defs)
{
	int err;

	if (j->native.hdr.size)
		return grt_vec_append(defs, j->defs.data, j->defs.bytes);
	err = grt_out_rings_define(&j->im.rings, defs, j->begin_ns);

	return err ? err : grt_out_procs_define(&j->im.procs, defs, j->begin_ns);
}

static int write_defs(struct job *j, int (*define)(struct job *j, struct grt_vec *defs))
{
	struct grt_vec defs = { 0 };
	struct grt_cursor c;
	struct grt_run run;
	int err = define(j, &defs);

	c = grt_cursor(defs.data, defs.bytes);
	while (!err && grt_next_run(&c, GRT_CHUNK_GOAL_BYTES, &run))
		err = grt_writer_run(j->im.out.writer, 0, &run);
	grt_vec_free(&defs);
	return err;
}

/* Reports losses with no event after them. */
static void report_missing(struct job *j)
{
	for (uint32_t i = 0; i < grt_vec_count(&j->cpus, struct cpu); i++)
		if (cpu_at(j, i)->is_missing)
			put_missing(j, i, cpu_at(j, i), j->end_ns);
	if (j->unread)
		put_unread(j, 0, j->end_ns);
}

static int write_file(struct job *j, int fd, const char *name, int to)
{
	struct grt_file_header header = j->recording;
	int err, close_err;

	header.session_id = j->im.out.session_id;
	header.start_ns = j->begin_ns;
	if (j->clock == GRTRACE_CLOCK_REALTIME)
		header.start_real_ns = j->begin_ns;
	if (j->native.hdr.size) {
		header.start_ns = j->native.start_ns;
		header.start_real_ns = j->native.start_real_ns;
	} else {
		snprintf(header.kernel, sizeof(header.kernel), "%s", j->kernel);
	}
	err = grt_writer_begin(&j->im.out.writer, to, j->options->to_name, &header);
	if (err)
		return err;
	report_overwritten(j, name);
	err = write_defs(j, define_stream);
	err = err ? err : read_file(j, fd, name);
	if (!err)
		report_missing(j);
	close_err = grt_out_close(&j->im.out);
	err = err ? err : close_err;
	err = err ? err : write_defs(j, define_names);
	close_err = grt_writer_close(j->im.out.writer);
	return err ? err : close_err;
}

/* Tells of the events whose fields are not known, once.  Fails if the file has no others. */
static int tell_unfit(const struct job *j, const char *name)
{
	static const char hint[] = "report it as a bug, with some of these lines";
	const char *first = NULL;
	uint64_t events = 0;

	for (size_t i = 0; i < grt_nr_event_kinds; i++) {
		if (!j->im.unfit[i] || j->im.fits[i])
			continue;
		first = first ? first : grt_event_kinds[i].name;
		events += j->im.unfit[i];
	}
	if (!first)
		return 0;
	if (!j->im.gpu)
		return grt_fail(EBADMSG, hint, "the fields of %" PRIu64 " %s of '%s', such as %s, are not known, "
				"and it has no others of GPU jobs", events,
				grt_plural(events, "event", "events"), name, first);
	grt_warn(hint, "the fields of %" PRIu64 " %s of '%s', such as %s, are not known: left out", events,
		 grt_plural(events, "event", "events"), name, first);
	return 0;
}

/* Imports the file in this process, with two passes. */
static int import(struct job *j, int fd, const char *name, int to)
{
	const char *hint;
	const uint64_t *facts = j->im.facts;
	unsigned int shared;
	int err;

	j->im.is_learning = true;
	err = read_file(j, fd, name);
	grt_out_close(&j->im.out);
	if (err)
		return err;
	hint = grt_advice_hint(&j->im.advice);
	if (!j->all)
		return grt_fail(EBADMSG, hint, "there are no events in '%s'", name);
	err = tell_unfit(j, name);
	if (err)
		return err;
	if (!j->im.gpu)
		return grt_fail(EBADMSG, hint, "'%s' has %" PRIu64 " %s, none of a GPU job that is "
				"known here", name, j->all, grt_plural(j->all, "event", "events"));
	if (!facts[GRT_FACT_OVER])
		grt_warn("record dma_fence:dma_fence_signaled, too",
			 "no event in '%s' says when jobs end", name);
	shared = j->im.facts[GRT_FACT_SCHED] && !j->im.module_types ? grt_out_rings_shared(&j->im.rings) : 0;
	if (shared)
		grt_warn("their events have no names of devices before Linux 6.17",
			 "%u %s on several GPUs: rings with the same name are shown as one; when their jobs "
			 "began is not known", shared,
			 grt_plural(shared, "name of a ring is", "names of rings are"));
	between_passes(j);
	err = write_file(j, fd, name, to);
	if (!err && j->im.told_by_module)
		grt_warn("record them without grtrace:* to see jobs outside of grtrace's session",
			 "the jobs of '%s' are those of grtrace's own events: %" PRIu64 " other %s "
			 "of jobs %s left out", name, j->im.told_by_module,
			 grt_plural(j->im.told_by_module, "event", "events"),
			 grt_plural(j->im.told_by_module, "is", "are"));
	return err;
}

static uint64_t session_of(int fd)
{
	struct stat st;
	uint64_t key[3] = { 0 };

	if (!fstat(fd, &st)) {
		key[0] = st.st_size;
		key[1] = st.st_mtim.tv_sec;
		key[2] = st.st_mtim.tv_nsec;
	}
	return XXH64(key, sizeof(key), 0) | 1;
}

static void fill_sums(const struct job *j, struct grt_import_sums *sums)
{
	*sums = (struct grt_import_sums){
		.events = j->im.seen, .records = j->im.out.events, .foreign = j->im.foreign,
		.unjoined = j->im.unjoined, .unused = j->im.unused, .kept = j->im.kept,
		.unreadable = j->im.unreadable, .unreadable_line = j->unreadable_line,
		.no_events = j->no_events, .no_event_line = j->no_event_line, .inferred_keys = j->im.inferred_keys,
		.late = j->im.late, .span_ns = j->end_ns - j->begin_ns,
	};
}

int grt_import_here(int fd, const char *name, int to,
		    const struct grt_import_options *options, struct grt_import_sums *sums)
{
	struct job j = {
		.options = options, .clock = GRTRACE_CLOCK_OTHER,
		.im = {
			.keeps_marks = options->keeps_marks, .rings = { .driver = options->driver },
			.out = { .session_id = session_of(fd) },
		},
	};
	int err = import(&j, fd, name, to);

	fill_sums(&j, sums);
	grt_vec_free(&j.cpus);
	grt_vec_free(&j.defs);
	grt_vec_free(&j.metadata);
	grt_ctxs_free(&j.im.ctxs);
	grt_map_free(&j.im.objects);
	grt_join_free(&j.im.join);
	grt_out_rings_free(&j.im.rings);
	grt_out_procs_free(&j.im.procs);
	return err;
}

bool grt_is_foreign(int fd, const void *probe, size_t bytes)
{
	return grt_is_dat(probe, bytes) || grt_is_event_text(fd);
}
