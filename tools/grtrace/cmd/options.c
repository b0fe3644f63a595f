// SPDX-License-Identifier: GPL-2.0
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "error.h"
#include "number.h"
#include "print.h"

#define MAX_OPTIONS	64
#define HELP		256	/* greater than any letter */
#define FIRST_LONG	512

static const char *usage_text = "";
static uint64_t given;	/* a bit for each row of the options that were parsed last */

static void print_option(char letter, const char *name, const char *arg, const char *text)
{
	char left[64];

	if (letter)
		snprintf(left, sizeof(left), "-%c, --%s%s%s", letter, name, arg ? " " : "",
			 arg ? arg : "");
	else
		snprintf(left, sizeof(left), "    --%s%s%s", name, arg ? " " : "",
			 arg ? arg : "");
	printf("  %-26s %s\n", left, text);
}

static void print_help(const struct grt_option *options)
{
	printf("usage: grtrace %s\n\n", usage_text);
	for (const struct grt_option *o = options; o->kind; o++)
		print_option(o->letter, o->name, o->arg, o->text);
	print_option('h', "help", NULL, "print this help");
}

int grt_usage(const struct grt_option *options, const char *fmt, ...)
{
	char text[512], hint[64];
	va_list args;

	(void)options;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	snprintf(hint, sizeof(hint), "grtrace %.*s -h", (int)strcspn(usage_text, " "),
		 usage_text);
	grt_print_error(hint, text);
	return GRT_EXIT_USAGE;
}

static int add_word(struct grt_words *w, const char *word)
{
	if (w->count == GRT_WORDS_MOST)
		return grt_fail(E2BIG, NULL, "at most %d", GRT_WORDS_MOST);
	w->words[w->count++] = word;
	return 0;
}

static int leave_out(struct grt_words *w)
{
	if (!w->has_out)
		w->chosen = w->count;
	w->has_out = true;
	return 0;
}

static int set_value(const struct grt_option *o, const char *arg)
{
	switch (o->kind) {
	case GRT_OPTION_BOOL:
		*(bool *)o->value = true;
		return 0;
	case GRT_OPTION_STRING:
		*(const char **)o->value = arg;
		return 0;
	case GRT_OPTION_U64:
		return grt_parse_u64(arg, o->value);
	case GRT_OPTION_BYTES:
		return grt_parse_bytes(arg, o->value);
	case GRT_OPTION_NS:
		return grt_parse_ns(arg, o->value);
	case GRT_OPTION_WORD:
		return add_word(o->value, arg);
	case GRT_OPTION_WORDS_OUT:
		return leave_out(o->value);
	case GRT_OPTION_END:
		break;
	}
	return 0;
}

static bool has_argument(const struct grt_option *o)
{
	return o->kind != GRT_OPTION_BOOL && o->kind != GRT_OPTION_WORDS_OUT;
}

/* Fills the tables for getopt_long().  Returns the number of options. */
static int make_tables(const struct grt_option *options, struct option *longs, char *shorts)
{
	int count = 0;

	for (const struct grt_option *o = options; o->kind; o++, count++) {
		int has_arg = has_argument(o) ? required_argument : no_argument;

		if (count == MAX_OPTIONS)
			abort();
		longs[count] = (struct option){ o->name, has_arg, NULL, FIRST_LONG + count };
		if (o->letter) {
			*shorts++ = o->letter;
			if (has_arg)
				*shorts++ = ':';
		}
	}
	longs[count] = (struct option){ "help", no_argument, NULL, HELP };
	longs[count + 1] = (struct option){ 0 };
	memcpy(shorts, "h", sizeof("h"));
	return count;
}

static const struct grt_option *find(const struct grt_option *options, int got)
{
	if (got >= FIRST_LONG)
		return &options[got - FIRST_LONG];
	for (; options->kind; options++)
		if (options->letter == got)
			return options;
	return NULL;
}

