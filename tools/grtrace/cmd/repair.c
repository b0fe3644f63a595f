// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>

#include "child.h"
#include "commands.h"
#include "number.h"
#include "options.h"
#include "print.h"
#include "repair.h"

static void print_findings(const struct grt_repair *r, char **files)
{
	char bytes[GRT_NUMBER_MAX], events[GRT_NUMBER_MAX];
	uint64_t shown = r->nr_findings < GRT_MAX_FINDINGS ? r->nr_findings : GRT_MAX_FINDINGS;

	for (uint64_t i = 0; i < shown; i++) {
		const struct grt_finding *f = &r->findings[i];

		printf("%s, byte %" PRIu64 ": %s", files[f->file], f->offset,
		       grt_finding_words(f->kind));
		if (f->bytes)
			printf(": %s bytes left out", grt_format_count(bytes, f->bytes));
		if (f->events)
			printf(", %s events in them", grt_format_count(events, f->events));
		putchar('\n');
	}
	if (shown < r->nr_findings)
		printf("and %s more of the kind\n",
		       grt_format_count(bytes, r->nr_findings - shown));
}

static void print_result(const struct grt_repair *r, const char *path)
{
	char bytes[GRT_NUMBER_MAX], events[GRT_NUMBER_MAX];

	printf("%s: %s events of %u CPU%s, %s\n", path, grt_format_count(events, r->events),
	       r->cpus, r->cpus == 1 ? "" : "s", grt_format_bytes(bytes, r->bytes));
	if (!r->nr_findings)
		printf("nothing was wrong, nothing was left out\n");
	else if (r->lost_events || r->is_lost_exact)
		printf("left out: %s, %s%s event%s\n", grt_format_bytes(bytes, r->lost_bytes),
		       r->is_lost_exact ? "" : "at least ",
		       grt_format_count(events, r->lost_events),
		       r->lost_events == 1 ? "" : "s");
	else
		printf("left out: %s, nobody knows how many events\n",
		       grt_format_bytes(bytes, r->lost_bytes));
	if (r->endless)
		printf("the streams of %u CPU%s have no end: what came after is not known\n",
		       r->endless, r->endless == 1 ? "" : "s");
}

int cmd_repair(int argc, char **argv)
{
	struct grt_user user = grt_user();
	struct grt_target to = { .path = "repaired.grt", .uid = user.uid, .gid = user.gid };
	struct grt_repair result;
	const struct grt_option options[] = {
		OPT_STRING('o', "output", &to.path, "FILE",
			   "write to FILE; repaired.grt by default"),
		OPT_END()
	};
	int err;

	argc = grt_parse_options(argc, argv, options, "repair [options] FILE...");
	if (!argc)
		return grt_usage(options, "which file?");
	err = grt_repair_files(&result, argc, argv, &to);
	if (err)
		return grt_print_failure(err);
	print_findings(&result, argv);
	print_result(&result, to.path);
	return result.nr_findings ? GRT_EXIT_FOUND : GRT_EXIT_OK;
}
