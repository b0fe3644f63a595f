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
	struct grt_vec rows;	/* of struct grt_machine, by boot */
};

void grt_machine_names_free(struct grt_machine_names *n);

/* Takes a definition; of several of one boot, the last one counts.  0 or -errno with a cause. */
int grt_machine_names_define(struct grt_machine_names *n, const struct grtrace_machine *rec);

/* The machine of boot @boot; its texts are "" if nothing is known of it. */
const struct grt_machine *grt_machine_names_of(const struct grt_machine_names *n, uint64_t boot);

/* The same for a fence context, whose number tells the boot. */
const struct grt_machine *grt_machine_names_of_ctx(const struct grt_machine_names *n, uint64_t ctx);

#endif /* GRT_MACHINE_NAMES_H */
