// SPDX-License-Identifier: GPL-2.0
#include "probe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "error.h"
#include "format.h"
#include "option_rules.h"
#include "options.h"
#include "print.h"
#include "probe_define.h"
#include "tracefs_events.h"
#include "tracefs_place.h"

#define SPEC_BYTES	1024
#define MOST_NAMES	8	/* of new probes that are printed */

#define USAGE	"probe [options] add PROBE | list | del NAME | lines FUNC | vars FUNC\n"	\
		"       grtrace probe [options] --time FUNC [FUNC] [-- COMMAND]\n"		\
		"       grtrace probe [options] --graph FUNC [-- COMMAND]"

/* --- add, list, del, lines, vars --- */

/* "[-x FILE] WORD WORD ..." */
static int join(const struct grt_probe_request *q, int argc, char **argv, char text[SPEC_BYTES])
{
	size_t at = 0;

	if (q->file)
		at = snprintf(text, SPEC_BYTES, "-x %s", q->file);
	for (int i = 0; i < argc && at < SPEC_BYTES; i++)
		at += snprintf(text + at, SPEC_BYTES - at, "%s%s", at ? " " : "", argv[i]);
	return at < SPEC_BYTES ? 0 : grt_fail(EINVAL, NULL, "the probe is longer than %d bytes", SPEC_BYTES);
}

static void tell_added(const struct grt_vec *made)
{
	size_t count = grt_vec_count(made, struct grt_tracefs_event);

	for (size_t i = 0; i < count && i < MOST_NAMES; i++)
		printf("%s:%s\n", GRT_PROBE_GROUP, grt_vec_at(made, struct grt_tracefs_event, i)->name);
	if (count > MOST_NAMES)
		printf("and %zu more\n", count - MOST_NAMES);
	fprintf(stderr, "added %zu probe%s; record %s with: sudo grtrace record -e '%s:%s'\n", count,
		count == 1 ? "" : "s", count == 1 ? "it" : "them", GRT_PROBE_GROUP,
		count == 1 ? grt_vec_at(made, struct grt_tracefs_event, 0)->name : "*");
}

static int add(const struct grt_probe_request *q, int argc, char **argv)
{
	struct grt_vec made = { NULL };
	struct grt_tracefs_place place;
	char text[SPEC_BYTES];
	int err = join(q, argc, argv, text);

	if (!err)
		err = grt_probe_check(&place);
	if (!err)
		err = grt_probe_define(&place, GRT_PROBE_GROUP, text, &made);
	if (!err)
		tell_added(&made);
	grt_vec_free(&made);
	return err;
}

static int list(const struct grt_probe_request *q, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return grt_probe_list(q);
}

static int remove_one(void *place, const char *kind, const char *name, const char *rest)
{
	(void)kind;
	(void)rest;
	return grt_probe_remove(place, GRT_PROBE_GROUP, name);
}

static int del(const struct grt_probe_request *q, int argc, char **argv)
{
	struct grt_tracefs_place place;
	int err = grt_probe_check(&place);

	if (!err && q->is_all)
		err = grt_probe_each(&place, GRT_PROBE_GROUP, remove_one, &place);
	for (int i = 0; !err && i < argc; i++) {
		const char *colon = strchr(argv[i], ':');

		err = grt_probe_remove(&place, GRT_PROBE_GROUP, colon ? colon + 1 : argv[i]);
	}
	return err;
}

static int lines(const struct grt_probe_request *q, int argc, char **argv)
{
	char text[SPEC_BYTES];
	int err = join(q, argc, argv, text);

	return err ? err : grt_probe_lines(text);
}

static int vars(const struct grt_probe_request *q, int argc, char **argv)
{
	char text[SPEC_BYTES];
	int err = join(q, argc, argv, text);

	return err ? err : grt_probe_vars(text);
}

/* What the first word may be; @least and @most words follow. */
static const struct action {
	const char *name, *needs;
	int (*run)(const struct grt_probe_request *q, int argc, char **argv);
	int least, most;
} actions[] = {
	{ "add", "a function, and perhaps values", add, 1, 64 },
	{ "list", "nothing", list, 0, 0 },
	{ "del", "names of probes, or --all", del, 1, 64 },
	{ "lines", "one function", lines, 1, 1 },
	{ "vars", "one function", vars, 1, 1 },
};

