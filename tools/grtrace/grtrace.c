// SPDX-License-Identifier: GPL-2.0
/* The program: finds the command and ends with its exit code. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "commands.h"
#include "control.h"
#include "error.h"
#include "print.h"
#include "scratch.h"
#include "source.h"

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
	       "  grtrace --version\n");
}

static const struct command *find(const char *name)
{
	for (size_t i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Letters to change, add or leave out to come from @a to @b. */
static size_t distance(const char *a, const char *b)
{
	size_t row[32], above, old;
	size_t len = strlen(b);

	if (len >= 32)
		return len;
	for (size_t j = 0; j <= len; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		above = row[0];
		row[0] = i;
		for (size_t j = 1; j <= len; j++) {
			old = row[j];
			row[j] = least(above + (a[i - 1] != b[j - 1]),
				       least(old, row[j - 1]) + 1);
			above = old;
		}
	}
	return row[len];
}

static int say_unknown(const char *name)
{
	const struct command *nearest = &commands[0];
	char text[256], hint[64] = "grtrace -h";

	for (size_t i = 1; i < NR_COMMANDS; i++)
		if (distance(name, commands[i].name) < distance(name, nearest->name))
			nearest = &commands[i];
	if (distance(name, nearest->name) <= 2)
		snprintf(hint, sizeof(hint), "grtrace %s", nearest->name);
	snprintf(text, sizeof(text), "no command '%.200s'", name);
	grt_print_error(hint, text);
	return GRT_EXIT_USAGE;
}

/* The man page; where there is none, the options. */
static int help(int argc, char **argv)
{
	char page[64];
	const struct command *c;

	if (argc < 2) {
		print_commands();
		return GRT_EXIT_OK;
	}
	c = find(argv[1]);
	if (!c)
		return say_unknown(argv[1]);
	snprintf(page, sizeof(page), "grtrace-%s", c->name);
	if (isatty(STDOUT_FILENO)) {
		execlp("man", "man", page, NULL);
		/* No man here: fall through to what is built in. */
	}
	return c->run(2, (char *[]){ (char *)c->name, "-h", NULL });
}

int main(int argc, char **argv)
{
	int code;

	/* Writes to a reader that went away, or beyond a limit, fail instead. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	grt_scratch_watch();
	grt_warn_to(grt_print_warning);
	grt_source_progress_to(grt_print_progress);
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
	/* Options alone are those of report. */
	if (argv[1][0] == '-') {
		running = find("report");
		return grt_finish_output(running->run(argc, argv));
	}
	running = find(argv[1]);
	if (!running)
		return say_unknown(argv[1]);
	code = running->run(argc - 1, argv + 1);
	return grt_finish_output(code);
}
