// SPDX-License-Identifier: GPL-2.0
#include "merge_timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu_merge.h"
#include "cpu_reader.h"
#include "error.h"
#include "merge_offset.h"
#include "namemap.h"
#include "number.h"
#include "open_trace.h"
#include "outfile.h"
#include "path.h"
#include "print.h"
#include "quote.h"
#include "shell.h"
#include "stream.h"
#include "target.h"
#include "timeline.h"
#include "user.h"

#define SHOWN_LINES	3	/* unreadable lines that are shown */
#define SHOWN_BYTES	120	/* of each of them */
#define NEAR_NS		1000000000	/* recordings with the same clock are no farther apart */

static const char record_hint[] = "record them: sudo grtrace annotate -o cpu.txt";

struct merging {
	const struct merge_timeline *options;
	int64_t offset_ns;
	bool is_auto;
	int cpu_fd;
	enum grt_cpu_format format;
	struct grt_stream *stream;
	struct grt_cpu_merge merge;
	struct grt_timeline_sink sink;
	uint64_t read;		/* events of CPUs in the file */
	uint64_t unreadable;
	uint64_t lost;		/* events of CPUs that the file says are missing */
	bool is_lost_unknown;	/* and more, an unknown number */
	int err;
};

/* The trace may be read twice, and says everything once. */
static struct grt_namemap said;

static void warn_once(const char *hint, const char *text)
{
	if (grt_namemap_get(&said, text) != GRT_NONE)
		return;
	grt_namemap_set(&said, text, 0);
	grt_print_warning(hint, text);
}

static void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A message with the words that users of merge_timeline know. */
static void say(const char *fmt, ...)
{
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	grt_print_error(NULL, text);
}

/* Adds what was read to the recorded cause. */
static int fail_reading(int err, const char *what)
{
	char cause[512], hint[256];
	bool has_hint = grt_hint();

	snprintf(cause, sizeof(cause), "%s", *grt_cause() ? grt_cause() : strerror(-err));
	snprintf(hint, sizeof(hint), "%s", has_hint ? grt_hint() : "");
	return grt_fail(-err, has_hint ? hint : NULL, "Error reading %s events: %s", what, cause);
}

/* --- options --- */

/* "-1000000" is in ns, "-1ms" says what it is in. */
static int parse_offset(struct merging *m)
{
	const char *text = m->options->offset;
	uint64_t ns;

	m->is_auto = text && !strcmp(text, "auto");
	if (!text || m->is_auto)
		return 0;
	text += *text == '-' || *text == '+';
	if (text[strspn(text, "0123456789")] ? grt_parse_ns(text, &ns) : grt_parse_u64(text, &ns))
		return grt_fail(EINVAL, "write nanoseconds, like -1000000, or auto",
				"'%s' is no offset", m->options->offset);
	if (ns > INT64_MAX / 2)
		return grt_fail(EINVAL, "write nanoseconds, like -1000000, or auto",
				"'%s' is too large", m->options->offset);
	m->offset_ns = *m->options->offset == '-' ? -(int64_t)ns : (int64_t)ns;
	return 0;
}

int merge_timeline_check(const struct merge_timeline *a, int operands)
{
	struct merging m = { .options = a };

	if (!a->cpu || !a->gpu)
		return grt_fail(EINVAL, NULL, "a timeline needs --cpu and --gpu");
	if (operands)
		return grt_fail(EINVAL, NULL, "--cpu and --gpu take no other files");
	if (!strcmp(a->cpu, "-") && !strcmp(a->gpu, "-"))
		return grt_fail(EINVAL, NULL, "only one of --cpu and --gpu can be standard input");
	if (a->is_stats_only && a->output)
		return grt_fail(EINVAL, NULL, "--stats-only has no --output");
	return parse_offset(&m);
}

/* --- inputs --- */

static bool is_cpu_file(int fd)
{
	return grt_cpu_format_of(fd) != GRT_CPU_NONE;
}

static int open_cpu(struct merging *m)
{
	const char *name = m->options->cpu;
	char byte;

	m->cpu_fd = grt_path_open(name, is_cpu_file);
	if (m->cpu_fd == -ENOENT)
		grt_fail(ENOENT, record_hint, "cannot open '%s': %s", name, strerror(ENOENT));
	if (m->cpu_fd < 0)
		return fail_reading(m->cpu_fd, "CPU");
	if (!pread(m->cpu_fd, &byte, 1, 0))
		return grt_fail(EBADMSG, "nothing was recorded in it; record again",
				"Error reading CPU events: '%s' is empty", name);
	m->format = grt_cpu_format_of(m->cpu_fd);
	if (m->format != GRT_CPU_NONE)
		return 0;
	if (grt_was_out_of_memory())
		return grt_fail_memory();
	return grt_fail(EBADMSG, "merge --cpu reads lines like [1.000000] IOCTL_ENTER pid=1 tid=1 "
			"comm=a cmd=0x6444 arg=0x0, text of ftrace, trace-cmd and perf, and trace.dat",
			"Error reading CPU events: '%s' has none", name);
}

