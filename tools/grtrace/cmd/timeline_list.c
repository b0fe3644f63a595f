// SPDX-License-Identifier: GPL-2.0
/* timeline --list: the events of CPUs and GPUs in one list, with arrows between those of a job. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arrows.h"
#include "cpu_merge.h"
#include "error.h"
#include "lines_read.h"
#include "merged.h"
#include "merged_line.h"
#include "number.h"
#include "path.h"
#include "print.h"
#include "quote.h"
#include "stream.h"
#include "timeline.h"
#include "timeline_list.h"

struct list {
	struct trace *t;
	struct grt_arrows arrows;
	struct grt_merged merged;
	uint64_t first_ns;
	bool has_first;
	uint64_t other_lines;

	/* A trace: its events become lines, which are then handled as those of a file. */
	struct grt_timeline_sink sink;
	char *text;
	size_t bytes;
};

/* --- a line --- */

static void find_job(const struct grt_merged_line *line, struct grt_arrow_event *ev)
{
	struct grt_piece values = line->values, key, value;
	uint64_t number;

	while (grt_merged_line_value(&values, &key, &value)) {
		if (!grt_merged_number(value, &number))
			continue;
		if (grt_piece_is(key, "ctx_id"))
			ev->ctx = number;
		else if (grt_piece_is(key, "seqno"))
			ev->seqno = number;
	}
	if (ev->ctx)
		ev->kind = grt_piece_is(line->type, "COMPLETE") ? GRT_ARROW_OVER : GRT_ARROW_JOB;
}

static struct grt_arrow_event event_of(struct list *l, const struct grt_merged_line *line)
{
	static const enum grt_arrow kinds[] = {
		[GRT_MERGED_ENTER] = GRT_ARROW_ENTER, [GRT_MERGED_EXIT] = GRT_ARROW_EXIT,
		[GRT_MERGED_OTHER] = GRT_ARROW_NONE,
	};
	struct grt_arrow_event ev = { .kind = GRT_ARROW_NONE };
	const struct grt_merged_ioctl *submitter;
	struct grt_merged_ioctl ioctl;

	if (!line->is_gpu) {
		ev.kind = kinds[grt_merged_cpu(&l->merged, line->type, line->ts, line->delta, &ioctl)];
		ev.tid = ioctl.tid;
		return ev;
	}
	find_job(line, &ev);
	submitter = grt_piece_is(line->type, "SUBMIT") ?
		    grt_merged_submitter(&l->merged, line->ts, line->delta) : NULL;
	ev.has_ioctl = submitter;
	ev.tid = submitter ? submitter->tid : 0;
	return ev;
}

/* The instant of an option, before which or from which on lines are printed. */
static uint64_t instant(const struct list *l, const struct grt_moment *m, uint64_t none)
{
	if (!m->kind)
		return none;
	return m->kind == GRT_MOMENT_CLOCK ? m->ns : grt_time_after(l->first_ns, m->ns);
}

static bool is_in_time(struct list *l, uint64_t ns)
{
	const struct grt_window *w = &l->t->select->window;

	if (!l->has_first)
		l->first_ns = ns;
	l->has_first = true;
	return ns >= instant(l, &w->since, 0) && ns < instant(l, &w->until, UINT64_MAX);
}

static bool on_line(void *arg, const char *at, size_t len)
{
	struct list *l = arg;
	struct grt_merged_line line;
	struct grt_arrow_event ev;
	char *text;

	if (!len || *at == '#')
		return true;
	if (!grt_merged_line_parse(at, len, &line)) {
		l->other_lines++;
		return true;
	}
	ev = event_of(l, &line);
	if (!is_in_time(l, line.ts))
		return true;
	text = strndup(at, len);
	if (!text) {
		grt_fail_memory();
		return false;
	}
	grt_arrows_print(&l->arrows, stdout, &ev);
	grt_put_text(stdout, text);
	putchar('\n');
	free(text);
	return !ferror(stdout);
}

/* --- a file of lines --- */

static bool on_long_line(void *arg, const char *at, size_t len)
{
	(void)at;
	(void)len;
	((struct list *)arg)->other_lines++;
	return true;
}

static void on_progress(void *arg, uint64_t done, uint64_t all)
{
	(void)arg;
	(void)done;
	(void)all;
}

static int list_lines(struct list *l, int fd, const char *name)
{
	const struct grt_line_visitor visitor = { l, on_line, on_long_line, on_progress };
	int err = grt_lines_read(fd, name, &visitor);
	char count[GRT_NUMBER_MAX];

	if (!err && l->other_lines)
		grt_warn(NULL, "%s %s of '%s' cannot be read, left out",
			 grt_format_count(count, l->other_lines), grt_plural(l->other_lines, "line", "lines"),
			 name);
	return err;
}

/* --- a trace --- */

static bool on_cpu(void *arg, const struct grt_cpu_event *ev)
{
	(void)arg;
	(void)ev;
	return true;
}

static bool on_gpu(void *arg, const struct grtrace_hdr *rec, uint64_t ns, struct grt_event_names *names,
		   const struct grt_delta *delta)
{
	struct list *l = arg;

	rewind(l->sink.out);
	if (!grt_timeline_print_gpu(&l->sink, rec, ns, names, delta) || fflush(l->sink.out)) {
		grt_fail_memory();
		return false;
	}
	return on_line(l, l->text, l->bytes - 1);
}

static int list_records(struct list *l)
{
	static const struct grt_cpu_merge_ops ops = { on_cpu, on_gpu };
	struct grt_cpu_merge merge = { .ops = &ops, .arg = l, .has_deltas = true };
	int err = trace_open(l->t);

	l->sink = (struct grt_timeline_sink){ .out = open_memstream(&l->text, &l->bytes), .has_deltas = true };
	if (!err && !l->sink.out)
		err = grt_fail_memory();
	if (!err)
		err = grt_cpu_merge_begin(&merge, l->t->stream);
	if (!err)
		err = grt_cpu_merge_end(&merge);
	grt_cpu_merge_free(&merge);
	if (l->sink.out)
		fclose(l->sink.out);
	free(l->text);
	return err < 0 ? err : 0;
}

/* --- both --- */

static bool is_regular(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && !stat(path, &st) && S_ISREG(st.st_mode);
}

int timeline_list(struct trace *t)
{
	struct list l = { .t = t, .arrows.is_ascii = t->out.is_ascii };
	char copy[32], *file = copy;
	int fd, err;

	if (t->nr_files != 1)
		return list_records(&l);
	fd = grt_path_open(t->files[0], NULL);
	if (fd < 0)
		return fd;
	if (grt_is_merged(fd)) {
		err = list_lines(&l, fd, t->files[0]);
	} else {
		/* A pipe cannot be read twice, but its copy can. */
		snprintf(copy, sizeof(copy), "/dev/fd/%d", fd);
		if (!is_regular(t->files[0]))
			t->files = &file;
		err = list_records(&l);
	}
	close(fd);
	return err;
}
