// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "error.h"
#include "number.h"
#include "options.h"
#include "print.h"
#include "quote.h"
#include "verify.h"

/*
 * An event's time is read before its number: in between, a hypervisor may stop the CPU, and
 * another CPU takes the number in between.
 */
#define SLACK_NS	10000000

static void print_text(const struct grt_verify *v, const char *name)
{
	struct grt_verdict_sums sums = grt_verify_sums(v);
	char events[GRT_NUMBER_MAX], count[GRT_NUMBER_MAX];
	int made = 0;

	for (int i = 0; i < GRT_NR_CHECKS; i++) {
		const struct grt_check *c = grt_verify_check(v, i);

		made += !c->skipped;
		if (c->violations)
			printf("FAILED   %-10s  %s %s; the first: %s\n", c->name,
			       grt_format_count(count, c->violations),
			       grt_plural(c->violations, "violation", "violations"),
			       grt_shown(c->first));
		else if (c->skipped)
			printf("skipped  %-10s  %s\n", c->name, c->skipped);
		else
			printf("ok       %-10s  %s\n", c->name, c->text);
	}
	printf("%s: %s %s of %u %s", grt_shown(name), grt_format_count(events, sums.events),
	       grt_plural(sums.events, "event", "events"), sums.cpus,
	       grt_plural(sums.cpus, "CPU", "CPUs"));
	if (sums.unknown_events)
		printf(", %s %s not known", grt_format_count(count, sums.unknown_events),
		       grt_plural(sums.unknown_events, "record of a type that is",
				  "records of types that are"));
	printf(", %d %s, %u failed", made, grt_plural(made, "check", "checks"), sums.failed);
	if (made < GRT_NR_CHECKS)
		printf(", %d skipped", GRT_NR_CHECKS - made);
	putchar('\n');
}

static void print_json_text(const char *text)
{
	grt_quote_json(stdout, text, strlen(text));
}

static void print_json(const struct grt_verify *v, int count, char **files)
{
	struct grt_verdict_sums sums = grt_verify_sums(v);

	printf("{\"files\":[");
	for (int i = 0; i < count; i++) {
		printf("%s", i ? "," : "");
		print_json_text(files[i]);
	}
	printf("],\"events\":%" PRIu64 ",\"unknown_events\":%" PRIu64 ",\"cpus\":%u,\"failed\":%u,"
	       "\"checks\":[", sums.events, sums.unknown_events, sums.cpus, sums.failed);
	for (int i = 0; i < GRT_NR_CHECKS; i++) {
		const struct grt_check *c = grt_verify_check(v, i);

		printf("%s\n{\"name\":\"%s\",\"result\":\"%s\",\"violations\":%" PRIu64 ",\"text\":",
		       i ? "," : "", c->name,
		       c->violations ? "failed" : c->skipped ? "skipped" : "ok", c->violations);
		print_json_text(c->violations ? c->first : c->skipped ? c->skipped : c->text);
		putchar('}');
	}
	printf("]}\n");
}

int cmd_verify(int argc, char **argv)
{
	static char *default_file[] = { "trace.grt" };
	const char *format = "text";
	uint64_t slack_ns = SLACK_NS;
	struct grt_verify *v;
	char name[256];
	const struct grt_option options[] = {
		OPT_STRING('f', "format", &format, "NAME", "text or json; text by default"),
		OPT_NS('s', "slack", &slack_ns,
		       "let time and gseq disagree by up to TIME; 10ms by default"),
		OPT_END()
	};
	int err, code;

	argc = grt_parse_options(argc, argv, options, "verify [options] [FILE...]");
	if (strcmp(format, "text") && strcmp(format, "json"))
		return grt_usage(options, "no format '%s': text or json", format);
	if (!argc) {
		argv = default_file;
		argc = 1;
	}
	err = grt_verify_files(&v, argc, argv, slack_ns);
	if (err)
		return grt_print_failure(err);
	snprintf(name, sizeof(name), "%s%s", argv[0], argc > 1 ? " and others" : "");
	if (!strcmp(format, "json"))
		print_json(v, argc, argv);
	else
		print_text(v, name);
	code = grt_verify_sums(v).failed ? GRT_EXIT_FOUND : GRT_EXIT_OK;
	grt_verify_free(v);
	return code;
}