static int open_gpu(struct merging *m)
{
	char *const path = (char *)m->options->gpu;
	int err = grt_open_trace(&m->stream, 1, &path, 0);

	return err ? fail_reading(err, "GPU") : 0;
}

static void on_progress(void *arg, uint64_t done, uint64_t all)
{
	(void)arg;
	grt_print_progress(done < all ? done * 1000 / all : 999);
}

/* --- the offset of the clocks --- */

/* The same command with this offset; NULL if it cannot be pasted. */
static const char *hint_of(const struct merging *m, struct grt_shell *line, int64_t offset_ns)
{
	const struct merge_timeline *a = m->options;
	char number[32];

	snprintf(number, sizeof(number), " %" PRId64, offset_ns);
	line->is_cut = !strcmp(a->cpu, "-") || !strcmp(a->gpu, "-");
	grt_shell_plain(line, "grtrace merge --cpu");
	grt_shell_file(line, a->cpu);
	grt_shell_plain(line, " --gpu");
	grt_shell_file(line, a->gpu);
	grt_shell_plain(line, " --clock-offset");
	grt_shell_plain(line, number);
	if (a->output)
		grt_shell_plain(line, " --output");
	if (a->output)
		grt_shell_file(line, a->output);
	grt_shell_plain(line, a->has_deltas ? " --deltas" : "");
	grt_shell_plain(line, a->is_stats_only ? " --stats-only" : "");
	return grt_shell_text(line);
}

static void say_rival(const struct grt_clock_offset *found)
{
	if (found->is_ambiguous)
		grt_warn(NULL, "the offset is not certain: %" PRId64 " ns fits nearly as well, because "
			 "the ioctls come at regular times", found->other_ns);
}

static int use_estimate(struct merging *m, const struct grt_clock_offset *found)
{
	if (!found->is_known)
		return grt_fail(EBADMSG, "give it by hand: --clock-offset NS",
				"cannot estimate the offset of the clocks: no thread has both ioctls and "
				"SUBMITs");
	m->offset_ns = found->ns;
	fprintf(stderr, "clock offset: %" PRId64 " ns, +-%" PRIu64 " ns: %" PRIu64 " of %" PRIu64
		" %s of %u %s %s inside an ioctl\n", found->ns, found->error_ns, found->best.inside,
		found->best.submits, grt_plural(found->best.submits, "SUBMIT", "SUBMITs"), found->threads,
		grt_plural(found->threads, "thread", "threads"),
		grt_plural(found->best.inside, "is", "are"));
	say_rival(found);
	return 0;
}

static void check_zero(const struct merging *m, const struct grt_clock_offset *found)
{
	struct grt_shell line = { .at = 0 };

	if (!grt_clock_offset_differs(found))
		return;
	grt_warn(hint_of(m, &line, found->ns),
		 "the clocks of the two files seem to differ: %" PRIu64 " of %" PRIu64 " SUBMITs are "
		 "inside an ioctl of their thread, but %" PRIu64 " of %" PRIu64 " with an offset of %" PRId64
		 " ns (+-%" PRIu64 " ns)", found->without.inside, found->without.submits,
		 found->best.inside, found->best.submits, found->ns, found->error_ns);
	say_rival(found);
}

static int set_offset(struct merging *m)
{
	struct grt_clock_offset found;
	int err;

	if (m->options->offset && !m->is_auto)
		return 0;
	err = merge_offset_find(m->stream, m->cpu_fd, m->options->cpu, m->format, &found);
	if (err)
		return fail_reading(err, "CPU");
	if (m->is_auto)
		return use_estimate(m, &found);
	check_zero(m, &found);
	return 0;
}

/* --- the timeline --- */

static bool print_cpu(void *arg, const struct grt_cpu_event *ev)
{
	struct merging *m = arg;

	return m->options->is_stats_only || grt_timeline_print_cpu(&m->sink, ev);
}

static bool print_gpu(void *arg, const struct grtrace_hdr *rec, uint64_t ns,
		      struct grt_event_names *names, const struct grt_delta *delta)
{
	struct merging *m = arg;

	return m->options->is_stats_only ||
	       grt_timeline_print_gpu(&m->sink, rec, ns, names, delta);
}

static bool on_event(void *arg, const struct grt_cpu_event *ev)
{
	struct merging *m = arg;

	m->read++;
	m->err = grt_cpu_merge_event(&m->merge, ev);
	return !m->err;
}

