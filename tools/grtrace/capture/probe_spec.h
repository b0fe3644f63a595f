/* SPDX-License-Identifier: GPL-2.0 */
/* What the user writes to ask for a probe: "[-x FILE] [NAME=][MODULE:]FUNCTION[+OFFSET][%return] [ARGUMENTS]". */
#ifndef GRT_PROBE_SPEC_H
#define GRT_PROBE_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GRT_PROBE_NAME	64	/* bytes of a name in tracefs, with its NUL */
#define GRT_PROBE_ARGS	16	/* more are refused */

/* A value to record.  What is not given is "". */
struct grt_probe_arg {
	char name[32];		/* of the field; made up if it is not given */
	char value[128];	/* "job->id", or as tracefs has it: "%di", "+8(%di)", "$retval" */
	char type[32];		/* "u64", "string" and so on, as tracefs has them */
};

struct grt_probe_spec {
	char name[GRT_PROBE_NAME];	/* of the event; made up if it is not given */
	char file[256];			/* a program or library; "": the kernel */
	char module[GRT_PROBE_NAME];	/* "": of the kernel itself, or not given */
	char function[128];		/* of a file also a pattern, as in a shell */
	uint64_t offset;
	bool is_return;
	struct grt_probe_arg args[GRT_PROBE_ARGS];
	unsigned int nr_args;
};

/* 0, or -EINVAL with a cause that says which part is wrong. */
int grt_probe_spec_parse(struct grt_probe_spec *s, const char *text);

/* Sets the name of an event that is not given one: FUNCTION, FUNCTION__return or FUNCTION_OFFSET. */
void grt_probe_spec_name(const struct grt_probe_spec *s, const char *function,
			 char name[GRT_PROBE_NAME]);

/* Whether it is the name of an argument in C, maybe with members: "job->base.id". */
bool grt_probe_is_c(const char *value);

/* Whether the function of a file is a pattern. */
bool grt_probe_is_pattern(const char *function);

#endif /* GRT_PROBE_SPEC_H */
