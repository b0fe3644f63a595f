// SPDX-License-Identifier: LGPL-2.1
/* Reads trace.dat, versions 6 and 7, with libtracecmd. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <trace-cmd.h>

#include "bind.h"
#include "dat_head.h"
#include "error.h"
#include "import_private.h"
#include "io.h"
#include "native.h"
#include "reader.h"

/* Linux gives no process a greater number; grtrace export does, to tasks that it made up. */
#define MAX_PID		4194304

#define PROGRESS_EVENTS	65536
#define MAX_TEXT	4096
#define RECORD_BYTES	8	/* of the shortest record */

/* Since version 7 a file may be compressed, at most by this factor. */
#define MOST_COMPRESSED	256

/* More than any kernel has. libtracecmd asks each CPU for its next event, for every event. */
#define MAX_CPUS	8192

/* libtracecmd has this function, but its header does not.  Without it the report lacks a detail. */
extern const char *tracecmd_get_trace_clock(struct tracecmd_input *handle) __attribute__((weak));
extern const char *tracecmd_get_uname(struct tracecmd_input *handle) __attribute__((weak));
extern const char *tracecmd_get_cpustats(struct tracecmd_input *handle) __attribute__((weak));
extern int tracecmd_cpus(struct tracecmd_input *handle) __attribute__((weak));

struct dat {
	const struct grt_visitor *visitor;
	struct tep_handle *tep;
	struct grt_binder binder;
	struct grt_native native;
	struct trace_seq text;
	uint64_t count;		/* number of records */
	uint64_t bytes, most;	/* of the records so far; most that the file can hold */
	bool is_damaged, has_conversion;
};

bool grt_is_dat(const void *probe, size_t bytes)
{
	return bytes >= 10 && !memcmp(probe, "\x17\x08\x44tracing", 10);
}

/* Prints the event as the kernel would. */
static void fill_text(struct dat *d, struct tep_record *record, struct grt_foreign *ev)
{
	trace_seq_reset(&d->text);
	tep_print_event(d->tep, &d->text, record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&d->text);
	ev->text = (struct grt_piece){ d->text.buffer, strnlen(d->text.buffer, MAX_TEXT) };
}

static int on_record(struct tracecmd_input *handle, struct tep_record *record, int cpu, void *arg)
{
	struct dat *d = arg;
	struct grt_missing missing = { .cpu = cpu };
	/* Zeroed, because the file's events may lack fields that are used. */
	struct grt_foreign ev = { .kind = NULL };
	enum grt_native_answer native;
	struct tep_event *event;
	const char *comm;

	(void)handle;
	/*
	 * After a record of negative size libtracecmd reads backwards without end, and all records
	 * together cannot be larger than the file allows.  libtracecmd goes on although this
	 * returns 1; it is then ended like one that got stuck, because progress() is not called.
	 */
	d->bytes += record->record_size > RECORD_BYTES ? record->record_size : RECORD_BYTES;
	d->is_damaged |= record->size < 0 || d->bytes > d->most;
	if (d->is_damaged)
		return 1;
	if (!(++d->count % PROGRESS_EVENTS))
		d->visitor->progress(d->visitor->arg, 0, 0);
	if (record->missed_events) {
		missing.count = record->missed_events > 0 ? record->missed_events : 0;
		if (!d->visitor->missing(d->visitor->arg, &missing))
			return 1;
	}
	event = grt_bind(&d->binder, record, &ev);
	if (!event)
		return 0;
	native = d->visitor->record ?
		 grt_native_read(&d->native, &d->binder, event, record, cpu) : GRT_NATIVE_NOT;
	if (native == GRT_NATIVE_RECORD)
		return !d->visitor->record(d->visitor->arg, d->native.record.data);
	if (native == GRT_NATIVE_RECORDING && d->visitor->recording)
		d->visitor->recording(d->visitor->arg, d->native.text.data);
	if (native != GRT_NATIVE_NOT)
		return 0;
	ev.text = (struct grt_piece){ "", 0 };
	ev.ts = record->ts;
	ev.cpu = cpu;
	ev.tid = tep_data_pid(d->tep, record);
	if (ev.tid > MAX_PID)
		ev.tid = 0;
	comm = tep_data_comm_from_pid(d->tep, ev.tid);
	snprintf(ev.comm, sizeof(ev.comm), "%s", comm && strcmp(comm, "<...>") ? comm : "");
	if (d->visitor->wants_text && !ev.kind)
		fill_text(d, record, &ev);
	return !d->visitor->event(d->visitor->arg, &ev);
}