static void on_unreadable(void *arg, const struct grt_bad_lines *lines)
{
	struct merging *m = arg;
	bool is_shown = m->unreadable < SHOWN_LINES || m->options->is_verbose;
	size_t len = lines->first.len < SHOWN_BYTES ? lines->first.len : SHOWN_BYTES;

	m->unreadable += lines->count;
	if (!is_shown)
		return;
	if (lines->number)
		say("Warning: Failed to parse line %" PRIu64 ": %.*s", lines->number, (int)len, lines->first.at);
	else
		say("Warning: Failed to parse line: %.*s", (int)len, lines->first.at);
}

static void on_lost(void *arg, uint64_t count)
{
	struct merging *m = arg;

	m->lost += count;
	m->is_lost_unknown |= !count;
}

static int merge(struct merging *m)
{
	static const struct grt_cpu_merge_ops ops = { print_cpu, print_gpu };
	const struct grt_cpu_visitor visitor = {
		.arg = m, .event = on_event, .unreadable = on_unreadable, .lost = on_lost,
		.progress = on_progress,
	};
	int err;

	m->merge = (struct grt_cpu_merge){
		.ops = &ops, .arg = m, .offset_ns = m->offset_ns,
		.has_deltas = m->options->has_deltas, .is_drm_only = m->format != GRT_CPU_LINES,
	};
	err = grt_cpu_merge_begin(&m->merge, m->stream);
	if (err)
		return fail_reading(err, "GPU");
	err = grt_cpu_read(m->cpu_fd, m->options->cpu, m->format, &visitor);
	if (err)
		return fail_reading(err, "CPU");
	if (m->err >= 0)
		m->err = grt_cpu_merge_end(&m->merge);
	return m->err < 0 ? fail_reading(m->err, "GPU") : 0;
}

static int check_read(const struct merging *m)
{
	if (m->read || m->sink.err)
		return 0;
	if (m->format == GRT_CPU_LINES)
		return grt_fail(EBADMSG, "a line is like [1234567.123456] IOCTL_ENTER pid=5678 tid=5679 "
				"comm=glxgears cmd=0xc0106444 arg=0x7ffc12345678",
				"Error reading CPU events: there are none in '%s'", m->options->cpu);
	return grt_fail(EBADMSG, record_hint,
			"Error reading CPU events: there are no ioctls in '%s'", m->options->cpu);
}

/* --- the output --- */

static int fail_writing(const struct merging *m, int err)
{
	errno = err;
	return grt_fail_errno(grt_outfile_hint(err), "cannot write '%s'", m->options->output);
}

/* Merges into a file that gets its name when it is complete. */
static int merge_to_file(struct merging *m)
{
	struct grt_user user = grt_user();
	struct grt_outfile file = { .path = m->options->output, .uid = user.uid, .gid = user.gid };
	int err = grt_outfile_open(&file), fd;

	if (err)
		return err;
	fd = dup(file.fd);
	m->sink.out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!m->sink.out) {
		err = fail_writing(m, errno);
		if (fd >= 0)
			close(fd);
	} else {
		err = merge(m);
		if (!err)
			err = check_read(m);
		if (fclose(m->sink.out) && !m->sink.err)
			m->sink.err = errno;
		if (!err && m->sink.err)
			err = fail_writing(m, m->sink.err);
	}
	if (err)
		grt_outfile_abandon(&file);
	else
		err = grt_outfile_commit(&file);
	grt_outfile_free(&file);
	return err;
}

static int merge_to_stdout(struct merging *m)
{
	int err;

	m->sink.out = stdout;
	err = merge(m);
	return err ? err : check_read(m);
}

/* --- what it counted --- */

static uint64_t span_of(const struct grt_merged_side *a, const struct grt_merged_side *b)
{
	uint64_t first_ns = a->first_ns, last_ns = a->last_ns;

	if (b->events && (!a->events || b->first_ns < first_ns))
		first_ns = b->first_ns;
	if (b->events && b->last_ns > last_ns)
		last_ns = b->last_ns;
	return last_ns - first_ns;
}

static void print_stats(const struct merging *m, FILE *out)
{
	const struct grt_cpu_merge_stats *s = &m->merge.stats;
	uint64_t events = s->cpu.events + s->gpu.events, span_ns = span_of(&s->cpu, &s->gpu);
	char text[GRT_NUMBER_MAX];

	fprintf(out, "CPU events: %s\n", grt_format_count(text, s->cpu.events));
	fprintf(out, "GPU events: %s\n", grt_format_count(text, s->gpu.events));
	fprintf(out, "span: %s\n", grt_format_ns(text, span_ns));
	fprintf(out, "events/s: %s\n",
		span_ns ? grt_format_count(text, events * 1e9 / span_ns) : "-");
}

