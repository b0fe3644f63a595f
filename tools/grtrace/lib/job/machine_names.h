/* SPDX-License-Identifier: LGPL-2.1 */
/* The machines of a trace: one, or in a merged trace one for each boot. */
#ifndef GRT_MACHINE_NAMES_H
#define GRT_MACHINE_NAMES_H

#include <stdint.h>

#include <linux/grtrace.h>

#include "vec.h"

/* A text is "" if it is not known. */
struct grt_machine {
	char host[65];
	char boot_id[37];
	char no_cgroup_paths[64];	/* why the recorder found none; "": it did, or did not try */
};

/* Zeroed memory is empty. */
struct grt_machine_names {
	struct grt_vec rows;		/* of struct grt_machine, by boot */
	struct grt_machine unnamed;	/* a boot without a definition */
	uint64_t boots;			/* more than 1: a merged trace */
};

void grt_machine_names_free(struct grt_machine_names *n);

/*
 * The head of a file names the host of all machines that no definition names; "": it names none.  Call it before
 * the first definition.
 */
void grt_machine_names_begin(struct grt_machine_names *n, const char *host);

/* Takes the lines of METADATA: they say how many boots there are. */
void grt_machine_names_metadata(struct grt_machine_names *n, const char *text);

/* Takes a definition; of several of one boot, the last one counts.  0 or -errno with a cause. */
int grt_machine_names_define(struct grt_machine_names *n, const struct grtrace_machine *rec);

/* The machine of boot @boot, which may be any number. */
const struct grt_machine *grt_machine_names_of(const struct grt_machine_names *n, uint64_t boot);

/* What the names of all machines have in common. */
struct grt_machine grt_machine_names_common(const struct grt_machine_names *n);

/* The boot that a number belongs to.  @unit: GRT_BOOT_CTXS and the like, see boot.h. */
uint64_t grt_machine_names_boot(const struct grt_machine_names *n, uint64_t number, uint64_t unit);

/* The machine of a fence context, and of a cgroup. */
const struct grt_machine *grt_machine_names_of_ctx(const struct grt_machine_names *n, uint64_t ctx);
const struct grt_machine *grt_machine_names_of_cgroup(const struct grt_machine_names *n, uint64_t cgroup_id);

#endif /* GRT_MACHINE_NAMES_H */
