/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Makes the numbers of one trace different from those of others.  Each boot of a machine has its
 * own fence contexts, processes, cgroups and CPUs; in a merged trace the numbers of boot N (from 0)
 * are N units higher.  The number 0 means none and stays 0.
 */
#ifndef GRT_REMAP_H
#define GRT_REMAP_H

#include <stdint.h>

#include <linux/grtrace.h>

#include "boot.h"
#include "map.h"

/* X(NAME, unit, text): each unit is more than a kernel has. */
#define GRT_REMAPS(X)							\
	X(CTX,		GRT_BOOT_CTXS,		"fence context")	\
	X(PID,		GRT_BOOT_PIDS,		"process or thread")	\
	X(CPU,		GRT_BOOT_CPUS,		"CPU")			\
	X(CGROUP,	GRT_BOOT_CGROUPS,	"cgroup")

enum grt_remap_kind {
#define GRT_X(NAME, unit, text) GRT_REMAP_##NAME,
	GRT_REMAPS(GRT_X)
#undef GRT_X
	GRT_REMAP_RING,
	GRT_REMAP_TIME,
};

struct grt_remap {
	const char *name;	/* of the trace, for messages */
	uint64_t first_boot;	/* its number in the merged trace */
	uint64_t boots;		/* in this trace; more than 1 if it was merged itself */
	int64_t shift_ns;	/* added to its times */
	uint64_t begin_ns;	/* start of the trace; no loss begins earlier */
	struct grt_map rings;	/* number in the trace -> number in the merged trace */
	uint32_t *last_ring;	/* last number used in the merged trace */
};

/*
 * Changes all numbers of @rec except its cpu, which the caller sets.  0, or -EBADMSG with a cause.
 */
int grt_remap_record(struct grt_remap *r, struct grtrace_hdr *rec);

/* Changes one number.  0, or -EBADMSG with a cause if it is too large. */
int grt_remap_number(const struct grt_remap *r, enum grt_remap_kind kind, uint64_t *number);

uint64_t grt_remap_time(const struct grt_remap *r, uint64_t ns);

#endif /* GRT_REMAP_H */
