/* SPDX-License-Identifier: GPL-2.0 */
/* Tables of options, which parse and check options and print the help. */
#ifndef GRT_OPTIONS_H
#define GRT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "shell.h"
#include "words.h"

enum grt_option_kind {
	GRT_OPTION_END, GRT_OPTION_BOOL, GRT_OPTION_STRING, GRT_OPTION_U64,
	GRT_OPTION_BYTES, GRT_OPTION_NS, GRT_OPTION_WORD, GRT_OPTION_WORDS_OUT,
};

struct grt_option {
	char letter;		/* 0 = none */
	const char *name;	/* without the dashes */
	enum grt_option_kind kind;
	void *value;		/* bool, const char *, uint64_t or struct grt_words; unchanged if not given */
	const char *arg;	/* name of its argument in the help */
	const char *text;
};

/* The cast refuses a variable of another type. */
#define OPT_BOOL(letter, name, var, text) \
	{ letter, name, GRT_OPTION_BOOL, (bool *){ var }, NULL, text }
#define OPT_STRING(letter, name, var, arg, text) \
	{ letter, name, GRT_OPTION_STRING, (const char **){ var }, arg, text }
#define OPT_U64(letter, name, var, arg, text) \
	{ letter, name, GRT_OPTION_U64, (uint64_t *){ var }, arg, text }
#define OPT_BYTES(letter, name, var, text) \
	{ letter, name, GRT_OPTION_BYTES, (uint64_t *){ var }, "SIZE", text }
#define OPT_NS(letter, name, var, text) \
	{ letter, name, GRT_OPTION_NS, (uint64_t *){ var }, "TIME", text }
/* May be given several times. */
#define OPT_WORD(letter, name, var, arg, text) \
	{ letter, name, GRT_OPTION_WORD, (struct grt_words *){ var }, arg, text }
/* The words of the same variable behind it leave out. */
#define OPT_WORDS_OUT(letter, name, var, text) \
	{ letter, name, GRT_OPTION_WORDS_OUT, (struct grt_words *){ var }, NULL, text }
#define OPT_END()	{ 0 }

/*
 * Parses argv, whose first word is the command.  Moves the operands to argv[0]... and returns
 * their number.  @usage is the first line of the help, without "grtrace".  -h and --help print the
 * help and exit with 0; a wrong option exits with 2.
 */
int grt_parse_options(int argc, char **argv, const struct grt_option *options,
		      const char *usage);

/* The same, but the first operand ends the options, because a command follows. */
int grt_parse_options_before(int argc, char **argv, const struct grt_option *options,
			     const char *usage);

/* Adds the options that were given to a command line. */
void grt_options_given(struct grt_shell *line, const struct grt_option *options);

/* Whether @name, or another name of the same option, was on the command line that was parsed last. */
bool grt_option_is_given(const struct grt_option *options, const char *name);

/* Prints what is wrong and how to get help.  Returns exit code 2. */
int grt_usage(const struct grt_option *options, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* GRT_OPTIONS_H */
