// SPDX-License-Identifier: GPL-2.0
/* Lists the probes that were added, and what there is to record at a function. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error.h"
#include "format.h"
#include "func_vars.h"
#include "probe.h"
#include "probe_define.h"
#include "probe_spec.h"
#include "report_table.h"
#include "tracefs_place.h"

#define EXIT_NOT_FOUND	127	/* of a program that there is not */

static const struct grt_report_column columns[] = {
	{ "name", "name", GRT_REPORT_TEXT },
	{ "kind", "kind", GRT_REPORT_TEXT },
	{ "hits", "hits", GRT_REPORT_COUNT },
	{ "probe", "probe", GRT_REPORT_TEXT },
};

/* As tracefs calls them; a number behind is a detail. */
static const struct {
	char letter;
	const char *of_kernel, *of_file;
} kinds[] = {
	{ 'p', "kprobe", "uprobe" },
	{ 'r', "kretprobe", "uretprobe" },
	{ 'f', "fprobe", "fprobe" },
};

struct listing {
	const struct grt_tracefs_place *place;
	struct grt_report_table table;
};

/* Lines of the profiles end in "NAME HITS MISSED", or "NAME HITS" for those of files. */
static bool find_hits(const struct grt_tracefs_place *p, const char *file, const char *format,
		      const char *name, uint64_t *hits)
{
	char *text = grt_tracefs_read_file(p, file), *rest, *line, own[GRT_PROBE_NAME];
	bool has = false;

	for (line = text ? strtok_r(text, "\n", &rest) : NULL; line && !has; line = strtok_r(NULL, "\n", &rest))
		has = sscanf(line, format, own, hits) == 2 && !strcmp(own, name);
	free(text);
	return has;
}

static int list_one(void *arg, const char *kind, const char *name, const char *rest)
{
	struct listing *l = arg;
	bool is_file = *rest == '/';
	const char *text = "";
	uint64_t hits;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].letter == *kind)
			text = is_file ? kinds[i].of_file : kinds[i].of_kernel;
	grt_report_text(&l->table, name);
	grt_report_text(&l->table, text);
	if (find_hits(l->place, is_file ? "uprobe_profile" : "kprobe_profile",
		      is_file ? "%*s %63s %" SCNu64 : "%63s %" SCNu64, name, &hits))
		grt_report_u64(&l->table, hits);
	else
		grt_report_unknown(&l->table);
	grt_report_text(&l->table, rest);
	return 0;
}

int grt_probe_list(const struct grt_probe_request *q)
{
	struct grt_tracefs_place place;
	struct listing l = { .place = &place };
	int err = grt_probe_check(&place);

	if (err)
		return err;
	grt_report_init(&l.table, "probes", columns);
	err = grt_probe_each(&place, GRT_PROBE_GROUP, list_one, &l);
	if (!err && l.table.failed)
		err = grt_fail_memory();
	if (!err && (grt_report_rows(&l.table) || q->format))
		grt_print_as(q->format, &l.table, 1);
	else if (!err)
		printf("no probes; 'grtrace probe add' adds one\n");
	grt_report_free(&l.table);
	return err;
}

/* --- what perf knows --- */

/* Runs "perf probe OPTION FUNCTION".  Its exit code; -errno if it could not be run. */
static int run_perf(const char *option, const char *text, bool is_quiet)
{
	struct grt_probe_spec spec;
	posix_spawn_file_actions_t actions;
	char *argv[9] = { "perf", "probe" };
	pid_t pid;
	int err = grt_probe_spec_parse(&spec, text), n = 2, status;

	if (err)
		return err;
	if (*spec.file || *spec.module) {
		argv[n++] = *spec.file ? "-x" : "-m";
		argv[n++] = *spec.file ? spec.file : spec.module;
	}
	argv[n++] = (char *)option;
	argv[n] = spec.function;
	posix_spawn_file_actions_init(&actions);
	if (is_quiet)
		posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	err = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (err)
		return -err;
	if (waitpid(pid, &status, 0) < 0)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_NOT_FOUND;
}

int grt_probe_lines(const char *function)
{
	int code = run_perf("--line", function, false);

	if (!code)
		return 0;
	if (code == -EINVAL)
		return code;
	if (code < 0 || code == EXIT_NOT_FOUND)
		return grt_fail(ENOENT, "sudo apt-get install linux-perf", "the lines of '%s' need perf", function);
	return grt_fail(ENOENT, "sudo apt-get install linux-image-$(uname -r)-dbg",
			"perf does not know the lines of '%s': it needs the debug information", function);
}

int grt_probe_vars(const char *function)
{
	int code = run_perf("--vars", function, true);

	if (code == -EINVAL || !code)
		return code;
	return grt_func_vars_print(function, stdout);
}
