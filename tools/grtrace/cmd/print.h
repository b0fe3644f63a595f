/* SPDX-License-Identifier: GPL-2.0 */
/* What goes to standard error, and how a command ends. */
#ifndef GRT_PRINT_H
#define GRT_PRINT_H

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

/* Prints the recorded cause of wrong usage; returns the exit code 2. */
int grt_print_usage(const char *command);

/* Prints the recorded cause of @err, a -errno; returns the exit code it means. */
int grt_print_failure(int err);

/*
 * How far the reading of a file came, on a terminal and from one second on: 0 to 1000, which
 * ends it.
 */
void grt_print_progress(unsigned int permille);

/*
 * Flushes standard output.  Returns @code, or prints that it could not be
 * written.  A reader who went away (head, less) is no failure.
 */
int grt_finish_output(int code);

#endif /* GRT_PRINT_H */