static const struct action *find_action(const char *name)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (!strcmp(actions[i].name, name))
			return &actions[i];
	return NULL;
}

/* --- the command --- */

/* The words behind "--" are a command; NULL: there are none. */
static char **split_command(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		*argc = i;
		argv[i] = NULL;
		return argv[i + 1] ? argv + i + 1 : NULL;
	}
	return NULL;
}

static const struct grt_option_rule rules[] = {
	OPT_REFUSES("graph", "time exec format per-process key buffer", NULL),
	OPT_NEEDS("key", "time"),
	OPT_NEEDS("per-process", "time"),
	OPT_NEEDS("buffer", "time"),
	OPT_NEEDS("max-depth", "graph"),
	OPT_NEEDS("duration", "time graph"),
	OPT_NEEDS("stop-on", "time graph"),
	OPT_RULES_END()
};

static int check(const struct grt_probe_request *q, int argc, const struct grt_option *options)
{
	if (!grt_has_format(q->format))
		return grt_usage(options, "no format '%s'; text, csv or json", q->format);
	if (q->graph && argc)
		return grt_usage(options, "--graph takes one function");
	if (q->time && argc > 1)
		return grt_usage(options, "--time takes one function, or two points");
	if (q->key && !argc)
		return grt_usage(options, "--key needs --time with two points");
	if (!q->time && !q->graph && q->command)
		return grt_usage(options, "a command needs --time or --graph");
	return grt_options_check(options, rules);
}

static int run_action(const struct grt_probe_request *q, int argc, char **argv,
		      const struct grt_option *options)
{
	const struct action *action = argc ? find_action(argv[0]) : NULL;
	int words = argc - 1 + (action && action->run == del && q->is_all);

	if (!argc)
		return grt_usage(options, "probe needs add, list, del, lines or vars; or --time or --graph");
	if (!action)
		return grt_usage(options, "probe has no '%s'; add, list, del, lines or vars", argv[0]);
	if (words < action->least || words > action->most)
		return grt_usage(options, "probe %s takes %s", action->name, action->needs);
	if (q->is_all && (action->run != del || argc > 1))
		return grt_usage(options, "--all stands alone, behind del");
	return action->run(q, argc - 1, argv + 1);
}

int cmd_probe(int argc, char **argv)
{
	struct grt_probe_request q = { .limit_ns = UINT64_MAX };
	const struct grt_option options[] = {
		OPT_STRING('x', "exec", &q.file, "FILE", "functions of this program or library, not of the kernel"),
		OPT_STRING(0, "time", &q.time, "FUNC",
			   "how long calls of FUNC take; with a second FUNC: from one to the other"),
		OPT_STRING(0, "key", &q.key, "A,B",
			   "the same value in both points, like job,job; the thread by default"),
		OPT_BOOL(0, "per-process", &q.per_process, "with --time: also a row for each process"),
		OPT_STRING(0, "graph", &q.graph, "FUNC", "what FUNC calls, and how long each call takes"),
		OPT_U64(0, "max-depth", &q.max_depth, "N", "of --graph: only N levels of calls"),
		OPT_NS('d', "duration", &q.limit_ns, "of --time and --graph: stop after TIME, like 10 or 200ms"),
		OPT_NS(0, "seconds", &q.limit_ns, "another name of --duration"),
		OPT_WORD(0, "stop-on", &q.stop_on, "SYS:EVENT",
			 "of --time and --graph: stop when this event of the kernel comes"),
		OPT_BYTES('b', "buffer", &q.buffer_bytes, "of --time: buffer per CPU, like 4M"),
		OPT_STRING('f', "format", &q.format, "NAME", "of list and --time: text, csv or json"),
		OPT_BOOL(0, "all", &q.is_all, "of del: all probes that were added"),
		OPT_END()
	};
	int code = 0, err;

	q.command = split_command(&argc, argv);
	argc = grt_parse_options(argc, argv, options, USAGE);
	code = check(&q, argc, options);
	if (code)
		return code;
	if (q.time) {
		q.until = argc ? argv[0] : NULL;
		err = grt_probe_time(&q, &code);
	} else if (q.graph) {
		err = grt_probe_graph(&q, &code);
	} else {
		code = err = run_action(&q, argc, argv, options);
	}
	return err < 0 ? grt_print_failure(err) : code;
}
