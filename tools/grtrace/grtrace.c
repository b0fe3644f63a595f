// SPDX-License-Identifier: GPL-2.0
/* The program: runs the command and returns its exit code. */
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "commands.h"
#include "control.h"
#include "distance.h"
#include "error.h"
#include "print.h"
#include "scratch.h"
#include "shell.h"
#include "source.h"
#include "tables.h"

#ifndef GRT_VERSION
#error "GRT_VERSION comes from the Makefile"
#endif

static const struct command {
	const char *name;
	int needs;
	const char *text;
	int (*run)(int argc, char **argv);
} commands[] = {
#define ROW(name, needs, text) { #name, needs, text, cmd_##name },
	GRT_COMMANDS(ROW)
};

#define NR_COMMANDS	(sizeof(commands) / sizeof(commands[0]))

static const struct command *running;

#define LARGE_BLOCK	(256 << 10)

void grt_check_needs(void)
{
	int dir;

	if (!(running->needs & NEED_MODULE))
		return;
	dir = grt_control_open();
	if (dir < 0)
		exit(grt_print_failure(dir));
	close(dir);
}

static void print_commands(void)
{
	printf("usage: grtrace COMMAND [options]\n\n"
	       "Records the life of every GPU job and says where the time went.\n\n");
	for (size_t i = 0; i < NR_COMMANDS; i++)
		printf("  %-8s %s\n", commands[i].name, commands[i].text);
	printf("\n  grtrace COMMAND -h   the options of a command\n"
	       "  grtrace help COMMAND its manual\n"
	       "  grtrace --per-ring   options alone are those of report\n"
	       "  grtrace --version\n\n");
	print_tables();
}

static const struct command *find(const char *name)
{
	for (size_t i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

/* Some commands have a second name, for users who know it: that of a program. */
static const struct command *find_by_program(const char *program)
{
	static const char *const names[][2] = {
		{ "parse_events", "dump" }, { "merge_timeline", "merge" },
		{ "visualize_timeline", "timeline" },
		{ "grtrace-bpf-annotate", "annotate" }, { "grtrace_bpf_loader", "annotate" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i][0], program))
			return find(names[i][1]);
	return NULL;
}

/* @rest: the words after the name. */
static int say_unknown(const char *name, char *const *rest)
{
	const struct command *nearest = &commands[0];
	struct grt_shell hint = { .at = 0 };
	char text[256];

	for (size_t i = 1; i < NR_COMMANDS; i++)
		if (grt_distance(name, commands[i].name) < grt_distance(name, nearest->name))
			nearest = &commands[i];
	grt_shell_plain(&hint, "grtrace");
	grt_shell_word(&hint, grt_distance(name, nearest->name) <= 2 ? nearest->name : "-h");
	while (grt_distance(name, nearest->name) <= 2 && *rest)
		grt_shell_word(&hint, *rest++);
	snprintf(text, sizeof(text), "no command '%.200s'", name);
	grt_print_error(grt_shell_text(&hint), text);
	return GRT_EXIT_USAGE;
}

/* Shows a table of names, or the manual; without one, the options. */
static int help(int argc, char **argv)
{
	char page[64];
	const struct command *c;

	if (argc < 2) {
		print_commands();
		return GRT_EXIT_OK;
	}
	c = find(argv[1]);
	if (!c && print_table(argv[1]))
		return GRT_EXIT_OK;
	if (!c)
		return say_unknown(argv[1], argv + argc);
	snprintf(page, sizeof(page), "grtrace-%s", c->name);
	if (isatty(STDOUT_FILENO)) {
		execlp("man", "man", page, NULL);
		/* man is not installed: print the built-in help instead. */
	}
	return c->run(2, (char *[]){ (char *)c->name, "-h", NULL });
}

/* A table with missing rows must not look like a complete one. */
static int run(const struct command *command, int argc, char **argv)
{
	int code;

	running = command;
	code = command->run(argc, argv);
	if (code <= GRT_EXIT_FOUND && grt_was_out_of_memory())
		code = grt_print_failure(-ENOMEM);
	return code;
}

int main(int argc, char **argv)
{
	const struct command *command;

	/* Return large blocks to the system when they are freed: vectors grow by copying. */
	mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
	/* A write to a closed pipe, or above a limit, must fail with an error instead. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	grt_scratch_watch();
	grt_warn_to(grt_print_warning);
	grt_source_progress_to(grt_print_progress);
	command = find_by_program(program_invocation_short_name);
	if (command)
		return grt_finish_output(run(command, argc, argv));
	if (argc < 2) {
		print_commands();
		return grt_finish_output(GRT_EXIT_USAGE);
	}
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help")) {
		print_commands();
		return grt_finish_output(GRT_EXIT_OK);
	}
	if (!strcmp(argv[1], "--version")) {
		printf("grtrace %s\n", GRT_VERSION);
		return grt_finish_output(GRT_EXIT_OK);
	}
	if (!strcmp(argv[1], "help"))
		return grt_finish_output(help(argc - 1, argv + 1));
	/* Options without a command are those of report. */
	if (argv[1][0] == '-')
		return grt_finish_output(run(find("report"), argc, argv));
	command = find(argv[1]);
	if (!command)
		return say_unknown(argv[1], argv + 2);
	return grt_finish_output(run(command, argc - 1, argv + 1));
}