/* "25412 20337\n": a thread and its process. */
static void read_tgids(const struct grt_visitor *visitor, int fd,
		       const struct grt_dat_option *option)
{
	char *text = calloc(1, option->bytes + 1ul), *at, *end;
	unsigned long tid, tgid;

	if (!text)
		grt_fail_memory();
	if (text && grt_pread(fd, text, option->bytes, option->at + 6) == (ssize_t)option->bytes)
		for (at = text; *at; at = *end ? end + 1 : end) {
			tid = strtoul(at, &end, 10);
			if (*end != ' ')
				break;
			tgid = strtoul(end, &end, 10);
			if (*end && *end != '\n')
				break;
			visitor->tgid(visitor->arg, tid, tgid);
		}
	free(text);
}

/* Copies @from into a file without a name.  -errno with a cause. */
static int copy_file(int from)
{
	static char buffer[1 << 16];
	int to = grt_temporary();
	uint64_t at = 0;
	ssize_t got;

	if (to < 0)
		return to;
	/* Not copy_file_range(), which fails between some file systems. */
	while ((got = grt_pread(from, buffer, sizeof(buffer), at)) > 0) {
		if (pwrite(to, buffer, got, at) != got)
			break;
		at += got;
	}
	if (got) {
		close(to);
		return grt_fail_errno("set TMPDIR to a folder with room",
				      "cannot copy the trace to repair the copy");
	}
	return to;
}

/*
 * Returns a file that libtracecmd can read: this one, or a copy in which each option that it would
 * misread gets a number that it skips.
 */
static int mend(int fd, const struct grt_visitor *visitor, const struct grt_vec *options)
{
	static const uint16_t unused = 0xfff0;
	int to = -1;

	for (size_t i = 0; i < grt_vec_count(options, struct grt_dat_option); i++) {
		const struct grt_dat_option *o = grt_vec_at(options, struct grt_dat_option, i);

		if (!grt_dat_is_stray(o))
			continue;
		read_tgids(visitor, fd, o);
		if (to < 0)
			to = copy_file(fd);
		if (to < 0)
			return to;
		/* Overwrites in place, which needs no disk space. */
		if (pwrite(to, &unused, sizeof(unused), o->at) != sizeof(unused)) {
			close(to);
			return grt_fail_errno(NULL, "cannot repair the copy of the trace");
		}
	}
	if (to < 0)
		to = dup(fd);
	return to < 0 ? grt_fail_errno(NULL, "cannot open the trace again") : to;
}

/* "CPU: 1 ... overrun: 12": events that were overwritten before they were saved. */
static void read_overruns(const struct grt_visitor *visitor, const char *stats)
{
	const char *at = stats, *overrun;
	long cpu;

	while (at && (at = strstr(at, "CPU: "))) {
		cpu = strtol(at + 5, NULL, 10);
		overrun = strstr(at, "\noverrun: ");
		at = strstr(at + 5, "CPU: ");
		if (overrun && (!at || overrun < at) && strtoull(overrun + 10, NULL, 10))
			visitor->overwritten(visitor->arg, cpu, strtoull(overrun + 10, NULL, 10));
	}
}

/* Clocks of the kernel that count something else than ns. */
static bool is_tick_clock(const char *name)
{
	static const char *const clocks[] = { "x86-tsc", "counter", "uptime", "ppc-tb" };

	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (!strcmp(name, clocks[i]))
			return true;
	return false;
}

/* Without the length of a tick nothing has a duration. */
static int check_clock(const struct dat *d, struct tracecmd_input *handle, const char *name)
{
	const char *clock = tracecmd_get_trace_clock ? tracecmd_get_trace_clock(handle) : NULL;

	if (!clock || !is_tick_clock(clock) || d->has_conversion)
		return 0;
	return grt_fail(EBADMSG, "record with -C mono; or: trace-cmd report FILE | grtrace import --tick-hz HZ -",
			"'%s' has the times of the clock '%s', which counts ticks: how long a tick takes is not known", name, clock);
}

