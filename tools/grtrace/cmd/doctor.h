/* SPDX-License-Identifier: GPL-2.0 */
/* What grtrace doctor found.  doctor.c looks, doctor_checks.c judges, doctor_print.c prints. */
#ifndef GRT_DOCTOR_H
#define GRT_DOCTOR_H

#include <stdbool.h>
#include <stdio.h>

#include "driver_facts.h"
#include "gpus.h"
#include "kernel_look.h"
#include "sources.h"
#include "vec.h"

struct doctor_gpu {
	struct grt_gpu gpu;
	const struct grt_driver *driver;
	enum grt_queue queue;
	int rings;		/* that the module has seen; -1: not known */
	struct grt_fact facts[GRT_NR_TOPICS];
};

struct doctor_check {
	bool is_problem;	/* else only worth to know */
	char text[240], hint[160];	/* @hint may be "" */
};

struct doctor {
	struct grt_kernel_look look;
	struct grt_vec gpus;		/* struct doctor_gpu */
	struct grt_vec checks;		/* struct doctor_check */
	struct grt_source_trial sources[GRT_NR_SOURCES];
	int best;			/* the source that record takes; -1: none works */
	int about;			/* the source whose recordings the facts are about */
};

/*
 * Looks at this machine.  @source: what the facts are about; NULL: the best one.  0 or -errno with a
 * cause, -EINVAL if there is no such source.
 */
int doctor_look(struct doctor *d, const char *source);
void doctor_free(struct doctor *d);

/* Adds what is wrong with the machine.  0, or -ENOMEM with a cause. */
int doctor_check(struct doctor *d);
bool doctor_has_problems(const struct doctor *d);

/* Prints all of it.  @format: text, csv or json. */
void doctor_print(const struct doctor *d, const char *format, FILE *f);

/*
 * The text that a bug report needs, to be freed; without what tells the machine or its users.  0 or
 * -errno with a cause.
 */
int doctor_bug_report(const struct doctor *d, char **text);

#endif /* GRT_DOCTOR_H */
