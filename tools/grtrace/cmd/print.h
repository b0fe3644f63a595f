/* SPDX-License-Identifier: GPL-2.0 */
/* Messages on standard error, and the end of a command. */
#ifndef GRT_PRINT_H
#define GRT_PRINT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum grt_exit {
	GRT_EXIT_OK,
	GRT_EXIT_FOUND,		/* the command looked for problems and found some */
	GRT_EXIT_USAGE,
	GRT_EXIT_SETUP,		/* module, rights, files: the hint says what to do */
	GRT_EXIT_TRACE,		/* the trace is bad */
};

/* "grtrace: TEXT" and, with a hint, "hint: HINT". */
void grt_print_error(const char *hint, const char *text);
void grt_print_warning(const char *hint, const char *text);

/* Warns that @count records are of a later version; 0: no warning. */
void grt_print_unknown(uint64_t count);

/* Prints the recorded cause of wrong usage.  Returns exit code 2. */
int grt_print_usage(const char *command);

/* Prints the recorded cause of @err, a -errno.  Returns the exit code for it. */
int grt_print_failure(int err);

/*
 * Whether @err, of writing something to @path that can be made again, only means that the reader of standard
 * output has seen enough, like head(1).  That is no failure.
 */
bool grt_reader_has_enough(int err, const char *path);

/* Where a command that wrote @path prints its result: standard output, unless that is @path. */
FILE *grt_result_file(const char *path);

/*
 * Shows on a terminal how far a file was read, if it takes longer than a second: 0 to 1000; 1000
 * removes the line.
 */
void grt_print_progress(unsigned int permille);

/*
 * Flushes standard output.  Returns @code, or reports a write error.  A reader that is gone (head,
 * less) is not an error.
 */
int grt_finish_output(int code);

#endif /* GRT_PRINT_H */
