// SPDX-License-Identifier: GPL-2.0
#include "merge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "error.h"
#include "merge_guest.h"
#include "merge_timeline.h"
#include "number.h"
#include "options.h"
#include "outfile.h"
#include "print.h"
#include "quote.h"
#include "user.h"

/* "2:-1.5ms,3:1s" */
static int parse_offsets(struct grt_merge *m, const char *text)
{
	char part[64];

	while (text && *text) {
		size_t len = strcspn(text, ",");
		char *colon;
		uint64_t nr, ns;

		snprintf(part, sizeof(part), "%.*s", (int)len, text);
		colon = strchr(part, ':');
		if (!colon || len >= sizeof(part))
			return grt_fail(EINVAL, "write it like 2:-1.5ms", "'%s' is no offset", part);
		*colon++ = '\0';
		if (grt_parse_u64(part, &nr))
			return -EINVAL;
		if (!nr || nr > (uint64_t)m->count)
			return grt_fail(EINVAL, "they count from 1, in the order of the command line",
					"there is no trace number %" PRIu64, nr);
		if (grt_parse_ns(colon + (*colon == '-'), &ns))
			return -EINVAL;
		if (ns > INT64_MAX)
			return grt_fail(EINVAL, "write it like 2:-1.5ms", "'%s' is too large", colon);
		m->inputs[nr - 1].offset_ns = *colon == '-' ? -(int64_t)ns : (int64_t)ns;
		m->inputs[nr - 1].has_offset = true;
		text += len + (text[len] == ',');
	}
	return 0;
}

/* "merge=a.grt b.grt", as one line even if a file name has line ends. */
static void make_line(char *line, size_t room, int count, char **paths)
{
	size_t at = snprintf(line, room, "merge=");

	for (int i = 0; i < count && at < room; i++) {
		const char *slash = strrchr(paths[i], '/');

		at += snprintf(line + at, room - at, "%s%s", i ? " " : "",
			       slash ? slash + 1 : paths[i]);
	}
	for (; *line; line++)
		if ((unsigned char)*line < ' ' || *line == 0x7f)
			*line = '?';
}

static void print_result(const struct grt_merge *m, const char *path)
{
	char count[GRT_NUMBER_MAX], shift[GRT_NUMBER_MAX];
	FILE *out = grt_result_file(path);

	for (int i = 0; i < m->count; i++) {
		const struct grt_merge_input *in = &m->inputs[i];
		int64_t ns = in->shift_ns - m->inputs[0].shift_ns;

		fprintf(out, "%d  %s: %s %s%s%s, boot %" PRIu64, i + 1, grt_shown(in->path),
			grt_format_count(count, in->events),
			grt_plural(in->events, "event", "events"), *in->host ? " of host " : "",
			grt_shown(in->host), in->boot + 1);
		if (ns)
			fprintf(out, ", times %c%s", ns < 0 ? '-' : '+',
			       grt_format_ns(shift, ns < 0 ? -(uint64_t)ns : (uint64_t)ns));
		if (in->is_aligned)
			fprintf(out, " by CLOCK_REALTIME%s", in->has_offset ? " and --offset" : "");
		if (in->is_by_fences)
			fprintf(out, " and the order of its fences, within %s", grt_format_ns(shift, in->within_ns));
		if (in->is_by_peer)
			fprintf(out, " by the clock of a peer%s, within %s", in->has_offset ? " and --offset" : "",
				grt_format_ns(shift, in->within_ns));
		if (in->drift_ns)
			fprintf(out, "; the clocks drifted apart by %s", grt_format_ns(shift, in->drift_ns));
		putc('\n', out);
	}
	fprintf(out, "%s: %s %s of %" PRIu64 " %s\n", grt_shown(path),
		grt_format_count(count, m->events), grt_plural(m->events, "event", "events"),
		m->boots, grt_plural(m->boots, "boot", "boots"));
}

/* The recorded cause and hint in one line. */
static int usage_of_cause(const struct grt_option *options, const char *before)
{
	return grt_usage(options, "%s%s%s%s", before, grt_cause(), grt_hint() ? "; " : "",
			 grt_hint() ? grt_hint() : "");
}

#define GUEST	2	/* number of its trace */

