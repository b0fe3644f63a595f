// SPDX-License-Identifier: LGPL-2.1
/* Reads trace.dat, versions 6 and 7, with libtracecmd. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <trace-cmd.h>

#include "dat_head.h"
#include "error.h"
#include "import_private.h"
#include "io.h"
#include "reader.h"

#define MAX_FIELDS	10
#define MAX_EVENT_ID	65536
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

/* How this file stores an event. */
struct bound {
	bool is_bound;
	const struct grt_event_kind *kind;
	struct tep_event *event;
	unsigned int nr_fields;
	struct {
		enum grt_slot_nr slot;
		const struct tep_format_field *field;
	} fields[MAX_FIELDS];
};

struct dat {
	const struct grt_visitor *visitor;
	struct tep_handle *tep;
	struct bound *bounds;	/* indexed by the number of the event */
	struct trace_seq text;
	uint64_t count;		/* number of records */
	uint64_t bytes, most;	/* of the records so far; most that the file can hold */
	bool is_damaged;
};

bool grt_is_dat(const void *probe, size_t bytes)
{
	return bytes >= 10 && !memcmp(probe, "\x17\x08\x44tracing", 10);
}

/* Parses "slot:field|field slot:field" and keeps the fields that this file has. */
static void bind(struct bound *b)
{
	const char *at = b->kind->fields;

	while (*at && b->nr_fields < MAX_FIELDS) {
		size_t len = strcspn(at, ":");
		int slot = grt_slot_named(at, len);
		const struct tep_format_field *field = NULL;

		for (at += len; *at == ':' || *at == '|'; at += len) {
			char name[32];

			len = strcspn(++at, "| ");
			snprintf(name, sizeof(name), "%.*s", (int)len, at);
			if (!field)
				field = tep_find_field(b->event, name);
		}
		at += *at == ' ';
		if (field && slot >= 0) {
			b->fields[b->nr_fields].slot = slot;
			b->fields[b->nr_fields++].field = field;
		}
	}
}

static struct bound *bound_of(struct dat *d, int id)
{
	struct bound *b;

	if (id < 0 || id >= MAX_EVENT_ID)
		return NULL;
	b = &d->bounds[id];
	if (b->is_bound)
		return b->event ? b : NULL;
	b->is_bound = true;
	b->event = tep_find_event(d->tep, id);
	if (!b->event)
		return NULL;
	b->kind = grt_event_kind_find(d->visitor->kinds, d->visitor->nr_kinds,
				      (struct grt_piece){ b->event->name, strlen(b->event->name) });
	if (b->kind)
		bind(b);
	return b;
}

/* Finds the bytes of a field that stores their offset; false if they are outside of the record. */
static bool find_text(struct dat *d, const struct tep_record *record,
		      const struct tep_format_field *f, struct grt_piece *text)
{
	size_t at = f->offset, len = f->size;

	if (f->offset < 0 || f->size < 0 || at + len > (size_t)record->size)
		return false;
	if (f->flags & TEP_FIELD_IS_DYNAMIC) {
		uint32_t loc = tep_read_number(d->tep, (char *)record->data + at, 4);

		at = (loc & 0xffff) + (f->flags & TEP_FIELD_IS_RELATIVE ? at + len : 0);
		len = loc >> 16;
	} else if (!len) {
		len = record->size - at;	/* "char buf[]" */
	}
	if (at > (size_t)record->size || len > record->size - at)
		return false;
	text->at = (char *)record->data + at;
	text->len = strnlen(text->at, len);
	return true;
}

static void fill_slot(struct dat *d, const struct tep_record *record,
		      const struct tep_format_field *f, enum grt_slot_nr slot,
		      struct grt_foreign *ev)
{
	struct grt_piece text;
	uint64_t value;

	if (grt_slots[slot].kind == GRT_SLOT_TEXT) {
		if (find_text(d, record, f, &text))
			grt_foreign_put(ev, slot, text.at, text.len);
		return;
	}
	if (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8)
		return;
	if (f->offset < 0 || f->offset + f->size > record->size)
		return;
	value = tep_read_number(d->tep, (char *)record->data + f->offset, f->size);
	if (f->flags & TEP_FIELD_IS_SIGNED && f->size == 4)
		value = (int64_t)(int32_t)value;
	grt_foreign_set(ev, slot, value);
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
	struct bound *b;
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
	b = bound_of(d, tep_data_type(d->tep, record));
	if (!b)
		return 0;
	ev.kind = b->kind;
	ev.name = (struct grt_piece){ b->event->name, strlen(b->event->name) };
	ev.text = (struct grt_piece){ "", 0 };
	ev.ts = record->ts;
	ev.cpu = cpu;
	ev.tid = tep_data_pid(d->tep, record);
	comm = tep_data_comm_from_pid(d->tep, ev.tid);
	snprintf(ev.comm, sizeof(ev.comm), "%s", comm && strcmp(comm, "<...>") ? comm : "");
	for (unsigned int i = 0; i < b->nr_fields; i++)
		fill_slot(d, record, b->fields[i].field, b->fields[i].slot, &ev);
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
	d.bounds = calloc(MAX_EVENT_ID, sizeof(*d.bounds));
	trace_seq_init(&d.text);
	if (!d.bounds || !d.tep)
		err = grt_fail_memory();
	if (!err) {
		report_origin(visitor, handle);
		err = iterate(&d, handle, name);
	}
	if (!err && d.is_damaged)
		err = fail_damaged(name);
	trace_seq_destroy(&d.text);
	free(d.bounds);
	tracecmd_close(handle);
	return err;
}
