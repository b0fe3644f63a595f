// SPDX-License-Identifier: LGPL-2.1
#include "cpu_reader.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apart.h"
#include "cpu_line.h"
#include "error.h"
#include "import_private.h"
#include "io.h"
#include "lines_read.h"
#include "reader.h"

#define PROBE_BYTES	65536

/* Text has microseconds at best, and often does not say how many digits are exact. */
#define TEXT_RES_NS	1000

/*
 * The system call in a trace.dat and in text of trace-cmd and perf; ftrace prints "sys_ioctl(fd:
 * 3, cmd: 6444, arg: 7ffc)" and "sys_ioctl -> 0x0".
 */
static const struct grt_event_kind ioctl_kinds[] = {
	{ "sys_enter_ioctl", NULL, false, "cmd:cmd arg:arg", { "{}cmd: {cmd}, arg: {arg}" } },
	{ "sys_exit_ioctl", NULL, false, "status:ret", { "{status}" } },
	{ "sys_ioctl(fd", NULL, false, "", { "{}cmd: {cmd}, arg: {arg})" } },
	{ "sys_ioctl", NULL, false, "", { "-> {status}" } },
};

/* What the child that reads a trace.dat sends to its parent. */
struct message {
	enum { EVENT, LOST } what;
	uint64_t count;		/* LOST */
	struct grt_cpu_event event;
};

#define MANY_MESSAGES	512

struct reading {
	const struct grt_cpu_visitor *visitor;
	int fd;
	const char *name;
	uint64_t line;			/* number of the latest line */
	bool is_text;

	/* A trace.dat: */
	int to_parent, from_child;	/* the ends of a pipe, or -1 */
	size_t count;			/* of messages that wait to be sent */
	struct message messages[MANY_MESSAGES];
};

const char *grt_cpu_format_name(enum grt_cpu_format format)
{
	static const char *const names[] = {
#define GRT_X(NAME, text) text,
		GRT_CPU_FORMATS(GRT_X)
#undef GRT_X
	};

	return names[format];
}

/* --- text of our own --- */

static void give_unreadable(struct reading *r, const char *at, size_t len)
{
	r->visitor->unreadable(r->visitor->arg, &(struct grt_bad_lines){ 1, r->line, { at, len } });
}

static bool on_line(void *arg, const char *at, size_t len)
{
	struct reading *r = arg;
	struct grt_cpu_event ev;
	uint64_t count;

	r->line++;
	switch (grt_cpu_line_parse(at, len, &ev)) {
	case GRT_CPU_LINE_EVENT:
		return r->visitor->event(r->visitor->arg, &ev);
	case GRT_CPU_LINE_UNREADABLE:
		give_unreadable(r, at, len);
		break;
	case GRT_CPU_LINE_OTHER:
		if (grt_cpu_line_lost(at, len, &count))
			r->visitor->lost(r->visitor->arg, count);
		break;
	}
	return true;
}

static bool on_long_line(void *arg, const char *at, size_t len)
{
	struct reading *r = arg;

	r->line++;
	give_unreadable(r, at, len);
	return true;
}

static void on_progress(void *arg, uint64_t done, uint64_t all)
{
	struct reading *r = arg;

	if (all)
		r->visitor->progress(r->visitor->arg, done, all);
}

/* --- formats of other tools --- */

/* False: the event is no ioctl. */
static bool make_event(const struct grt_foreign *from, bool is_text, struct grt_cpu_event *ev)
{
	if (!from->kind)
		return false;
	*ev = (struct grt_cpu_event){
		.ts = from->ts, .pid = from->tgid, .tid = from->tid,
		.res_ns = is_text && !(from->ts % TEXT_RES_NS) ? TEXT_RES_NS : 1,
	};
	memcpy(ev->comm, from->comm, sizeof(ev->comm));
	if (grt_foreign_has(from, GRT_IN_STATUS)) {
		ev->type = GRT_IOCTL_EXIT;
		ev->ret = from->number[GRT_IN_STATUS];
		ev->has = GRT_CPU_HAS_RET;
		return true;
	}
	ev->type = GRT_IOCTL_ENTER;
	ev->cmd = from->number[GRT_IN_CMD];
	ev->arg = from->number[GRT_IN_ARG];
	ev->has = GRT_CPU_HAS_CMD | GRT_CPU_HAS_ARG;
	return grt_foreign_has(from, GRT_IN_CMD);
}

static bool on_foreign(void *arg, const struct grt_foreign *from)
{
	struct reading *r = arg;
	struct grt_cpu_event ev;

	return !make_event(from, r->is_text, &ev) || r->visitor->event(r->visitor->arg, &ev);
}

static bool on_missing(void *arg, const struct grt_missing *missing)
{
	struct reading *r = arg;

	r->visitor->lost(r->visitor->arg, missing->count);
	return true;
}

static bool on_unreadable(void *arg, const struct grt_bad_lines *lines)
{
	struct reading *r = arg;

	r->visitor->unreadable(r->visitor->arg, lines);
	return true;
}

static void ignore_tgid(void *arg, uint32_t tid, uint32_t tgid)
{
	(void)arg;
	(void)tid;
	(void)tgid;
}

static void ignore_name(void *arg, const char *name)
{
	(void)arg;
	(void)name;
}

/* What was overwritten came before all events. */
static void ignore_overwritten(void *arg, int cpu, uint64_t count)
{
	(void)arg;
	(void)cpu;
	(void)count;
}

static struct grt_visitor foreign_visitor(struct reading *r)
{
	return (struct grt_visitor){
		.arg = r, .kinds = ioctl_kinds,
		.nr_kinds = sizeof(ioctl_kinds) / sizeof(ioctl_kinds[0]),
		.event = on_foreign, .missing = on_missing, .unreadable = on_unreadable,
		.tgid = ignore_tgid, .clock = ignore_name, .kernel = ignore_name,
		.overwritten = ignore_overwritten, .progress = on_progress,
	};
}