/* The host comes first, because its clock is that of the result. */
static int put_pair(char **files, const struct merge_guest *g, int argc, char **argv)
{
	int count = 0;

	if (merge_guest_is_meant(g)) {
		files[count++] = g->host;
		files[count++] = g->guest;
	}
	for (int i = 0; i < argc && count < GRT_MERGE_MAX; i++)
		files[count++] = argv[i];
	return count;
}

int cmd_merge(int argc, char **argv)
{
	struct merge_timeline timeline = { 0 };
	struct grt_user user = grt_user();
	struct grt_target to = { .uid = user.uid, .gid = user.gid };
	struct grt_merge_input inputs[GRT_MERGE_MAX] = { 0 };
	struct grt_merge m = { .inputs = inputs };
	struct merge_guest guest = { .guest = NULL };
	char *files[GRT_MERGE_MAX];
	const char *offsets = NULL, *output = NULL;
	char line[1024];
	const struct grt_option options[] = {
		OPT_STRING(0, "offset", &offsets, "N:TIME",
			   "shift trace N (from 1) by TIME: 2:-1.5ms; several with commas"),
		OPT_STRING(0, "guest", (const char **)&guest.guest, "FILE",
			   "the trace of a virtual machine: tell what its host did for its jobs"),
		OPT_STRING(0, "host", (const char **)&guest.host, "FILE",
			   "of that host: a trace, or QEMU's log; others as FILE"),
		OPT_STRING(0, "pairs", &guest.pairs, "FILE",
			   "write to FILE, as CSV, which work of the host belongs to which job of the guest"),
		OPT_STRING('o', "output", &output, "FILE",
			   "write to FILE; by default merged.grt, a timeline to standard output"),
		OPT_STRING(0, "cpu", &timeline.cpu, "FILE",
			   "print a timeline as text: events of CPUs in FILE, and those of --gpu"),
		OPT_STRING(0, "gpu", &timeline.gpu, "FILE", "the trace of a timeline"),
		OPT_STRING(0, "clock-offset", &timeline.offset, "NS",
			   "add NS to the times of --gpu, or auto: estimate it"),
		OPT_BOOL(0, "deltas", &timeline.has_deltas,
			 "also print the time after the ioctl, in the queue and on the GPU"),
		OPT_BOOL(0, "stats-only", &timeline.is_stats_only,
			 "print only the numbers of events, their span and rate"),
		OPT_BOOL('v', "verbose", &timeline.is_verbose,
			 "also print what the files are, and every line that cannot be read"),
		OPT_END()
	};
	int err;

	argc = grt_parse_options(argc, argv, options, "merge [options] FILE FILE... | --guest FILE --host FILE | --cpu FILE --gpu FILE");
	if (merge_timeline_is_meant(&timeline)) {
		timeline.output = output;
		if (offsets)
			return grt_usage(options, "--offset is for traces; a timeline has --clock-offset");
		if (merge_timeline_check(&timeline, argc))
			return usage_of_cause(options, "");
		return merge_timeline(&timeline);
	}
	to.path = output ? output : "merged.grt";
	if (merge_guest_is_meant(&guest) && merge_guest_check(&guest))
		return usage_of_cause(options, "");
	if (argc + (guest.guest ? 2 : 0) > GRT_MERGE_MAX)
		return grt_usage(options, "at most %d files at a time", GRT_MERGE_MAX);
	m.count = put_pair(files, &guest, argc, argv);
	if (m.count < 2)
		return grt_usage(options, "name at least two files");
	if (guest.guest && grt_outfile_is_stdout(to.path))
		return grt_usage(options, "--guest reads the merged trace again: it cannot be standard output");
	for (int i = 0; i < m.count; i++)
		inputs[i].path = files[i];
	if (parse_offsets(&m, offsets))
		return usage_of_cause(options, "option --offset: ");
	make_line(line, sizeof(line), m.count, files);
	m.line = line;
	err = grt_target_check(to.path, m.count, files);
	if (!err)
		err = guest.guest ? merge_guest(&guest, &m, GUEST, &to) : grt_merge_files(&m, &to);
	if (!err)
		print_result(&m, to.path);
	if (!err && guest.guest)
		err = merge_guest_report(&guest);
	merge_guest_free(&guest);
	if (err && !grt_reader_has_enough(err, to.path))
		return grt_print_failure(err);
	return GRT_EXIT_OK;
}