static void report_origin(const struct grt_visitor *visitor, struct tracecmd_input *handle)
{
	const char *clock = tracecmd_get_trace_clock ? tracecmd_get_trace_clock(handle) : NULL;
	const char *uname = tracecmd_get_uname ? tracecmd_get_uname(handle) : NULL;
	const char *stats = tracecmd_get_cpustats ? tracecmd_get_cpustats(handle) : NULL;
	char release[64];

	/* "Linux host 6.1.0 ..." */
	if (uname && sscanf(uname, "%*s %*s %63s", release) == 1)
		visitor->kernel(visitor->arg, release);
	if (clock)
		visitor->clock(visitor->arg, clock);
	if (stats)
		read_overruns(visitor, stats);
}

/* The most bytes that all records of the file may have together. */
static uint64_t most_bytes(int fd)
{
	char head[11] = "";
	struct stat st;

	if (fstat(fd, &st) || grt_pread(fd, head, sizeof(head), 0) != sizeof(head))
		return 0;
	return st.st_size * (head[10] == '6' ? 1ull : MOST_COMPRESSED);
}

static int fail_damaged(const char *name)
{
	if (grt_was_out_of_memory())
		return grt_fail_memory();
	return grt_fail(EBADMSG, "check if 'trace-cmd report' can read it",
			"'%s' is a damaged trace.dat, or has an unknown version", name);
}

static int iterate(struct dat *d, struct tracecmd_input *handle, const char *name)
{
	int nr = tracecmd_buffer_instances(handle), opened = 1;
	struct tracecmd_input **all = calloc(nr + 1ul, sizeof(*all));
	int err = 0;

	if (!all)
		return grt_fail_memory();
	all[0] = handle;
	for (int i = 0; i < nr; i++) {
		all[opened] = tracecmd_buffer_instance_handle(handle, i);
		opened += all[opened] != NULL;
	}
	for (int i = 0; i < opened; i++)
		if (tracecmd_cpus && tracecmd_cpus(all[i]) > MAX_CPUS)
			err = fail_damaged(name);
	if (!err)
		tracecmd_iterate_events_multi(all, opened, on_record, d);
	for (int i = 1; i < opened; i++)
		tracecmd_close(all[i]);
	free(all);
	return err;
}

int grt_dat_read(int fd, const char *name, const struct grt_visitor *visitor)
{
	struct dat d = { .visitor = visitor, .most = most_bytes(fd) };
	struct grt_vec options = { 0 };
	struct tracecmd_input *handle = NULL;
	int own, err = 0;

	tracecmd_set_loglevel(TEP_LOG_NONE);
	tep_set_loglevel(TEP_LOG_NONE);
	if (!grt_dat_options(fd, &options)) {
		grt_vec_free(&options);
		return fail_damaged(name);
	}
	d.has_conversion = grt_dat_has_conversion(&options);
	own = mend(fd, visitor, &options);
	grt_vec_free(&options);
	if (own < 0)
		return own;
	if (!lseek(own, 0, SEEK_SET))
		handle = tracecmd_open_fd(own, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (!handle) {
		close(own);
		return fail_damaged(name);
	}
	d.tep = tracecmd_get_tep(handle);
	trace_seq_init(&d.text);
	err = d.tep ? grt_binder_create(&d.binder, d.tep, visitor->kinds, visitor->nr_kinds) : grt_fail_memory();
	if (!err) {
		report_origin(visitor, handle);
		if (visitor->pages)
			visitor->pages(visitor->arg, grt_dat_page_bytes(fd));
		err = check_clock(&d, handle, name);
	}
	if (!err)
		err = iterate(&d, handle, name);
	if (!err && d.is_damaged)
		err = fail_damaged(name);
	trace_seq_destroy(&d.text);
	grt_binder_free(&d.binder);
	grt_native_free(&d.native);
	tracecmd_close(handle);
	return err;
}
