/* SPDX-License-Identifier: GPL-2.0 */
/* Exports a trace: grtrace export, and report --html. */
#ifndef GRT_CMD_EXPORT_RUN_H
#define GRT_CMD_EXPORT_RUN_H

#include <stdbool.h>
#include <stdint.h>

struct grt_export_format;
struct select;

struct export {
	/* Filled in by the command. */
	const struct grt_export_format *format;
	struct select *select;		/* not owned */
	int nr_files;
	char **files;
	const char *output;		/* NULL: the format's default */
	bool is_all_time;
	bool is_segment, is_last;	/* see export_segment.h */

	uint64_t jobs;			/* exported */
};

/* Prints what was written, or why not.  Returns the exit code. */
int export_run(struct export *e);

#endif /* GRT_CMD_EXPORT_RUN_H */