static int parse(int argc, char **argv, const struct grt_option *options, const char *mode)
{
	struct option longs[MAX_OPTIONS + 2];
	char shorts[2 * MAX_OPTIONS + 8];
	const struct grt_option *o;
	int got, err;

	/* ':' reports a missing argument; the mode must come first. */
	snprintf(shorts, sizeof(shorts), "%s", mode);
	make_tables(options, longs, shorts + strlen(mode));
	opterr = 0;
	optind = 0;	/* restarts getopt, with the mode of this call */
	while ((got = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (got == 'h' || got == HELP) {
			print_help(options);
			exit(GRT_EXIT_OK);
		}
		if (got == ':')
			exit(grt_usage(options, "option '%s' needs an argument", argv[optind - 1]));
		o = got == '?' ? NULL : find(options, got);
		if (!o && optopt && optopt < HELP)
			exit(grt_usage(options, "no option '-%c'", optopt));
		if (!o)
			exit(grt_usage(options, "no option '%s'", argv[optind - 1]));
		given |= 1ull << (o - options);
		err = set_value(o, optarg);
		if (err && grt_hint())
			exit(grt_usage(options, "option --%s: %s; %s", o->name, grt_cause(),
				       grt_hint()));
		if (err)
			exit(grt_usage(options, "option --%s: %s", o->name, grt_cause()));
	}
	memmove(argv, argv + optind, (argc - optind + 1) * sizeof(*argv));
	return argc - optind;
}

static int parse_for(int argc, char **argv, const struct grt_option *options,
		     const char *usage, const char *mode)
{
	usage_text = usage;
	given = 0;
	argc = parse(argc, argv, options, mode);
	grt_check_needs();
	return argc;
}

int grt_parse_options(int argc, char **argv, const struct grt_option *options,
		      const char *usage)
{
	return parse_for(argc, argv, options, usage, ":");
}

int grt_parse_options_before(int argc, char **argv, const struct grt_option *options,
			     const char *usage)
{
	return parse_for(argc, argv, options, usage, "+:");
}

bool grt_option_is_given(const struct grt_option *options, const char *name)
{
	const struct grt_option *named = options, *o;

	while (named->kind && strcmp(named->name, name))
		named++;
	if (!named->kind)
		abort();	/* the caller asks for an option that the command does not have */
	for (o = options; o->kind; o++)
		if (given >> (o - options) & 1 && o->value == named->value && o->kind == named->kind)
			return true;
	return false;
}

/* Whether an earlier row has the same value under another name. */
static bool is_repeated(const struct grt_option *first, const struct grt_option *o)
{
	for (; first != o; first++)
		if (first->value == o->value)
			return true;
	return false;
}

/* The value as it can be typed; NULL if the option was not given. */
static const char *typed_value(char *number, size_t room, const struct grt_option *o)
{
	uint64_t n;

	if (o->kind == GRT_OPTION_BOOL)
		return *(bool *)o->value ? "" : NULL;
	if (o->kind == GRT_OPTION_STRING)
		return *(const char **)o->value;
	n = *(uint64_t *)o->value;
	if (!n || n == UINT64_MAX)
		return NULL;
	if (o->kind == GRT_OPTION_BYTES && !(n & ((1 << 20) - 1)))
		snprintf(number, room, "%" PRIu64 "M", n >> 20);
	else
		snprintf(number, room, o->kind == GRT_OPTION_NS ? "%" PRIu64 "ns" : "%" PRIu64, n);
	return number;
}

/* @o and the option behind it, which leaves out. */
static void add_words(struct grt_shell *line, const struct grt_option *o)
{
	const struct grt_words *w = o->value;

	for (unsigned int i = 0; i < w->count; i++) {
		if (w->has_out && i == w->chosen) {
			grt_shell_plain(line, " --");
			grt_shell_plain(line, o[1].name);
		}
		grt_shell_plain(line, " --");
		grt_shell_plain(line, o->name);
		grt_shell_word(line, w->words[i]);
	}
}

void grt_options_given(struct grt_shell *line, const struct grt_option *options)
{
	char number[32];

	for (const struct grt_option *o = options; o->kind; o++) {
		const char *value;

		if (o->kind == GRT_OPTION_WORD)
			add_words(line, o);
		if (o->kind == GRT_OPTION_WORD || is_repeated(options, o))
			continue;
		value = typed_value(number, sizeof(number), o);
		if (!value)
			continue;
		grt_shell_plain(line, " --");
		grt_shell_plain(line, o->name);
		if (o->kind != GRT_OPTION_BOOL)
			grt_shell_word(line, value);
	}
}