/* --- a trace.dat, in a child process --- */

/* Without a reader the parent has enough: there is nothing left to do. */
static void send_all(struct reading *r)
{
	const char *at = (const char *)r->messages, *end = (const char *)(r->messages + r->count);
	ssize_t n;

	while (at < end) {
		n = write(r->to_parent, at, end - at);
		if (n < 0 && errno != EINTR)
			_exit(1);
		at += n > 0 ? n : 0;
	}
	r->count = 0;
	grt_apart_alive();
}

static void send(struct reading *r, const struct message *m)
{
	r->messages[r->count++] = *m;
	if (r->count == MANY_MESSAGES)
		send_all(r);
}

static bool send_event(void *arg, const struct grt_foreign *from)
{
	struct message m = { .what = EVENT };

	if (make_event(from, false, &m.event))
		send(arg, &m);
	return true;
}

static bool send_missing(void *arg, const struct grt_missing *missing)
{
	send(arg, &(struct message){ .what = LOST, .count = missing->count });
	return true;
}

static void send_progress(void *arg, uint64_t done, uint64_t all)
{
	(void)arg;
	(void)done;
	(void)all;
	grt_apart_alive();
}

static int read_dat(void *arg)
{
	struct reading *r = arg;
	struct grt_visitor visitor = foreign_visitor(r);
	int err;

	close(r->from_child);
	signal(SIGPIPE, SIG_IGN);
	visitor.event = send_event;
	visitor.missing = send_missing;
	visitor.progress = send_progress;
	err = grt_dat_read(r->fd, r->name, &visitor);
	send_all(r);
	return err;
}

/* The text of a crashed child's message may lack its end. */
static bool take_message(struct reading *r, struct message *m)
{
	m->event.comm[sizeof(m->event.comm) - 1] = '\0';
	if (m->what == EVENT)
		return r->visitor->event(r->visitor->arg, &m->event);
	r->visitor->lost(r->visitor->arg, m->count);
	return true;
}

/* Returns 1 if the visitor has enough. */
static int take_messages(void *arg)
{
	struct reading *r = arg;
	size_t bytes = 0, i;
	bool goes_on = true;
	ssize_t n = 1;

	close(r->to_parent);
	r->to_parent = -1;
	while (n && goes_on) {
		n = read(r->from_child, (char *)r->messages + bytes, sizeof(r->messages) - bytes);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		bytes += n;
		for (i = 0; goes_on && i < bytes / sizeof(struct message); i++)
			goes_on = take_message(r, &r->messages[i]);
		memmove(r->messages, r->messages + i, bytes - i * sizeof(struct message));
		bytes -= i * sizeof(struct message);
	}
	close(r->from_child);
	r->from_child = -1;
	return n < 0 ? grt_fail_errno(NULL, "cannot read '%s'", r->name) : !goes_on;
}

static int read_dat_apart(struct reading *r)
{
	const struct grt_apart apart = {
		.name = r->name, .arg = r, .work = read_dat, .meanwhile = take_messages,
	};
	int ends[2], err;

	if (pipe(ends))
		return grt_fail_errno(NULL, "cannot start a process to read '%s'", r->name);
	r->from_child = ends[0];
	r->to_parent = ends[1];
	err = grt_apart_run(&apart);
	/* There was no child. */
	if (r->from_child >= 0) {
		close(r->from_child);
		close(r->to_parent);
	}
	return err;
}

int grt_cpu_read(int fd, const char *name, enum grt_cpu_format format,
		 const struct grt_cpu_visitor *visitor)
{
	struct reading *r = malloc(sizeof(*r));
	const struct grt_line_visitor lines = { r, on_line, on_long_line, on_progress };
	struct grt_visitor foreign;
	int err;

	if (!r)
		return grt_fail_memory();
	r->visitor = visitor;
	r->fd = fd;
	r->name = name;
	r->line = r->count = 0;
	r->is_text = format != GRT_CPU_DAT;
	foreign = foreign_visitor(r);
	if (format == GRT_CPU_LINES)
		err = grt_lines_read(fd, name, &lines);
	else if (format == GRT_CPU_TEXT)
		err = grt_text_read(fd, name, &foreign);
	else
		err = read_dat_apart(r);
	free(r);
	return err;
}

/* Whether one of the lines is an event of our own text. */
static bool has_own_line(const char *at, const char *end)
{
	struct grt_cpu_event ev;
	const char *to;

	for (; at < end; at = to + 1) {
		to = memchr(at, '\n', end - at);
		if (!to)
			to = end;
		if (grt_cpu_line_parse(at, to - at - (to > at && to[-1] == '\r'), &ev) ==
		    GRT_CPU_LINE_EVENT)
			return true;
	}
	return false;
}

enum grt_cpu_format grt_cpu_format_of(int fd)
{
	char *probe = malloc(PROBE_BYTES);
	ssize_t bytes = probe ? grt_pread(fd, probe, PROBE_BYTES, 0) : 0;
	enum grt_cpu_format format = GRT_CPU_NONE;

	if (!probe)
		grt_fail_memory();
	if (bytes > 0 && grt_is_dat(probe, bytes))
		format = GRT_CPU_DAT;
	else if (bytes > 0 && has_own_line(probe, probe + bytes))
		format = GRT_CPU_LINES;
	else if (bytes > 0 && grt_is_event_text(fd))
		format = GRT_CPU_TEXT;
	else if (bytes > 0 && !memchr(probe, 0, bytes))
		format = GRT_CPU_LINES;
	free(probe);
	return format;
}