static void print_notes(const struct merging *m, FILE *out)
{
	const struct grt_cpu_merge_stats *s = &m->merge.stats;
	const struct grt_stream_stats *t = grt_stream_stats(m->stream);
	const struct {
		uint64_t count;
		const char *one, *many, *text;
	} notes[] = {
		{ s->other_ioctls, "CPU event", "CPU events", " of ioctls that are not DRM's, left out" },
		{ m->lost, "CPU event is", "CPU events are", " missing in the file" },
		{ m->is_lost_unknown, "place", "places",
		  " or more where an unknown number of CPU events is missing" },
		{ s->lost, "GPU event is", "GPU events are", " missing: see the lines of LOSS" },
		{ s->late_cpu, "CPU event", "CPU events",
		  " came too late to be put in order, left out; sort the file first" },
		{ s->late_gpu, "GPU event", "GPU events", " out of order, left out" },
		{ s->before_zero, "GPU event", "GPU events", " shifted to before 0, shown at 0" },
		{ t->unknown_events, "GPU event", "GPU events",
		  " of an unknown type, left out; use a newer grtrace" },
	};
	char count[GRT_NUMBER_MAX];

	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		if (notes[i].count)
			fprintf(out, "  %s %s%s\n", grt_format_count(count, notes[i].count),
				grt_plural(notes[i].count, notes[i].one, notes[i].many), notes[i].text);
	if (m->unreadable)
		say("Warning: Failed to parse line: %s %s in all",
		    grt_format_count(count, m->unreadable),
		    grt_plural(m->unreadable, "line", "lines"));
	if (t->bad_sizes)
		say("Warning: Invalid event size: %s %s in '%s', left out up to the next stream",
		    grt_format_count(count, t->bad_sizes),
		    grt_plural(t->bad_sizes, "place", "places"), m->options->gpu);
}

static bool is_long_before(const struct grt_merged_side *a, const struct grt_merged_side *b)
{
	return b->first_ns > a->last_ns && b->first_ns - a->last_ns > NEAR_NS;
}

/* Two files that do not belong together, or clocks that do not. */
static void say_odd(const struct grt_cpu_merge_stats *s)
{
	if (!s->gpu.events)
		grt_print_warning("was a session running? sudo grtrace record", "there are no GPU events");
	else if (s->cpu.events && (is_long_before(&s->cpu, &s->gpu) || is_long_before(&s->gpu, &s->cpu)))
		grt_print_warning("record both with the same clock: perf record -k mono, trace-cmd record -C mono",
				  "the two files have no time in common");
}

static void print_verbose(const struct merging *m)
{
	if (!m->options->is_verbose)
		return;
	fprintf(stderr, "CPU events from '%s': %s\n", grt_shown(m->options->cpu),
		grt_cpu_format_name(m->format));
	fprintf(stderr, "GPU events from '%s': %u CPUs\n", grt_shown(m->options->gpu),
		grt_stream_stats(m->stream)->cpus);
	fprintf(stderr, "added to GPU stamps: %" PRId64 " ns\n", m->offset_ns);
}

/* A name for stat(). */
static char *path_of(const char *name)
{
	return (char *)(strcmp(name, "-") ? name : "/dev/stdin");
}

static int run(struct merging *m)
{
	char *const inputs[] = { path_of(m->options->cpu), path_of(m->options->gpu) };
	const char *output = m->options->output;
	int err = parse_offset(m);

	if (!err && output)
		err = grt_target_check(output, 2, inputs);
	if (!err)
		err = open_cpu(m);
	if (!err)
		err = open_gpu(m);
	if (!err)
		err = set_offset(m);
	if (err)
		return err;
	print_verbose(m);
	return output && !grt_outfile_is_stdout(output) ? merge_to_file(m) : merge_to_stdout(m);
}

int merge_timeline(const struct merge_timeline *a)
{
	struct merging m = {
		.options = a, .cpu_fd = -1, .sink.has_deltas = a->has_deltas,
	};
	FILE *out = a->is_stats_only ? stdout : stderr;
	grt_warn_fn *before = grt_warn_to(warn_once);
	int code = GRT_EXIT_OK, err = run(&m);

	grt_print_progress(1000);
	if (grt_reader_has_enough(err, a->output ? a->output : "-")) {
		code = GRT_EXIT_OK;
	} else if (err) {
		code = grt_print_failure(err);
	} else {
		fflush(stdout);
		print_stats(&m, out);
		print_notes(&m, out);
		say_odd(&m.merge.stats);
	}
	grt_warn_to(before);
	grt_cpu_merge_free(&m.merge);
	grt_stream_close(m.stream);
	grt_namemap_free(&said);
	if (m.cpu_fd >= 0)
		close(m.cpu_fd);
	return code;
}
