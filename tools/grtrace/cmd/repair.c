// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>

#include "commands.h"
#include "ctf_repair.h"
#include "number.h"
#include "options.h"
#include "print.h"
#include "quote.h"
#include "repair.h"
#include "user.h"

static void print_findings(const struct grt_repair *r, char **files, FILE *out)
{
	char bytes[GRT_NUMBER_MAX], events[GRT_NUMBER_MAX];
	uint64_t shown = r->nr_findings < GRT_MAX_FINDINGS ? r->nr_findings : GRT_MAX_FINDINGS;

	for (uint64_t i = 0; i < shown; i++) {
		const struct grt_finding *f = &r->findings[i];

		fprintf(out, "%s, byte %" PRIu64 ": %s", grt_shown(files[f->file]), f->offset,
		       grt_finding_words(f->kind));
		if (f->bytes)
			fprintf(out, ": %s %s left out", grt_format_count(bytes, f->bytes),
				grt_plural(f->bytes, "byte", "bytes"));
		if (f->events)
			fprintf(out, ", %s %s in them", grt_format_count(events, f->events),
				grt_plural(f->events, "event", "events"));
		putc('\n', out);
	}
	if (shown < r->nr_findings)
		fprintf(out, "and %s more of the kind\n",
		       grt_format_count(bytes, r->nr_findings - shown));
}

static void print_result(const struct grt_repair *r, const char *path, FILE *out)
{
	char bytes[GRT_NUMBER_MAX], events[GRT_NUMBER_MAX];

	fprintf(out, "%s: %s %s of %u %s, %s\n", grt_shown(path), grt_format_count(events, r->events),
		grt_plural(r->events, "event", "events"), r->cpus,
		grt_plural(r->cpus, "CPU", "CPUs"), grt_format_bytes(bytes, r->bytes));
	if (!r->nr_findings)
		fprintf(out, "nothing was damaged, nothing was left out\n");
	else if (r->lost_events || r->is_lost_exact)
		fprintf(out, "left out: %s, %s%s %s\n", grt_format_bytes(bytes, r->lost_bytes),
			r->is_lost_exact ? "" : "at least ",
			grt_format_count(events, r->lost_events),
			grt_plural(r->lost_events, "event", "events"));
	else
		fprintf(out, "left out: %s, an unknown number of events\n",
		       grt_format_bytes(bytes, r->lost_bytes));
	if (r->endless)
		fprintf(out, "the %s of %u %s no end: losses after it are unknown\n",
			grt_plural(r->endless, "stream", "streams"), r->endless,
			grt_plural(r->endless, "CPU has", "CPUs have"));
}

static void print_cut(void *arg, const char *file, uint64_t offset, uint64_t bytes)
{
	char count[GRT_NUMBER_MAX];

	(void)arg;
	printf("%s, byte %" PRIu64 ": no whole packet: %s %s left out\n", grt_shown(file), offset,
	       grt_format_count(count, bytes), grt_plural(bytes, "byte", "bytes"));
}

/* A folder in the Common Trace Format. */
static int repair_ctf(const char *from, const char *to)
{
	struct ctf_repair r = { .found = print_cut };
	char bytes[GRT_NUMBER_MAX], packets[GRT_NUMBER_MAX];
	int err = ctf_repair_folder(&r, from, to);

	if (err)
		return grt_print_failure(err);
	printf("%s: %s %s of %" PRIu64 " %s, %s\n", grt_shown(to), grt_format_count(packets, r.packets),
	       grt_plural(r.packets, "packet", "packets"), r.streams,
	       grt_plural(r.streams, "stream", "streams"), grt_format_bytes(bytes, r.bytes));
	if (r.lost_bytes)
		printf("left out: %s, an unknown number of events\n",
		       grt_format_bytes(bytes, r.lost_bytes));
	else
		printf("nothing was damaged, nothing was left out\n");
	return r.lost_bytes ? GRT_EXIT_FOUND : GRT_EXIT_OK;
}

int cmd_repair(int argc, char **argv)
{
	struct grt_user user = grt_user();
	struct grt_target to = { .uid = user.uid, .gid = user.gid };
	struct grt_repair result;
	const struct grt_option options[] = {
		OPT_STRING('o', "output", &to.path, "FILE",
			   "write to FILE; repaired.grt by default, repaired.ctf of a CTF trace"),
		OPT_END()
	};
	int err;

	argc = grt_parse_options(argc, argv, options, "repair [options] FILE...");
	if (!argc)
		return grt_usage(options, "name the file to repair");
	if (argc == 1 && ctf_repair_takes(argv[0]))
		return repair_ctf(argv[0], to.path ? to.path : "repaired.ctf");
	if (!to.path)
		to.path = "repaired.grt";
	err = grt_repair_files(&result, argc, argv, &to);
	if (grt_reader_has_enough(err, to.path))
		return GRT_EXIT_OK;
	if (err)
		return grt_print_failure(err);
	print_findings(&result, argv, grt_result_file(to.path));
	print_result(&result, to.path, grt_result_file(to.path));
	return result.nr_findings ? GRT_EXIT_FOUND : GRT_EXIT_OK;
}
